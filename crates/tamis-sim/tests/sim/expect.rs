//! What a test may expect of an answer under a fault.

use serde_json::Value;

use super::client::Got;

/// An answer under a fault, beside the one without.
pub(super) struct Case {
    pub(super) stream: bool,
    pub(super) got: Got,
    pub(super) base: Got,
}

/// What is expected.
pub(super) enum Expect {
    /// The same answer as without the fault.
    Same,
    /// An error with this status, whose body contains this text.
    Error(u16, &'static str),
    /// The transport is in order, and the answer is as the function says.
    Says(fn(&Said, &Said)),
    /// Anything else.
    Wire(fn(&Case)),
}

/// What an answer says, plain or streamed.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) content: Value,
    pub(super) reasoning: String,
    pub(super) refusal: String,
    pub(super) finish: Value,
    pub(super) native: Value,
    /// Id, name, arguments.
    pub(super) calls: Vec<(String, String, String)>,
    pub(super) error: Value,
}

impl Said {
    pub(super) fn text(&self) -> &str {
        self.content
            .as_str()
            .unwrap_or_else(|| panic!("no content in {self:?}"))
    }

    pub(super) fn of(got: &Got, stream: bool) -> Self {
        if stream { streamed(got) } else { plain(got) }
    }
}

fn plain(got: &Got) -> Said {
    let body = got.json();
    let choice = &body["choices"][0];
    let message = &choice["message"];
    let text = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
    let calls = message["tool_calls"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let part = |value: &Value| value.as_str().expect("text").to_owned();
    Said {
        content: message["content"].clone(),
        reasoning: text("reasoning"),
        refusal: text("refusal"),
        finish: choice["finish_reason"].clone(),
        native: choice["native_finish_reason"].clone(),
        calls: calls
            .iter()
            .map(|call| {
                let function = &call["function"];
                (
                    part(&call["id"]),
                    part(&function["name"]),
                    part(&function["arguments"]),
                )
            })
            .collect(),
        error: choice["error"].clone(),
    }
}

fn streamed(got: &Got) -> Said {
    assert!(got.is_done(), "{}", got.text());
    let events = got.events();
    let last = &events.last().expect("an event")["choices"][0];
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for event in &events {
        for fragment in event["choices"][0]["delta"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let index = usize::try_from(fragment["index"].as_u64().expect("an index")).unwrap();
            calls.resize(calls.len().max(index + 1), Default::default());
            let (id, name, arguments) = &mut calls[index];
            *id += fragment["id"].as_str().unwrap_or_default();
            *name += fragment["function"]["name"].as_str().unwrap_or_default();
            *arguments += fragment["function"]["arguments"]
                .as_str()
                .unwrap_or_default();
        }
    }
    let content = got.streamed_content();
    let error = events.iter().find_map(|event| event.get("error")).cloned();
    // In a stream nothing is said by saying nothing.
    let silent = content.is_empty()
        && events.iter().any(|event| {
            let delta = &event["choices"][0]["delta"];
            delta["tool_calls"].is_array()
                || delta["refusal"].is_string()
                || delta["reasoning"].is_string()
        });
    Said {
        content: if silent {
            Value::Null
        } else {
            Value::from(content)
        },
        reasoning: got.joined("reasoning"),
        refusal: got.joined("refusal"),
        finish: last["finish_reason"].clone(),
        native: last["native_finish_reason"].clone(),
        calls,
        error: error.unwrap_or(Value::Null),
    }
}

impl Case {
    /// A stream's events up to where it went wrong, without looking at the end.
    pub(super) fn prefix(&self) -> String {
        let content = self.got.streamed_content();
        let whole = self.base.streamed_content();
        assert!(
            whole.starts_with(&content),
            "{content} is no prefix of {whole}"
        );
        assert!(content.len() < whole.len(), "{content} is whole");
        content
    }

    /// The base's bytes, with its events untouched.
    pub(super) fn base_text(&self) -> String {
        self.base.text()
    }
}
