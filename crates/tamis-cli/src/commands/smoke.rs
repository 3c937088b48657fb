//! `tamis smoke`.

use std::io::stdout;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use tamis::report::{Exit, schema_name};
use tamis_smoke::{
    Conclusion, Expectation, Judge, Plan, Progress, Report, SmokeError, Text, Truth,
};
use terminal_size::terminal_size_of;

use crate::answering::{AnsweringArgs, ModeArg};
use crate::connection::{Connection, ConnectionArgs};
use crate::console::Console;
use crate::error::Error;
use crate::format::Format;
use crate::{input, runtime, schema};

/// For a schema without a prompt.
const PROMPT: &str = "Make up one realistic example of what the schema describes. Answer with the \
                      JSON only.";

/// Test whether an endpoint may be trusted with a schema
///
/// Sends N identical requests with a strict schema, scores each answer on three bars (it parses, as
/// sent or after repair; it conforms; it is right), names and shows what went wrong, finds out which
/// provider served it, and decides: SHIP, PIN one provider, or SWITCH to another model.
///
/// Every request costs what a request costs. None is sent again unless --retries says so: a request
/// that fails is a finding.
#[derive(Debug, clap::Args)]
#[command(mut_arg("reask", |reask| reask.conflicts_with("stream")))]
#[command(mut_arg("retries", |retries| {
    retries.help("Send again at most this often after a transient failure [default: 0]")
}))]
#[command(after_help = "\
Without a schema a built-in example is tested: a work order, read out of a telephone message.

Examples:
  tamis smoke --sim
  tamis smoke --sim --model sim/steady --model sim/hint-only --stream
  tamis smoke --model openai/gpt-4o-mini --schema invoice.json --prompt - < letter.txt
  tamis smoke --model deepseek/deepseek-chat --request request.json --expect facts.json --pin
  tamis smoke --base-url http://127.0.0.1:8080/v1 --model local -n 3 --format json
  tamis smoke --sim --judge 'jq -e \".tasks | length > 0\"' --save raw/

--expect FILE: objects must have the properties, lists the items in that order; more of either
does not matter. --judge CMD: run by the shell, with the answer on stdin; exit code 0 is right.

In the column `parses`, 6+2/10 is 6 as sent and 2 more after repair. Both count: Tamis repairs
them for its callers too. The problem that needed repair is listed all the same, and the decision
says how many passed only so.

Exit codes:
  0    every model is at or above the threshold
  1    one is below
  2    usage, or refused before sending
  3    every request failed, and trying again cannot help
  4    every request failed, and trying again may help
  130  Ctrl-C, with what was measured until then")]
pub(crate) struct Args {
    /// A model to test; repeatable [default: sim/lottery with --sim]
    #[arg(long = "model", short, value_name = "MODEL")]
    models: Vec<String>,

    /// The JSON Schema that the answers must conform to
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// What to call the schema [default: its title, else answer]
    #[arg(long, value_name = "NAME", requires = "schema")]
    schema_name: Option<String>,

    /// What to ask; - is stdin
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,

    /// A whole request as JSON, whose `response_format` has the schema; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schema", "prompt", "max_tokens"])]
    request: Option<PathBuf>,

    /// So many requests for each model
    #[arg(long = "requests", short = 'n', value_name = "N", default_value_t = 10)]
    requests: u32,

    /// So many of them at a time
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,

    /// Ask for streams, and measure the time to the first token
    #[arg(long)]
    stream: bool,

    /// At most so many tokens out for each answer
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,

    /// The share that has to pass
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    threshold: f64,

    /// A right answer contains the JSON in this file
    #[arg(long, value_name = "FILE", conflicts_with = "judge")]
    expect: Option<PathBuf>,

    /// A right answer is one that this command agrees with
    #[arg(long, value_name = "CMD")]
    judge: Option<String>,

    /// Make the requests again, pinned to the best provider, and decide on those
    #[arg(long)]
    pin: bool,

    /// Keep every raw response in this folder
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,

    /// The simulator's seed
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sim")]
    seed: u64,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    answering: AnsweringArgs,

    #[command(flatten)]
    connection: ConnectionArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let plan = plan(args)?;
    runtime::block_on_to_the_end(smoke(args, plan, console))
}

async fn smoke(args: &Args, plan: Plan, console: &mut Console) -> Result<Exit, Error> {
    let connection = args.connection.open_seeded(args.seed, console).await?;
    let plan = with_target(plan, &connection)?;
    let bar = bar();
    let report = tamis_smoke::run(
        &connection.client,
        &plan,
        |progress| show(&bar, progress),
        async {
            if tokio::signal::ctrl_c().await.is_err() {
                // Where the signal cannot be listened to, it ends the process as it always does.
                std::future::pending::<()>().await;
            }
        },
    )
    .await;
    bar.finish_and_clear();
    let report = report.map_err(refused)?;
    print(args.format, &report, console)?;
    Ok(match report.conclusion() {
        Conclusion::Holds => Exit::Conforms,
        Conclusion::Permanent => Exit::Permanent,
        Conclusion::Transient => Exit::Transient,
        Conclusion::Interrupted => Exit::Interrupted,
        _ => Exit::NotTrustworthy,
    })
}

fn plan(args: &Args) -> Result<Plan, Error> {
    let stdin = [
        args.request.as_deref().is_some_and(input::is_stdin),
        args.schema.as_deref().is_some_and(input::is_stdin),
        args.expect.as_deref().is_some_and(input::is_stdin),
        args.prompt.as_deref() == Some("-"),
    ];
    if stdin.iter().filter(|reads| **reads).count() > 1 {
        return Err(Error::usage("stdin (-) can be read only once"));
    }
    if args.answering.schema_mode == ModeArg::Auto {
        return Err(Error::usage(
            "--schema-mode auto: a test says what it tests; `tamis models MODEL` shows what is supported",
        ));
    }
    let mut plan = asked(args)?
        .requests(args.requests)
        .map_err(|error| Error::usage(format!("-n {}: {error}", args.requests)))?
        .threshold(args.threshold)
        .map_err(|error| Error::usage(format!("--threshold {}: {error}", args.threshold)))?
        .concurrency(args.concurrency.into())
        .retries(args.connection.retries.unwrap_or(0))
        .stream(args.stream)
        .pin(args.pin)
        .schema_mode(args.answering.schema_mode.fixed())
        .coerce(args.answering.coerce)
        .reask(args.answering.reask)
        .as_is(args.answering.as_is);
    if let Some(dialect) = args.answering.dialect {
        plan = plan.dialect(dialect);
    }
    if !args.models.is_empty() {
        plan = plan.models(args.models.iter().cloned()).map_err(refused)?;
    }
    if let Some(tokens) = args.max_tokens {
        plan = plan.max_tokens(tokens);
    }
    if let Some(file) = &args.expect {
        plan = plan.truth(Truth::Expect(Expectation::new(json(file)?)));
    }
    if let Some(command) = &args.judge {
        plan = plan.truth(Truth::Judge(Judge::new(command)));
    }
    if let Some(folder) = &args.save {
        plan = plan.save(folder);
    }
    Ok(plan)
}

/// The prompt and the schema, from wherever they come.
fn asked(args: &Args) -> Result<Plan, Error> {
    if let Some(file) = &args.request {
        return Plan::request(json(file)?)
            .map_err(|error| Error::usage(format!("{}: {error}", input::name(file))));
    }
    let prompt = match args.prompt.as_deref() {
        Some("-") => Some(input::read_text("-".as_ref())?),
        Some(prompt) => Some(prompt.to_owned()),
        None => None,
    };
    let Some(file) = &args.schema else {
        let (name, schema) = Plan::example_schema();
        let prompt = prompt.as_deref().unwrap_or(Plan::example_prompt());
        return Ok(Plan::prompt(prompt, name, schema));
    };
    let schema = schema::read(file)?;
    let name = match &args.schema_name {
        Some(name) => name.clone(),
        None => schema_name(&schema),
    };
    Ok(Plan::prompt(
        prompt.as_deref().unwrap_or(PROMPT),
        &name,
        schema,
    ))
}

/// What depends on who answers.
fn with_target(mut plan: Plan, connection: &Connection) -> Result<Plan, Error> {
    if connection.is_simulated() {
        plan = plan.simulated(true).server("the built-in simulator");
        if plan.tested().is_empty() {
            plan = plan.model("sim/lottery").map_err(refused)?;
        }
    }
    if plan.tested().is_empty() {
        return Err(Error::usage(
            "--model: which one to test; repeat it to compare several",
        ));
    }
    Ok(plan)
}

fn print(format: Format, report: &Report, console: &mut Console) -> Result<(), Error> {
    match format {
        Format::Json => console.line(serde_json::to_string_pretty(report)?),
        Format::Text => {
            let mut text = Text::new(report);
            // None where stdout is no terminal: then tables are as wide as they need.
            if let Some((width, _)) = terminal_size_of(stdout()) {
                text = text.width(width.0);
            }
            console.text(text.to_string())
        }
    }
}

/// A bar on stderr; hidden where that is no terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{msg} {bar:24} {pos}/{len} {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn show(bar: &ProgressBar, progress: Progress<'_>) {
    let pinned = progress
        .pinned
        .map(|pinned| format!(" at {pinned}"))
        .unwrap_or_default();
    bar.set_message(format!(
        "{}{pinned}, {} passed",
        progress.model, progress.passed
    ));
    bar.set_length(progress.total.into());
    bar.set_position(progress.done.into());
}

fn json(file: &std::path::Path) -> Result<Value, Error> {
    serde_json::from_slice(&input::read(file)?)
        .map_err(|error| Error::usage(format!("{}: not JSON: {error}", input::name(file))))
}

#[expect(clippy::needless_pass_by_value, reason = "used in map_err")]
fn refused(error: SmokeError) -> Error {
    Error::usage(error.to_string())
}
