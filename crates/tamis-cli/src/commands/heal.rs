//! `tamis heal`.

use std::path::PathBuf;

use clap::ValueEnum;
use tamis::json::Wanted;
use tamis::report::{Exit, Heal, Healed};

use crate::console::{Console, Tone};
use crate::diff::Diff;
use crate::error::Error;
use crate::format::Format;
use crate::input;
use crate::policy::PolicyArgs;

/// Get the JSON out of a text that is nearly JSON
///
/// Reads what a model wrote: JSON in a fence or in prose, with slips in its syntax, or without its
/// last brackets. Prints the value, and says on stderr what was mended. Valid JSON is never changed, but
/// for numbers that no JSON number type holds exactly, which are printed as text, with a note; nothing
/// is invented, and nothing is dropped without a word.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The report (--format json) is one object with these keys:
  value     the JSON; null where there is none to give, and then there is an error
  complete  whether the value is all that the text was to be
  repairs   kind, offset, length (bytes of the text), message
  notes     what the value cannot show, such as a key that came twice: kind, offset, length, pointer
  error     null, or kind, message, offset, other_offset (of two documents that differ, else null);
            the kinds are no_json, ambiguous, missing_value, syntax, incomplete, too_deep, too_large

--diff: the text on stderr, with [-what was left out-] and {+what was added+}, in colours on a
terminal.

Examples:
  tamis heal answer.txt
  tamis heal --diff answer.txt > answer.json
  tamis heal --truncated --partial - < cut.txt
  tamis heal --policy extraction,syntax --format json answer.txt
  pbpaste | tamis heal | jq .

Exit codes:
  0  the value is complete
  1  it is not (and is printed only with --partial), there is no JSON, or there are two documents
     that differ
  2  usage: a bad flag, an unreadable file, one that is not UTF-8 or has more than 64 MiB")]
pub(crate) struct Args {
    /// The text; - is stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// Print a value that is not complete, too
    #[arg(long)]
    partial: bool,

    /// The text was cut off, by a token limit for instance: what is closed is not complete
    #[arg(long)]
    truncated: bool,

    #[command(flatten)]
    policy: PolicyArgs,

    /// What kind of document is wanted: then one that comes as the text of a JSON string is taken out of it
    #[arg(long, value_name = "KIND", default_value = "any")]
    want: Want,

    /// Show what changed, on stderr
    #[arg(long)]
    diff: bool,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// A kind of document.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Want {
    /// Whatever it is
    Any,
    /// An object
    Object,
    /// An array
    Array,
}

impl From<Want> for Wanted {
    fn from(want: Want) -> Self {
        match want {
            Want::Any => Self::Any,
            Want::Object => Self::Object,
            Want::Array => Self::Array,
        }
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let heal = Heal::new()
        .policy(args.policy.policy()?.wanting(args.want.into()))
        .truncated(args.truncated)
        .partial(args.partial);
    let text = input::read_text(&args.file)?;
    let healed = heal.text(&text);
    if let (true, Some(value)) = (args.diff, healed.value_so_far()) {
        let diff = Diff::new(&text, &serde_json::to_string(value)?);
        console.aside(&diff.render(|tone, piece| {
            console
                .colours_aside()
                .then(|| console.paint_aside(tone, piece))
        }));
    }
    match args.format {
        Format::Json => console.line(serde_json::to_string_pretty(&healed)?)?,
        Format::Text => print(&healed, console)?,
    }
    Ok(healed.exit())
}

fn print(healed: &Healed, console: &mut Console) -> Result<(), Error> {
    if let Some(value) = &healed.value {
        console.line(serde_json::to_string_pretty(value)?)?;
    }
    console.repairs("", &healed.repairs);
    for note in &healed.notes {
        console.note(note);
    }
    if let Some(error) = &healed.error {
        console.tell(Tone::Warning, "no value", error);
        if healed.is_withheld() {
            console.tell(Tone::Quiet, "help", &"--partial prints what there is");
        }
    } else if !healed.complete {
        console.tell(
            Tone::Warning,
            "not complete",
            &"a part of a value, and no answer",
        );
    }
    Ok(())
}
