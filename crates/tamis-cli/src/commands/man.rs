//! `tamis man`.

use clap::CommandFactory;
use tamis::report::Exit;

use crate::cli::Cli;
use crate::console::Console;
use crate::error::Error;

/// Print the man page
///
/// Of the program, or of one of its commands.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis man > ~/.local/share/man/man1/tamis.1
  tamis man ask > ~/.local/share/man/man1/tamis-ask.1
  tamis man check | man -l -")]
pub(crate) struct Args {
    /// The command; without it, the program
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Error::usage(format!("no command {name:?}")))?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    console.bytes(&page)?;
    Ok(Exit::Conforms)
}
