//! What is asked, from the flags and the files.

use std::path::Path;

use serde_json::{Map, Value};
use tamis::decide::{Question, image_bytes};

use super::Args;
use crate::error::Error;
use crate::input;

/// The state; with images, a list.
pub(super) fn state(args: &Args) -> Result<Value, Error> {
    let stdin = Path::new("-");
    let files = args
        .state_file
        .iter()
        .chain(&args.images)
        .chain(&args.questions);
    let from_stdin = files.filter(|file| input::is_stdin(file)).count()
        + usize::from(args.state.as_deref() == Some("-"));
    if from_stdin > 1 {
        return Err(Error::usage("stdin (-) can be read only once"));
    }
    let (name, text) = match (&args.state, &args.state_file) {
        (Some(text), _) if text != "-" => ("--state".to_owned(), Some(text.clone())),
        (Some(_), _) => (input::name(stdin), Some(input::read_text(stdin)?)),
        (None, Some(file)) => (input::name(file), Some(input::read_text(file)?)),
        (None, None) => (String::new(), None),
    };
    let state = match text {
        Some(text) if args.json => Some(
            serde_json::from_str(&text)
                .map_err(|error| Error::usage(format!("{name}: not JSON: {error}")))?,
        ),
        text => text.map(Value::from),
    };
    if args.images.is_empty() {
        return Ok(state.unwrap_or_default());
    }
    let mut items = match state {
        None => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(state) => vec![state],
    };
    for file in &args.images {
        let image = image_bytes(&input::read(file)?);
        items.push(image.ok_or_else(|| {
            Error::usage(format!(
                "{}: neither PNG nor JPEG nor WebP",
                input::name(file)
            ))
        })?);
    }
    Ok(items.into())
}

/// The questions: those of the flags by their kinds, then those of the file.
pub(super) fn questions(args: &Args) -> Result<Vec<(String, Question)>, Error> {
    let mut questions = Vec::new();
    for text in &args.yes_no {
        let (id, asked) = named("--yes-no", text)?;
        questions.push((id.to_owned(), Question::yes_no(asked)));
    }
    for text in &args.choice {
        let (id, asked) = named("--choice", text)?;
        let (asked, options) = listed("--choice", asked)?;
        questions.push((id.to_owned(), Question::choice(asked, options)));
    }
    for text in &args.score {
        let (id, asked) = named("--score", text)?;
        let (asked, levels) = listed("--score", asked)?;
        questions.push((id.to_owned(), Question::score(asked, levels)));
    }
    for text in &args.locate {
        let (id, what) = named("--locate", text)?;
        questions.push((id.to_owned(), Question::locate(what)));
    }
    if let Some(file) = &args.questions {
        let name = input::name(file);
        let given: Map<String, Value> = serde_json::from_slice(&input::read(file)?)
            .map_err(|error| Error::usage(format!("{name}: not a JSON object: {error}")))?;
        for (id, question) in given {
            let question = Question::from_json(&question)
                .ok_or_else(|| Error::usage(format!("{name}: {id:?} is not a question")))?;
            questions.push((id, question));
        }
    }
    if questions.is_empty() {
        return Err(Error::usage(
            "no question: ask with --yes-no, --choice, --score, --locate or --questions",
        ));
    }
    Ok(questions)
}

/// `ID=QUESTION`.
fn named<'a>(flag: &str, text: &'a str) -> Result<(&'a str, &'a str), Error> {
    match text.split_once('=') {
        Some((id, asked)) if !id.trim().is_empty() => Ok((id.trim(), asked.trim())),
        _ => Err(Error::usage(format!(
            "{flag}: expected an id, an equals sign and a question"
        ))),
    }
}

/// `QUESTION:A,B`.
fn listed<'a>(flag: &str, text: &'a str) -> Result<(&'a str, Vec<&'a str>), Error> {
    let (asked, list) = text.rsplit_once(':').ok_or_else(|| {
        Error::usage(format!(
            "{flag}: expected a colon and what may be answered, separated by commas, after the question"
        ))
    })?;
    Ok((asked.trim(), list.split(',').map(str::trim).collect()))
}
