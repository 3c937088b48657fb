//! What of a rule's own keywords a whole value breaks.

use serde_json::{Map, Number, Value};

use super::super::frame::Eval;
use super::super::rule::{ArrayRule, NumberRule, ObjectRule, Rule, RuleId};
use super::Broken;
use crate::violation::Violation;

/// Within this every integer is a float.
const EXACT: u64 = 1 << 53;

/// What a value breaks.
pub(super) struct Breach {
    keyword: &'static str,
    told: Option<Box<Violation>>,
}

impl Breach {
    const fn new(keyword: &'static str) -> Self {
        Self {
            keyword,
            told: None,
        }
    }

    pub(super) fn of(self, rule: RuleId, depth: usize) -> Broken {
        Broken {
            rule,
            keyword: self.keyword,
            depth,
            told: self.told,
        }
    }
}

pub(super) fn check(rule: &Rule, eval: &Eval, characters: u64, value: &Value) -> Option<Breach> {
    let whole = rule.whole.as_ref();
    let (keyword, ask) = match value {
        Value::Object(members) => {
            let object = rule.object.as_ref();
            let keyword = object.and_then(|object| object_check(object, eval, members));
            (keyword, whole.is_some_and(|whole| whole.containers))
        }
        Value::Array(items) => {
            let array = rule.array.as_ref();
            let keyword = array.and_then(|array| array_check(array, eval, items));
            (keyword, whole.is_some_and(|whole| whole.containers))
        }
        _ => return check_scalar(rule, eval.fitting.0, characters, value),
    };
    match keyword {
        Some(keyword) => Some(Breach::new(keyword)),
        None if ask => ask_whole(rule, value),
        None => None,
    }
}

/// Of a scalar: `first` is the place of the first member that its text begins, and `characters` are
/// those of its text, or 0 where they were not counted.
pub(super) fn check_scalar(
    rule: &Rule,
    first: usize,
    characters: u64,
    value: &Value,
) -> Option<Breach> {
    if let Value::String(text) = value
        && let Some(keyword) = text_check(rule, first, characters, text)
    {
        return Some(Breach::new(keyword));
    }
    if rule.types.is_some_and(|types| !types.has(value)) {
        return Some(Breach::new("type"));
    }
    let whole = rule.whole.as_ref();
    let ask = match value {
        Value::String(_) => whole.is_some_and(|whole| whole.texts),
        Value::Number(number) => {
            let bounds = rule
                .number
                .as_ref()
                .map(|bounds| number_check(bounds, number));
            if let Some(Some(Some(keyword))) = bounds {
                return Some(Breach::new(keyword));
            }
            // What began as a number is none of the texts that it might have become.
            bounds == Some(None)
                || rule.members.is_some()
                || whole.is_some_and(|whole| whole.numbers)
        }
        _ => rule.members.is_some(),
    };
    if ask { ask_whole(rule, value) } else { None }
}

/// Asks the one that has the last word.
fn ask_whole(rule: &Rule, value: &Value) -> Option<Breach> {
    let validator = &rule.whole.as_ref()?.validator;
    if validator.is_valid(value) {
        return None;
    }
    let told = validator.violations(value).into_iter().next();
    Some(Breach {
        told: told.map(Box::new),
        ..Breach::new("")
    })
}

fn object_check(
    object: &ObjectRule,
    eval: &Eval,
    members: &Map<String, Value>,
) -> Option<&'static str> {
    let count = members.len() as u64;
    let missing = eval.missing != 0
        || !object
            .required_too
            .iter()
            .all(|name| members.contains_key(name));
    if missing {
        return Some("required");
    }
    if object.min_properties.is_some_and(|least| count < least) {
        return Some("minProperties");
    }
    object
        .dependent_required
        .iter()
        .find_map(|(name, required, keyword)| {
            let all = || required.iter().all(|name| members.contains_key(name));
            (members.contains_key(name) && !all()).then_some(*keyword)
        })
}

pub(super) fn array_check(array: &ArrayRule, eval: &Eval, items: &[Value]) -> Option<&'static str> {
    if array
        .min_items
        .is_some_and(|least| (items.len() as u64) < least)
    {
        return Some("minItems");
    }
    let contains = array.contains?;
    let (fit, unknown) = eval.contained;
    let keyword = if contains.min == 1 {
        "contains"
    } else {
        "minContains"
    };
    (fit + unknown < contains.min).then_some(keyword)
}

fn text_check(rule: &Rule, first: usize, characters: u64, text: &str) -> Option<&'static str> {
    if let Some(members) = &rule.members {
        // The first that begins with the whole text is the text, if any is.
        let is_member = members
            .texts
            .get(first)
            .is_some_and(|member| member == text)
            || members
                .texts
                .binary_search_by(|member| member.as_str().cmp(text))
                .is_ok();
        if !is_member {
            return Some(members.keyword);
        }
    }
    let bounds = rule.text?;
    let length = if characters == 0 {
        text.chars().count() as u64
    } else {
        characters
    };
    if bounds.min.is_some_and(|least| length < least) {
        return Some("minLength");
    }
    bounds
        .max
        .is_some_and(|most| length > most)
        .then_some("maxLength")
}

/// The bound that is broken; none at the outside where floats cannot tell.
#[expect(
    clippy::option_option,
    reason = "whether it is known, and what is broken"
)]
fn number_check(bounds: &NumberRule, number: &Number) -> Option<Option<&'static str>> {
    let exact = match (number.as_i64(), number.as_u64()) {
        (Some(integer), _) => integer.unsigned_abs() <= EXACT,
        (None, Some(integer)) => integer <= EXACT,
        (None, None) => true,
    };
    let float = number.as_f64().filter(|_| exact)?;
    Some(if bounds.minimum.is_some_and(|least| float < least) {
        Some("minimum")
    } else if bounds.maximum.is_some_and(|most| float > most) {
        Some("maximum")
    } else if bounds.above.is_some_and(|bound| float <= bound) {
        Some("exclusiveMinimum")
    } else if bounds.below.is_some_and(|bound| float >= bound) {
        Some("exclusiveMaximum")
    } else {
        None
    })
}
