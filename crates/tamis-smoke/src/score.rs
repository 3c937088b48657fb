//! The three bars: parses, conforms, is right.

use std::fmt;

use serde_json::Value;
use tamis::json::{Policy, Repair};
use tamis::report::policy_for;
use tamis::schema::{SchemaError, Validator};
use tamis::wire::Completion;

use crate::diagnose;
use crate::expect::Expectation;
use crate::finding::{Finding, Place};
use crate::judge::{Judge, Ruling, Unfit};
use crate::problem::Problem;
use crate::sample::Bars;

/// What says whether an answer is right: the third bar.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Truth {
    /// It must contain this.
    Expect(Expectation),
    /// This command must agree.
    Judge(Judge),
}

/// The schema, and what is right.
pub(crate) struct Ruler {
    schema: Value,
    validator: Validator,
    policy: Policy,
    truth: Option<Truth>,
}

/// How one answer did.
#[derive(Debug, PartialEq)]
pub(crate) struct Score {
    pub(crate) bars: Bars,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) finding: Option<Finding>,
}

impl Ruler {
    pub(crate) fn new(schema: Value, truth: Option<Truth>) -> Result<Self, SchemaError> {
        Ok(Self {
            validator: Validator::new(&schema)?,
            policy: policy_for(&schema),
            schema,
            truth,
        })
    }

    /// What passes none of the bars.
    pub(crate) fn nothing(&self) -> Bars {
        Bars {
            right: self.truth.as_ref().map(|_| false),
            ..Bars::default()
        }
    }

    /// Scores a completion, finished or not.
    ///
    /// An answer that needs repair passes where the mended value does. What it fails for is the
    /// finding, and where it fails for nothing, what had to be mended is.
    pub(crate) async fn score(&self, completion: &Completion) -> Result<Score, Unfit> {
        let mut bars = self.nothing();
        let failed = |bars, repairs, finding| {
            Ok(Score {
                bars,
                repairs,
                finding: Some(finding),
            })
        };
        let text = match completion.answer_text() {
            Ok(text) => text,
            Err(failure) => {
                return failed(bars, Vec::new(), diagnose::declined(completion, &failure));
            }
        };
        let repaired = match completion.parse_json_with(&self.policy) {
            Ok(repaired) => repaired,
            Err(failure) => return failed(bars, Vec::new(), diagnose::text(&text, &failure)),
        };
        let (value, repairs) = (repaired.value, repaired.repairs);
        bars.parses_as_sent = repairs.is_empty();
        bars.parses = true;
        let violations = self.validator.violations(&value);
        if !violations.is_empty() {
            let places = violations
                .into_iter()
                .map(|violation| Place {
                    instance: violation.instance,
                    schema: violation.schema,
                    keyword: violation.keyword,
                    message: violation.message,
                })
                .collect();
            return failed(
                bars,
                repairs,
                diagnose::value(&value, &text, &self.schema, places),
            );
        }
        bars.conforms = true;
        if let Some(why) = self.why_wrong(&value).await? {
            let finding = Finding::new(Problem::Wrong, why).with_offending(&text);
            return failed(bars, repairs, finding);
        }
        bars.right = self.truth.as_ref().map(|_| true);
        Ok(Score {
            bars,
            finding: (!repairs.is_empty()).then(|| diagnose::mended(&text)),
            repairs,
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
    use tamis::wire::read_completion;

    use super::{Ruler, Score, Truth};
    use crate::expect::Expectation;
    use crate::problem::Problem;

    fn schema() -> Value {
        json!({"type": "object", "properties": {"n": {"type": "integer"}},
            "required": ["n"], "additionalProperties": false})
    }

    async fn score(choice: Value, truth: Option<Truth>) -> Score {
        let body = json!({"id": "gen-1", "choices": [choice]}).to_string();
        let completion = read_completion(body.as_bytes()).unwrap();
        let ruler = Ruler::new(schema(), truth).unwrap();
        ruler.score(&completion).await.unwrap()
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

    #[test]
    fn a_schema_that_is_none() {
        assert!(Ruler::new(json!({"type": "wibble"}), None).is_err());
    }
}
