//! What is checked before a request is sent.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::{ChatRequest, InputContent, InputMessage, Role};
use crate::failure::{Failure, FailureKind};

impl ChatRequest {
    /// Checks what OpenRouter documents of each field: presence, ranges, lengths and counts.
    ///
    /// The name and the schema of a `json_schema` are not looked at here: see `tamis-schema`.
    ///
    /// # Errors
    ///
    /// `Validation`, naming the field and what it allows.
    pub fn check(&self) -> Result<(), Failure> {
        if self.model.trim().is_empty() && self.models.iter().all(|model| model.trim().is_empty()) {
            return refuse("model: empty; name one, such as openai/gpt-4o");
        }
        if self.messages.is_empty() {
            return refuse("messages: empty; at least one is needed");
        }
        for (place, message) in self.messages.iter().enumerate() {
            check_message(place, message)?;
        }
        self.check_sampling()?;
        self.check_limits()?;
        self.check_tools()?;
        check_metadata(&self.metadata)?;
        self.provider
            .as_ref()
            .map_or(Ok(()), |provider| check_max_price(&provider.max_price))
    }

    fn check_sampling(&self) -> Result<(), Failure> {
        let rows = [
            ("temperature", self.temperature, 0.0..=2.0),
            ("top_p", self.top_p, 0.0..=1.0),
            ("top_a", self.top_a, 0.0..=1.0),
            ("min_p", self.min_p, 0.0..=1.0),
            ("frequency_penalty", self.frequency_penalty, -2.0..=2.0),
            ("presence_penalty", self.presence_penalty, -2.0..=2.0),
            ("repetition_penalty", self.repetition_penalty, 0.0..=2.0),
        ];
        rows.into_iter()
            .try_for_each(|(field, value, range)| in_range(field, value, &range))
    }

    fn check_limits(&self) -> Result<(), Failure> {
        for (field, value) in [
            ("max_tokens", self.max_tokens),
            ("max_completion_tokens", self.max_completion_tokens),
        ] {
            if value == Some(0) {
                return refuse(format!("{field}: 0; at least 1"));
            }
        }
        if let Some(count) = self.top_logprobs {
            if count > 20 {
                return refuse(format!("top_logprobs: {count}; from 0 to 20"));
            }
            if self.logprobs != Some(true) {
                return refuse("top_logprobs: needs logprobs to be true");
            }
        }
        if self.stop.len() > 4 {
            return refuse(format!("stop: {} texts; at most 4", self.stop.len()));
        }
        if self.stop.iter().any(String::is_empty) {
            return refuse("stop: an empty text");
        }
        if let Some(id) = &self.session_id {
            let length = id.chars().count();
            if length > 256 {
                return refuse(format!("session_id: {length} characters; at most 256"));
            }
        }
        for (token, bias) in &self.logit_bias {
            let bias = bias.as_f64().unwrap_or(f64::NAN);
            in_range(
                &format!("logit_bias[{token:?}]"),
                Some(bias),
                &(-100.0..=100.0),
            )?;
        }
        Ok(())
    }

    fn check_tools(&self) -> Result<(), Failure> {
        for (place, tool) in self.tools.iter().enumerate() {
            if let super::Tool::Function { function } = tool {
                let name = &function.name;
                let allowed =
                    |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
                if name.is_empty() || name.len() > 64 || !name.chars().all(allowed) {
                    return refuse(format!(
                        "tools[{place}].function.name: letters, digits, _ and -, 1 to 64 of them"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn check_message(place: usize, message: &InputMessage) -> Result<(), Failure> {
    let empty = match &message.content {
        None => true,
        Some(InputContent::Text(text)) => text.is_empty(),
        Some(InputContent::Parts(parts)) => parts.is_empty(),
    };
    // A tool may have nothing to say, and so may a turn that asked for tools.
    let may_be_empty = message.role == Role::Tool
        || (message.role == Role::Assistant && !message.tool_calls.is_empty());
    if empty && !may_be_empty {
        return refuse(format!("messages[{place}].content: empty"));
    }
    if message.role == Role::Tool && message.tool_call_id.is_none() {
        return refuse(format!(
            "messages[{place}].tool_call_id: missing; a tool's result names its call"
        ));
    }
    Ok(())
}

fn check_metadata(metadata: &Map<String, Value>) -> Result<(), Failure> {
    if metadata.len() > 16 {
        return refuse(format!("metadata: {} pairs; at most 16", metadata.len()));
    }
    for (key, value) in metadata {
        if key.chars().count() > 64 {
            return refuse("metadata: a key of more than 64 characters");
        }
        let Some(text) = value.as_str() else {
            return refuse(format!("metadata[{key:?}]: not a text"));
        };
        if text.chars().count() > 512 {
            return refuse(format!("metadata[{key:?}]: more than 512 characters"));
        }
    }
    Ok(())
}

fn check_max_price(prices: &Map<String, Value>) -> Result<(), Failure> {
    for (what, price) in prices {
        let number = match price {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        if !number.is_some_and(|price| price.is_finite() && price >= 0.0) {
            return refuse(format!(
                "provider.max_price.{what}: not a price of 0 or more"
            ));
        }
    }
    Ok(())
}

fn in_range(field: &str, value: Option<f64>, range: &RangeInclusive<f64>) -> Result<(), Failure> {
    match value {
        Some(number) if !range.contains(&number) => refuse(format!(
            "{field}: {number}; from {} to {}",
            range.start(),
            range.end()
        )),
        _ => Ok(()),
    }
}

fn refuse(message: impl Into<String>) -> Result<(), Failure> {
    Err(Failure::new(FailureKind::Validation, message))
}

#[cfg(test)]
mod tests {
    use super::super::{ChatRequest, FunctionTool, InputMessage, ProviderPreferences};
    use crate::failure::FailureKind;

    fn request() -> ChatRequest {
        let mut request = ChatRequest::new("a/b");
        request.messages.push(InputMessage::user("hi"));
        request
    }

    #[test]
    fn each_limit_names_its_field() {
        type Break = fn(&mut ChatRequest);
        let rows: &[(&str, Break)] = &[
            ("model:", |request| request.model = " ".into()),
            ("messages:", |request| request.messages.clear()),
            ("messages[0].content", |request| {
                request.messages = vec![InputMessage::user("")];
            }),
            ("temperature", |request| request.temperature = Some(2.01)),
            ("temperature", |request| {
                request.temperature = Some(f64::NAN);
            }),
            ("top_p", |request| request.top_p = Some(-0.1)),
            ("min_p", |request| request.min_p = Some(1.1)),
            ("frequency_penalty", |request| {
                request.frequency_penalty = Some(-2.5);
            }),
            ("presence_penalty", |request| {
                request.presence_penalty = Some(2.5);
            }),
            ("repetition_penalty", |request| {
                request.repetition_penalty = Some(-1.0);
            }),
            ("max_tokens", |request| request.max_tokens = Some(0)),
            ("top_logprobs", |request| {
                request.logprobs = Some(true);
                request.top_logprobs = Some(21);
            }),
            ("top_logprobs", |request| request.top_logprobs = Some(2)),
            ("stop", |request| request.stop = vec!["x".into(); 5]),
            ("session_id", |request| {
                request.session_id = Some("é".repeat(257));
            }),
            ("metadata", |request| {
                request.metadata = (0..17).map(|n| (n.to_string(), "v".into())).collect();
            }),
            ("metadata", |request| {
                request.metadata.insert("k".repeat(65), "v".into());
            }),
            ("metadata", |request| {
                request.metadata.insert("k".into(), "v".repeat(513).into());
            }),
            ("metadata", |request| {
                request.metadata.insert("k".into(), 1.into());
            }),
            ("provider.max_price.prompt", |request| {
                let mut provider = ProviderPreferences::default();
                provider.max_price.insert("prompt".into(), (-1).into());
                request.provider = Some(provider);
            }),
            ("tools[0]", |request| {
                request.tools = vec![FunctionTool::new("a b", true.into()).into()];
            }),
            ("logit_bias", |request| {
                request.logit_bias.insert("5".into(), 101.into());
            }),
        ];
        assert!(request().check().is_ok());
        for (field, spoil) in rows {
            let mut request = request();
            spoil(&mut request);
            let failure = request.check().unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Validation);
            assert!(failure.message().starts_with(field), "{failure}");
        }
    }
}
