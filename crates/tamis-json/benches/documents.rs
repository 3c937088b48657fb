//! The documents that are measured.

use std::fmt::Write as _;

/// A document of about this size, of the kind that models are asked for.
pub(crate) fn document(size: usize) -> String {
    let mut out = String::from("{\"kind\": \"report\", \"items\": [");
    let mut index = 0_u32;
    while out.len() < size {
        if index > 0 {
            out.push_str(", ");
        }
        write!(
            out,
            "{{\"id\": {index}, \"name\": \"Item number {index}\", \"score\": {}.{}, \"tags\": [\"red\", \"green\"], \
             \"note\": \"A sentence or two about it, with a \\\"quoted\\\" word and a line\\nbreak.\", \
             \"nested\": {{\"ok\": true, \"none\": null, \"list\": [1, 2, 3]}}}}",
            index % 97,
            index % 10,
        )
        .unwrap_or_default();
        index += 1;
    }
    out.push_str("]}");
    out
}

/// The same, broken in the ways that are seen most.
pub(crate) fn broken(size: usize) -> String {
    let text = document(size)
        .replace("\"ok\"", "ok")
        .replace("true", "True")
        .replace("\"green\"]", "'green',]")
        .replace("}}, {", "}} {");
    format!("Here is the report:\n```json\n{text}\n```\nAnything else?")
}

/// What stands in the fence: the peers have no reader of prose.
pub(crate) fn in_fence(text: &str) -> &str {
    text.split("```")
        .nth(1)
        .unwrap_or_default()
        .trim_start_matches("json")
}

/// Small texts of the kinds that the repair libraries test themselves with.
pub(crate) const SMALL: &[&str] = &[
    "{'a': 'one', 'b': [1, 2,],}",
    "{name: \"Ada\", born: 1815}",
    "{\"a\": 1 \"b\": 2}",
    "{\"a\": [1, 2, 3",
    "{\"a\": True, \"b\": None}",
    "{\"a\": 1, // a comment\n \"b\": 2}",
    "{\"text\": \"a raw\nline\"}",
    "```json\n{\"a\": 1}\n```",
    "{\"text\": \"she said \"yes\" twice\"}",
    "[1, 2, 3,]",
];
