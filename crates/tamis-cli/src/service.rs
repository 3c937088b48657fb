//! Asking the service for data.

use tamis::Failure;
use tamis::report::{Check, Exit, ReportedFailure};

use crate::connection::{Connection, ConnectionArgs};
use crate::console::{Console, Tone};
use crate::error::Error;

/// A connection for what belongs to an account.
pub(crate) async fn connect(
    args: &ConnectionArgs,
    console: &mut Console,
) -> Result<Connection, Error> {
    Ok(noted(args.open(console).await?, console))
}

/// A connection for what everybody may know.
pub(crate) async fn connect_public(
    args: &ConnectionArgs,
    console: &mut Console,
) -> Result<Connection, Error> {
    Ok(noted(args.open_public(console).await?, console))
}

fn noted(connection: Connection, console: &mut Console) -> Connection {
    if connection.is_simulated() {
        console.note("simulated; none of it is real");
    }
    connection
}

/// Tells what went wrong, of which kind it is, and whether trying again can help.
pub(crate) fn failed(failure: &Failure, console: &mut Console) -> Exit {
    let exit = Exit::of_failure(failure);
    console.tell(Tone::Bad, "error", failure);
    let report = Check::new().failure(failure);
    let mut words = report
        .failure
        .as_ref()
        .map_or_else(String::new, ReportedFailure::kind_in_words);
    if failure.attempts() > 1 {
        words = format!("{words}, after {} attempts", failure.attempts());
    }
    console.tell(Tone::Quiet, "kind", &words);
    let help = match exit {
        Exit::Refused => "the request was not sent; change it",
        Exit::Transient => "trying again can help",
        _ => "trying again cannot help",
    };
    console.tell(Tone::Quiet, "help", &help);
    exit
}
