//! What comes back.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, MapAccess};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::error::ApiError;
use crate::failure::{Failure, FailureKind};
use crate::lenient::Tolerant;
use crate::record::record;
use crate::usd::Usd;

record! {
    /// The body of a response, written again as it was read.
    pub struct DecisionResponse {
        /// The generation's id.
        id: Option<String>,
        /// The model that decided, usually with the date of its version.
        model: Option<String>,
        /// The provider that served it.
        provider: Option<String>,
        /// The answers, as they came.
        answers: Answers,
        /// Tokens and cost.
        usage: Option<DecisionUsage>,
    }
}

record! {
    /// What a request for decisions used.
    pub struct DecisionUsage {
        /// Tokens in.
        input_tokens: Option<u64>,
        /// Tokens out; usually free, and often 0.
        output_tokens: Option<u64>,
        /// Charged, in US dollars.
        cost: Option<Usd>,
        /// Of the tokens in.
        input_tokens_details: Option<InputTokensDetails>,
    }
}

record! {
    /// What the tokens in were.
    pub struct InputTokensDetails {
        /// Read from a cache.
        cached_tokens: Option<u64>,
    }
}

/// Answers by the ids of their questions, as they came: of any type.
/// [`DecisionRequest::read`](super::DecisionRequest::read) makes decisions of them.
#[derive(Clone, Default, PartialEq)]
pub struct Answers(Map<String, Value>);

impl Answers {
    /// An answer.
    pub fn get(&self, id: &str) -> Option<&Value> {
        self.0.get(id)
    }

    /// All of them, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(id, answer)| (id.as_str(), answer))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How many: what was decided is not printed.
impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "<{} answers>", self.0.len())
    }
}

impl Serialize for Answers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Tolerant<'de> for Answers {
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Map::deserialize(MapAccessDeserializer::new(map)).map(Self)
    }
}

impl DecisionResponse {
    /// Reads the body of a 2xx response.
    ///
    /// # Errors
    ///
    /// The error inside it; `Malformed` where it is no JSON, or holds no answers.
    pub fn read(body: &[u8]) -> Result<Self, Failure> {
        let malformed = |message| Failure::new(FailureKind::Malformed, message);
        let value: Value =
            serde_json::from_slice(body).map_err(|_| malformed("the body is not JSON"))?;
        if let Some(error) = ApiError::from_value(&value) {
            return Err(Failure::from_inline(error));
        }
        let response: Option<Self> = serde_json::from_value(value).ok();
        response
            .filter(|response| !response.answers.is_empty())
            .ok_or_else(|| malformed("the body holds no answers"))
    }
}
