//! `tamis check`.

use tamis::report::Exit;

use crate::console::Console;
use crate::error::Error;

/// Not written yet.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, _console: &mut Console) -> Result<Exit, Error> {
    Ok(Exit::Conforms)
}
