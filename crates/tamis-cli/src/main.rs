//! The `tamis` command.
//!
//! Argument parsing, printing and exit codes; the logic is in the library's `tamis::report`, in
//! `tamis_smoke` and in `tamis_sim`. Each command is a file in `commands`.

mod answering;
mod cli;
mod commands;
mod connection;
mod console;
mod diff;
mod duration;
mod error;
mod format;
mod input;
mod money;
mod policy;
mod runtime;
mod schema;
mod secrets;
mod service;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os()))
}
