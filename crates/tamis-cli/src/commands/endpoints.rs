//! `tamis endpoints`.

use serde_json::Number;
use tamis::Client;
use tamis::catalogue::{Endpoint, Percentiles};
use tamis::report::Exit;

use crate::connection::ConnectionArgs;
use crate::console::{Console, Tone};
use crate::error::Error;
use crate::format::Format;
use crate::money::per_million;
use crate::table::{NOTHING, Table};
use crate::{runtime, service};

/// List who serves a model, at what price, and who takes a schema
///
/// PROVIDER is the name that routing takes (`provider.order`, `provider.only`). Prices are US dollars for a
/// million tokens. UPTIME is percent of the last day; LATENCY to the first token and TOKENS/S are the
/// medians of the last half hour, as the server tells them, which it does only to a request with a key.
/// SCHEMA says whether the endpoint takes a JSON Schema.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis endpoints --sim sim/lottery
  tamis endpoints openai/gpt-4o
  tamis endpoints '~anthropic/claude-sonnet-latest' --structured
  tamis endpoints openai/gpt-4o --format json | jq -r .tag

--format json prints a line for each endpoint, as the server sent it.

Exit codes:
  0    at least one endpoint
  1    none, or no such model
  2    usage, or refused before sending
  3    a permanent failure from the service
  4    a transient failure, after the retries allowed
  130  Ctrl-C")]
pub(crate) struct Args {
    /// The model: its id, a slug with a date, an alias
    #[arg(value_name = "MODEL")]
    model: String,

    /// Only endpoints that take a JSON Schema
    #[arg(long)]
    structured: bool,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    connection: ConnectionArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    runtime::block_on(async {
        let connection = service::connect_public(&args.connection, console).await?;
        let mut endpoints = match look_up(&connection.client, &args.model, console).await {
            Ok(endpoints) => endpoints,
            Err(exit) => return Ok(exit),
        };
        if args.structured {
            endpoints.retain(Endpoint::supports_structured_outputs);
        }
        if endpoints.is_empty() {
            console.note("no endpoint is like that");
            return Ok(Exit::NotTrustworthy);
        }
        match args.format {
            Format::Json => {
                for endpoint in &endpoints {
                    console.line(serde_json::to_string(endpoint)?)?;
                }
            }
            Format::Text => table(&endpoints).print(console)?,
        }
        Ok(Exit::Conforms)
    })
}

/// The endpoints; what went wrong has been told.
async fn look_up(client: &Client, id: &str, console: &mut Console) -> Result<Vec<Endpoint>, Exit> {
    let failure = match client.endpoints(id).await {
        Ok(model) => return Ok(model.endpoints),
        Err(failure) => failure,
    };
    if failure.status() != Some(404) {
        return Err(service::failed(&failure, console));
    }
    // Under another name perhaps.
    let found = client.find(id).await;
    let text = match found.map_err(|failure| service::failed(&failure, console))? {
        Some(found) if found.model.id != id => {
            console.note(format!("{id} is {}", found.model.id));
            let model = client.endpoints(&found.model.id).await;
            return model
                .map(|model| model.endpoints)
                .map_err(|failure| service::failed(&failure, console));
        }
        Some(_) => format!("the server knows {id}, and nobody who serves it"),
        None => format!("there is no model {id}; `tamis models` lists them"),
    };
    console.tell(Tone::Warning, "not found", &text);
    Err(Exit::NotTrustworthy)
}

fn table(endpoints: &[Endpoint]) -> Table {
    let head = [
        "PROVIDER", "IN", "OUT", "CONTEXT", "UPTIME", "LATENCY", "TOKENS/S", "QUANT", "SCHEMA",
    ];
    let mut table = Table::new(&head, 1..7);
    for endpoint in endpoints {
        let pricing = endpoint.pricing.as_ref();
        let median = |spread: &Option<Percentiles>| {
            shown(spread.as_ref().and_then(|spread| spread.p50.as_ref()))
        };
        let name = endpoint.tag.as_ref().or(endpoint.provider_name.as_ref());
        table.row([
            name.map_or_else(|| NOTHING.to_owned(), Clone::clone),
            per_million(pricing.and_then(|pricing| pricing.prompt.as_ref())),
            per_million(pricing.and_then(|pricing| pricing.completion.as_ref())),
            endpoint
                .context_length
                .map_or_else(|| NOTHING.to_owned(), |tokens| tokens.to_string()),
            shown(endpoint.uptime_last_1d.as_ref()),
            median(&endpoint.latency_last_30m),
            median(&endpoint.throughput_last_30m),
            endpoint
                .quantization
                .clone()
                .unwrap_or_else(|| NOTHING.to_owned()),
            if endpoint.supports_structured_outputs() {
                "yes"
            } else {
                "no"
            }
            .to_owned(),
        ]);
    }
    table
}

/// A measure, with two digits after the point at most.
fn shown(number: Option<&Number>) -> String {
    let Some(number) = number.and_then(Number::as_f64) else {
        return NOTHING.to_owned();
    };
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
