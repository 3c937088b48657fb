//! Schema files.

use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::input;

/// A schema from a file; `-` is stdin.
pub(crate) fn read(file: &Path) -> Result<Value, Error> {
    parse(&input::name(file), &read_text(file)?)
}

/// A schema file's text, without a byte order mark.
pub(crate) fn read_text(file: &Path) -> Result<String, Error> {
    let mut text = input::read_text(file)?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// The schema in the text of the file of this name.
pub(crate) fn parse(name: &str, text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|error| {
        let reason = if text.trim().is_empty() {
            "empty, and no JSON Schema".to_owned()
        } else if error.to_string().starts_with("recursion limit") {
            format!(
                "nested too deeply to be read, at line {}, column {}",
                error.line(),
                error.column()
            )
        } else {
            format!("not JSON: {error}")
        };
        Error::usage(format!("{name}: {reason}"))
    })
}
