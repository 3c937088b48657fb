//! What the Responses and the Messages protocol share: reading into the shape of a completion.

mod check;
mod chunk;
mod read;
mod value;

use crate::chunk::Chunk;
use crate::completion::Completion;
use crate::error::ApiError;
use crate::protocol::Protocol;
use crate::{messages, responses};

pub use check::check_json_as;
pub(crate) use chunk::{Texts, arguments, call, end, header, other, texts};
pub use read::read_response_as;
pub(crate) use value::{Fields, Object, says, text};

/// Where an event has no name of its own, its type is looked for in so many bytes.
const TYPE_BY: usize = 80;

/// A body in its protocol's own shape, which a completion was read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Native {
    Response(Box<responses::Response>),
    Message(Box<messages::Message>),
}

/// Events in, a body out.
#[derive(Debug)]
pub(crate) enum NativeFold {
    Responses(responses::ResponseFold),
    Messages(messages::MessageFold),
}

/// What an event brought.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// What is new, as chunks.
    pub(crate) chunks: Vec<Chunk<'static>>,
    /// The stream failed.
    pub(crate) error: Option<ApiError>,
    /// It was the last event.
    pub(crate) ended: bool,
    /// What came at the end is not what had been streamed.
    pub(crate) corrected: bool,
    /// About how many bytes more the fold holds.
    pub(crate) held: usize,
}

impl Step {
    pub(crate) fn one(chunk: Chunk<'static>) -> Self {
        Self {
            chunks: vec![chunk],
            ..Self::default()
        }
    }

    pub(crate) fn error(error: ApiError) -> Self {
        Self {
            error: Some(error),
            ended: true,
            ..Self::default()
        }
    }

    pub(crate) fn holding(mut self, bytes: usize) -> Self {
        self.held = bytes;
        self
    }
}

impl NativeFold {
    /// None for chat completions, which have a fold of their own.
    pub(crate) fn new(protocol: Protocol) -> Option<Self> {
        match protocol {
            Protocol::ChatCompletions => None,
            Protocol::Responses => Some(Self::Responses(responses::ResponseFold::default())),
            Protocol::Messages => Some(Self::Messages(messages::MessageFold::default())),
        }
    }

    /// Takes in an event: its name, its JSON, and how long that was in bytes.
    pub(crate) fn push(&mut self, name: &str, event: Fields, len: usize) -> Step {
        match self {
            Self::Responses(fold) => fold.push(responses::Event::read(name, event), len),
            Self::Messages(fold) => fold.push(messages::Event::read(name, event), len),
        }
    }

    /// Takes in an event that brings a token's text and nothing else, of which there are many more than of
    /// all others. None where it is another one, or in another shape than usual: then
    /// [`NativeFold::push`] reads it, and would have come to the same.
    pub(crate) fn push_token(&mut self, name: &[u8], data: &[u8]) -> Option<Step> {
        let start = data.get(..TYPE_BY).unwrap_or(data);
        let is_called = |ending: &[u8]| {
            name.ends_with(ending)
                || (name.is_empty() && memchr::memmem::find(start, ending).is_some())
        };
        match self {
            Self::Responses(fold) if is_called(b".delta") => fold.push_token(data),
            Self::Messages(fold) if is_called(b"content_block_delta") => fold.push_token(data),
            _ => None,
        }
    }

    /// What came, as a completion.
    pub(crate) fn finish(self) -> Completion {
        match self {
            Self::Responses(fold) => fold.finish().into_completion(),
            Self::Messages(fold) => fold.finish().into_completion(),
        }
    }
}
