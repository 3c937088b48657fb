#![allow(
    missing_docs,
    dead_code,
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]
use crate::*;
use serde_json::Value;
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dialect(&'static str);
impl Dialect {
    pub const PORTABLE: Dialect = Dialect("portable");
    pub const OPENAI_STRICT: Dialect = Dialect("openai-strict");
    pub const OPENAI_STRICT_TOOLS: Dialect = Dialect("openai-strict-tools");
    pub const DEEPSEEK_TOOLS: Dialect = Dialect("deepseek-tools");
    pub fn for_model(m: &str) -> Option<Dialect> {
        m.starts_with("openai/").then_some(Self::OPENAI_STRICT)
    }
    pub fn for_provider(m: &str) -> Option<Dialect> {
        (m == "OpenAI").then_some(Self::OPENAI_STRICT)
    }
    pub fn name(self) -> &'static str {
        self.0
    }
}
impl std::fmt::Display for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Change;
#[derive(Clone, Debug)]
pub struct Lift;
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LiftNote;
#[derive(Clone, Debug)]
pub struct Lifted {
    pub value: Value,
    pub lifts: Vec<LiftNote>,
}
#[derive(Clone, Debug)]
pub struct LiftError;
impl std::fmt::Display for LiftError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("lift")
    }
}
impl std::error::Error for LiftError {}
impl Lift {
    pub fn is_identity(&self) -> bool {
        true
    }
    pub fn lift(&self, value: Value) -> Result<Lifted, LiftError> {
        Ok(Lifted {
            value,
            lifts: vec![],
        })
    }
}
pub struct Lowered {
    pub schema: Value,
    pub changes: Vec<Change>,
    pub lift: Lift,
}
#[derive(Clone, Debug)]
pub struct LowerError;
impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("lower")
    }
}
impl std::error::Error for LowerError {}
pub fn lower(schema: &Value, _: Dialect) -> Result<Lowered, LowerError> {
    Ok(Lowered {
        schema: schema.clone(),
        changes: vec![],
        lift: Lift,
    })
}
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Coercion;
pub struct Coerced {
    pub value: Value,
    pub coercions: Vec<Coercion>,
}
#[derive(Clone, Debug)]
pub struct CoerceError;
impl CoerceError {
    pub fn is_ambiguous(&self) -> bool {
        false
    }
}
impl std::fmt::Display for CoerceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("coerce")
    }
}
impl std::error::Error for CoerceError {}
pub fn coerce(value: &Value, _schema: &Value) -> Result<Coerced, CoerceError> {
    Ok(Coerced {
        value: value.clone(),
        coercions: vec![],
    })
}
pub struct StreamValidator;
impl StreamValidator {
    pub fn new(_: &Value) -> Result<Self, SchemaError> {
        Ok(Self)
    }
    pub fn event(
        &mut self,
        _at: tamis_json::Location<'_>,
        _event: tamis_json::Event<'_>,
    ) -> Option<Violation> {
        None
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("change")
    }
}
impl std::fmt::Display for Coercion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("coercion")
    }
}
impl std::str::FromStr for Dialect {
    type Err = LowerError;
    fn from_str(n: &str) -> Result<Self, LowerError> {
        if n == "openai-strict" {
            Ok(Self::OPENAI_STRICT)
        } else {
            Err(LowerError)
        }
    }
}
