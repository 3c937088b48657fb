//! `tamis fold`.

use std::path::PathBuf;

use tamis::report::{Exit, stream_notes};
use tamis::wire::{Completion, Item, StreamReader};

use crate::console::{Console, Tone};
use crate::error::Error;
use crate::input;

/// Turn a stream into the completion that a non-streaming call would have returned
///
/// Reads an event stream and prints the folded completion as JSON. What came of a stream that broke
/// off is printed all the same, with a finish reason of null, and so is the error that came in one,
/// under `error`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis fold response.sse
  curl -sN https://... | tamis fold | jq -r '.choices[0].message.content'

Exit codes:
  0  the stream said that it was finished
  1  it did not: it broke off, reported an error, or an event could not be read; stderr says which
  2  usage: a bad flag, an unreadable file, one of more than 64 MiB")]
pub(crate) struct Args {
    /// The stream; - is stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let bytes = input::read(&args.file)?;
    let mut events = false;
    let mut reader = StreamReader::new();
    let mut seen = |item: Item<'_>| events |= !matches!(item, Item::KeepAlive);
    reader.feed(&bytes, &mut seen);
    reader.end(&mut seen);
    for note in stream_notes(&reader) {
        console.note(note);
    }
    match reader.into_completion() {
        Ok(completion) => {
            print(&completion, console)?;
            Ok(Exit::Conforms)
        }
        Err(failure) => {
            if !events && bytes.trim_ascii().starts_with(b"{") {
                console.note("this is a JSON body and no event stream; `tamis check` reads both");
            }
            let words = format!("{failure} ({})", failure.kind());
            let error = failure.details().cloned();
            if let Some(mut completion) = failure.into_completion() {
                if completion.error.is_none() {
                    completion.error = error.map(Box::new);
                }
                print(&completion, console)?;
            }
            console.tell(Tone::Bad, "not finished", &words);
            Ok(Exit::NotTrustworthy)
        }
    }
}

fn print(completion: &Completion, console: &mut Console) -> Result<(), Error> {
    console.line(serde_json::to_string_pretty(completion)?)
}
