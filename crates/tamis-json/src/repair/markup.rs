//! Marks around a document: fences, tags of thinking, special tokens.

use super::look::{Ahead, Guess, Look};
use super::policy::Ending;
use super::report::RepairKind;
use crate::parser::{Flow, Input, Machine};

/// Tags around what a model thinks, with the tag that ends it.
const THINKING: [(&str, &str); 6] = [
    ("◁think▷", "◁/think▷"),
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
];

/// Tokens that some models write at the end or the start of a turn.
const TOKENS: [&str; 6] = [
    "</s>",
    "<s>",
    "<eos>",
    "<bos>",
    "<end_of_turn>",
    "<start_of_turn>",
];

/// Tokens in square brackets, which some models' templates have.
const BRACKET_TOKENS: [&str; 8] = [
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_CONTENT]",
];

/// Languages of a fence that may hold the document.
const JSON_TAGS: [&str; 9] = [
    "",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "ndjson",
    "javascript",
    "js",
    "text",
];

/// A token in angle brackets is no longer than this.
pub(crate) const LONGEST_TOKEN: usize = 64;

impl Machine {
    /// A Markdown fence, or a lone back-tick.
    pub(crate) fn fence(&mut self, input: &mut Input<'_>) -> Flow {
        let start = input.offset();
        let rest = input.rest();
        let mark = rest.first().copied().unwrap_or_default();
        let marks = rest.iter().take_while(|b| **b == mark).count();
        if marks == rest.len() && !input.end {
            return Flow::Wait;
        }
        if marks < 3 {
            for _ in 0..marks {
                self.pass(input);
            }
            return Flow::Go;
        }
        let Some(mender) = &mut self.mender else {
            return Flow::Go;
        };
        if mender.fenced {
            mender.fenced = false;
            mender.code = false;
            mender.fresh = false;
            input.pos += marks;
            mender.piece(RepairKind::Fence, start, input.offset());
            return Flow::Go;
        }
        let after = rest.get(marks..).unwrap_or_default();
        let tag = after
            .iter()
            .take(LONGEST_TOKEN)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'+' | b'-' | b'.'))
            .count();
        if tag == after.len() && tag < LONGEST_TOKEN && !input.end {
            return Flow::Wait;
        }
        let name = after.get(..tag).unwrap_or_default().to_ascii_lowercase();
        // A word right before a bracket or a quotation mark on the same line is still a tag, but
        // a scalar after a fence without one is not.
        let scalar = matches!(name.as_slice(), b"true" | b"false" | b"null")
            || name
                .iter()
                .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'));
        input.pos += if scalar { marks } else { marks + tag };
        let json = scalar || JSON_TAGS.iter().any(|known| known.as_bytes() == name);
        // The document may stand in a fence of any language, at its start.
        let mut look = Look::from(input, 0);
        let opens = match look.next() {
            Ahead::More => {
                input.pos -= if scalar { marks } else { marks + tag };
                return Flow::Wait;
            }
            Ahead::Byte(b'{' | b'[') | Ahead::Far => true,
            _ => json,
        };
        // A fence right after a document closes one that was opened before the text began; with a
        // tag, or after words, it opens the next.
        let cut_tag = tag == after.len()
            && JSON_TAGS
                .iter()
                .any(|known| known.as_bytes().starts_with(&name));
        mender.fence_promises = if tag == 0 {
            mender.policy.ending == Ending::Truncated || !mender.follows_document()
        } else {
            opens || cut_tag
        };
        mender.piece(RepairKind::Fence, start, input.offset());
        mender.fenced = true;
        mender.code = !opens;
        mender.fresh = true;
        mender.words = false;
        Flow::Go
    }

    /// A token in square brackets.
    pub(super) fn bracket_token(&mut self, input: &mut Input<'_>) {
        let start = input.offset();
        let text = input.sight(LONGEST_TOKEN);
        let token = BRACKET_TOKENS
            .iter()
            .find(|token| text.starts_with(**token));
        input.pos += token.map_or(1, |token| token.len());
        let end = input.offset();
        if let Some(mender) = &mut self.mender {
            mender.piece(RepairKind::SpecialToken, start, end);
        }
    }

    /// `<think>`, `<|im_end|>` and the like, or just a `<`.
    pub(crate) fn tag(&mut self, input: &mut Input<'_>) -> Flow {
        let start = input.offset();
        let rest = input.sight(2 * LONGEST_TOKEN);
        let open_end = rest.len() < LONGEST_TOKEN && !input.end;
        let Some(mender) = &mut self.mender else {
            return Flow::Go;
        };
        for (open, close) in THINKING {
            if starts(rest, open) {
                input.pos += open.len();
                mender.thinking = Some((close, start));
                return Flow::Go;
            }
            if starts(rest, close) {
                // The opening tag was part of the prompt: all so far was thinking.
                mender.forget();
                input.pos += close.len();
                mender.piece(RepairKind::Thinking, start, start + close.len());
                mender.fresh = true;
                return Flow::Go;
            }
        }
        for token in TOKENS {
            if rest.starts_with(token) {
                input.pos += token.len();
                mender.piece(RepairKind::SpecialToken, start, start + token.len());
                return Flow::Go;
            }
        }
        if let Some(token) = special_token(rest) {
            input.pos += token;
            mender.piece(RepairKind::SpecialToken, start, start + token);
            return Flow::Go;
        }
        let may_become = may_become_token(rest)
            || THINKING
                .iter()
                .any(|(a, b)| starts(a, rest) || starts(b, rest))
            || TOKENS.iter().any(|token| token.starts_with(rest));
        if open_end && may_become {
            return Flow::Wait;
        }
        self.pass(input);
        Flow::Go
    }
}

/// Whether a tag may begin with this character: most do with `<`, some models' with a triangle.
pub(super) fn opens_tag(char: char) -> bool {
    matches!(char, '<' | '◁')
}

/// Whether a text begins with a token in square brackets, or may once more of it has come.
pub(super) fn is_bracket_token(text: &str) -> Guess {
    // Most arrays go on otherwise.
    if !matches!(text.as_bytes().get(1), None | Some(b'/' | b'A'..=b'Z')) {
        return Guess::No;
    }
    if BRACKET_TOKENS.iter().any(|token| text.starts_with(token)) {
        Guess::Yes
    } else if BRACKET_TOKENS.iter().any(|token| token.starts_with(text)) {
        Guess::More
    } else {
        Guess::No
    }
}

/// Whether a text starts with a tag, in whatever case.
pub(super) fn starts(text: &str, tag: &str) -> bool {
    text.get(..tag.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

/// Whether a text may be the start of such a token.
pub(crate) fn may_become_token(text: &str) -> bool {
    ["<|", "<｜"].iter().any(|open| {
        open.starts_with(text)
            || text.starts_with(open)
                && text.len() < LONGEST_TOKEN
                && !text.contains(['\n', '{', '"'])
    })
}

/// The length of a token like `<|im_end|>` at the start.
pub(crate) fn special_token(text: &str) -> Option<usize> {
    let (bar, rest) = text
        .strip_prefix("<|")
        .map(|rest| ("|>", rest))
        .or_else(|| text.strip_prefix("<｜").map(|rest| ("｜>", rest)))?;
    let end = rest.find(bar)?;
    let name = rest.get(..end)?;
    let length = text.len() - rest.len() + end + bar.len();
    (length <= LONGEST_TOKEN && !name.contains(['\n', '{', '"'])).then_some(length)
}
