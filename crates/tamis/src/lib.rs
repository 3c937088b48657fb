//! Answers from language models that either conform to your schema or fail with a reason.

pub use tamis_schema as schema;
pub use tamis_wire as wire;

pub mod report;
