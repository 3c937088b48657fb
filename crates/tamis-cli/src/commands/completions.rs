//! `tamis completions`.

use clap::CommandFactory;
use clap_complete::Shell;
use tamis::report::Exit;

use crate::cli::Cli;
use crate::console::Console;
use crate::error::Error;

/// Print a shell's completions
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis completions bash > ~/.local/share/bash-completion/completions/tamis
  tamis completions zsh > ~/.zfunc/_tamis
  tamis completions fish > ~/.config/fish/completions/tamis.fish")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tamis", &mut script);
    console.bytes(&script)?;
    Ok(Exit::Conforms)
}
