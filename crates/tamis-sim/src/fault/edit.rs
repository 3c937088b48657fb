//! What a model says, and how it can say it wrongly.

use serde_json::{Map, Value, json};

use crate::rng::Rng;

/// One choice's content, before it is put on the wire.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub(crate) content: Option<String>,
    pub(crate) reasoning: Option<String>,
    pub(crate) refusal: Option<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) finish: String,
    pub(crate) native: String,
    /// The choice's own error, beside what came before it.
    pub(crate) error: Option<Value>,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// JSON text.
    pub(crate) arguments: String,
}

/// One change to what a model says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Edit {
    /// The text in a markdown fence.
    Fence,
    /// Prose before and after the text.
    Prose,
    /// Prose, and no JSON in it.
    ProseOnly,
    /// A JSON object that the schema did not ask for.
    OtherShape,
    /// `[1]`.
    Trivial,
    /// The empty string.
    Empty,
    /// Content null, the text in the reasoning.
    IntoReasoning,
    /// The text stops in the middle.
    Halve,
    /// Other finish reasons.
    Finish(&'static str, &'static str),
    /// A refusal instead of content.
    Refuse,
    /// The first property is missing.
    DropProperty,
    /// A property too many.
    AddProperty,
    /// A string is a number, a number a string.
    WrongType,
    /// The first text value in upper case.
    UpperCase,
    /// A comma before the last bracket.
    TrailingComma,
    /// The JSON as the content of a JSON string.
    DoubleEncode,
    /// So many tool calls, those of the request's tools or invented ones.
    Call(usize),
    /// No tool calls, whatever the request asked for.
    NoCalls,
    /// The last tool call's arguments stop in the middle.
    HalveArguments,
    /// Half of the text, then an error in the choice.
    ChoiceError,
    /// Some thoughts before the answer.
    Think,
}

/// What an edit may need besides.
pub(crate) struct EditContext<'a> {
    pub(crate) rng: &'a mut Rng,
    /// A tool call like those that the request asks for.
    pub(crate) call: &'a mut dyn FnMut(&mut Rng) -> Call,
}

impl Edit {
    #[expect(clippy::too_many_lines, reason = "one short arm for each edit")]
    pub(crate) fn apply(self, said: &mut Said, context: &mut EditContext<'_>) {
        match self {
            Self::Fence => said.map_text(|text| format!("```json\n{text}\n```")),
            Self::Prose => said.map_text(|text| {
                format!("Sure! Here is the JSON that you asked for:\n\n{text}\n\nLet me know if anything is missing.")
            }),
            Self::ProseOnly => {
                said.say("I looked at the request, and everything in it seems to be in order.");
            }
            Self::OtherShape => {
                said.say(r#"{"result":{"status":"ok","items":[{"label":"gravel","size":3}]}}"#);
            }
            Self::Trivial => said.say("[1]"),
            Self::Empty => said.say(""),
            Self::IntoReasoning => {
                let text = said.content.take().unwrap_or_default();
                said.calls.clear();
                said.reasoning = Some(text);
            }
            Self::Halve => {
                if said.calls.is_empty() {
                    said.map_text(|text| half(&text).to_owned());
                } else {
                    Self::HalveArguments.apply(said, context);
                }
            }
            Self::Finish(finish, native) => {
                finish.clone_into(&mut said.finish);
                native.clone_into(&mut said.native);
            }
            Self::Refuse => {
                said.content = None;
                said.calls.clear();
                said.refusal = Some("I'm sorry, but I can't help with that request.".to_owned());
                Self::Finish("stop", "stop").apply(said, context);
            }
            Self::DropProperty => said.map_json(|value| {
                if let Some(object) = value.as_object_mut() {
                    let first = object.keys().next().cloned();
                    first.and_then(|key| object.shift_remove(&key));
                }
            }),
            Self::AddProperty => said.map_json(|value| {
                if let Some(object) = value.as_object_mut() {
                    object.insert("note_from_the_model".to_owned(), json!("not in the schema"));
                }
            }),
            Self::WrongType => said.map_json(|value| {
                mend_first(value, &mut |leaf| match leaf {
                    Value::Number(number) => Some(json!(number.to_string())),
                    Value::Bool(truth) => Some(json!(truth.to_string())),
                    Value::String(_) => Some(json!(12)),
                    _ => None,
                });
            }),
            Self::UpperCase => said.map_json(|value| {
                mend_first(value, &mut |leaf| {
                    let text = leaf.as_str()?;
                    let upper = text.to_uppercase();
                    (upper != text).then(|| Value::from(upper))
                });
            }),
            Self::TrailingComma => said.map_text(|text| {
                match text.char_indices().next_back() {
                    Some((at, last @ ('}' | ']'))) if text.len() > 2 => {
                        let body = text.get(..at).unwrap_or_default();
                        format!("{body},{last}")
                    }
                    _ => text,
                }
            }),
            Self::DoubleEncode => said.map_text(|text| Value::from(text).to_string()),
            Self::Call(count) => {
                said.content = None;
                while said.calls.len() < count {
                    said.calls.push((context.call)(context.rng));
                }
                said.calls.truncate(count);
                Self::Finish("tool_calls", "tool_calls").apply(said, context);
            }
            Self::NoCalls => {
                said.calls.clear();
                if said.content.as_deref().unwrap_or_default().is_empty() {
                    said.content = Some("I can answer that without any tools.".to_owned());
                }
                Self::Finish("stop", "stop").apply(said, context);
            }
            Self::HalveArguments => {
                if let Some(call) = said.calls.last_mut() {
                    call.arguments = half(&call.arguments).to_owned();
                }
            }
            Self::ChoiceError => {
                said.map_text(|text| half(&text).to_owned());
                Self::Finish("error", "error").apply(said, context);
                said.error = Some(json!({
                    "code": 502,
                    "message": "The provider closed the connection",
                    "metadata": {"error_type": "provider_unavailable", "provider_code": "upstream_eof"},
                }));
            }
            Self::Think => {
                said.reasoning = Some(
                    "The request names a schema, so first the required fields, then the rest."
                        .to_owned(),
                );
            }
        }
    }
}

impl Said {
    fn map_text(&mut self, change: impl FnOnce(String) -> String) {
        if let Some(text) = self.content.take() {
            self.content = Some(change(text));
        }
    }

    /// Changes the content if it is JSON, else leaves it.
    fn map_json(&mut self, change: impl FnOnce(&mut Value)) {
        self.map_text(|text| match serde_json::from_str(&text) {
            Ok(mut value) => {
                change(&mut value);
                value.to_string()
            }
            Err(_) => text,
        });
    }

    fn say(&mut self, text: &str) {
        self.content = Some(text.to_owned());
        self.calls.clear();
        if self.finish == "tool_calls" {
            "stop".clone_into(&mut self.finish);
            "stop".clone_into(&mut self.native);
        }
    }

    /// The length in tokens, as the simulator counts them.
    pub(crate) fn tokens(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, |text| tokens(text));
        let calls: usize = self
            .calls
            .iter()
            .map(|call| tokens(&call.arguments).saturating_add(4))
            .sum();
        text(&self.content)
            .saturating_add(text(&self.reasoning))
            .saturating_add(text(&self.refusal))
            .saturating_add(calls)
    }
}

/// Four characters make a token, as the rule of thumb has it.
pub(crate) fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

/// The first half of a text, at least one character shorter.
fn half(text: &str) -> &str {
    let middle = text.chars().count() / 2;
    let end = text.char_indices().nth(middle).map_or(0, |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// Replaces the first leaf for which `mend` has something else.
fn mend_first(value: &mut Value, mend: &mut dyn FnMut(&Value) -> Option<Value>) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().any(|item| mend_first(item, mend)),
        Value::Object(object) => mend_first_member(object, mend),
        leaf => match mend(leaf) {
            Some(other) => {
                *leaf = other;
                true
            }
            None => false,
        },
    }
}

fn mend_first_member(
    object: &mut Map<String, Value>,
    mend: &mut dyn FnMut(&Value) -> Option<Value>,
) -> bool {
    object.values_mut().any(|member| mend_first(member, mend))
}

#[cfg(test)]
mod tests {
    use super::{Call, Edit, EditContext, Said, half};
    use crate::rng::Rng;

    fn edited(edit: Edit, said: &str) -> Said {
        let mut said = Said {
            content: Some(said.to_owned()),
            reasoning: None,
            refusal: None,
            calls: Vec::new(),
            finish: "stop".to_owned(),
            native: "stop".to_owned(),
            error: None,
        };
        let mut context = EditContext {
            rng: &mut Rng::new(1, &[]),
            call: &mut |rng| Call {
                id: rng.token(4),
                name: "weigh".to_owned(),
                arguments: r#"{"grams":5}"#.to_owned(),
            },
        };
        edit.apply(&mut said, &mut context);
        said
    }

    #[test]
    fn edits_do_what_they_say() {
        let text = |edit, content| edited(edit, content).content.unwrap();
        let json = r#"{"a":5,"b":"red"}"#;
        assert_eq!(text(Edit::Fence, "1"), "```json\n1\n```");
        assert_eq!(text(Edit::DropProperty, json), r#"{"b":"red"}"#);
        assert_eq!(text(Edit::WrongType, json), r#"{"a":"5","b":"red"}"#);
        assert_eq!(text(Edit::UpperCase, json), r#"{"a":5,"b":"RED"}"#);
        assert_eq!(text(Edit::TrailingComma, json), r#"{"a":5,"b":"red",}"#);
        assert_eq!(text(Edit::DoubleEncode, "[1]"), "\"[1]\"");
        assert_eq!(text(Edit::WrongType, "no json"), "no json");
        assert_eq!(edited(Edit::IntoReasoning, json).reasoning.unwrap(), json);
        let called = edited(Edit::Call(2), json);
        assert_eq!((called.calls.len(), called.content), (2, None));
        assert_eq!(called.finish, "tool_calls");
    }

    #[test]
    fn half_is_shorter_and_cuts_no_character() {
        assert_eq!(half("üüü"), "ü");
        assert_eq!(half("a"), "");
        assert_eq!(half(""), "");
    }
}
