//! `tamis check`.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, ValueEnum};
use serde::Serialize;
use tamis::json::Policy;
use tamis::report::{Check, Exit, Report};

use crate::console::{Console, Tone};
use crate::error::Error;
use crate::format::Format;
use crate::policy::PolicyArgs;
use crate::{input, schema};

/// Say what a saved response is
///
/// Reads a JSON body or an event stream, told apart by looking, and says whether it holds a
/// trustworthy answer: text, JSON, a refusal, tool calls, an incomplete answer, or a failure, with the
/// server's own message. Nothing is sent anywhere.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("reads_json").args(["parse", "schema"]).multiple(true))]
#[command(mut_arg("policy", |policy| policy.requires("reads_json")))]
#[command(after_help = "\
The report (--format json) is one object with these keys, null or [] where there is nothing:
  outcome        text, json, refusal, tool_calls, incomplete or failure
  finished       whether the answer said that it was finished
  finish_reason, native_finish_reason, id, model, provider
  content, reasoning, refusal
  tool_calls     id, name, arguments (JSON text), arguments_error where that is no JSON
  value          with --parse: the content as JSON
  violations     with --parse: instance, schema, keyword, message
  repairs        with --parse: what was mended in the content to read it as JSON:
                 kind, offset, length (bytes of the content), message
  failure        kind, transient, code, message, status
  usage
Only where there is something: cost (USD), attempts (requests that `tamis ask` sent), notes (what
was put right before the response could be read), file (where several were given).

Examples:
  tamis check response.json
  tamis check --schema schema.json response.json
  tamis check --parse --policy none response.json
  curl -sN https://... | tamis check --format json
  tamis check --status 429 error.json
  tamis check --contract strict responses/*.json
  tamis check --format json responses/* | jq -r 'select(.outcome == \"failure\") | .file'

Exit codes, of several files the worst, in the order 0, 1, 4, 3, 2:
  0  text, tool calls with JSON arguments, or with --parse JSON that conforms, as sent or
     after repair
  1  a refusal, an incomplete answer, an empty one, not JSON, against the schema
  2  usage: a bad flag, an unreadable file, one of more than 64 MiB, an invalid schema
  3  an error of the service that trying again cannot help
  4  one that it can, a stream that broke off, or no API response at all")]
pub(crate) struct Args {
    /// Saved responses; - is stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    files: Vec<PathBuf>,

    /// The HTTP status that came with it
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..=999))]
    status: u16,

    /// Read the content as JSON
    #[arg(long)]
    parse: bool,

    /// Check the content against a JSON Schema; implies --parse
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    #[command(flatten)]
    policy: PolicyArgs,

    /// Read by a narrow contract instead: an explicit error over any guess, and no repair unless --policy
    /// says so
    #[arg(long, value_name = "NAME")]
    contract: Option<Contract>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Contract {
    /// One non-streaming `chat.completion`, exactly as OpenAI documents it
    Strict,
}

/// A line of several.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    report: &'a Report,
    file: &'a str,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let strict = matches!(args.contract, Some(Contract::Strict));
    // A contract that takes an error over any guess mends nothing, unless it is told to.
    let unsaid = if strict {
        Policy::none()
    } else {
        Policy::default()
    };
    let mut check = Check::new()
        .parse(args.parse)
        .repair(args.policy.policy_or(unsaid)?)
        .strict(strict);
    if let Some(file) = &args.schema {
        check = check
            .schema(&schema::read(file)?)
            .map_err(|error| Error::usage(format!("{}: {error}", input::name(file))))?;
    }
    let mut stdins = args.files.iter().filter(|file| input::is_stdin(file));
    if stdins.next().is_some()
        && (stdins.next().is_some() || args.schema.as_deref().is_some_and(input::is_stdin))
    {
        return Err(Error::usage("stdin (-) can be read only once"));
    }

    let mut worst = Exit::Conforms;
    for file in &args.files {
        let exit = match input::read(file) {
            Ok(body) => {
                let report = check.response(args.status, &body);
                print(args, file, &report, console)?;
                report.exit()
            }
            Err(error) => {
                console.error(&error);
                error.exit()
            }
        };
        worst = worst.worse(exit);
    }
    Ok(worst)
}

fn print(args: &Args, file: &Path, report: &Report, console: &mut Console) -> Result<(), Error> {
    let several = args.files.len() > 1;
    let name = input::name(file);
    match args.format {
        Format::Json if several => {
            let line = Line {
                report,
                file: &name,
            };
            console.line(serde_json::to_string(&line)?)
        }
        Format::Json => console.line(serde_json::to_string_pretty(report)?),
        Format::Text => {
            let prefix = if several {
                format!("{name}: ")
            } else {
                String::new()
            };
            let outcome = report.outcome.as_str();
            let tone = match report.exit() {
                Exit::Conforms => Tone::Good,
                Exit::NotTrustworthy => Tone::Warning,
                _ => Tone::Bad,
            };
            let headline = report.headline();
            let rest = headline.strip_prefix(outcome).unwrap_or_default();
            console.line(format!("{prefix}{}{rest}", console.paint(tone, outcome)))?;
            for note in &report.notes {
                console.note(format!("{prefix}{note}"));
            }
            console.repairs(&prefix, report.repairs());
            if several {
                return Ok(());
            }
            report
                .details()
                .iter()
                .try_for_each(|detail| console.line(format!("  {detail}")))
        }
    }
}
