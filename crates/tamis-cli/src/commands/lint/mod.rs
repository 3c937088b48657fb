//! `tamis lint`.

mod found;
mod json;
mod sarif;
mod text;
mod window;

use std::path::PathBuf;

use clap::ValueEnum;
use tamis::report::Exit;
use tamis::schema::{Dialect, Lowering};

use crate::console::{Console, Tone};
use crate::error::Error;
use crate::input;
use found::{Linted, Source};

/// Say what an upstream will refuse of a schema, or leave out of account
///
/// Each upstream takes a subset of JSON Schema of its own. An error is what it will refuse, a warning what
/// it will not enforce, so that only validation on your side does.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The dialects: openai-strict, openai-strict-tools, azure, anthropic, gemini, groq-strict,
cerebras, xai, deepseek-tools, fireworks, mistral, bedrock, vllm, llama-cpp, and portable, which is
what all strict ones take. docs/dialects.md tells what is known of each, and from where.

--fix prints the schema as Tamis would send it, and says on stderr what it changed: exact,
narrowing (the upstream may return less than the schema allows) or widening (it may return more,
and validation decides).

Examples:
  tamis lint order.schema.json
  tamis lint --dialect anthropic order.schema.json
  tamis lint --all order.schema.json
  tamis lint --dialect gemini --fix order.schema.json > order.gemini.json
  tamis lint --format sarif schemas/*.json > lint.sarif

Exit codes:
  0  no error, or with --fix: it could be rewritten
  1  an error, or with --fix: it cannot be rewritten
  2  usage: a bad flag, an unreadable file, one that is no JSON Schema")]
pub(crate) struct Args {
    /// The schemas; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Whose dialect
    #[arg(long, short, value_name = "DIALECT", default_value = "openai-strict")]
    dialect: Dialect,

    /// Every dialect, as a table
    #[arg(long, conflicts_with_all = ["dialect", "fix"])]
    all: bool,

    /// Print the schema as the dialect takes it
    #[arg(long, conflicts_with = "format")]
    fix: bool,

    /// With --fix: follow a recursion so many times where the dialect takes none
    #[arg(long, value_name = "N", requires = "fix")]
    unroll: Option<usize>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: LintFormat,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LintFormat {
    /// For people; the wording may change
    Text,
    /// For programs: one object
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let stdin = args
        .files
        .iter()
        .filter(|file| input::is_stdin(file))
        .count();
    if stdin > 1 {
        return Err(Error::usage("stdin (-) can be read only once"));
    }
    if args.fix {
        return fix(args, console);
    }
    let dialects: Vec<Dialect> = if args.all {
        Dialect::all().collect()
    } else {
        vec![args.dialect]
    };
    let sources: Vec<Source> = args
        .files
        .iter()
        .map(|file| Source::read(file))
        .collect::<Result<_, _>>()?;
    // The table has no places in it.
    let lint = if args.all && args.format == LintFormat::Text {
        Linted::only_counts
    } else {
        Linted::new
    };
    let linted: Vec<Linted<'_>> = sources
        .iter()
        .flat_map(|source| dialects.iter().map(move |dialect| lint(source, *dialect)))
        .collect();
    match args.format {
        LintFormat::Json => console.line(serde_json::to_string_pretty(&json::report(&linted))?)?,
        LintFormat::Sarif => console.line(serde_json::to_string_pretty(&sarif::log(&linted))?)?,
        LintFormat::Text if args.all => text::table(&linted, console)?,
        LintFormat::Text => text::findings(&linted, console)?,
    }
    Ok(if linted.iter().any(Linted::has_errors) {
        Exit::NotTrustworthy
    } else {
        Exit::Conforms
    })
}

fn fix(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let [file] = args.files.as_slice() else {
        return Err(Error::usage("--fix: one file at a time"));
    };
    let source = Source::read(file)?;
    let mut lowering = Lowering::new(args.dialect);
    if let Some(times) = args.unroll {
        lowering = lowering.unroll(times);
    }
    match lowering.lower(&source.schema) {
        Ok(lowered) => {
            console.line(serde_json::to_string_pretty(&lowered.schema)?)?;
            for change in &lowered.changes {
                console.tell(Tone::Quiet, "changed", change);
            }
            Ok(Exit::Conforms)
        }
        Err(error) => {
            for reason in error.reasons() {
                let place = match reason.pointer() {
                    "" => "the root",
                    pointer => pointer,
                };
                let words = format!("{place}: {}", reason.message());
                console.tell(Tone::Bad, "cannot be lowered", &words);
            }
            Ok(Exit::NotTrustworthy)
        }
    }
}
