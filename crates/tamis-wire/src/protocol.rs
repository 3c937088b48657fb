//! The protocols in which an answer can be asked for.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The protocols in which an answer can be asked for, and comes back.
///
/// OpenRouter and several local servers speak all three. Whatever the protocol, what comes is read as a
/// [`Completion`](crate::Completion); the body in the protocol's own shape stays with it, see
/// [`Completion::response`](crate::Completion::response) and
/// [`Completion::native_message`](crate::Completion::native_message).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// Chat completions.
    #[default]
    ChatCompletions,
    /// `OpenAI`'s Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
}

impl Protocol {
    /// The route after the base URL.
    pub const fn path(self) -> &'static str {
        match self {
            Self::ChatCompletions => "chat/completions",
            Self::Responses => "responses",
            Self::Messages => "messages",
        }
    }
}

impl Protocol {
    /// The protocol that a saved body is of, JSON or an event stream, as far as it tells: by its
    /// `object` or `type`, or by the names of its first events. Chat completions where nothing does.
    ///
    /// ```
    /// use tamis_wire::Protocol;
    ///
    /// assert_eq!(Protocol::of_body(br#"{"object":"response","output":[]}"#), Protocol::Responses);
    /// assert_eq!(Protocol::of_body(b"event: message_start\ndata: {}\n\n"), Protocol::Messages);
    /// assert_eq!(Protocol::of_body(br#"{"choices":[]}"#), Protocol::ChatCompletions);
    /// ```
    pub fn of_body(body: &[u8]) -> Self {
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let body = body.trim_ascii_start();
        if body.starts_with(b"{") {
            return Head::of(body).map_or(Self::ChatCompletions, |head| head.of_whole());
        }
        body.split(|byte| matches!(byte, b'\n' | b'\r'))
            .filter(|line| !line.is_empty())
            .take(MOST_LINES)
            .find_map(|line| {
                if let Some(name) = line.strip_prefix(b"event:") {
                    return of_event(std::str::from_utf8(name.trim_ascii()).ok()?);
                }
                let head = Head::of(line.strip_prefix(b"data:")?)?;
                if head.choices.is_some() {
                    return Some(Self::ChatCompletions);
                }
                of_event(&head.kind?)
            })
            .unwrap_or_default()
    }
}

/// So many lines of a stream are looked at: comments and pings may come first.
const MOST_LINES: usize = 64;

fn of_event(name: &str) -> Option<Protocol> {
    if name.starts_with("response.") {
        Some(Protocol::Responses)
    } else if name.starts_with("message_") || name.starts_with("content_block_") {
        Some(Protocol::Messages)
    } else {
        None
    }
}

/// What tells a body's protocol.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    object: Option<Cow<'a, str>>,
    #[serde(default)]
    choices: Option<IgnoredAny>,
}

impl<'a> Head<'a> {
    fn of(json: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    fn of_whole(&self) -> Protocol {
        match (self.object.as_deref(), self.kind.as_deref()) {
            _ if self.choices.is_some() => Protocol::ChatCompletions,
            (Some("response"), _) => Protocol::Responses,
            (None, Some("message")) => Protocol::Messages,
            _ => Protocol::ChatCompletions,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ChatCompletions => "chat completions",
            Self::Responses => "Responses",
            Self::Messages => "Messages",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_tells_its_protocol() {
        for (body, protocol) in [
            ("", Protocol::ChatCompletions),
            ("no body at all", Protocol::ChatCompletions),
            (r#"{"error":{"code":400}}"#, Protocol::ChatCompletions),
            (r#"{"type":"error","error":{}}"#, Protocol::ChatCompletions),
            (
                r#"{"object":"response","choices":[]}"#,
                Protocol::ChatCompletions,
            ),
            (
                r#"{"object":1,"type":"message"}"#,
                Protocol::ChatCompletions,
            ),
            ("\u{feff} {\"object\":\"response\"}", Protocol::Responses),
            (r#"{"type":"message","content":[]}"#, Protocol::Messages),
            (
                "data: {\"choices\":[]}\n\nevent: response.created\n",
                Protocol::ChatCompletions,
            ),
            (
                ": hello\r\n\r\ndata: {\"type\":\"response.created\"}\r\n\r\n",
                Protocol::Responses,
            ),
            (
                "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: content_block_start\n",
                Protocol::Messages,
            ),
        ] {
            assert_eq!(Protocol::of_body(body.as_bytes()), protocol, "{body}");
        }
    }
}
