//! What a schema asks of a value and of the values in it, as far as coercions can serve it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::record::JsonKind;
use crate::refs::{Document, Target};
use crate::validate::parts::Pattern;

/// As many ways through a schema's unions as are looked at for one value.
const MAX_WAYS: usize = 256;

/// Schemas that one value must conform to together, by their numbers, in order.
pub(super) type Set = Vec<usize>;

/// A way in the making: what applies, what is still to be read, the choices still to be made.
type Way<'g> = (BTreeSet<usize>, Vec<usize>, Vec<&'g [Vec<usize>]>);

/// Every schema of a document.
pub(super) struct Graph {
    rules: Vec<Rule>,
    pub(super) pointers: Vec<String>,
}

/// What one schema says.
#[derive(Default)]
struct Rule {
    /// Schemas that apply to the same value.
    all: Vec<usize>,
    /// Of each of these, one applies to the same value; an empty one asks nothing.
    choices: Vec<Vec<Vec<usize>>>,
    /// Schemas that apply to the same value where it has the key.
    dependent: Vec<(String, usize)>,
    types: Option<Vec<String>>,
    /// The kinds of values that the schema speaks of.
    kinds: BTreeSet<JsonKind>,
    /// The texts that the schema names.
    members: Vec<String>,
    properties: BTreeMap<String, Option<usize>>,
    patterns: Vec<(Pattern, Option<usize>)>,
    additional: Option<usize>,
    /// Whether any key is described by a schema.
    is_map: bool,
    unevaluated_properties: Option<usize>,
    prefix: Vec<usize>,
    items: Option<usize>,
    unevaluated_items: Option<usize>,
}

impl Graph {
    /// `None` where the document has too many schemas.
    pub(super) fn new(schema: &Value) -> Option<Self> {
        let document = Document::new(schema);
        if document.is_truncated() {
            return None;
        }
        let pointers: Vec<String> = document
            .nodes()
            .iter()
            .map(|node| node.pointer.clone())
            .collect();
        // Until draft 7, nothing beside a reference counts.
        let alone = schema
            .get("$schema")
            .and_then(Value::as_str)
            .is_some_and(|draft| {
                ["draft-04", "draft-06", "draft-07"]
                    .iter()
                    .any(|old| draft.contains(old))
            });
        let rules = document
            .nodes()
            .iter()
            .enumerate()
            .map(|(index, node)| {
                let Some(keywords) = node.keywords() else {
                    return Rule::default();
                };
                let find = |rest: &str| {
                    let schema = node.schema.pointer(&format!("/{rest}"))?;
                    document.index_of(schema)
                };
                let mut rule = if alone && keywords.contains_key("$ref") {
                    Rule::default()
                } else {
                    rule(keywords, &find)
                };
                if let Target::Node(target) = document.target(index) {
                    rule.all.push(*target);
                }
                rule
            })
            .collect();
        Some(Self { rules, pointers })
    }

    fn rules<'g>(&'g self, set: &'g [usize]) -> impl Iterator<Item = &'g Rule> {
        set.iter().filter_map(|index| self.rules.get(*index))
    }

    /// The ways through the unions: for each, all schemas that apply to this value. `None` where
    /// there are too many.
    pub(super) fn ways(&self, set: &[usize], value: &Value) -> Option<Vec<Set>> {
        let mut done: BTreeSet<Set> = BTreeSet::new();
        let mut ways = Vec::new();
        let mut open: Vec<Way<'_>> = vec![(BTreeSet::new(), set.to_vec(), Vec::new())];
        let mut steps = 0;
        while let Some((mut seen, mut unread, mut choices)) = open.pop() {
            steps += 1;
            if steps > 4 * MAX_WAYS || ways.len() > MAX_WAYS {
                return None;
            }
            while let Some(index) = unread.pop() {
                if !seen.insert(index) {
                    continue;
                }
                let Some(rule) = self.rules.get(index) else {
                    continue;
                };
                unread.extend(&rule.all);
                choices.extend(rule.choices.iter().map(Vec::as_slice));
                if let Value::Object(members) = value {
                    let applies = |(key, _): &&(String, usize)| members.contains_key(key);
                    unread.extend(
                        rule.dependent
                            .iter()
                            .filter(applies)
                            .map(|(_, index)| index),
                    );
                }
            }
            if let Some(choice) = choices.pop() {
                // The first branch is read first.
                open.extend(
                    choice
                        .iter()
                        .rev()
                        .map(|option| (seen.clone(), option.clone(), choices.clone())),
                );
            } else {
                let way: Set = seen.into_iter().collect();
                if done.insert(way.clone()) {
                    ways.push(way);
                }
            }
        }
        Some(ways)
    }

    /// Whether these schemas let a value of this type be.
    pub(super) fn admits(&self, way: &[usize], kind: &str) -> bool {
        self.rules(way).all(|rule| {
            rule.types
                .as_ref()
                .is_none_or(|types| types.iter().any(|known| known == kind))
        })
    }

    /// Whether these schemas speak of such values, so that one is wanted and not merely let be.
    pub(super) fn wants(&self, way: &[usize], kind: JsonKind) -> bool {
        self.rules(way).any(|rule| rule.kinds.contains(&kind))
    }

    /// The texts that these schemas name.
    pub(super) fn members<'g>(&'g self, way: &'g [usize]) -> impl Iterator<Item = &'g String> {
        self.rules(way).flat_map(|rule| &rule.members)
    }

    /// Whether these schemas say something of this key.
    pub(super) fn knows(&self, way: &[usize], key: &str) -> bool {
        self.rules(way).any(|rule| {
            rule.is_map
                || rule.properties.contains_key(key)
                || rule
                    .patterns
                    .iter()
                    .any(|(pattern, _)| pattern.matches(key))
        })
    }

    /// The schemas that apply to the member with this key.
    pub(super) fn member(&self, way: &[usize], key: &str) -> Set {
        let mut set = BTreeSet::new();
        let mut known = false;
        for rule in self.rules(way) {
            let mut here = false;
            if let Some(schema) = rule.properties.get(key) {
                here = true;
                set.extend(schema);
            }
            for (pattern, schema) in &rule.patterns {
                if pattern.matches(key) {
                    here = true;
                    set.extend(schema);
                }
            }
            if !here {
                here = rule.additional.is_some();
                set.extend(rule.additional);
            }
            known |= here;
        }
        if !known {
            set.extend(
                self.rules(way)
                    .filter_map(|rule| rule.unevaluated_properties),
            );
        }
        set.into_iter().collect()
    }

    /// The schemas that apply to the item at this index.
    pub(super) fn item(&self, way: &[usize], index: usize) -> Set {
        let mut set = BTreeSet::new();
        for rule in self.rules(way) {
            set.extend(rule.prefix.get(index).copied().or(rule.items));
        }
        if set.is_empty() {
            set.extend(self.rules(way).filter_map(|rule| rule.unevaluated_items));
        }
        set.into_iter().collect()
    }
}

fn rule(keywords: &Map<String, Value>, find: &impl Fn(&str) -> Option<usize>) -> Rule {
    let many = |keyword: &str| -> Vec<usize> {
        let count = keywords
            .get(keyword)
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        (0..count)
            .filter_map(|index| find(&format!("{keyword}/{index}")))
            .collect()
    };
    let keys_of = |keyword: &str| -> Vec<&String> {
        keywords
            .get(keyword)
            .and_then(Value::as_object)
            .map_or_else(Vec::new, |named| named.keys().collect())
    };
    let named =
        |keyword: &str, name: &str| find(&format!("{keyword}/{}", crate::refs::escaped(name)));
    let mut rule = Rule {
        all: many("allOf"),
        additional: find("additionalProperties"),
        is_map: keywords
            .get("additionalProperties")
            .is_some_and(|schema| schema.as_object().is_some_and(|schema| !schema.is_empty())),
        unevaluated_properties: find("unevaluatedProperties"),
        unevaluated_items: find("unevaluatedItems"),
        prefix: many("prefixItems"),
        items: find("items"),
        ..Rule::default()
    };
    for union in ["anyOf", "oneOf"] {
        if keywords.contains_key(union) {
            let branches = many(union).into_iter().map(|branch| vec![branch]);
            rule.choices.push(branches.collect());
        }
    }
    if let Some(condition) = find("if") {
        let (then, otherwise) = (find("then"), find("else"));
        if then.is_some() || otherwise.is_some() {
            let holds = std::iter::once(condition).chain(then).collect();
            rule.choices
                .push(vec![holds, otherwise.into_iter().collect()]);
        }
    }
    for keyword in ["dependentSchemas", "dependencies"] {
        for name in keys_of(keyword) {
            if let Some(schema) = named(keyword, name) {
                rule.dependent.push((name.clone(), schema));
            }
        }
    }
    for name in keys_of("properties") {
        rule.properties
            .insert(name.clone(), named("properties", name));
    }
    for name in keys_of("patternProperties") {
        let schema = named("patternProperties", name);
        rule.patterns.push((Pattern::new(name), schema));
    }
    // Before 2020-12 an array of `items` is what `prefixItems` is since.
    if keywords.get("items").is_some_and(Value::is_array) {
        rule.prefix = many("items");
        rule.items = find("additionalItems");
    }
    rule.types = match keywords.get("type") {
        Some(Value::String(name)) => Some(vec![name.clone()]),
        Some(Value::Array(types)) => Some(
            types
                .iter()
                .filter_map(|name| name.as_str().map(str::to_owned))
                .collect(),
        ),
        _ => None,
    };
    let members: Vec<&Value> = keywords
        .get("enum")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .chain(keywords.get("const"))
        .collect();
    rule.kinds = members
        .iter()
        .map(|member| JsonKind::from(*member))
        .collect();
    rule.kinds.extend(
        keywords
            .keys()
            .filter_map(|keyword| kind_of_keyword(keyword)),
    );
    let types = rule.types.iter().flatten();
    rule.kinds
        .extend(types.filter_map(|name| kind_of_type(name)));
    rule.members = members
        .into_iter()
        .filter_map(|member| member.as_str().map(str::to_owned))
        .collect();
    rule
}

fn kind_of_type(name: &str) -> Option<JsonKind> {
    Some(match name {
        "null" => JsonKind::Null,
        "boolean" => JsonKind::Boolean,
        "integer" | "number" => JsonKind::Number,
        "string" => JsonKind::String,
        "array" => JsonKind::Array,
        "object" => JsonKind::Object,
        _ => return None,
    })
}

/// The kind of values that a keyword is about.
fn kind_of_keyword(keyword: &str) -> Option<JsonKind> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            JsonKind::Number
        }
        "minLength" | "maxLength" | "pattern" | "format" => JsonKind::String,
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" => {
            JsonKind::Array
        }
        "properties" | "patternProperties" | "required" | "minProperties" | "maxProperties"
        | "propertyNames" => JsonKind::Object,
        _ => return None,
    })
}
