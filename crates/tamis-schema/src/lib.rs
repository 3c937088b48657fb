//! JSON Schema without I/O: checks, validation, dialects.
//!
//! - [`Validator`] checks values against a schema and says every [`Violation`].
//! - [`check_name`] checks a schema's name before it is sent.

mod dialect;
mod error;
mod lift;
mod lint;
mod lower;
mod measure;
mod name;
mod refs;
mod room;
mod validate;
mod violation;

pub use dialect::{
    Closed, Dialect, EnumRule, Fact, KEYWORDS, Limits, PatternRule, Recursion, References,
    Required, Root, Siblings, Source, Support, Surface, Table, UnknownDialect, Unsupported,
};
pub use error::SchemaError;
pub use lift::{Lift, LiftError, LiftErrorKind, LiftKind, LiftNote, Lifted};
pub use lint::{Finding, Severity, lint};
pub use lower::{Change, ChangeKind, Effect, LowerError, LowerReason, Lowered, Lowering, lower};
pub use measure::{MAX_INSTANCE_DEPTH, MAX_SCHEMA_DEPTH};
pub use name::{MAX_NAME_LEN, NameError, NameErrorKind, check_name};
pub use validate::{Validator, ValidatorOptions};
pub use violation::Violation;
