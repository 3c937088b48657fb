//! The three bars: parses, conforms, is right.

use std::fmt;

use serde_json::Value;
use tamis::json::Repair;
use tamis::schema::{Coercion, Violation};
use tamis::wire::Completion;
use tamis::{LedgerEntry, Reading};

use crate::diagnose;
use crate::expect::Expectation;
use crate::finding::{Finding, Place};
use crate::judge::{Judge, Ruling, Unfit};
use crate::problem::Problem;
use crate::sample::{Bars, FirstViolation, Step};
use crate::stats::rounded;

/// What says whether an answer is right: the third bar.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Truth {
    /// It must contain this.
    Expect(Expectation),
    /// This command must agree.
    Judge(Judge),
}

/// How answers are read, and what is right.
pub(crate) struct Ruler {
    reading: Reading,
    truth: Option<Truth>,
}

/// How one answer did.
#[derive(Debug, PartialEq)]
pub(crate) struct Score {
    pub(crate) bars: Bars,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) conforms_after: Option<Step>,
    pub(crate) first_violation: Option<FirstViolation>,
    pub(crate) finding: Option<Finding>,
}

impl Score {
    fn new(bars: Bars) -> Self {
        Self {
            bars,
            repairs: Vec::new(),
            coercions: Vec::new(),
            conforms_after: None,
            first_violation: None,
            finding: None,
        }
    }

    fn found(mut self, finding: Finding) -> Self {
        self.finding = Some(finding);
        self
    }
}

impl Ruler {
    pub(crate) fn new(reading: Reading, truth: Option<Truth>) -> Self {
        Self { reading, truth }
    }

    /// What passes none of the bars.
    pub(crate) fn nothing(&self) -> Bars {
        Bars {
            right: self.truth.as_ref().map(|_| false),
            ..Bars::default()
        }
    }

    /// How no answer did.
    pub(crate) fn failed(&self, finding: Option<Finding>) -> Score {
        Score {
            finding,
            ..Score::new(self.nothing())
        }
    }

    /// Scores a completion, finished or not; `earlier` are those that it was asked for again after.
    ///
    /// An answer that needs help passes where the value that comes of it does. What it fails for is the
    /// finding, and where it fails for nothing, what it needed help for is.
    pub(crate) async fn score(
        &self,
        completion: &Completion,
        earlier: &[LedgerEntry],
    ) -> Result<Score, Unfit> {
        let mut score = Score::new(self.nothing());
        let read = match self.reading.completion(completion) {
            Ok(read) => read,
            Err(failure) => {
                let finding = match completion.answer_text() {
                    Ok(text) => diagnose::text(&text, &failure),
                    Err(failure) => diagnose::declined(completion, &failure),
                };
                return Ok(score.found(finding));
            }
        };
        let (value, text) = (&read.value, &read.text);
        let schema = self.reading.schema().unwrap_or(&Value::Bool(true));
        score.bars.parses_as_sent = read.repairs.is_empty();
        score.bars.parses = true;
        score.first_violation = self.first_violation(text);
        if !read.conforms() {
            let finding = diagnose::value(value, text, schema, places(&read.violations));
            score.repairs = read.repairs;
            return Ok(score.found(finding));
        }
        score.bars.conforms = true;
        score.conforms_after = Some(if !earlier.is_empty() {
            Step::Reask
        } else if !read.coercions.is_empty() {
            Step::Coercion
        } else if !read.repairs.is_empty() {
            Step::Repair
        } else {
            Step::AsSent
        });
        let wrong = self.why_wrong(value).await?;
        score.bars.right = self.truth.as_ref().map(|_| wrong.is_none());
        let finding = if let Some(why) = wrong {
            Some(Finding::new(Problem::Wrong, why).with_offending(text))
        } else if let Some(rejected) = earlier.first() {
            Some(diagnose::asked_again(rejected))
        } else if !read.coercions.is_empty() {
            let places = places(&read.before_coercion);
            Some(diagnose::coerced(value, text, schema, places))
        } else {
            (!read.repairs.is_empty()).then(|| diagnose::mended(text))
        };
        score.finding = finding;
        score.repairs = read.repairs;
        score.coercions = read.coercions;
        Ok(score)
    }

    fn first_violation(&self, text: &str) -> Option<FirstViolation> {
        let (violation, offset) = self.reading.first_violation(text)?;
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
        let share = offset as f64 / text.len().max(1) as f64;
        Some(FirstViolation {
            instance: violation.instance,
            keyword: violation.keyword,
            offset,
            share: rounded(share, 3),
        })
    }

    async fn why_wrong(&self, value: &Value) -> Result<Option<String>, Unfit> {
        match &self.truth {
            None => Ok(None),
            Some(Truth::Expect(expectation)) => {
                Ok(expectation
                    .mismatch(value)
                    .map(|mismatch| match mismatch.pointer.as_str() {
                        "" => mismatch.message,
                        pointer => format!("{pointer}: {}", mismatch.message),
                    }))
            }
            Some(Truth::Judge(judge)) => match judge.rule(value).await? {
                Ruling::Right => Ok(None),
                Ruling::Wrong(why) => Ok(Some(why)),
            },
        }
    }
}

fn places(violations: &[Violation]) -> Vec<Place> {
    violations.iter().map(Place::from).collect()
}

impl fmt::Debug for Ruler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Ruler")
            .field("truth", &self.truth)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tamis::Reading;
    use tamis::wire::read_completion;

    use super::{Ruler, Score, Truth};
    use crate::expect::Expectation;
    use crate::problem::Problem;
    use crate::sample::Step;

    fn schema() -> Value {
        json!({"type": "object", "properties": {"n": {"type": "integer"}},
            "required": ["n"], "additionalProperties": false})
    }

    async fn score(choice: Value, truth: Option<Truth>) -> Score {
        let body = json!({"id": "gen-1", "choices": [choice]}).to_string();
        let completion = read_completion(body.as_bytes()).unwrap();
        let ruler = Ruler::new(Reading::new(&schema()).unwrap(), truth);
        ruler.score(&completion, &[]).await.unwrap()
    }

    fn says(content: &str) -> Value {
        json!({"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}})
    }

    #[tokio::test]
    async fn each_bar() {
        let expect = || Some(Truth::Expect(Expectation::new(json!({"n": 2}))));
        let rows = [
            (says("{\"n\":2}"), None, (true, true, None), None),
            (
                says(" {\"n\":2}\n"),
                expect(),
                (true, true, Some(true)),
                None,
            ),
            (
                says("{\"n\":3}"),
                expect(),
                (true, true, Some(false)),
                Some(Problem::Wrong),
            ),
            (
                says("{\"n\":\"3\"}"),
                expect(),
                (true, false, Some(false)),
                Some(Problem::Violation),
            ),
            (
                says("{}"),
                None,
                (true, false, None),
                Some(Problem::OtherShape),
            ),
            (
                says("I cannot."),
                None,
                (false, false, None),
                Some(Problem::Prose),
            ),
            (
                says("{\"n\":2} or {\"n\":3}"),
                None,
                (false, false, None),
                Some(Problem::Prose),
            ),
            (says(""), None, (false, false, None), Some(Problem::Empty)),
            (
                json!({"finish_reason": "length", "message": {"content": "{\"n\":2}"}}),
                None,
                (false, false, None),
                Some(Problem::Truncated),
            ),
            (
                json!({"finish_reason": "stop", "message": {"content": null, "refusal": "No."}}),
                None,
                (false, false, None),
                Some(Problem::Refusal),
            ),
            (
                json!({"finish_reason": "content_filter", "message": {"content": "{"}}),
                None,
                (false, false, None),
                Some(Problem::ContentFilter),
            ),
            (
                json!({"finish_reason": "stop", "message": {"content": null, "reasoning": "{\"n\":2}"}}),
                None,
                (false, false, None),
                Some(Problem::InReasoning),
            ),
            (
                json!({"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
                    {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}),
                None,
                (false, false, None),
                Some(Problem::ToolCalls),
            ),
            (
                json!({"finish_reason": "error", "message": {"content": "{\"n\""},
                    "error": {"code": 502, "message": "gone"}}),
                None,
                (false, false, None),
                Some(Problem::ProviderError),
            ),
        ];
        for (choice, truth, bars, problem) in rows {
            let scored = score(choice.clone(), truth).await;
            let found = (scored.bars.parses, scored.bars.conforms, scored.bars.right);
            assert_eq!(found, bars, "{choice}");
            assert_eq!(scored.bars.parses_as_sent, bars.0, "{choice}");
            assert!(scored.repairs.is_empty());
            assert_eq!(
                scored.finding.map(|found| found.problem),
                problem,
                "{choice}"
            );
        }
    }

    /// What fails it is the problem; where nothing does, what was mended is.
    #[tokio::test]
    async fn after_repair() {
        let expect = || Some(Truth::Expect(Expectation::new(json!({"n": 2}))));
        let rows = [
            ("```\n{\"n\":2}\n```", (true, Some(true)), Problem::Fenced),
            ("Yes: {\"n\":2}", (true, Some(true)), Problem::Prose),
            ("{'n':2,}", (true, Some(true)), Problem::BrokenJson),
            ("{\"n\":2", (true, Some(true)), Problem::BrokenJson),
            (
                "\"{\\\"n\\\":2}\"",
                (true, Some(true)),
                Problem::DoubleEncoded,
            ),
            ("```\n{\"n\":3}\n```", (true, Some(false)), Problem::Wrong),
            (
                "```\n{\"n\":null}\n```",
                (false, Some(false)),
                Problem::Violation,
            ),
        ];
        for (content, (conforms, right), problem) in rows {
            let scored = score(says(content), expect()).await;
            assert!(
                scored.bars.parses && !scored.bars.parses_as_sent,
                "{content}"
            );
            assert!(!scored.repairs.is_empty(), "{content}");
            assert_eq!(
                (scored.bars.conforms, scored.bars.right),
                (conforms, right),
                "{content}"
            );
            assert_eq!(scored.bars.passed(), right == Some(true), "{content}");
            assert_eq!(
                scored.finding.map(|found| found.problem),
                Some(problem),
                "{content}"
            );
        }
        // What a limit cut off is no answer, however it could be mended.
        let cut = json!({"finish_reason": "length", "message": {"content": "{\"n\":2"}});
        assert!(!score(cut, None).await.bars.parses);
        let inside = says("{\"n\":2, \"m\":\"x");
        assert!(!score(inside, None).await.bars.parses);
    }

    #[tokio::test]
    async fn what_it_took() {
        let as_sent = score(says("{\"n\":2}"), None).await;
        assert_eq!(as_sent.conforms_after, Some(Step::AsSent));
        let repaired = score(says("```\n{\"n\":2}\n```"), None).await;
        assert_eq!(repaired.conforms_after, Some(Step::Repair));
        let broken = score(says("{\"n\":\"2\"}"), None).await;
        assert_eq!(broken.conforms_after, None);
    }
}
