//! `tamis fold`.

use std::path::PathBuf;

use serde_json::Value;
use tamis::report::{Exit, stream_notes};
use tamis::wire::{Completion, Item, Protocol, StreamReader};

use crate::console::{Console, Tone};
use crate::error::Error;
use crate::input;

/// Turn a stream into the completion that a non-streaming call would have returned
///
/// Reads an event stream, of chat completions, Responses or Messages, and prints what it folds into
/// as JSON. What came of a stream that broke off is printed all the same, with a finish reason of
/// null, and so is the error that came in one, under `error`.
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
    let mut reader = StreamReader::new().protocol(Protocol::of_body(&bytes));
    let mut seen = |item: Item<'_>| events |= !matches!(item, Item::KeepAlive);
    reader.feed(&bytes, &mut seen);
    reader.end(&mut seen);
    for note in stream_notes(&reader) {
        console.note(note);
    }
    match reader.into_completion() {
        Ok(completion) => {
            console.line(serde_json::to_string_pretty(&shape(&completion)?)?)?;
            Ok(Exit::Conforms)
        }
        Err(failure) => {
            if !events && bytes.trim_ascii().starts_with(b"{") {
                console.note("this is a JSON body and no event stream; `tamis check` reads both");
            }
            let words = format!("{failure} ({})", failure.kind());
            let error = failure.details().cloned();
            if let Some(completion) = failure.into_completion() {
                let mut shape = shape(&completion)?;
                if let (Some(error), Some(members)) = (error, shape.as_object_mut())
                    && members.get("error").is_none_or(Value::is_null)
                {
                    members.insert("error".to_owned(), serde_json::to_value(error)?);
                }
                console.line(serde_json::to_string_pretty(&shape)?)?;
            }
            console.tell(Tone::Bad, "not finished", &words);
            Ok(Exit::NotTrustworthy)
        }
    }
}

/// The completion in the shape of its protocol.
fn shape(completion: &Completion) -> Result<Value, serde_json::Error> {
    if let Some(response) = completion.response() {
        serde_json::to_value(response)
    } else if let Some(message) = completion.native_message() {
        serde_json::to_value(message)
    } else {
        serde_json::to_value(completion)
    }
}
