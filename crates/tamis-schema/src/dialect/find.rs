//! Whose dialect it is.

use super::Dialect;

/// Providers, by their names without anything but letters and digits.
const PROVIDERS: &[(&str, Dialect)] = &[
    ("openai", Dialect::OPENAI_STRICT),
    ("azure", Dialect::AZURE),
    ("azureopenai", Dialect::AZURE),
    ("anthropic", Dialect::ANTHROPIC),
    ("google", Dialect::GEMINI),
    ("googlevertex", Dialect::GEMINI),
    ("vertex", Dialect::GEMINI),
    ("googleaistudio", Dialect::GEMINI),
    ("groq", Dialect::GROQ_STRICT),
    ("cerebras", Dialect::CEREBRAS),
    ("xai", Dialect::XAI),
    ("deepseek", Dialect::DEEPSEEK_TOOLS),
    ("fireworks", Dialect::FIREWORKS),
    ("fireworksai", Dialect::FIREWORKS),
    ("mistral", Dialect::MISTRAL),
    ("mistralai", Dialect::MISTRAL),
    ("amazonbedrock", Dialect::BEDROCK),
    ("awsbedrock", Dialect::BEDROCK),
    ("bedrock", Dialect::BEDROCK),
    ("vllm", Dialect::VLLM),
    ("llamacpp", Dialect::LLAMA_CPP),
    ("llamaserver", Dialect::LLAMA_CPP),
];

pub(super) fn provider(provider: &str) -> Option<Dialect> {
    // A slug may name a region or a variant after the provider.
    let name = provider.split('/').next().unwrap_or_default();
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    PROVIDERS
        .iter()
        .find(|(name, _)| *name == plain)
        .map(|(_, dialect)| *dialect)
}

pub(super) fn model(model: &str) -> Option<Dialect> {
    let model = model.trim_start_matches('~').to_ascii_lowercase();
    let (author, slug) = match model.split_once('/') {
        Some((author, slug)) => (author, slug),
        None => ("", model.as_str()),
    };
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| slug.starts_with(prefix));
    let by = |name: &str| author == name || author.is_empty();
    // Open weights are served by many, each in a dialect of its own.
    if by("openai")
        && !starts(&["gpt-oss"])
        && starts(&["gpt-", "chatgpt-", "o1", "o3", "o4", "o5"])
    {
        Some(Dialect::OPENAI_STRICT)
    } else if by("anthropic") && starts(&["claude-"]) {
        Some(Dialect::ANTHROPIC)
    } else if by("google") && starts(&["gemini-"]) {
        Some(Dialect::GEMINI)
    } else if by("x-ai") && starts(&["grok-"]) {
        Some(Dialect::XAI)
    } else if author == "mistralai"
        && starts(&["mistral-medium", "codestral-2", "magistral-medium"])
    {
        Some(Dialect::MISTRAL)
    } else {
        None
    }
}
