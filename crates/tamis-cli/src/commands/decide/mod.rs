//! `tamis decide`.

mod ask;
mod print;

use std::path::PathBuf;

use clap::ValueEnum;
use tamis::Failure;
use tamis::decide::{Decide, Via, response};
use tamis::report::Exit;

use crate::connection::ConnectionArgs;
use crate::console::Console;
use crate::error::Error;
use crate::format::Format;
use crate::{runtime, service};

/// Have a model decide: yes or no, which option, how much, where
///
/// A model that gives decisions is asked by the Decisions API, and says how probable each answer is; any
/// other is asked for a completion that may hold nothing but the allowed answers, and says which. Which of the
/// two it was, and how that was known, is told with the answers.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tamis decide sim/decider --sim --state 'It arrived crushed.' --yes-no 'damaged=Is it damaged?'
  tamis decide typesafe/jev-1.14 --state-file mail.txt \\
      --choice 'queue=Which queue takes this?:shipping,billing,other' \\
      --score 'anger=How angry is the writer?:calm,annoyed,furious'
  tamis decide typesafe/jev-1.14 --image dog.png --locate 'dog=the dog' --yes-no 'any=Is there a dog?'
  tamis decide openai/gpt-4o --via completion --state - --questions questions.json < mail.txt

The file of --questions holds a JSON object of questions as the Decisions API takes them, by their
ids: {\"refund\": {\"type\": \"noul\", \"instructions\": \"...\"}}; noul is its word for yes or no.

--format json prints one object: via (decisions, completion), known_by (caller, server, catalogue,
refusal, trial), model, provider, id, attempts, usage (input_tokens, output_tokens, cost) and
decisions, by the questions' ids: type, and of yes_no: yes, probability; of choice: option,
probabilities; of score: score, level, legend, probabilities; of location: top, bottom, left, right;
of each: confidence. What the model did not say is null.

Exit codes:
  0    every question is decided
  1    something came back, and it is not trustworthy: no answer, or not one of those allowed
  2    usage, or refused before sending
  3    a permanent failure from the service
  4    a transient failure, after the retries allowed
  130  Ctrl-C")]
pub(crate) struct Args {
    /// The model
    #[arg(value_name = "MODEL")]
    model: String,

    /// What is decided about; - is stdin
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["state_file", "images"])]
    state: Option<String>,

    /// The same from a file; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    state_file: Option<PathBuf>,

    /// The state is JSON: text, an object or a list
    #[arg(long)]
    json: bool,

    /// Show an image (PNG, JPEG, WebP) after the state; repeatable
    #[arg(long = "image", value_name = "FILE")]
    images: Vec<PathBuf>,

    /// Ask for yes or no; repeatable, as the next ones
    #[arg(long, value_name = "ID=QUESTION")]
    yes_no: Vec<String>,

    /// Ask for one of the options after the last colon
    #[arg(long, value_name = "ID=QUESTION:A,B,...")]
    choice: Vec<String>,

    /// Ask for a level, the lowest first, after the last colon
    #[arg(long, value_name = "ID=QUESTION:LOW,...,HIGH")]
    score: Vec<String>,

    /// Ask where something is in the image
    #[arg(long, value_name = "ID=WHAT")]
    locate: Vec<String>,

    /// Ask these questions too
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,

    /// By which means the model is asked
    #[arg(long, value_name = "MEANS", default_value = "auto")]
    via: Means,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    connection: ConnectionArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Means {
    /// What the catalogue says of the model
    Auto,
    /// The Decisions API
    Decisions,
    /// A completion over a schema of the allowed answers
    Completion,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Exit, Error> {
    let state = ask::state(args)?;
    let questions = ask::questions(args)?;
    runtime::block_on(async {
        let connection = service::connect(&args.connection, console).await?;
        let mut decide: Decide = connection.client.decide(&args.model).state(state);
        for (id, question) in questions {
            decide = decide.question(id, question);
        }
        decide = match args.via {
            Means::Auto => decide,
            Means::Decisions => decide.via(Via::Decisions),
            Means::Completion => decide.via(Via::Completion),
        };
        match decide.await {
            Ok(decided) => {
                match args.format {
                    Format::Json => console.line(print::json(&decided)?)?,
                    Format::Text => print::text(&decided, console)?,
                }
                Ok(Exit::Conforms)
            }
            Err(failure) => {
                let exit = service::failed(&failure, console);
                Ok(if came(&failure) {
                    Exit::NotTrustworthy
                } else {
                    exit
                })
            }
        }
    })
}

/// Whether an answer came, and was none.
fn came(failure: &Failure) -> bool {
    response(failure).is_some() || failure.completion().is_some()
}
