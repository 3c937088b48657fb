//! `tamis credits`.

use serde_json::Value;
use tamis::account::Credits;
use tamis::report::Exit;

use crate::connection::ConnectionArgs;
use crate::console::Console;
use crate::error::Error;
use crate::format::Format;
use crate::money::{amount, dollars};
use crate::table::Facts;
use crate::{runtime, service};

/// Say what the account has left to spend
///
/// In US dollars. Documented to need a management key.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis credits
  tamis credits --format json | jq -r .remaining
  tamis credits --sim

--format json prints one object: total_credits and total_usage as the server sent them, and
remaining, a decimal in text.

Exit codes:
  0    it is known
  2    usage, or refused before sending
  3    a permanent failure from the service
  4    a transient failure, after the retries allowed
  130  Ctrl-C")]
pub(crate) struct Args {
    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    connection: ConnectionArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    runtime::block_on(async {
        let connection = service::connect(&args.connection, console).await?;
        match connection.client.credits().await {
            Ok(credits) => {
                match args.format {
                    Format::Json => console.line(json(&credits)?)?,
                    Format::Text => facts(&credits).print(console)?,
                }
                Ok(Exit::Conforms)
            }
            Err(failure) => Ok(service::failed(&failure, console)),
        }
    })
}

fn json(credits: &Credits) -> Result<String, Error> {
    let mut object = serde_json::to_value(credits)?;
    if let (Value::Object(fields), Some(remaining)) = (&mut object, credits.remaining()) {
        fields.insert("remaining".to_owned(), remaining.to_string().into());
    }
    Ok(serde_json::to_string_pretty(&object)?)
}

fn facts(credits: &Credits) -> Facts {
    let mut facts = Facts::default();
    facts.add("left", credits.remaining().map(dollars));
    facts.add("bought", amount(credits.total_credits.as_ref()));
    facts.add("used", amount(credits.total_usage.as_ref()));
    facts
}
