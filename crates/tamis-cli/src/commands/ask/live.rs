//! Text, or an answer's fields, as they come.

use std::borrow::Cow;

use tamis::report::{Check, Report};
use tamis::wire::DeltaContent;
use tamis::{Chat, Chunk, Completion, CompletionStream, Failure};

use crate::console::{Console, Tone};
use crate::error::Error;

/// Reads a stream to its end, prints its text as it comes if `live`, and judges what came.
pub(super) async fn run(
    chat: Chat,
    check: &Check,
    live: bool,
    printed: &mut bool,
    console: &mut Console,
) -> Result<Report, Error> {
    let mut stream = match chat.stream().await {
        Ok(stream) => stream,
        Err(failure) => return Ok(check.failure(&failure)),
    };
    let attempts = stream.attempts();
    let mut text = Text::default();
    while let Some(Ok(chunk)) = stream.next().await {
        if live {
            text.print_new(&chunk, &stream, console)?;
        }
    }
    let ended = stream.finish().await;
    let came = ended
        .as_ref()
        .map_or_else(|failure| failure.completion(), Some);
    if live && text.end(came, console)? {
        *printed = true;
    }
    Ok(judge(check, &ended, attempts))
}

/// Reads a stream to its end, tells each field of its answer as soon as it is whole if `live`, and
/// judges what came. The fields go to stderr: what they belong to is not known to be an answer yet.
pub(super) async fn run_fields(
    chat: Chat,
    check: &Check,
    live: bool,
    console: &mut Console,
) -> Result<Report, Error> {
    let stream = match chat.stream().await {
        Ok(stream) => stream,
        Err(failure) => return Ok(check.failure(&failure)),
    };
    let attempts = stream.attempts();
    let mut fields = stream.fields();
    while let Some(Ok(field)) = fields.next().await {
        if live {
            let field = format!("{} = {}", field.pointer, field.value);
            console.tell(Tone::Quiet, "field", &field);
        }
    }
    Ok(judge(check, &fields.finish().await, attempts))
}

fn judge(check: &Check, ended: &Result<Completion, Failure>, attempts: u32) -> Report {
    match ended {
        Ok(completion) => check.completion(completion),
        Err(failure) => check.failure(failure),
    }
    .with_attempts(attempts)
}

/// What was printed so far.
#[derive(Default)]
struct Text {
    printed: String,
    parts: bool,
}

impl Text {
    /// Prints what the fold has more than was printed, since a server may repeat itself. Where the
    /// text comes in parts the fold would have to join them each time, so the chunk's own are taken.
    fn print_new(
        &mut self,
        chunk: &Chunk<'_>,
        stream: &CompletionStream,
        console: &mut Console,
    ) -> Result<(), Error> {
        let Some(content) = chunk
            .choices
            .iter()
            .find(|choice| choice.index.unwrap_or(0) == 0)
            .and_then(|choice| choice.delta.content.as_ref())
        else {
            return Ok(());
        };
        let new = match content {
            DeltaContent::Parts(parts) => {
                self.parts = true;
                parts.text().unwrap_or_default()
            }
            DeltaContent::Text(text) if self.parts => Cow::Borrowed(&**text),
            DeltaContent::Text(_) => match stream.fold().text() {
                Some(Cow::Borrowed(text)) => {
                    Cow::Borrowed(text.get(self.printed.len()..).unwrap_or_default())
                }
                _ => return Ok(()),
            },
        };
        if new.is_empty() {
            return Ok(());
        }
        self.printed.push_str(&new);
        console.content(&new)
    }

    /// Prints what is left, and ends the line. True where anything was printed.
    fn end(self, came: Option<&Completion>, console: &mut Console) -> Result<bool, Error> {
        let text = came.and_then(Completion::text).unwrap_or_default();
        let rest = text.strip_prefix(self.printed.as_str());
        console.content(rest.unwrap_or_default())?;
        let printed = !self.printed.is_empty() || !rest.unwrap_or_default().is_empty();
        if printed && !text.ends_with('\n') {
            console.text("\n")?;
        }
        if rest.is_none() {
            console.note(
                "the server repeats its text in every chunk, which showed only after the first ones \
                 were printed; without --stream it is right",
            );
        }
        Ok(printed)
    }
}
