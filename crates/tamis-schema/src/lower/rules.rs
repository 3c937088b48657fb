//! What a dialect's table says, as the questions that lowering asks.

use serde_json::{Map, Value};

use crate::dialect::{
    Closed, Dialect, EnumRule, PatternRule, Recursion, Required, Siblings, Support, Table,
    Unsupported,
};

#[derive(Clone, Copy)]
pub(super) struct Rules {
    table: &'static Table,
    /// Whether recursion is refused even where the dialect takes it in some places.
    no_recursion: bool,
}

impl Rules {
    pub(super) fn new(dialect: Dialect, no_recursion: bool) -> Self {
        Self {
            table: dialect.table(),
            no_recursion,
        }
    }

    fn support(&self, keyword: &str) -> Support {
        self.table
            .keyword(keyword)
            .map_or(Support::Rejected, |fact| fact.support)
    }

    /// Whether the upstream reads the keyword in this form, or may.
    pub(super) fn takes(&self, keyword: &str, value: &Value) -> bool {
        match self.support(keyword) {
            Support::Rejected | Support::Ignored => return keyword == "$defs",
            Support::Unknown if keyword == "description" => {}
            // It can be written otherwise, so that nothing is left to chance.
            Support::Unknown if keyword == "patternProperties" => return false,
            Support::Unknown if self.table.unsupported == Unsupported::Refused => return false,
            _ => {}
        }
        let limits = &self.table.limits;
        let within = |most: Option<u64>| {
            most.is_none_or(|most| value.as_u64().is_none_or(|bound| bound <= most))
        };
        match keyword {
            "format" => self.table.formats.is_none_or(|formats| {
                value
                    .as_str()
                    .is_some_and(|format| formats.contains(&format))
            }),
            "pattern" => value
                .as_str()
                .is_some_and(|pattern| self.takes_pattern(pattern)),
            "minItems" => within(limits.min_items) && within(limits.max_items),
            "maxItems" => within(limits.max_items),
            "minLength" | "maxLength" => within(limits.max_length),
            "minProperties" | "maxProperties" => within(limits.max_properties),
            "additionalProperties" => {
                *value == Value::Bool(false) || self.table.closed != Closed::Must
            }
            "enum" => match value {
                Value::Array(values) => values.iter().all(|value| self.takes_in_enum(value)),
                _ => true,
            },
            _ => true,
        }
    }

    pub(super) fn takes_in_enum(&self, value: &Value) -> bool {
        match self.table.enums {
            EnumRule::Any => true,
            EnumRule::Scalars => !value.is_array() && !value.is_object(),
            EnumRule::StringsAndNumbers => value.is_string() || value.is_number(),
            EnumRule::Strings => value.is_string() || value.is_null(),
        }
    }

    fn takes_pattern(&self, pattern: &str) -> bool {
        let is_anchored = pattern.starts_with('^') && pattern.ends_with('$');
        match self.table.patterns {
            PatternRule::Any => true,
            PatternRule::Regular => is_regular(pattern),
            PatternRule::Anchored => is_anchored && is_regular(pattern),
        }
    }

    /// Whether a length may stand beside a pattern or a format.
    pub(super) fn takes_length_beside_pattern(&self) -> bool {
        self.support("minLength") == Support::Supported
    }

    pub(super) fn takes_patterns_beside_properties(&self) -> bool {
        self.support("patternProperties") == Support::Supported
    }

    pub(super) fn root_is_object(&self) -> bool {
        self.table.root.object
    }

    pub(super) fn root_may_be_union(&self) -> bool {
        self.table.root.any_of
    }

    pub(super) fn must_close(&self) -> bool {
        self.table.closed == Closed::Must
    }

    pub(super) fn takes_open_objects(&self) -> bool {
        self.table.closed != Closed::Must && self.support("additionalProperties").is_enforced()
    }

    pub(super) fn must_require_all(&self) -> bool {
        self.table.required == Required::All
    }

    pub(super) fn takes_optional(&self, written: usize) -> bool {
        let room = self
            .table
            .limits
            .optionals
            .is_none_or(|most| written < most);
        !self.must_require_all() && room
    }

    pub(super) fn is_full_of_unions(&self, written: usize) -> bool {
        self.table.limits.unions.is_some_and(|most| written > most)
    }

    /// Closed dialects have no place for a value of which nothing is said.
    pub(super) fn takes_untyped(&self) -> bool {
        !self.table.typed && self.table.closed != Closed::Must
    }

    pub(super) fn takes_references(&self) -> bool {
        self.support("$ref").is_enforced()
    }

    pub(super) fn takes_recursion(&self) -> bool {
        !self.no_recursion && self.table.references.recursion != Recursion::Refused
    }

    pub(super) fn takes_beside_reference(&self, beside: &Map<String, Value>) -> bool {
        beside.is_empty() || self.table.references.siblings == Siblings::Any
    }

    pub(super) fn takes_tuples(&self) -> bool {
        self.support("prefixItems").is_enforced()
    }

    pub(super) fn takes_branches(&self, count: usize) -> bool {
        self.table.limits.branches.is_none_or(|most| count <= most)
    }

    pub(super) fn most_branches(&self) -> Option<usize> {
        self.table.limits.branches
    }

    pub(super) fn may_begin_alike(&self) -> bool {
        self.table.same_first_key
    }

    /// Whether so many values, of so many characters, can be listed in one enum.
    pub(super) fn takes_enum_of(&self, values: &[Value], written: usize) -> bool {
        let limits = &self.table.limits;
        let characters: usize = values
            .iter()
            .filter_map(Value::as_str)
            .map(|text| text.chars().count())
            .sum();
        let is_large = limits.large_enum.is_some_and(|large| values.len() > large);
        limits
            .enum_values
            .is_none_or(|most| written + values.len() <= most)
            && limits
                .enum_values_each
                .is_none_or(|most| values.len() <= most)
            && !(is_large
                && limits
                    .large_enum_characters
                    .is_some_and(|most| characters > most))
            && limits.characters.is_none_or(|most| characters <= most)
    }
}

/// Whether a pattern has nothing that a regular language has not.
fn is_regular(pattern: &str) -> bool {
    let plain = pattern.replace("\\\\", "  ");
    let looks = ["(?=", "(?!", "(?<", "\\b", "\\B", "\\k<"];
    let refers = plain
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [b'\\', b'1'..=b'9']));
    !refers && !looks.iter().any(|mark| plain.contains(mark))
}
