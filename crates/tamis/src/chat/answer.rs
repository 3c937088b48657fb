//! Asking until there is an answer, as often as the caller allows.

use serde_json::{Map, Value, json};
use tamis_wire::{Completion, Failure, FailureKind};

use super::Chat;
use crate::answer::Answer;
use crate::failure;
use crate::rejected::Rejected;
use crate::structured::{LedgerEntry, Prepared, Read, Reading, Spent, Wrong, complaint, returned};

impl Chat {
    /// Sends the request, and reads the answer as JSON that conforms to the request's schema.
    ///
    /// Where the request has no schema, any JSON will do.
    ///
    /// # Errors
    ///
    /// Those of [`Chat::send`] and of [`Completion::parse_json`]; `Malformed` where the value breaks
    /// the schema, with [`violations`](crate::violations). A failure of an answer that came has the
    /// completion, and where it was [asked for again](Chat::reask) the last one, with the
    /// [`ledger`](crate::ledger) of all.
    pub async fn answer(self) -> Result<Answer<Value>, Failure> {
        let Prepared {
            mut request,
            reading,
        } = self.prepare()?;
        let deadline = self.deadline();
        let mut ledger = Vec::new();
        let mut spending = Spent::default();
        let mut attempts = 0;
        loop {
            let (completion, sent) = match self.exchange(&request, deadline).await {
                Ok(exchanged) => exchanged,
                Err(failure) => {
                    let sent = failure.attempts();
                    return Err(keep(failure, ledger).with_attempts(attempts + sent));
                }
            };
            attempts += sent;
            spending.add(completion.usage.as_ref(), completion.cost());
            let entry = LedgerEntry::of(&completion, sent);
            let NoAnswer {
                failure,
                rejected,
                text,
            } = match read(&reading, &completion) {
                Ok(read) => {
                    ledger.push(entry);
                    return Ok(Answer::new(read, &reading, completion, attempts, ledger));
                }
                Err(no_answer) => *no_answer,
            };
            ledger.push(entry.rejected(&failure, rejected.violations()));
            let again =
                failure.kind() == FailureKind::Malformed && spending.allows(&self.options.reask);
            if !again || !self.ask_again(&mut request, &rejected, text.as_deref()) {
                return Err(failed(failure, rejected, completion, attempts, ledger));
            }
        }
    }
}

/// The answer in a completion that is not asked for again.
pub(crate) fn answer_of(
    reading: &Reading,
    completion: Completion,
    attempts: u32,
) -> Result<Answer<Value>, Failure> {
    let entry = LedgerEntry::of(&completion, attempts);
    match read(reading, &completion) {
        Ok(read) => Ok(Answer::new(
            read,
            reading,
            completion,
            attempts,
            vec![entry],
        )),
        Err(no_answer) => {
            let NoAnswer {
                failure, rejected, ..
            } = *no_answer;
            let entry = entry.rejected(&failure, rejected.violations());
            Err(failed(failure, rejected, completion, attempts, vec![entry]))
        }
    }
}

fn failed(
    failure: Failure,
    rejected: Rejected,
    completion: Completion,
    attempts: u32,
    ledger: Vec<LedgerEntry>,
) -> Failure {
    failure
        .with_attempts(attempts)
        .with_generation_id(completion.id.clone())
        .with_completion(completion)
        .with_source(rejected.with_ledger(ledger))
}

/// Why a completion holds no answer.
struct NoAnswer {
    failure: Failure,
    rejected: Rejected,
    /// The text that it was looked for in.
    text: Option<String>,
}

/// The answer in a completion, or why there is none.
fn read(reading: &Reading, completion: &Completion) -> Result<Read, Box<NoAnswer>> {
    let no_answer = match reading.completion(completion) {
        Ok(read) if read.conforms() => return Ok(read),
        Ok(read) => {
            let rejected = Rejected::violating(read.violations);
            let words = format!("the answer breaks its schema: {rejected}");
            NoAnswer {
                failure: Failure::new(FailureKind::Malformed, words),
                rejected,
                text: Some(read.text),
            }
        }
        Err(failure) => NoAnswer {
            rejected: Rejected::unreadable(&failure),
            failure,
            text: reading.source_text(completion),
        },
    };
    Err(Box::new(no_answer))
}

impl Chat {
    /// Puts the answer and what is wrong with it at the conversation's end; false where there is none to
    /// go on with.
    fn ask_again(
        &self,
        request: &mut Map<String, Value>,
        rejected: &Rejected,
        text: Option<&str>,
    ) -> bool {
        let Some(messages) = self.conversation(request) else {
            return false;
        };
        if let Some(text) = text.and_then(returned) {
            messages.push(json!({"role": "assistant", "content": text}));
        }
        let wrong = match rejected.violations() {
            [] => Wrong::Unreadable(rejected.repair_error()),
            violations => Wrong::Violations(violations),
        };
        messages.push(json!({"role": "user", "content": complaint(&wrong)}));
        true
    }
}

/// A later request's failure, with what the earlier ones came to.
fn keep(failure: Failure, ledger: Vec<LedgerEntry>) -> Failure {
    if ledger.is_empty() {
        return failure;
    }
    let outer = failure::copy(&failure);
    outer.with_source(Rejected::caused_by(failure).with_ledger(ledger))
}
