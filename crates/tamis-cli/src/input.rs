//! Files and stdin, within a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::error::Error;

/// The most that is read of one file.
pub(crate) const LIMIT: u64 = 64 * 1024 * 1024;

/// A file's bytes; `-` is stdin.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let name = name(path);
    let read = if is_stdin(path) {
        bounded(io::stdin().lock())
    } else {
        File::open(path).and_then(bounded)
    };
    match read {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Error::usage(format!(
            "{name}: more than {} MiB, which is the most that is read",
            LIMIT / (1024 * 1024)
        ))),
        Err(error) => Err(Error::usage(format!("{name}: {error}"))),
    }
}

/// A file's text; `-` is stdin.
pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
    String::from_utf8(read(path)?)
        .map_err(|_| Error::usage(format!("{}: not UTF-8 text", name(path))))
}

/// What a message calls a file.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// None where there is more than the limit.
fn bounded(source: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(LIMIT + 1).read_to_end(&mut bytes)?;
    let within = u64::try_from(bytes.len()).is_ok_and(|length| length <= LIMIT);
    Ok(within.then_some(bytes))
}
