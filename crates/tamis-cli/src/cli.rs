//! The command line: its commands, and from a command's result to the exit code.

use std::ffi::OsString;

use clap::{Parser, Subcommand};
use tamis::report::Exit;

use crate::commands::{
    ask, check, completions, credits, decide, endpoints, fold, generation, heal, key, lint, man,
    models, sim, smoke,
};
use crate::console::Console;
use crate::error::Error;
use crate::secrets::Secrets;

/// Answers from language models that either conform to your schema or fail with a reason.
#[derive(Debug, Parser)]
#[command(
    name = "tamis",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "\
Results go to stdout, everything else to stderr. Colour only on a terminal; NO_COLOR turns it off.

Examples:
  tamis ask --sim 'What is 2 + 2?'
  tamis check response.json --schema schema.json
  tamis smoke --sim
  tamis endpoints --sim sim/lottery
  curl -sN ... | tamis fold
  tamis heal answer.txt

Exit codes:
  0    the answer conforms, or the check holds
  1    something came back, and it is not trustworthy: a refusal, incomplete, not JSON, against
       the schema, below the threshold
  2    usage, or refused before sending: a bad flag, an unreadable file, an invalid schema
  3    a permanent failure from the service
  4    a transient failure, after the retries allowed
  130  Ctrl-C")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ask(Box<ask::Args>),
    Decide(Box<decide::Args>),
    Check(check::Args),
    Fold(fold::Args),
    Heal(heal::Args),
    Lint(lint::Args),
    Smoke(Box<smoke::Args>),
    Models(Box<models::Args>),
    Endpoints(Box<endpoints::Args>),
    Key(Box<key::Args>),
    Credits(Box<credits::Args>),
    Generation(Box<generation::Args>),
    Sim(sim::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(self, console: &mut Console) -> Result<Exit, Error> {
        match self {
            Self::Ask(args) => ask::run(*args, console),
            Self::Decide(args) => decide::run(&args, console),
            Self::Check(args) => check::run(&args, console),
            Self::Fold(args) => fold::run(&args, console),
            Self::Heal(args) => heal::run(&args, console),
            Self::Lint(args) => lint::run(&args, console),
            Self::Smoke(args) => smoke::run(&args, console),
            Self::Models(args) => models::run(&args, console),
            Self::Endpoints(args) => endpoints::run(&args, console),
            Self::Key(args) => key::run(&args, console),
            Self::Credits(args) => credits::run(&args, console),
            Self::Generation(args) => generation::run(&args, console),
            Self::Sim(args) => sim::run(&args, console),
            Self::Completions(args) => completions::run(&args, console),
            Self::Man(args) => man::run(&args, console),
        }
    }
}

/// Runs a command line, and returns the exit code.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // A reader that is gone needs no help text.
            let _ = error.print();
            // 2 for a mistake, 0 for `--help` and `--version`.
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let mut console = Console::new(Secrets::from_env());
    let ended = cli.command.run(&mut console);
    let flushed = console.finish();
    let exit = match ended.and_then(|exit| flushed.map(|()| exit)) {
        Ok(exit) => exit,
        Err(error) => {
            console.error(&error);
            error.exit()
        }
    };
    exit.code()
}
