//! OpenAI's structured outputs.

use crate::dialect::rules::{
    Closed, EnumRule, Limits, PatternRule, Recursion, References, Required, Root, Siblings,
};
use crate::dialect::table::Support::{Ignored, Rejected, Restricted, Supported, Unknown};
use crate::dialect::table::{Fact, Surface, Table, Unsupported};
use crate::dialect::table::{documented, fact, noted, observed};

/// What OpenAI's strict modes take, wherever they are served.
pub(super) const FACTS: &[Fact] = &[
    fact(
        Supported,
        &[
            "type",
            "properties",
            "required",
            "items",
            "enum",
            "$ref",
            "$defs",
            "anyOf",
            "const",
            "description",
            "title",
        ],
        "guide",
    ),
    noted(
        Supported,
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
            "pattern",
        ],
        "guide",
        "Not with fine-tuned models.",
    ),
    noted(
        Restricted,
        &["format"],
        "guide",
        "Nine formats; others were accepted and are not enforced. Not with fine-tuned models.",
    ),
    noted(
        Restricted,
        &["additionalProperties"],
        "guide",
        "It must be false on every object.",
    ),
    fact(
        Rejected,
        &[
            "allOf",
            "not",
            "if",
            "then",
            "else",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        ],
        "guide",
    ),
    noted(
        Rejected,
        &["oneOf"],
        "answers",
        "The guide does not list it; the API says that it is not permitted.",
    ),
    noted(
        Rejected,
        &["minLength", "maxLength"],
        "answers",
        "The guide lists neither, except as refused with fine-tuned models; the API refused maxLength until 2025-03.",
    ),
    noted(
        Ignored,
        &["default"],
        "generators",
        "The API refused it in 2024 and accepts it since; it has no effect.",
    ),
    noted(
        Ignored,
        &[
            "definitions",
            "$schema",
            "$id",
            "id",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            "$comment",
            "$vocabulary",
            "$anchor",
            "$dynamicAnchor",
            "$recursiveAnchor",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
        ],
        "generators",
        "Not documented; accepted where it was seen, and without effect.",
    ),
    noted(
        Rejected,
        &[
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "contains",
            "minContains",
            "maxContains",
            "uniqueItems",
            "unevaluatedItems",
            "unevaluatedProperties",
        ],
        "guide",
        "An older list of the guide; the present one is silent.",
    ),
    noted(
        Unknown,
        &[
            "prefixItems",
            "additionalItems",
            "$dynamicRef",
            "$recursiveRef",
        ],
        "guide",
        "Not listed.",
    ),
];

pub(in crate::dialect) static TABLE: Table = Table {
    name: "openai-strict",
    title: "OpenAI, structured outputs",
    surface: Surface::ResponseFormat,
    sources: &[
        documented(
            "guide",
            "OpenAI, guide to structured outputs, supported schemas",
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
