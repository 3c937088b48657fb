//! An answer's text that is not JSON.

use serde::de::IgnoredAny;
use serde_json::Deserializer;
use serde_json::error::Category;

use tamis::wire::Failure;

use crate::finding::Finding;
use crate::problem::Problem;

/// Prose may hold brackets of its own; so many places are tried for where the JSON begins.
const MOST_STARTS: usize = 16;

const AROUND: &str = "text stands around the JSON";
const NONE: &str = "there is no JSON in the answer";

/// Names what is wrong with a text in which no JSON was found, not even after repair.
pub(crate) fn text(text: &str, failure: &Failure) -> Finding {
    match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => name(text, &error),
        // Another limit than that of `serde_json`.
        Ok(_) => Finding::new(Problem::BrokenJson, failure.message()),
    }
    .with_offending(text)
}

/// Names what had to be mended in a text.
pub(crate) fn mended(text: &str) -> Finding {
    let mut finding = match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => double_encoded(),
        Err(error) => name(text, &error),
    };
    match finding.problem {
        // What is whole but for its last brackets was not cut off.
        Problem::Truncated => {
            finding = Finding::new(Problem::BrokenJson, "its last brackets are missing");
        }
        Problem::Prose if finding.detail == NONE => AROUND.clone_into(&mut finding.detail),
        _ => {}
    }
    finding.detail.push_str("; it passes after repair");
    finding.with_offending(text)
}

/// A JSON string that holds the JSON.
pub(crate) fn double_encoded() -> Finding {
    Finding::new(
        Problem::DoubleEncoded,
        "the JSON comes as the text of a JSON string",
    )
}

fn name(text: &str, error: &serde_json::Error) -> Finding {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Finding::new(Problem::Empty, "the content is empty");
    }
    if trimmed.starts_with(['{', '[']) {
        return broken(trimmed, error);
    }
    if let Some(fence) = Fence::find(trimmed) {
        return fence.finding();
    }
    if holds_json(trimmed) {
        return Finding::new(Problem::Prose, AROUND);
    }
    Finding::new(Problem::Prose, NONE)
}

/// A text that begins as JSON and goes wrong later.
fn broken(trimmed: &str, error: &serde_json::Error) -> Finding {
    let mut values = Deserializer::from_str(trimmed).into_iter::<IgnoredAny>();
    if let Some(Ok(_)) = values.next() {
        return Finding::new(Problem::Prose, "text follows the JSON");
    }
    match error.classify() {
        Category::Eof => Finding::new(
            Problem::Truncated,
            "the JSON ends in the middle, and the server called it finished",
        ),
        _ => Finding::new(Problem::BrokenJson, describe(error)),
    }
}

/// A parse error's words and place; without the text around it.
fn describe(error: &serde_json::Error) -> String {
    format!("not JSON: {error}")
}

/// The first Markdown fence that opens a line.
struct Fence<'a> {
    before: &'a str,
    inside: &'a str,
    after: Option<&'a str>,
}

impl<'a> Fence<'a> {
    fn find(text: &'a str) -> Option<Self> {
        let (before, rest) = split_at_fence(text)?;
        // The language tag ends with its line; without a line break nothing is fenced.
        let (_tag, body) = rest.split_once('\n')?;
        // The last closing fence: fences inside the JSON's strings stay inside.
        let close = body.rfind("```");
        let inside = close.and_then(|end| body.get(..end)).unwrap_or(body);
        let after = close.and_then(|end| body.get(end..));
        Some(Self {
            before,
            inside,
            after: after.map(|rest| rest.trim_start_matches('`')),
        })
    }

    fn finding(&self) -> Finding {
        let surrounded = !self.before.trim().is_empty()
            || self.after.is_some_and(|rest| !rest.trim().is_empty());
        let whole = serde_json::from_str::<IgnoredAny>(self.inside);
        let detail = match (whole, self.after, surrounded) {
            (Ok(_), _, true) => "the JSON stands in a fence, with text around the fence",
            (Ok(_), Some(_), false) => "the JSON stands in a fence",
            (Ok(_), None, false) => "the JSON stands in a fence that is never closed",
            (Err(_), _, _) => "a fence, and what stands in it is not JSON",
        };
        Finding::new(Problem::Fenced, detail)
    }
}

/// Splits where a line begins with a fence.
fn split_at_fence(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find("```")?;
        let before = text.get(..at)?;
        let line_start = before.rfind('\n').map_or(0, |line| line + 1);
        let after = text.get(at + 3..)?;
        if before.get(line_start..)?.trim().is_empty() {
            return Some((before, after));
        }
        from = at + 3;
    }
}

/// Whether an object or a list stands somewhere in the text.
fn holds_json(text: &str) -> bool {
    text.match_indices(['{', '['])
        .take(MOST_STARTS)
        .filter_map(|(at, _)| text.get(at..))
        .any(|rest| {
            let mut values = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
            matches!(values.next(), Some(Ok(_)))
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{mended, name as finding};
    use crate::problem::Problem::{self, *};

    fn name(answer: &str) -> Problem {
        let error = serde_json::from_str::<serde_json::Value>(answer).unwrap_err();
        finding(answer, &error).problem
    }

    #[test]
    fn each_text_has_its_name() {
        let rows = [
            ("", Empty),
            (" \n", Empty),
            ("```json\n{\"a\":1}\n```", Fenced),
            ("```JSON\n{\"a\":\"```rust fn(){} ```\"}\n```", Fenced),
            ("```\n[1]\n```\nThere you are.", Fenced),
            ("Here:\n```json\n{\"a\":1}\n```", Fenced),
            ("```json\n{\"a\":1}", Fenced),
            ("Sure! {\"a\":1}", Prose),
            ("[see] the order: {\"a\":1}", BrokenJson),
            ("See [1]: {\"a\":1}", Prose),
            ("{\"a\":1}\nAnything else?", Prose),
            ("{\"a\":1}{\"a\":1}", Prose),
            ("I cannot do that in ```JSON```.", Prose),
            ("All in order.", Prose),
            ("{\"a\":1,}", BrokenJson),
            ("{'a':1}", BrokenJson),
            ("{\"a\":[1,2", Truncated),
            ("[", Truncated),
        ];
        for (answer, problem) in rows {
            assert_eq!(name(answer), problem, "{answer}");
        }
    }

    #[test]
    fn a_fence_with_text_around_it_says_so() {
        let answer = "Here:\n```json\n{\"a\":1}\n```\nDone.";
        let error = serde_json::from_str::<serde_json::Value>(answer).unwrap_err();
        assert!(finding(answer, &error).detail.contains("around"));
    }

    #[test]
    fn what_was_mended_has_the_same_name_and_says_that_it_passes() {
        let rows = [
            (
                "```json\n{\"a\":1}\n```",
                Fenced,
                "the JSON stands in a fence",
            ),
            ("Sure! {'a':1}", Prose, "text stands around the JSON"),
            ("{\"a\":1,}", BrokenJson, "not JSON: "),
            ("{\"a\":[1,2", BrokenJson, "its last brackets are missing"),
            ("\"{}\"", DoubleEncoded, "the JSON comes as the text"),
        ];
        for (answer, problem, detail) in rows {
            let finding = mended(answer);
            assert_eq!(finding.problem, problem, "{answer}");
            assert!(finding.detail.starts_with(detail), "{}", finding.detail);
            assert!(finding.detail.ends_with("; it passes after repair"));
            assert!(finding.offending.is_some());
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_name(answer in "[ -~\\n`{}\\[\\]\"]{0,80}|\\PC{0,40}") {
            if serde_json::from_str::<serde_json::Value>(&answer).is_err() {
                name(&answer);
            }
        }
    }
}
