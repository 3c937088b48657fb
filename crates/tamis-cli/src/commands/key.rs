//! `tamis key`.

use tamis::account::KeyInfo;
use tamis::report::Exit;

use crate::connection::ConnectionArgs;
use crate::console::Console;
use crate::error::Error;
use crate::format::Format;
use crate::money::amount;
use crate::table::Facts;
use crate::{runtime, service};

/// Say what the key in use may spend, and has spent
///
/// Also the quickest way to see whether a key works at all.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis key
  tamis key --api-key-file ~/.keys/openrouter
  tamis key --format json | jq -r .limit_remaining
  tamis key --sim

--format json prints one object, as the server sent it.

Exit codes:
  0    the key works
  2    usage, or refused before sending
  3    a permanent failure from the service: a key that it does not know, among others
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
        match connection.client.key().await {
            Ok(key) => {
                match args.format {
                    Format::Json => console.line(serde_json::to_string_pretty(&key)?)?,
                    Format::Text => facts(&key).print(console)?,
                }
                Ok(Exit::Conforms)
            }
            Err(failure) => Ok(service::failed(&failure, console)),
        }
    })
}

fn facts(key: &KeyInfo) -> Facts {
    let mut facts = Facts::default();
    let yes_or_no = |flag: Option<bool>| flag.map(|flag| if flag { "yes" } else { "no" });
    facts.add("key", key.label.as_ref());
    facts.add(
        "limit",
        amount(key.limit.as_ref()).or_else(|| Some("none".to_owned())),
    );
    facts.add("left", amount(key.limit_remaining.as_ref()));
    facts.add("limit resets", key.limit_reset.as_ref());
    facts.add("used", amount(key.usage.as_ref()));
    facts.add("used today", amount(key.usage_daily.as_ref()));
    facts.add("used this week", amount(key.usage_weekly.as_ref()));
    facts.add("used this month", amount(key.usage_monthly.as_ref()));
    let budget = key.effective_budget.as_ref();
    facts.add(
        "budget left",
        amount(budget.and_then(|budget| budget.remaining_usd.as_ref())),
    );
    if let Some(requests) = &key.free_model_daily_requests {
        let of = requests.remaining.zip(requests.limit);
        facts.add(
            "free requests left today",
            of.map(|(remaining, limit)| format!("{remaining} of {limit}")),
        );
    }
    facts.add("free tier", yes_or_no(key.is_free_tier));
    facts.add("manages keys", yes_or_no(key.is_management_key));
    facts.add("expires", key.expires_at.as_deref().or(Some("never")));
    facts
}
