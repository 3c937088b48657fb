//! `tamis ask`.

mod live;
mod print;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use tamis::report::{Check, Exit, Report, schema_name};
use tamis::{Chat, Tapped, ledger};

use crate::answering::{AnsweringArgs, ModeArg};
use crate::connection::{Connection, ConnectionArgs};
use crate::console::Console;
use crate::error::Error;
use crate::format::Format;
use crate::policy::PolicyArgs;
use crate::{input, runtime, schema};

/// Ask a model, and print its answer
///
/// Prints the text, or with --schema the JSON value, and only if it conforms. What was mended in the
/// text to read it as JSON is said on stderr, and so is what went wrong: its kind, the server's own message, and whether trying again can help.
#[derive(Debug, clap::Args)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "policy" => arg.requires("schema").conflicts_with("as_is"),
    "dialect" | "schema_mode" | "coerce" | "as_is" => arg.requires("schema"),
    "reask" => arg.requires("schema").conflicts_with("stream"),
    _ => arg,
}))]
#[command(after_help = "\
Examples:
  tamis ask --sim 'What is 2 + 2?'
  tamis ask --model openai/gpt-4o --stream 'Tell me a story.'
  tamis ask --schema address.json 'Ship it to 4 Rue de la Paix in Paris.'
  tamis ask --schema address.json --stream 'Ship it to 4 Rue de la Paix in Paris.'
  tamis ask --system 'Answer in French.' - < question.txt
  tamis ask --base-url http://127.0.0.1:8080/v1 --model local --format json Hello
  tamis ask --sim --model sim/refusal Hello

--format json prints the same object as `tamis check`; see its --help.

Exit codes:
  0    the answer is whole, and with --schema it conforms, as sent or after repair
  1    it is not trustworthy: a refusal, incomplete, not JSON, against the schema
  2    usage, or refused before sending
  3    a permanent failure from the service
  4    a transient failure, after the retries allowed
  130  Ctrl-C")]
pub(crate) struct Args {
    /// What to ask; - is stdin
    #[arg(value_name = "PROMPT")]
    prompt: String,

    /// The model [default: openai/gpt-4o-mini on OpenRouter, sim/steady with --sim]
    #[arg(long, short, value_name = "MODEL")]
    model: Option<String>,

    /// A JSON Schema that the answer must conform to
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// What to call the schema [default: its title, else answer]
    #[arg(long, value_name = "NAME", requires = "schema")]
    schema_name: Option<String>,

    #[command(flatten)]
    policy: PolicyArgs,

    /// Instructions for the model
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,

    /// Print the text as it comes; with --schema tell each field on stderr as soon as it is whole,
    /// in the shape in which it comes
    #[arg(long)]
    stream: bool,

    /// From 0 to 2
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    temperature: Option<f64>,

    /// At most so many tokens out
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    answering: AnsweringArgs,

    #[command(flatten)]
    connection: ConnectionArgs,
}

pub(crate) fn run(args: Args, console: &mut Console) -> Result<Exit, Error> {
    let mut args = args;
    let mut asked = None;
    if let Some(file) = &args.schema {
        let value = schema::read(file)?;
        // A schema that is none is the file's fault, and told as such.
        Check::new()
            .schema(&value)
            .map_err(|error| Error::usage(format!("{}: {error}", input::name(file))))?;
        let name = args.schema_name.take();
        asked = Some((name.unwrap_or_else(|| schema_name(&value)), value));
    }
    if args.prompt == "-" {
        if args.schema.as_deref().is_some_and(input::is_stdin) {
            return Err(Error::usage("stdin (-) can be read only once"));
        }
        args.prompt = input::read_text("-".as_ref())?;
    }
    runtime::block_on(ask(args, asked, console))
}

async fn ask(
    args: Args,
    schema: Option<(String, Value)>,
    console: &mut Console,
) -> Result<Exit, Error> {
    let connection = args.connection.open(console).await?;
    if connection.is_simulated() {
        console.note("simulated; no model was asked");
    }
    let attempts = Arc::new(AtomicU32::new(0));
    let chat = chat(&args, schema, &connection)?.tap({
        let attempts = Arc::clone(&attempts);
        move |tapped| {
            if let Tapped::Response { attempt, .. } = tapped {
                attempts.store(attempt, Ordering::Relaxed);
            }
        }
    });

    let chat = if args.answering.schema_mode == ModeArg::Auto {
        match chat.schema_mode_by_catalogue().await {
            Ok(chat) => chat,
            Err(failure) => {
                let report = Check::new().parse(true).failure(&failure);
                finish(&args, &report, false, console)?;
                return Ok(report.exit());
            }
        }
    } else {
        chat
    };
    let reading = match chat.reading() {
        Ok(reading) => reading,
        // Refused before it is sent.
        Err(failure) => {
            let report = Check::new().parse(args.schema.is_some()).failure(&failure);
            finish(&args, &report, false, console)?;
            return Ok(report.exit());
        }
    };
    print::lowering(&reading, console);
    let check = Check::new().reading(reading);
    let mut printed = false;
    let report = if args.stream {
        let live = args.format == Format::Text;
        if args.schema.is_some() {
            Box::pin(live::run_fields(chat, &check, live, console)).await?
        } else {
            Box::pin(live::run(chat, &check, live, &mut printed, console)).await?
        }
    } else if args.schema.is_some() {
        answer(chat, &check).await
    } else {
        match chat.send().await {
            Ok(completion) => check
                .completion(&completion)
                .with_attempts(attempts.load(Ordering::Relaxed)),
            Err(failure) => check.failure(&failure),
        }
    };
    finish(&args, &report, printed, console)?;
    Ok(report.exit())
}

/// Asks until there is an answer, as often as the flags allow.
async fn answer(chat: Chat, check: &Check) -> Report {
    match chat.answer().await {
        Ok(answer) => check
            .completion(&answer.completion)
            .with_attempts(answer.attempts)
            .with_ledger(&answer.ledger),
        Err(failure) => {
            // What came and is no answer is judged for what it is; what did not come, for why.
            let report = match (failure.completion(), ledger(&failure).last()) {
                (Some(completion), Some(_)) => check.completion(completion),
                _ => check.failure(&failure),
            };
            report
                .with_attempts(failure.attempts())
                .with_ledger(ledger(&failure))
        }
    }
}

fn chat(
    args: &Args,
    schema: Option<(String, Value)>,
    connection: &Connection,
) -> Result<Chat, Error> {
    let model = match &args.model {
        Some(model) => model.as_str(),
        None => connection.default_model()?,
    };
    let mut chat = args.answering.apply(
        connection
            .client
            .chat(model)
            .repair(args.answering.policy(args.policy.policy()?)),
    );
    if let Some(system) = &args.system {
        chat = chat.system(system.as_str());
    }
    chat = chat.user(args.prompt.as_str());
    if let Some((name, schema)) = schema {
        chat = chat.json_schema(name, schema);
    }
    if let Some(temperature) = args.temperature {
        chat = chat.temperature(temperature);
    }
    if let Some(limit) = args.max_tokens {
        chat = chat.max_tokens(limit);
    }
    Ok(chat)
}

fn finish(args: &Args, report: &Report, printed: bool, console: &mut Console) -> Result<(), Error> {
    match args.format {
        Format::Json => console.line(serde_json::to_string_pretty(report)?),
        Format::Text => print::text(report, args.schema.is_some(), printed, console),
    }
}
