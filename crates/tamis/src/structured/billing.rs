//! Where closing a stream ends the bill.
//!
//! Source: OpenRouter's documentation of stream cancellation, as of August 2026. A provider that is in
//! neither list is not known.

/// The generation, and so the bill, ends when the connection is closed.
const STOPS: [&str; 24] = [
    "anthropic",
    "anyscale",
    "avian",
    "azure",
    "chutes",
    "cloudflare",
    "cohere",
    "deepinfra",
    "deepseek",
    "fireworks",
    "friendli",
    "hyperbolic",
    "infermatic",
    "lepton",
    "liquid",
    "mancer",
    "nineteen",
    "novita",
    "octoai",
    "openai",
    "recursal",
    "sfcompute",
    "together",
    "xai",
];

/// The generation goes on to its end, and is billed in full.
const GOES_ON: [&str; 26] = [
    "ai21",
    "aionlabs",
    "alibaba",
    "awsbedrock",
    "amazonbedrock",
    "featherless",
    "google",
    "googleaistudio",
    "googlevertex",
    "groq",
    "huggingface",
    "inferencenet",
    "inflection",
    "kluster",
    "lambda",
    "lynn",
    "minimax",
    "mistral",
    "modal",
    "nebius",
    "perplexity",
    "reflection",
    "replicate",
    "sambanova",
    "targon",
    "zerooneai",
];

/// Whether a provider ends the generation when its stream is closed; none where that is not known.
pub(super) fn stops_billing(provider: &str) -> Option<bool> {
    // Names are written in several ways: "Together", "together-ai", "xAI", "InferenceNet".
    let name: String = provider
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    let is = |known: &&str| {
        name == **known || name.strip_suffix("ai").is_some_and(|name| name == *known)
    };
    if STOPS.iter().any(&is) {
        Some(true)
    } else if GOES_ON.iter().any(is) {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{GOES_ON, STOPS, stops_billing};

    #[test]
    fn known_by_any_spelling() {
        assert_eq!(stops_billing("OpenAI"), Some(true));
        assert_eq!(stops_billing("xAI"), Some(true));
        assert_eq!(stops_billing("Together AI"), Some(true));
        assert_eq!(stops_billing("Google AI Studio"), Some(false));
        assert_eq!(stops_billing("google-vertex"), Some(false));
        assert_eq!(stops_billing("Amazon Bedrock"), Some(false));
        assert_eq!(stops_billing("granite"), None);
    }

    #[test]
    fn no_provider_is_in_both_lists() {
        assert!(STOPS.iter().all(|name| !GOES_ON.contains(name)));
    }
}
