//! The parts of a schema as validators of their own.

use std::sync::OnceLock;

use jsonschema::Registry;
use serde_json::{Map, Value, json};

use crate::error::SchemaError;

/// The name that the whole schema goes by in the registry.
const NAME: &str = "tamis:schema";

/// Each schema of a document, made into a validator when it is first asked for.
pub(crate) struct Parts {
    registry: Registry<'static>,
    whole: Value,
    assert_formats: bool,
    validators: Vec<(String, OnceLock<Option<jsonschema::Validator>>)>,
}

impl Parts {
    /// The parts at these JSON Pointers.
    pub(crate) fn new(
        schema: &Value,
        pointers: impl Iterator<Item = String>,
        assert_formats: bool,
    ) -> Result<Self, SchemaError> {
        let registry = Registry::new()
            .add(NAME, schema.clone())
            .and_then(jsonschema::RegistryBuilder::prepare)
            .map_err(|_| SchemaError::new("", "its references lead out of it"))?;
        Ok(Self {
            registry,
            whole: schema.clone(),
            assert_formats,
            validators: pointers.map(|pointer| (pointer, OnceLock::new())).collect(),
        })
    }

    /// Whether the value conforms to this part. `None` where the part cannot be used alone: where it
    /// leads to a draft's own schema, which the registry does not hold.
    pub(crate) fn is_valid(&self, part: usize, value: &Value) -> Option<bool> {
        let (pointer, cell) = self.validators.get(part)?;
        let validator = cell.get_or_init(|| self.build(pointer)).as_ref()?;
        Some(validator.is_valid(value))
    }

    fn build(&self, pointer: &str) -> Option<jsonschema::Validator> {
        let options = jsonschema::options()
            .offline()
            .should_validate_formats(self.assert_formats);
        if pointer.is_empty() {
            return options.build(&self.whole).ok();
        }
        let mut schema = Map::new();
        if let Some(draft) = self.whole.get("$schema") {
            schema.insert("$schema".to_owned(), draft.clone());
        }
        let reference = format!("{NAME}#{}", encoded(pointer));
        schema.insert("$ref".to_owned(), Value::String(reference));
        options
            .with_registry(&self.registry)
            .build(&Value::Object(schema))
            .ok()
    }
}

/// A pattern of `patternProperties`, read as the validators read it.
pub(crate) struct Pattern(Option<jsonschema::Validator>);

impl Pattern {
    pub(crate) fn new(pattern: &str) -> Self {
        let schema = json!({"pattern": pattern});
        Self(jsonschema::options().offline().build(&schema).ok())
    }

    /// Whether it is a regular expression.
    pub(crate) fn is_usable(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn matches(&self, key: &str) -> bool {
        self.0
            .as_ref()
            .is_some_and(|validator| validator.is_valid(&Value::String(key.to_owned())))
    }
}

/// A JSON Pointer as the fragment of a URI.
fn encoded(pointer: &str) -> String {
    use std::fmt::Write as _;

    let mut out = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_what_it_is_in_the_whole() {
        for (draft, id) in [
            ("http://json-schema.org/draft-07/schema#", "$id"),
            ("https://json-schema.org/draft/2020-12/schema", "$id"),
            ("http://json-schema.org/draft-04/schema#", "id"),
        ] {
            for named in [false, true] {
                let mut schema = json!({
                    "$schema": draft,
                    "$ref": "#/definitions/list",
                    "definitions": {
                        "list": {"type": "array", "items": {"$ref": "#/definitions/a%25 b~1c"}},
                        "a% b/c": {"type": "integer"},
                    },
                });
                schema["definitions"]["list"]["items"]["$ref"] = json!("#/definitions/a%25%20b~1c");
                if named {
                    schema[id] = json!("https://example.org/schema");
                }
                let pointers = ["", "/definitions/list", "/definitions/a% b~1c", "/none"];
                let pointers = pointers.iter().map(ToString::to_string);
                let parts = Parts::new(&schema, pointers, false).unwrap();
                for (part, value, expected) in [
                    (0, json!([1]), Some(true)),
                    (0, json!(["x"]), Some(false)),
                    (1, json!([1]), Some(true)),
                    (1, json!(["x"]), Some(false)),
                    (2, json!(1), Some(true)),
                    (2, json!("x"), Some(false)),
                    (3, json!(1), None),
                    (4, json!(1), None),
                ] {
                    assert_eq!(parts.is_valid(part, &value), expected, "{part} {schema}");
                }
            }
        }
    }

    #[test]
    fn a_pattern_is_searched_for() {
        assert!(Pattern::new("b+$").matches("abb"));
        assert!(!Pattern::new("^b").matches("abb"));
        assert!(!Pattern::new("(").matches("("));
    }
}
