//! What is checked before a request is sent.

use std::collections::BTreeSet;

use serde_json::Value;

use super::image::{check_inside, check_item};
use super::{DecisionRequest, Question, QuestionKind};
use crate::failure::{Failure, FailureKind};

type Checked = Result<(), Failure>;

impl DecisionRequest {
    /// Checks what OpenRouter documents of each field: presence, types, counts and lengths. How many
    /// questions, options and levels a model takes at most is the model's own to say.
    ///
    /// # Errors
    ///
    /// `Validation`, naming the field and what it allows.
    pub fn check(&self) -> Result<(), Failure> {
        if self.model.trim().is_empty() {
            return refuse("model: empty; name one, such as typesafe/jev-1.14");
        }
        self.check_state()?;
        self.check_questions()?;
        for (field, value) in [("session_id", &self.session_id), ("user", &self.user)] {
            let length = value.as_ref().map_or(0, |text| text.chars().count());
            if length > LONGEST_NAME {
                return refuse(format!(
                    "{field}: {length} characters; at most {LONGEST_NAME}"
                ));
            }
        }
        match &self.provider {
            Some(provider) => provider.check(),
            None => Ok(()),
        }
    }

    fn check_state(&self) -> Checked {
        match &self.state {
            Value::String(text) if text.trim().is_empty() => refuse("state: blank"),
            Value::String(_) => Ok(()),
            Value::Array(items) if items.is_empty() => refuse("state: an empty list"),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(place, item)| check_item(place, item, self.remote_images)),
            Value::Object(fields) => fields.values().try_for_each(check_inside),
            Value::Null => refuse("state: missing; text, an object or a list is needed"),
            Value::Bool(_) | Value::Number(_) => {
                refuse("state: neither text nor an object nor a list")
            }
        }
    }

    fn check_questions(&self) -> Checked {
        if self.questions.is_empty() {
            return refuse("questions: none; at least one is needed");
        }
        let mut ids = BTreeSet::new();
        for (id, question) in &self.questions {
            if id.trim().is_empty() {
                return refuse("questions: an id is blank");
            }
            if !ids.insert(id) {
                return refuse(format!("questions: the id {id:?} comes twice"));
            }
            question
                .check()
                .or_else(|what| refuse(format!("questions[{id:?}].{what}")))?;
        }
        Ok(())
    }
}

/// Of ids, in characters.
const LONGEST_NAME: usize = 256;

/// Options and levels at least: OpenRouter's own helper asks for as many, and fewer decide nothing.
const FEWEST: usize = 2;

impl Question {
    /// What is wrong with it.
    fn check(&self) -> Result<(), String> {
        guidance("instructions", &self.instructions)?;
        match &self.kind {
            QuestionKind::YesNo { criteria } => {
                if let Some((yes, no)) = criteria {
                    guidance("criteria.true", yes)?;
                    guidance("criteria.false", no)?;
                }
            }
            QuestionKind::Choice { options } => {
                let mut names = BTreeSet::new();
                for option in options {
                    let name = &option.name;
                    if name.trim().is_empty() {
                        return Err("criteria: an option without a name".to_owned());
                    }
                    if !names.insert(name) {
                        return Err(format!("criteria: the option {name:?} comes twice"));
                    }
                    if !option.guidance.is_null() {
                        guidance(&format!("criteria[{name:?}]"), &option.guidance)?;
                    }
                }
                enough("options", options.len())?;
            }
            QuestionKind::Score { levels } => {
                for (place, level) in levels.iter().enumerate() {
                    guidance(&format!("criteria[{place}]"), level)?;
                }
                enough("levels", levels.len())?;
            }
            QuestionKind::Other { name, .. } if name.trim().is_empty() => {
                return Err("type: blank".to_owned());
            }
            QuestionKind::Locate | QuestionKind::Other { .. } => {}
        }
        Ok(())
    }
}

fn enough(what: &str, count: usize) -> Result<(), String> {
    if count < FEWEST {
        return Err(format!("criteria: {count} {what}; at least {FEWEST}"));
    }
    Ok(())
}

fn guidance(field: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::String(text) if text.trim().is_empty() => Err(format!("{field}: blank")),
        Value::String(_) | Value::Object(_) | Value::Array(_) => Ok(()),
        _ => Err(format!("{field}: neither text nor an object nor a list")),
    }
}

pub(super) fn refuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(FailureKind::Validation, message))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::super::{ChoiceOption, DecisionRequest, Question, image};
    use crate::failure::FailureKind;
    use crate::request::ProviderPreferences;

    fn request() -> DecisionRequest {
        DecisionRequest::new("a/b", "s").question("q", Question::yes_no("?"))
    }

    #[test]
    fn what_is_refused_names_its_field() {
        type Break = fn(&mut DecisionRequest);
        let rows: &[(&str, Break)] = &[
            ("model:", |request| request.model = " ".into()),
            ("state: blank", |request| request.state = "\n".into()),
            ("state: missing", |request| request.state = Value::Null),
            ("state: neither", |request| request.state = 5.into()),
            ("state: neither", |request| request.state = true.into()),
            ("state: an empty", |request| request.state = json!([])),
            ("state[1].image_url.url: missing", |request| {
                request.state = json!(["a", {"type": "image_url", "image_url": null}]);
            }),
            ("state[0].image_url.url: not a data URL", |request| {
                request.state = json!([image("https://example.com/a.png")]);
            }),
            ("state[0].image_url.url: not a data URL", |request| {
                request.state = json!([image("iVBORw0KGgo=")]);
            }),
            ("state[0].image_url.url: not a PNG", |request| {
                request.state = json!([image("data:image/gif;base64,R0lGOD")]);
            }),
            ("state[0].image_url.url: not a PNG", |request| {
                request.state = json!([image("data:image/png,raw")]);
            }),
            ("state[0].image_url.url: not a PNG", |request| {
                request.state = json!([image("data:image/png;base64,")]);
            }),
            ("state: an image is seen only", |request| {
                request.state = json!({"photo": image("data:image/png;base64,iVBO")});
            }),
            ("state: an image is seen only", |request| {
                request.state = json!([[image("data:image/png;base64,iVBO")]]);
            }),
            ("state: an input_image", |request| {
                request.state =
                    json!([{"type": "input_image", "image_url": "data:image/png;base64,iVBO"}]);
            }),
            ("questions: none", |request| request.questions.clear()),
            ("questions: an id", |request| {
                request.questions.push((" ".into(), Question::yes_no("?")));
            }),
            ("questions: the id \"q\" comes twice", |request| {
                request.questions.push(("q".into(), Question::yes_no("?")));
            }),
            ("questions[\"q\"].instructions: blank", |request| {
                request.questions = vec![("q".into(), Question::locate(""))];
            }),
            ("questions[\"q\"].instructions: neither", |request| {
                request.questions = vec![("q".into(), Question::locate(Value::Null))];
            }),
            ("questions[\"q\"].criteria.false: blank", |request| {
                request.questions = vec![("q".into(), Question::yes_no_by("?", "a", " "))];
            }),
            ("questions[\"q\"].criteria: 1 options", |request| {
                request.questions = vec![("q".into(), Question::choice("?", ["a"]))];
            }),
            (
                "questions[\"q\"].criteria: the option \"a\" comes twice",
                |request| {
                    request.questions = vec![("q".into(), Question::choice("?", ["a", "b", "a"]))];
                },
            ),
            ("questions[\"q\"].criteria: an option without", |request| {
                request.questions = vec![("q".into(), Question::choice("?", ["a", " "]))];
            }),
            ("questions[\"q\"].criteria[\"b\"]: neither", |request| {
                let options = [ChoiceOption::from("a"), ChoiceOption::new("b", 5)];
                request.questions = vec![("q".into(), Question::choice("?", options))];
            }),
            ("questions[\"q\"].criteria: 1 levels", |request| {
                request.questions = vec![("q".into(), Question::score("?", ["a"]))];
            }),
            ("questions[\"q\"].criteria[1]: neither", |request| {
                request.questions =
                    vec![("q".into(), Question::score("?", ["a".into(), Value::Null]))];
            }),
            ("questions[\"q\"].type: blank", |request| {
                request.questions = vec![("q".into(), Question::other("", "?", Map::new()))];
            }),
            ("session_id: 257", |request| {
                request.session_id = Some("é".repeat(257));
            }),
            ("user: 300", |request| request.user = Some("u".repeat(300))),
            ("provider.max_price.prompt", |request| {
                let below = serde_json::from_str(r#"{"max_price":{"prompt":-1}}"#);
                request.provider = Some(below.unwrap());
            }),
        ];
        assert!(request().check().is_ok());
        for (message, spoil) in rows {
            let mut request = request();
            spoil(&mut request);
            let failure = request.check().unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Validation);
            assert!(failure.message().starts_with(message), "{failure}");
        }
    }

    #[test]
    fn what_is_let_through() {
        for state in [
            json!({"plan": "pro"}),
            json!([
                "Caption: red mug",
                image("data:image/PNG;base64,iVBO"),
                5,
                null
            ]),
            json!([{"type": "text", "text": "plain JSON to the model"}]),
            json!([{"type": "image_url"}]),
        ] {
            let mut request = request();
            request.state = state;
            request.check().unwrap();
        }
        let mut request = request();
        request.state = json!([image("https://example.com/a.png")]);
        request.remote_images = true;
        request.check().unwrap();
    }

    #[test]
    fn a_deep_state_is_no_danger() {
        let mut state = Value::Null;
        for _ in 0..10_000 {
            state = Value::Array(vec![state]);
        }
        let mut request = request();
        request.state = state;
        request.check().unwrap();
        // Dropping it is serde_json's business, and recursive.
        let mut state = std::mem::take(&mut request.state);
        while let Value::Array(mut items) = state {
            state = items.pop().unwrap_or_default();
        }
    }

    #[test]
    fn what_is_sent() {
        let mut request = request();
        request.session_id = Some("case-118".into());
        request.user = Some("u-42".into());
        request.trace.insert("trace_id".into(), "t-1".into());
        request.provider = Some(ProviderPreferences::pin("typesafe"));
        request.extra.insert("later".into(), 1.into());
        assert_eq!(
            Value::from(request.to_json().unwrap()),
            json!({"model": "a/b", "state": "s", "questions": {"q": {"type": "noul", "instructions": "?"}},
                "provider": {"order": ["typesafe"], "allow_fallbacks": false}, "session_id": "case-118",
                "trace": {"trace_id": "t-1"}, "user": "u-42", "later": 1})
        );
    }
}
