//! A response that holds no decisions, and was paid for all the same.

use std::error::Error;
use std::fmt;

use tamis_wire::Failure;
use tamis_wire::decision::DecisionResponse;

/// The source of a failure whose response's answers are not those that were asked for.
#[derive(Debug)]
pub(super) struct Unsound(Box<DecisionResponse>);

impl From<DecisionResponse> for Unsound {
    fn from(response: DecisionResponse) -> Self {
        Self(Box::new(response))
    }
}

impl fmt::Display for Unsound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the answers are not those that were asked for")
    }
}

impl Error for Unsound {}

/// The response of the Decisions API whose answers are not those that were asked for, with what it cost; none
/// for a failure of another cause.
pub fn response(failure: &Failure) -> Option<&DecisionResponse> {
    let source = Error::source(failure)?;
    source
        .downcast_ref::<Unsound>()
        .map(|Unsound(response)| &**response)
}
