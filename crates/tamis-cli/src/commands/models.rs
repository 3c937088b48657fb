//! `tamis models`.

use clap::ValueEnum;
use tamis::catalogue::{Model, ModelSort, ModelsQuery};
use tamis::report::Exit;

use crate::connection::{Connection, ConnectionArgs};
use crate::console::Console;
use crate::error::Error;
use crate::format::Format;
use crate::money::per_million;
use crate::table::{NOTHING, Table};
use crate::{runtime, service};

/// List the models there are
///
/// Prices are US dollars for a million tokens; those of an endpoint may differ. SCHEMA says whether
/// at least one of its endpoints takes a JSON Schema; `tamis endpoints` says which. OpenRouter's list is
/// public and needs no key.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis models --sim
  tamis models --structured --sort pricing-low-to-high --limit 20
  tamis models gpt --format json | jq -r .id
  tamis models --output embeddings
  tamis models --base-url http://127.0.0.1:8080/v1

--format json prints a line for each model, as the server sent it.

Exit codes:
  0    at least one model
  1    none
  2    usage, or refused before sending
  3    a permanent failure from the service
  4    a transient failure, after the retries allowed
  130  Ctrl-C")]
pub(crate) struct Args {
    /// Only models with this in their name or id
    #[arg(value_name = "QUERY")]
    query: Option<String>,

    /// Only models of which an endpoint takes a JSON Schema
    #[arg(long)]
    structured: bool,

    /// Only models that give this: text, embeddings, image, ... or all [default: text]
    #[arg(long, value_name = "KIND")]
    output: Option<String>,

    /// The order [default: the server's]
    #[arg(long, value_name = "ORDER")]
    sort: Option<Order>,

    /// At most so many, from 1 to 1000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    limit: Option<u64>,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    connection: ConnectionArgs,
}

/// The orders that matter on a command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    /// Most used first
    MostPopular,
    /// Newest first
    Newest,
    /// Cheapest first
    PricingLowToHigh,
    /// Dearest first
    PricingHighToLow,
    /// Largest context first
    ContextHighToLow,
    /// Most tokens a second first
    ThroughputHighToLow,
    /// Soonest first token first
    LatencyLowToHigh,
}

impl Order {
    fn sort(self) -> ModelSort {
        match self {
            Self::MostPopular => ModelSort::MostPopular,
            Self::Newest => ModelSort::Newest,
            Self::PricingLowToHigh => ModelSort::PricingLowToHigh,
            Self::PricingHighToLow => ModelSort::PricingHighToLow,
            Self::ContextHighToLow => ModelSort::ContextHighToLow,
            Self::ThroughputHighToLow => ModelSort::ThroughputHighToLow,
            Self::LatencyLowToHigh => ModelSort::LatencyLowToHigh,
        }
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    runtime::block_on(async {
        let connection = service::connect_public(&args.connection, console).await?;
        let models = match list(args, &connection).await? {
            Ok(models) => models,
            Err(failure) => return Ok(service::failed(&failure, console)),
        };
        if models.is_empty() {
            console.note("no model is like that");
            return Ok(Exit::NotTrustworthy);
        }
        match args.format {
            Format::Json => {
                for model in &models {
                    console.line(serde_json::to_string(model)?)?;
                }
            }
            Format::Text => table(&models).print(console)?,
        }
        Ok(Exit::Conforms)
    })
}

/// The models; the inner result is the service's.
async fn list(
    args: &Args,
    connection: &Connection,
) -> Result<Result<Vec<Model>, tamis::Failure>, Error> {
    let client = &connection.client;
    if !client.speaks_openrouter() {
        return list_elsewhere(args, connection).await;
    }
    let mut query = ModelsQuery::new();
    if let Some(text) = &args.query {
        query = query.search(text);
    }
    if args.structured {
        query = query.structured_outputs();
    }
    if let Some(output) = &args.output {
        query = query.output_modalities(output.split(',').map(str::trim));
    }
    if let Some(order) = args.sort {
        query = query.sort(order.sort());
    }
    if let Some(limit) = args.limit {
        query = query.limit(limit);
    }
    Ok(client.models(&query).await.map(|list| list.models))
}

/// Other servers know no parameters, and tell little more than ids.
async fn list_elsewhere(
    args: &Args,
    connection: &Connection,
) -> Result<Result<Vec<Model>, tamis::Failure>, Error> {
    for (given, flag) in [
        (args.structured, "--structured"),
        (args.output.is_some(), "--output"),
        (args.sort.is_some(), "--sort"),
    ] {
        if given {
            return Err(Error::usage(format!(
                "{flag}: only OpenRouter tells that of its models; if this server speaks its fields, add --openrouter"
            )));
        }
    }
    let limit = args.limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let wanted = args.query.as_deref().unwrap_or_default().to_lowercase();
    let listed = connection.client.models(&ModelsQuery::new()).await;
    Ok(listed.map(|list| {
        let models = list.models.into_iter();
        models
            .filter(|model| model.id.to_lowercase().contains(&wanted))
            .take(limit)
            .collect()
    }))
}

fn table(models: &[Model]) -> Table {
    let mut table = Table::new(&["MODEL", "CONTEXT", "IN", "OUT", "SCHEMA"], 1..4);
    for model in models {
        let pricing = model.pricing.as_ref();
        let schema = match model.supported_parameters.as_slice() {
            [] => NOTHING,
            _ if model.supports_structured_outputs() => "yes",
            _ => "no",
        };
        table.row([
            model.id.clone(),
            model
                .context_length
                .map_or_else(|| NOTHING.to_owned(), |tokens| tokens.to_string()),
            per_million(pricing.and_then(|pricing| pricing.prompt.as_ref())),
            per_million(pricing.and_then(|pricing| pricing.completion.as_ref())),
            schema.to_owned(),
        ]);
    }
    table
}
