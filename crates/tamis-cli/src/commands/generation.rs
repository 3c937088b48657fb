//! `tamis generation`.

use std::time::Duration;

use serde_json::json;
use tamis::account::{Generation, Lookup};
use tamis::report::Exit;

use crate::connection::ConnectionArgs;
use crate::console::{Console, Tone};
use crate::error::Error;
use crate::format::Format;
use crate::money::amount;
use crate::table::Facts;
use crate::{duration, runtime, service};

/// Look a generation up: who served it, and what it cost
///
/// The record lags behind the answer, by seconds, and for free models by many minutes; it is looked up
/// again until it is there or the time is over.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis generation gen-1767225600-8xk2nq
  tamis generation gen-1767225600-8xk2nq --wait 1m
  tamis ask --format json Hello | jq -r .id | xargs tamis generation --format json

--format json prints one object: found, lookups (where not found), and generation, the record as the
server sent it, or null.

Exit codes:
  0    the record is there
  2    usage, or refused before sending
  3    a permanent failure from the service
  4    the record is not there yet, if it ever will be; or a transient failure, after the retries
       allowed
  130  Ctrl-C")]
pub(crate) struct Args {
    /// The generation's id
    #[arg(value_name = "ID")]
    id: String,

    /// Wait for the record at most this long, in seconds (also 500ms, 30s, 2m)
    #[arg(long, value_name = "SECONDS", value_parser = duration::parse, default_value = "10")]
    wait: Duration,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    connection: ConnectionArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    runtime::block_on(async {
        let connection = service::connect(&args.connection, console).await?;
        match connection
            .client
            .await_generation(&args.id, args.wait)
            .await
        {
            Ok(Lookup::Found(generation)) => {
                match args.format {
                    Format::Json => {
                        let object = json!({"found": true, "generation": *generation});
                        console.line(serde_json::to_string_pretty(&object)?)?;
                    }
                    Format::Text => facts(&generation).print(console)?,
                }
                Ok(Exit::Conforms)
            }
            Ok(Lookup::NotYet { lookups }) => {
                if args.format == Format::Json {
                    let object = json!({"found": false, "lookups": lookups, "generation": null});
                    console.line(serde_json::to_string_pretty(&object)?)?;
                }
                let times = if lookups == 1 { "look-up" } else { "look-ups" };
                let text = format!("no record of {} after {lookups} {times}", args.id);
                console.tell(Tone::Warning, "not yet there", &text);
                Ok(Exit::Transient)
            }
            Err(failure) => Ok(service::failed(&failure, console)),
        }
    })
}

fn facts(generation: &Generation) -> Facts {
    let mut facts = Facts::default();
    let milliseconds =
        |time: &Option<serde_json::Number>| time.as_ref().map(|time| format!("{time} ms"));
    facts.add("id", Some(&generation.id));
    facts.add("model", generation.model.as_ref());
    facts.add("provider", generation.provider_name.as_ref());
    facts.add("made", generation.created_at.as_ref());
    let streamed = |streamed: bool| if streamed { "stream" } else { "plain" };
    facts.add("call", generation.streamed.map(streamed));
    facts.add("finish reason", generation.finish_reason.as_ref());
    facts.add("tokens in", generation.native_tokens_prompt);
    facts.add("tokens out", generation.native_tokens_completion);
    facts.add("cost", amount(generation.total_cost.as_ref()));
    facts.add("to the first token", milliseconds(&generation.latency));
    facts.add("in all", milliseconds(&generation.generation_time));
    let attempts: Vec<String> = generation
        .provider_responses
        .iter()
        .map(|attempt| {
            let name = attempt.provider_name.as_deref().unwrap_or("unknown");
            match attempt.status {
                Some(status) => format!("{name} {status}"),
                None => name.to_owned(),
            }
        })
        .collect();
    facts.add(
        "attempts",
        (!attempts.is_empty()).then(|| attempts.join(", ")),
    );
    facts
}
