//! Errors as servers report them, in each of their shapes.

mod api_error;
mod availability;
mod envelope;
mod error_type;
mod metadata;

pub use api_error::ApiError;
pub use availability::Availability;
pub use error_type::ErrorType;
pub use metadata::{ErrorMetadata, PreviousError};
