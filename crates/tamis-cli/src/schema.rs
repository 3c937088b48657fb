//! Schema files.

use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::input;

/// A schema from a file; `-` is stdin.
pub(crate) fn read(file: &Path) -> Result<Value, Error> {
    serde_json::from_slice(&input::read(file)?)
        .map_err(|error| Error::usage(format!("{}: not JSON: {error}", input::name(file))))
}
