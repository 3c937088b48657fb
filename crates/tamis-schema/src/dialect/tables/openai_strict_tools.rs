//! OpenAI's strict function calling.

use super::openai_strict::FACTS;
use crate::dialect::rules::{
    Closed, EnumRule, Limits, PatternRule, Recursion, References, Required, Root, Siblings,
};
use crate::dialect::table::Support::Ignored;
use crate::dialect::table::{Surface, Table, Unsupported};
use crate::dialect::table::{documented, observed};

pub(in crate::dialect) static TABLE: Table = Table {
    name: "openai-strict-tools",
    title: "OpenAI, strict function calling",
    surface: Surface::Tools,
    sources: &[
        documented(
            "guide",
            "OpenAI, guides to structured outputs and to function calling",
            "2026-08-23",
        ),
        observed(
            "answers",
            "answers of OpenAI's API to schemas in strict mode",
            "2026-10",
        ),
        observed(
            "generators",
            "answers of OpenAI's API to schemas of common generators in strict mode",
            "2026-09",
        ),
        observed(
            "issues",
            "answers of OpenAI's API that sigoden/aichat#1049, modelscope/ms-agent#610 and mark3labs/mcphost#35 \
             quote: \"array schema missing items\"",
            "2025-04",
        ),
    ],
    facts: FACTS,
    unsupported: Unsupported::Refused,
    root: Root {
        object: true,
        any_of: false,
    },
    closed: Closed::Must,
    required: Required::All,
    references: References {
        definitions: &["$defs", "definitions"],
        siblings: Siblings::None,
        recursion: Recursion::Allowed,
    },
    enums: EnumRule::Any,
    formats: Some(&[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ]),
    other_formats: Ignored,
    typed: true,
    items_needed: true,
    patterns: PatternRule::Regular,
    limits: Limits {
        properties: Some(5000),
        depth: Some(10),
        enum_values: Some(1000),
        large_enum: Some(250),
        large_enum_characters: Some(15000),
        characters: Some(120_000),
        ..Limits::NONE
    },
    same_first_key: false,
};
