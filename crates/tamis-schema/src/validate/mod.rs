//! Checking values against a schema. This module is the one place that knows the `jsonschema` crate.

pub(crate) mod parts;

use std::fmt::{self, Write as _};

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use crate::error::SchemaError;
use crate::measure::{
    MAX_INSTANCE_DEPTH, MAX_SCHEMA_DEPTH, depth, find_text, pointer_bytes, reference_targets,
};
use crate::refs::{Document, Node, Target, has_nested_resources};
use crate::room::with_room;
use crate::violation::Violation;
use parts::Pattern;

/// A schema, ready to check values.
///
/// The draft is what `$schema` says: 4, 6, 7, 2019-09 or 2020-12, and 2020-12 where it says nothing.
/// A reference is followed within the schema, and to the drafts' own schemas; nothing is ever fetched
/// from a network or a file. Formats are not asserted unless [asked for](ValidatorOptions).
///
/// Limits: a schema may be nested [`MAX_SCHEMA_DEPTH`] deep, and a value [`MAX_INSTANCE_DEPTH`] where the
/// schema leads down all of it. A deeper one does not conform then, and its violation says so. A pattern whose matching takes too long is given
/// up, and then counts as broken, unless something else is broken anyway.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::Validator;
///
/// let validator = Validator::new(&json!({
///     "type": "object",
///     "properties": {"age": {"type": "integer"}},
///     "required": ["age"],
/// }))?;
/// assert!(validator.is_valid(&json!({"age": 7})));
///
/// let violations = validator.violations(&json!({"age": "seven"}));
/// assert_eq!(violations[0].instance, "/age");
/// assert_eq!(violations[0].schema, "/properties/age/type");
/// assert_eq!(violations[0].keyword, "type");
/// assert_eq!(violations[0].message, "\"seven\" is not of type \"integer\"");
/// assert_eq!(violations[0].masked_message(), "value is not of type \"integer\"");
/// # Ok::<(), tamis_schema::SchemaError>(())
/// ```
pub struct Validator {
    inner: jsonschema::Validator,
    /// How deep checking recurses where the value is flat.
    steps: usize,
    /// Whether checking recurses once for each level of the value too.
    follows_the_value: bool,
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").finish_non_exhaustive()
    }
}

/// How long the pointers to all parts of a schema may be together. The crate below writes down one for
/// each keyword, so that a long name costs for all that is under it.
const MAX_POINTER_BYTES: usize = 256 << 20;

/// How deep the drafts' own schemas recurse for each level of a schema.
const META_DEPTH: usize = 8;

/// Formats that can be asserted.
const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// How a [`Validator`] is made.
#[derive(Clone, Debug, Default)]
pub struct ValidatorOptions {
    assert_formats: bool,
    /// None where all are asserted that can be.
    only: Option<&'static [&'static str]>,
}

impl ValidatorOptions {
    /// The defaults.
    pub const fn new() -> Self {
        Self {
            assert_formats: false,
            only: None,
        }
    }

    /// Asserts these formats, and no others: those that an upstream enforces.
    ///
    /// ```
    /// use serde_json::json;
    /// use tamis_schema::{Dialect, ValidatorOptions};
    ///
    /// let schema = json!({"properties": {"day": {"format": "date"}, "home": {"format": "uri"}}});
    /// let formats = Dialect::GEMINI.table().formats.unwrap_or_default();
    /// let validator = ValidatorOptions::new().assert_only(formats).build(&schema)?;
    /// assert!(!validator.is_valid(&json!({"day": "tomorrow"})));
    /// assert!(validator.is_valid(&json!({"home": "here"})));
    /// # Ok::<(), tamis_schema::SchemaError>(())
    /// ```
    pub const fn assert_only(mut self, formats: &'static [&'static str]) -> Self {
        self.assert_formats = !formats.is_empty();
        self.only = Some(formats);
        self
    }

    /// Whether a string that is not what its `format` says is a violation. By default it is not, as
    /// in the drafts since 2019-09: most upstreams do not enforce formats.
    pub const fn assert_formats(mut self, yes: bool) -> Self {
        self.assert_formats = yes;
        self.only = None;
        self
    }

    pub(crate) const fn asserts_formats(&self) -> bool {
        self.assert_formats
    }

    /// What tells one set of options from another.
    pub(crate) fn key(&self) -> String {
        match (self.assert_formats, self.only) {
            (false, _) => String::new(),
            (true, None) => "*".to_owned(),
            (true, Some(only)) => only.join(","),
        }
    }

    /// Makes a validator of a schema.
    ///
    /// # Errors
    /// As for [`Validator::new`].
    pub fn build(&self, schema: &Value) -> Result<Validator, SchemaError> {
        let depth = nested(schema)?;
        if pointer_bytes(schema, MAX_POINTER_BYTES).is_none() {
            return Err(SchemaError::new(
                "",
                "its names are too long for how much is under them",
            ));
        }
        // References lead from one part of the schema to another, to each at most once for one place
        // in the value.
        let targets = reference_targets(schema);
        let steps = depth.saturating_mul(targets.saturating_add(1));
        // The drafts' own schemas recurse through this one too.
        let inner = with_room(
            steps.saturating_add(depth.saturating_mul(META_DEPTH)),
            || {
                let mut options = jsonschema::options()
                    .offline()
                    .should_validate_formats(self.assert_formats);
                for format in FORMATS {
                    if self.only.is_some_and(|only| !only.contains(format)) {
                        options = options.with_format(*format, |_| true);
                    }
                }
                options
                    .build(schema)
                    .map_err(|error| schema_error(schema, &error))
            },
        )
        .ok_or_else(|| SchemaError::new("", "its references lead too deep"))??;
        Ok(Validator {
            inner,
            steps,
            follows_the_value: follows_the_value(schema),
        })
    }
}

/// How deep a schema is nested, if it can be one.
fn nested(schema: &Value) -> Result<usize, SchemaError> {
    if !schema.is_object() && !schema.is_boolean() {
        return Err(SchemaError::new("", "a schema is an object or a boolean"));
    }
    depth(schema, MAX_SCHEMA_DEPTH).ok_or_else(|| {
        SchemaError::new(
            "",
            format!("it is nested deeper than {MAX_SCHEMA_DEPTH} levels"),
        )
    })
}

/// Checks that a schema is valid under its draft, and that its patterns are such. Where its references
/// lead is left alone: a schema that is not whole can be checked too, and [`lint`](crate::lint) says what
/// is missing.
///
/// ```
/// use serde_json::json;
/// use tamis_schema::{Validator, check_schema};
///
/// let schema = json!({"properties": {"home": {"$ref": "address.json"}}});
/// assert!(check_schema(&schema).is_ok());
/// assert!(Validator::new(&schema).is_err());
/// assert_eq!(check_schema(&json!({"type": "wibble"})).unwrap_err().pointer(), "/type");
/// ```
///
/// # Errors
/// The schema is not an object or a boolean, is not valid under its draft, names an unknown draft, is
/// nested too deeply, or has a pattern that is no regular expression.
pub fn check_schema(schema: &Value) -> Result<(), SchemaError> {
    let depth = nested(schema)?;
    with_room(depth.saturating_mul(META_DEPTH), || {
        jsonschema::meta::validate(schema).map_err(|error| schema_error(schema, &error))
    })
    .ok_or_else(|| SchemaError::new("", "it is nested too deeply"))??;
    let document = Document::new(schema);
    for node in document.nodes() {
        let pattern = node.get("pattern").and_then(Value::as_str);
        let keys = node.get("patternProperties").and_then(Value::as_object);
        let keys = keys.into_iter().flat_map(|patterns| patterns.keys());
        let broken = pattern
            .map(|pattern| (pattern, "pattern"))
            .into_iter()
            .chain(keys.map(|key| (key.as_str(), "patternProperties")))
            .find(|(pattern, _)| !Pattern::new(pattern).is_usable());
        if let Some((_, keyword)) = broken {
            return Err(SchemaError::new(
                node.at(keyword),
                "the pattern is no regular expression",
            ));
        }
    }
    Ok(())
}

impl Validator {
    /// Makes a validator of a schema, with the default options.
    ///
    /// # Errors
    /// The schema is not an object or a boolean, is not valid under its draft, names an unknown
    /// draft, is nested too deeply, or refers to something that is not in it.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        ValidatorOptions::default().build(schema)
    }

    /// The options for making a validator.
    pub fn options() -> ValidatorOptions {
        ValidatorOptions::default()
    }

    /// Whether the value conforms to the schema.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.check(value, || self.inner.is_valid(value))
            .unwrap_or(false)
    }

    /// Every place where the value breaks the schema; empty if it conforms. Where a value fits none of
    /// several schemas (`anyOf`), that is one violation.
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        // Words that quote a value go down all of it.
        if !self.follows_the_value && depth(value, MAX_INSTANCE_DEPTH).is_none() {
            let conforms = self.is_valid(value);
            let too_deep =
                || Violation::unchecked("the value is nested too deeply to say what is wrong");
            return if conforms {
                Vec::new()
            } else {
                vec![too_deep()]
            };
        }
        self.check(value, || {
            self.inner
                .iter_errors(value)
                .map(|error| violation(&error))
                .collect()
        })
        .unwrap_or_else(|reason| vec![Violation::unchecked(reason)])
    }

    fn check<T: Send>(
        &self,
        value: &Value,
        run: impl FnOnce() -> T + Send,
    ) -> Result<T, &'static str> {
        if !self.follows_the_value {
            // The schema's own depth is the end of it, however deep the value.
            return with_room(self.steps, run)
                .ok_or("the schema is nested too deeply to be checked");
        }
        let depth = depth(value, MAX_INSTANCE_DEPTH)
            .ok_or("the value is nested too deeply to be checked")?;
        with_room(self.steps.saturating_mul(depth + 1), run)
            .ok_or("the schema and the value together are nested too deeply to be checked")
    }
}

/// Whether checking goes down a value further than the schema goes itself: in a circle of references,
/// and where whole values are compared.
fn follows_the_value(schema: &Value) -> bool {
    let document = Document::new(schema);
    let compares = |node: &Node<'_>| {
        let is_container = |value: &Value| value.is_array() || value.is_object();
        let has = |keyword: &str| node.get(keyword).is_some();
        let members = node.get("enum").and_then(Value::as_array);
        has("uniqueItems")
            || has("$dynamicRef")
            || has("$recursiveRef")
            || node.get("const").is_some_and(is_container)
            || members.is_some_and(|members| members.iter().any(is_container))
    };
    let goes_elsewhere =
        |index: usize| matches!(document.target(index), Target::External | Target::Missing);
    document.is_truncated()
        || document.nodes().iter().any(compares)
        || (0..document.nodes().len()).any(goes_elsewhere)
        || has_nested_resources(&document)
        || !document.cycles(&[]).is_empty()
}

fn violation(error: &ValidationError<'_>) -> Violation {
    Violation {
        instance: error.instance_path().as_str().to_owned(),
        schema: error.schema_path().as_str().to_owned(),
        keyword: error.kind().keyword().to_owned(),
        message: shortened(error),
        masked: masked(error),
    }
}

/// The crate's masked texts still name the value's properties, so those are put in other words.
fn masked(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            unexpected_properties("additional", unexpected.len())
        }
        ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected_properties("unevaluated", unexpected.len())
        }
        ValidationErrorKind::PropertyNames { .. } => "a property's name is not allowed".to_owned(),
        ValidationErrorKind::RegexEngineFailure { .. }
        | ValidationErrorKind::BacktrackLimitExceeded { .. } => {
            "the pattern could not be matched against value".to_owned()
        }
        ValidationErrorKind::FromUtf8 { .. } => "value does not decode to text".to_owned(),
        ValidationErrorKind::Custom { keyword, .. } => format!("value breaks {keyword}"),
        _ => shortened(&error.masked()),
    }
}

fn unexpected_properties(kind: &str, count: usize) -> String {
    match count {
        1 => format!("1 {kind} property is not allowed"),
        _ => format!("{count} {kind} properties are not allowed"),
    }
}

/// The longest message, in bytes. A message quotes the value, so that many violations of a large
/// value would otherwise cost its size each.
const MAX_MESSAGE_BYTES: usize = 500;

/// Formats no more than [`MAX_MESSAGE_BYTES`], and does not spend time on the rest.
fn shortened(text: &impl fmt::Display) -> String {
    struct Short(String);

    impl fmt::Write for Short {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            let room = MAX_MESSAGE_BYTES.saturating_sub(self.0.len());
            if part.len() <= room {
                self.0.push_str(part);
                return Ok(());
            }
            let fits = part.floor_char_boundary(room);
            self.0.push_str(part.get(..fits).unwrap_or_default());
            self.0.push('\u{2026}');
            Err(fmt::Error)
        }
    }

    let mut short = Short(String::new());
    // An error is the sign that the text is full.
    let _full = write!(short, "{text}");
    short.0
}

fn schema_error(schema: &Value, error: &ValidationError<'_>) -> SchemaError {
    let text = shortened(error);
    let ValidationErrorKind::Referencing(_) = error.kind() else {
        let pointer = error.instance_path().as_str();
        let reason = match error.kind() {
            ValidationErrorKind::AnyOf { .. } if pointer.ends_with("/type") => {
                "it is not a JSON type, nor a list of JSON types without repetition".to_owned()
            }
            ValidationErrorKind::Type { .. }
                if pointer.ends_with("/items") && error.instance().is_array() =>
            {
                "a list here is of drafts up to 2019-09: name the draft in $schema, or write prefixItems"
                    .to_owned()
            }
            _ => text,
        };
        return SchemaError::new(pointer, reason);
    };
    // These errors do not say where they come from, but quote the reference, or what it resolved to.
    let quoted = text.split('\'').nth(1).unwrap_or_default();
    let is_it = |text: &str| text.ends_with(quoted) || quoted.ends_with(text);
    let keys = [
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "$id",
        "id",
        "$schema",
    ];
    let pointer = find_text(schema, &keys, |text| !text.is_empty() && text == quoted)
        .or_else(|| find_text(schema, &keys, |text| !text.is_empty() && is_it(text)))
        .unwrap_or_default();
    let reason = if text.contains("meta-schema") {
        format!("'{quoted}' is not a draft that is known here (4, 6, 7, 2019-09, 2020-12)")
    } else if text.contains("retriev") {
        format!("'{quoted}' is not in the schema, and nothing is fetched")
    } else {
        text
    };
    SchemaError::new(pointer, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened(&"a".repeat(500)), "a".repeat(500));
        assert_eq!(
            shortened(&"a".repeat(501)),
            format!("{}\u{2026}", "a".repeat(500))
        );
        assert_eq!(
            shortened(&format!("a{}", "\u{e9}".repeat(400))).len(),
            499 + 3
        );
    }
}
