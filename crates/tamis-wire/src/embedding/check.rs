//! What is checked before a request is sent.

use super::{EmbeddingInput, EmbeddingPart, EmbeddingRequest};
use crate::failure::{Failure, FailureKind};

type Checked = Result<(), Failure>;

impl EmbeddingRequest {
    /// Checks presence and ranges. How many inputs a model takes at once, and how long, is the model's own
    /// to say.
    ///
    /// # Errors
    ///
    /// `Validation`, naming the field and what it allows.
    pub fn check(&self) -> Result<(), Failure> {
        if self.model.trim().is_empty() {
            return refuse("model: empty; name one, such as openai/text-embedding-3-small");
        }
        if self.dimensions == Some(0) {
            return refuse("dimensions: 0; at least 1");
        }
        if self
            .input_type
            .as_ref()
            .is_some_and(|name| name.trim().is_empty())
        {
            return refuse("input_type: blank");
        }
        if let Some(provider) = &self.provider {
            provider.check()?;
        }
        self.check_input()
    }

    fn check_input(&self) -> Checked {
        match &self.input {
            EmbeddingInput::Text(text) if text.is_empty() => refuse("input: an empty text"),
            EmbeddingInput::Tokens(tokens) if tokens.is_empty() => {
                refuse("input: an empty list of tokens")
            }
            EmbeddingInput::Text(_) | EmbeddingInput::Tokens(_) => Ok(()),
            input if input.is_empty() => refuse("input: empty; at least one is needed"),
            // One empty input makes servers refuse all of them, and not say which.
            EmbeddingInput::Texts(texts) => each(texts, |text| {
                (!text.is_empty()).then_some(()).ok_or("an empty text")
            }),
            EmbeddingInput::TokenLists(lists) => each(lists, |tokens| {
                let any = !tokens.is_empty();
                any.then_some(()).ok_or("an empty list of tokens")
            }),
            EmbeddingInput::Parts(inputs) => each(inputs, |parts| check_parts(parts)),
        }
    }
}

fn each<T>(inputs: &[T], check: impl Fn(&T) -> Result<(), &'static str>) -> Checked {
    for (place, input) in inputs.iter().enumerate() {
        check(input).or_else(|what| refuse(format!("input[{place}]: {what}")))?;
    }
    Ok(())
}

fn check_parts(parts: &[EmbeddingPart]) -> Result<(), &'static str> {
    if parts.is_empty() {
        return Err("no parts");
    }
    for part in parts {
        match part {
            EmbeddingPart::Text(text) if text.is_empty() => return Err("an empty text"),
            EmbeddingPart::ImageUrl(url) if url.trim().is_empty() => {
                return Err("an image without an address");
            }
            EmbeddingPart::Other(part) if !part.is_object() => {
                return Err("a part that is not an object");
            }
            _ => {}
        }
    }
    Ok(())
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(FailureKind::Validation, message))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{EmbeddingInput, EmbeddingPart, EmbeddingRequest, EncodingFormat};
    use crate::failure::FailureKind;
    use crate::request::ProviderPreferences;

    type Break = fn(&mut EmbeddingRequest);

    #[test]
    fn what_is_refused_names_its_field() {
        let none: [&str; 0] = [];
        let rows: [(&str, EmbeddingInput); 9] = [
            ("input: an empty text", "".into()),
            ("input: an empty list", EmbeddingInput::Tokens(Vec::new())),
            ("input: empty", none.into()),
            ("input[1]: an empty text", ["a", "", ""].into()),
            ("input[0]: an empty list", vec![Vec::<u64>::new()].into()),
            (
                "input[0]: no parts",
                vec![Vec::<EmbeddingPart>::new()].into(),
            ),
            (
                "input[0]: an empty text",
                vec![vec![EmbeddingPart::Text(String::new())]].into(),
            ),
            (
                "input[0]: an image",
                vec![vec![EmbeddingPart::ImageUrl(" ".into())]].into(),
            ),
            (
                "input[0]: a part",
                vec![vec![EmbeddingPart::Other(Value::Null)]].into(),
            ),
        ];
        for (message, input) in rows {
            let failure = EmbeddingRequest::new("a/b", input).check().unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Validation);
            assert!(failure.message().starts_with(message), "{failure}");
        }
        let rows: &[(&str, Break)] = &[
            ("model", |request| request.model = "\t".into()),
            ("dimensions", |request| request.dimensions = Some(0)),
            ("provider.order", |request| {
                request.provider = Some(ProviderPreferences::pin(""));
            }),
            ("input_type", |request| {
                request.input_type = Some(" ".into());
            }),
        ];
        for (message, spoil) in rows {
            let mut request = EmbeddingRequest::new("a/b", "x");
            spoil(&mut request);
            let failure = request.check().unwrap_err();
            assert!(failure.message().starts_with(message), "{failure}");
        }
    }

    #[test]
    fn what_is_sent() {
        let parts = vec![
            EmbeddingPart::Text("a mug".into()),
            EmbeddingPart::ImageUrl("https://example.com/a.png".into()),
            EmbeddingPart::Other(json!({"type": "later"})),
        ];
        let rows: [(EmbeddingInput, Value); 5] = [
            ("a".into(), json!("a")),
            (vec!["a".to_owned()].into(), json!(["a"])),
            (EmbeddingInput::Tokens(vec![1, 2]), json!([1, 2])),
            (vec![vec![1_u64], vec![2, 3]].into(), json!([[1], [2, 3]])),
            (
                vec![parts].into(),
                json!([{"content": [{"type": "text", "text": "a mug"},
                    {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}, {"type": "later"}]}]),
            ),
        ];
        for (input, sent) in rows {
            let request = EmbeddingRequest::new("a/b", input);
            request.check().unwrap();
            assert_eq!(request.to_json().unwrap()["input"], sent);
        }
        let mut request = EmbeddingRequest::new("a/b", "secret");
        request.dimensions = Some(256);
        request.encoding_format = Some(EncodingFormat::Base64);
        request.input_type = Some("search_query".into());
        request.user = Some("u".into());
        request.provider = Some(ProviderPreferences::pin("x"));
        request.extra.insert("truncate".into(), "END".into());
        assert_eq!(
            Value::from(request.to_json().unwrap()),
            json!({"model": "a/b", "input": "secret", "dimensions": 256, "encoding_format": "base64",
                "input_type": "search_query", "user": "u",
                "provider": {"order": ["x"], "allow_fallbacks": false}, "truncate": "END"})
        );
        request.strip_openrouter_fields();
        let stripped = request.to_json().unwrap();
        assert!(!stripped.contains_key("provider") && !stripped.contains_key("input_type"));
        assert!(!format!("{request:?}").contains("secret"));
    }
}
