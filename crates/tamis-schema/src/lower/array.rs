//! Arrays: lists and tuples.

use serde_json::{Map, Value, json};

use super::change::{ChangeKind, Effect};
use super::work::{Out, Stop, Work, Written};
use crate::lift::plan::{Absence, Member, Rest, Step, StepId};
use crate::lift::shape::{Shape, Types};

impl Work<'_> {
    pub(super) fn array(
        &mut self,
        mut schema: Map<String, Value>,
        or_null: bool,
        at: &str,
        depth: usize,
    ) -> Written {
        let original = self.original_shape(&schema);
        let prefix = match schema.shift_remove("prefixItems") {
            Some(Value::Array(prefix)) => prefix,
            _ => Vec::new(),
        };
        let items = schema
            .shift_remove("items")
            .or_else(|| schema.shift_remove("unevaluatedItems"));
        if prefix.is_empty() {
            return self.list(schema, items, or_null, original, at, depth);
        }
        let most = schema.get("maxItems").and_then(Value::as_u64);
        let is_full = most.is_some_and(|most| u64::try_from(prefix.len()).is_ok_and(|n| n >= most));
        let rest = match items {
            Some(Value::Bool(false)) => None,
            _ if is_full => None,
            Some(items) => Some(items),
            None => {
                let text = "the tuple was closed to elements that are not listed";
                self.change(ChangeKind::ObjectClosed, at, Effect::Narrowing, text);
                None
            }
        };
        if self.rules.takes_tuples() && rest.is_none() {
            return self.kept_tuple(schema, prefix, or_null, original, at, depth);
        }
        let exactly = u64::try_from(prefix.len()).ok();
        let is_uniform = prefix.windows(2).all(|pair| pair.first() == pair.get(1));
        let is_fixed = schema.get("minItems").and_then(Value::as_u64) == exactly;
        let counts = json!(prefix.len());
        if rest.is_none()
            && is_uniform
            && is_fixed
            && self.rules.takes("minItems", &counts)
            && self.rules.takes("maxItems", &counts)
        {
            let text = "the tuple, whose elements are all alike, became a list of fixed length";
            self.change(ChangeKind::TupleRewritten, at, Effect::Exact, text);
            schema.insert("minItems".to_owned(), counts.clone());
            schema.insert("maxItems".to_owned(), counts);
            let items = prefix.into_iter().next();
            return self.list(schema, items, or_null, original, at, depth);
        }
        self.tuple_as_object(schema, prefix, rest, or_null, original, at, depth)
    }

    fn list(
        &mut self,
        mut schema: Map<String, Value>,
        items: Option<Value>,
        or_null: bool,
        original: Shape,
        at: &str,
        depth: usize,
    ) -> Written {
        let mut written = Map::new();
        written.insert("type".to_owned(), or(or_null, "array"));
        let place = format!("{at}/items");
        let mut step = StepId::SAME;
        if let Some(out) = self.node(items.unwrap_or(Value::Bool(true)), &place, depth + 1)? {
            let id = out.step;
            if id != StepId::SAME {
                step = self.step(Step::Items {
                    prefix: Vec::new(),
                    items: id,
                });
            }
            written.insert("items".to_owned(), out.schema);
        } else {
            // Only the empty list conforms, whatever its items might be.
            written.insert("items".to_owned(), json!({"type": "string"}));
            schema.insert("maxItems".to_owned(), json!(0));
        }
        self.finish(&mut written, schema, step, Types::ARRAY, at);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }

    fn kept_tuple(
        &mut self,
        mut schema: Map<String, Value>,
        prefix: Vec<Value>,
        or_null: bool,
        original: Shape,
        at: &str,
        depth: usize,
    ) -> Written {
        let mut schemas = Vec::new();
        let mut steps = Vec::new();
        for (index, element) in prefix.into_iter().enumerate() {
            let place = format!("{at}/prefixItems/{index}");
            let Some(out) = self.node(element, &place, depth + 1)? else {
                if schema.get("minItems").and_then(Value::as_u64).unwrap_or(0)
                    > u64::try_from(index).unwrap_or(u64::MAX)
                {
                    return Ok(None);
                }
                break;
            };
            schemas.push(out.schema);
            steps.push(out.step);
        }
        let step = self.step(Step::Items {
            prefix: steps,
            items: StepId::SAME,
        });
        let mut written = Map::new();
        written.insert("type".to_owned(), or(or_null, "array"));
        // The list's own rule for the rest says already that there is none.
        schema.shift_remove("maxItems").map(|most| {
            let shorter = most
                .as_u64()
                .is_some_and(|most| u64::try_from(schemas.len()).is_ok_and(|length| most < length));
            shorter.then(|| schema.insert("maxItems".to_owned(), most))
        });
        written.insert("prefixItems".to_owned(), Value::Array(schemas));
        written.insert("items".to_owned(), Value::Bool(false));
        self.finish(&mut written, schema, step, Types::ARRAY, at);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }

    /// A tuple as an object, with a key for each element.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one schema, taken apart"
    )]
    fn tuple_as_object(
        &mut self,
        mut schema: Map<String, Value>,
        prefix: Vec<Value>,
        rest: Option<Value>,
        or_null: bool,
        original: Shape,
        at: &str,
        depth: usize,
    ) -> Result<Option<Out>, Stop> {
        let least = schema
            .shift_remove("minItems")
            .and_then(|least| least.as_u64());
        let least = usize::try_from(least.unwrap_or(0)).unwrap_or(usize::MAX);
        let most = schema
            .shift_remove("maxItems")
            .and_then(|most| most.as_u64());
        let most = usize::try_from(most.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let length = prefix.len();
        let optional = length.min(most).saturating_sub(least);
        let (effect, text) = if optional > 1 || optional == 1 && rest.is_some() && most > length {
            let text = "the tuple became an object with a key for each element, of which one may lack before another";
            (Effect::Widening, text)
        } else {
            let text = "the tuple became an object with a key for each element";
            (Effect::Exact, text)
        };
        self.change(ChangeKind::TupleRewritten, at, effect, text);
        let mut properties = Map::new();
        let mut required = Vec::new();
        let mut elements = Vec::new();
        for (index, element) in prefix.into_iter().enumerate().take(most) {
            let place = format!("{at}/prefixItems/{index}");
            let Some(out) = self.node(element, &place, depth + 1)? else {
                if index < least {
                    return Ok(None);
                }
                break;
            };
            let name = format!("item_{}", index + 1);
            let mut member = Member {
                step: out.step,
                absence: Absence::LeftOut,
            };
            let mut schema = out.schema;
            if index < least {
                required.push(name.clone());
            } else if self.rules.takes_optional(self.optionals) {
                self.optionals += 1;
            } else {
                (schema, member.absence) = self.with_absence(schema, &place);
                required.push(name.clone());
            }
            properties.insert(name.clone(), schema);
            elements.push((name, member));
        }
        let mut more = None;
        if let Some(rest) = rest
            && elements.len() == length
        {
            let place = format!("{at}/items");
            if let Some(out) = self.node(rest, &place, depth + 2)? {
                let mut list = Map::new();
                list.insert("type".to_owned(), json!("array"));
                list.insert("items".to_owned(), out.schema);
                let mut bounds = Map::new();
                if least > length {
                    bounds.insert("minItems".to_owned(), json!(least - length));
                }
                if most != usize::MAX {
                    bounds.insert("maxItems".to_owned(), json!(most.saturating_sub(length)));
                }
                self.finish(&mut list, bounds, StepId::SAME, Types::ARRAY, at);
                let member = "more_items".to_owned();
                properties.insert(member.clone(), Value::Object(list));
                required.push(member.clone());
                more = Some(Rest {
                    member,
                    step: out.step,
                });
            }
        }
        if more.is_none() && least > length {
            return Ok(None);
        }
        let step = self.step(Step::Tuple {
            elements,
            rest: more,
        });
        let mut written = Map::new();
        written.insert("type".to_owned(), or(or_null, "object"));
        written.insert("properties".to_owned(), Value::Object(properties));
        written.insert("required".to_owned(), json!(required));
        written.insert("additionalProperties".to_owned(), Value::Bool(false));
        self.in_words(
            &mut written,
            &mut schema,
            &["uniqueItems", "contains", "minContains", "maxContains"],
            at,
        );
        self.finish(&mut written, schema, step, Types::OBJECT, at);
        Ok(Some(Out {
            schema: Value::Object(written),
            step,
            original,
        }))
    }
}

fn or(or_null: bool, name: &str) -> Value {
    if or_null {
        json!([name, "null"])
    } else {
        json!(name)
    }
}
