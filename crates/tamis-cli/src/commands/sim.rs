//! `tamis sim`.

use serde::Serialize;
use serde_json::json;
use tamis::report::Exit;
use tamis_sim::{Fault, Sim};

use crate::console::{Console, Tone};
use crate::error::Error;
use crate::format::Format;
use crate::runtime;

/// Run a simulated OpenRouter on loopback
///
/// To test any client against: it answers as OpenRouter does, and goes wrong in exactly the way a
/// request asks for. Prints its base URL and runs until Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A fault is asked for by the model id or by a header:
  \"model\": \"sim/refusal\"           in every request for it
  \"model\": \"sim/truncated:0.3\"     in three of ten
  x-tamis-fault: status-429*2      in the first two requests, whatever the model

A fault of the calls that it lists as data, decisions or embeddings is asked for by the header alone.

Ordinary models: sim/steady, sim/lottery, sim/hint-only, sim/unsupported, and any author/slug;
sim/embedder gives embeddings, sim/decider decisions.

Examples:
  tamis sim
  tamis sim --port 8089 --seed 7
  tamis sim --list
  tamis sim --list --format json | jq -r .name
  TAMIS_BASE_URL=http://127.0.0.1:8089/api/v1 tamis ask --openrouter --model sim/steady Hello

Exit codes:
  0    --list
  2    usage: a bad flag, a port that is taken
  130  Ctrl-C")]
pub(crate) struct Args {
    /// The port on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// The seed of everything random
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// List the faults, and exit
    #[arg(long)]
    list: bool,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// A fault, on a line of its own.
#[derive(Serialize)]
struct Line {
    name: &'static str,
    applies_to: &'static str,
    summary: &'static str,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    if args.list {
        return list(args, console);
    }
    runtime::block_on(async {
        let sim = Sim::builder()
            .port(args.port)
            .seed(args.seed)
            .start()
            .await
            .map_err(|error| Error::usage(format!("--port {}: {error}", args.port)))?;
        match args.format {
            Format::Text => console.line(sim.base_url())?,
            Format::Json => console.line(
                json!({"base_url": sim.base_url(), "seed": args.seed, "simulated": true})
                    .to_string(),
            )?,
        }
        console.note("simulated answers; Ctrl-C to stop");
        std::future::pending().await
    })
}

fn list(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let faults: Vec<&Fault> = Fault::everywhere().collect();
    let width = faults.iter().map(|fault| fault.name().len()).max();
    let width = width.unwrap_or_default();
    if args.format == Format::Text {
        let head = format!("{:width$}  {:10}  {}", "FAULT", "CALLS", "WHAT GOES WRONG");
        console.line(console.paint(Tone::Quiet, &head))?;
    }
    for fault in faults {
        let line = Line {
            name: fault.name(),
            applies_to: fault.applies_to().as_str(),
            summary: fault.summary(),
        };
        console.line(match args.format {
            Format::Json => serde_json::to_string(&line)?,
            Format::Text => format!(
                "{:width$}  {:10}  {}",
                line.name, line.applies_to, line.summary
            ),
        })?;
    }
    Ok(Exit::Conforms)
}
