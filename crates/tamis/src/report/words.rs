//! A report in words, for people.

use tamis_json::Repair;

use super::model::{Report, ReportOutcome, ReportedFailure};

/// Of a text from outside, at most this many characters stand in a line.
const EXCERPT: usize = 200;

/// Of more repairs, only the number is told.
const MOST_REPAIRS: usize = 20;

impl Report {
    /// What it is, in one line: its outcome, and what is to be said about it. The wording may
    /// change.
    pub fn headline(&self) -> String {
        let said = match self.outcome {
            ReportOutcome::Text => {
                let text = self.content.as_deref().unwrap_or_default();
                format!(
                    "{}, {}",
                    count(text.chars().count(), "character"),
                    self.ending()
                )
            }
            ReportOutcome::Json => match self.violations() {
                [] => {
                    let said = if self.has_schema {
                        "conforms to the schema"
                    } else {
                        "valid"
                    };
                    format!("{said}{}, {}", self.mended(), self.ending())
                }
                [only] => format!("breaks the schema: {}", excerpt(&only.to_string())),
                [first, ..] => format!(
                    "breaks the schema in {} places; first: {}",
                    self.violations().len(),
                    excerpt(&first.to_string())
                ),
            },
            ReportOutcome::Refusal => {
                excerpt(self.refusal.as_deref().unwrap_or("without a reason"))
            }
            ReportOutcome::ToolCalls => self.tools(),
            ReportOutcome::Incomplete => self.cut(),
            ReportOutcome::Failure => String::new(),
        };
        // What the outcome already says is not said again.
        let failure = self.failure.as_ref().filter(|failure| {
            matches!(
                self.outcome,
                ReportOutcome::Failure | ReportOutcome::ToolCalls
            ) || failure.code.is_some()
        });
        let mut line = self.outcome.to_string();
        for part in [Some(said), failure.map(in_words)] {
            if let Some(part) = part.filter(|part| !part.is_empty()) {
                line.push_str(": ");
                line.push_str(&part);
            }
        }
        line
    }

    /// What else is to be said, a line each: where it came from, what it used, every violation after
    /// the first.
    pub fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let origin = [
            ("model", &self.model),
            ("provider", &self.provider),
            ("id", &self.id),
        ];
        for (name, value) in origin {
            if let Some(value) = value {
                lines.push(format!("{name}: {}", excerpt(value)));
            }
        }
        if let Some(usage) = &self.usage {
            let tokens = [
                (usage.prompt_tokens, "in"),
                (usage.completion_tokens, "out"),
            ];
            let tokens: Vec<String> = tokens
                .iter()
                .filter_map(|(tokens, way)| Some(format!("{} {way}", (*tokens)?)))
                .collect();
            if !tokens.is_empty() {
                lines.push(format!("tokens: {}", tokens.join(", ")));
            }
        }
        if let Some(cost) = &self.cost {
            lines.push(format!("cost: ${cost}"));
        }
        for violation in self.violations().iter().skip(1) {
            lines.push(format!("violation: {}", excerpt(&violation.to_string())));
        }
        lines
    }

    fn mended(&self) -> String {
        match self.repairs().len() {
            0 => String::new(),
            repairs => format!(" after {}", count(repairs, "repair")),
        }
    }

    fn ending(&self) -> String {
        match self.finish_reason.as_deref() {
            Some(reason) if self.finished => format!("finished ({})", excerpt(reason)),
            _ => "without a finish reason".to_owned(),
        }
    }

    fn tools(&self) -> String {
        let calls: Vec<String> = self
            .tool_calls
            .iter()
            .map(|call| match &call.arguments_error {
                None => excerpt(&call.name),
                Some(error) => format!("{} (arguments: {error})", excerpt(&call.name)),
            })
            .collect();
        excerpt(&calls.join(", "))
    }

    fn cut(&self) -> String {
        let why = match self.finish_reason.as_deref() {
            Some("content_filter") => "a content filter withheld it",
            _ => "a token limit cut it off",
        };
        let reasons: Vec<String> = [&self.finish_reason, &self.native_finish_reason]
            .into_iter()
            .flatten()
            .map(|reason| excerpt(reason))
            .collect();
        if reasons.is_empty() {
            why.to_owned()
        } else {
            format!("{why} ({})", reasons.join(", "))
        }
    }
}

impl ReportedFailure {
    /// The kind, the status, the code, and whether trying again can help: all but the message.
    pub fn kind_in_words(&self) -> String {
        let mut words = vec![self.kind.to_owned()];
        if let Some(status) = self.status {
            words.push(format!("status {status}"));
        }
        let code = self.code.as_ref().map(ToString::to_string);
        let repeated = self.status.map(|status| status.to_string());
        let told = |code: &String| Some(code) == repeated.as_ref() || self.message.contains(code);
        if let Some(code) = code.filter(|code| !told(code)) {
            words.push(format!("code {}", excerpt(&code)));
        }
        words.push(
            if self.transient {
                "transient"
            } else {
                "permanent"
            }
            .to_owned(),
        );
        words.join(", ")
    }
}

/// What was mended, a line each; of much, the beginning.
pub fn repairs_in_words(repairs: &[Repair]) -> Vec<String> {
    let shown = repairs.iter().take(MOST_REPAIRS);
    let mut lines: Vec<String> = shown.map(ToString::to_string).collect();
    if let Some(more) = repairs
        .len()
        .checked_sub(MOST_REPAIRS)
        .filter(|more| *more > 0)
    {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn in_words(failure: &ReportedFailure) -> String {
    format!(
        "{} ({})",
        excerpt(&failure.message),
        failure.kind_in_words()
    )
}

fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// The beginning, on one line, without what would steer a terminal.
fn excerpt(text: &str) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length == EXCERPT {
                line.push('…');
                return line;
            }
            line.push(character);
            length += 1;
        }
    }
    line
}
