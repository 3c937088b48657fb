//! JSON Schema without I/O: checks, validation, dialects.
//!
//! - [`Dialect`] is what one upstream takes of JSON Schema; [`lint`] says what it will refuse of a schema,
//!   [`lower`] rewrites the schema, and [`Lift`] brings the answer back.
//! - [`Validator`] checks values against a schema and says every [`Violation`]; [`StreamValidator`] does
//!   while a value comes.
//! - [`coerce`] makes a value conform by changes that lose nothing, each on record.
//! - [`check_schema`] checks that a schema is one, and [`check_name`] its name, before it is sent.

mod cache;
mod coerce;
mod dialect;
mod error;
mod lift;
mod lint;
mod lower;
mod measure;
mod name;
mod refs;
mod room;
mod stream;
mod validate;
mod violation;

pub use cache::ValidatorCache;
pub use coerce::{
    CoerceError, CoerceErrorKind, Coerced, Coercer, Coercion, CoercionKind, JsonKind, coerce,
};
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
pub use stream::{StreamSchema, StreamValidator};
pub use validate::{Validator, ValidatorOptions, check_schema};
pub use violation::Violation;
