//! Azure OpenAI, whose documentation still has OpenAI's older limits.

use super::openai_strict::FACTS;
use crate::dialect::rules::{
    Closed, EnumRule, Limits, PatternRule, Recursion, References, Required, Root, Siblings,
};
use crate::dialect::table::Support::Ignored;
use crate::dialect::table::{Surface, Table, Unsupported};
use crate::dialect::table::{documented, observed};

pub(in crate::dialect) static TABLE: Table = Table {
    name: "azure",
    title: "Azure OpenAI, structured outputs and strict tools",
    surface: Surface::Both,
    sources: &[
        documented(
            "guide",
            "Microsoft, Azure OpenAI, how to use structured outputs",
            "2026-08",
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
    items_needed: false,
    patterns: PatternRule::Regular,
    limits: Limits {
        properties: Some(100),
        depth: Some(5),
        enum_values: Some(500),
        large_enum: Some(250),
        large_enum_characters: Some(7500),
        characters: Some(15000),
        ..Limits::NONE
    },
    same_first_key: false,
};
