//! Putting a value that conforms to the caller's schema into the shape that was asked for.

use serde_json::{Map, Value};

use super::error::{LiftError, LiftErrorKind};
use super::path::Path;
use super::plan::{
    ANY_ENTRIES, Absence, BOX_VALUE, Branch, Member, PAIR_KEY, PAIR_VALUE, Plan, Step, StepId,
};
use super::up::Up;
use crate::measure::MAX_INSTANCE_DEPTH;
use crate::validate::Validator;

/// How many values may be looked at in all. Unions within unions are tried one in the other.
const MAX_WORK: usize = 2_000_000;

pub(crate) struct Down<'a> {
    plan: &'a Plan,
    definitions: &'a Map<String, Value>,
    path: Path,
    work: usize,
}

impl<'a> Down<'a> {
    pub(crate) fn new(plan: &'a Plan, definitions: &'a Map<String, Value>) -> Self {
        Self {
            plan,
            definitions,
            path: Path::default(),
            work: 0,
        }
    }

    pub(crate) fn value(
        &mut self,
        id: StepId,
        value: &Value,
        depth: usize,
    ) -> Result<Value, LiftError> {
        self.work += 1;
        if self.work > MAX_WORK {
            return Err(self.error(LiftErrorKind::TooMuch));
        }
        if depth > MAX_INSTANCE_DEPTH {
            return Err(self.error(LiftErrorKind::TooDeep));
        }
        let plan = self.plan;
        match (plan.get(id), value) {
            (
                Step::Object {
                    members,
                    rest,
                    others,
                },
                Value::Object(object),
            ) => {
                let mut sent = Map::new();
                let mut pairs = Vec::new();
                for (key, value) in object {
                    let length = self.path.key(key);
                    match (members.get(key), rest) {
                        (Some(member), _) => {
                            if let Some(value) = self.member(member, value, depth)? {
                                sent.insert(key.clone(), value);
                            }
                        }
                        (None, Some(rest)) => {
                            pairs.push(pair(key, self.value(rest.step, value, depth + 1)?));
                        }
                        (None, None) => {
                            sent.insert(key.clone(), self.value(*others, value, depth + 1)?);
                        }
                    }
                    self.path.back(length);
                }
                for (name, member) in members {
                    if !object.contains_key(name)
                        && let Some(marker) = absent(member)
                    {
                        sent.insert(name.clone(), marker);
                    }
                }
                if let Some(rest) = rest {
                    sent.insert(rest.member.clone(), Value::Array(pairs));
                }
                Ok(Value::Object(sent))
            }
            (Step::Pairs { value: step }, Value::Object(object)) => {
                let mut pairs = Vec::with_capacity(object.len());
                for (key, value) in object {
                    let length = self.path.key(key);
                    pairs.push(pair(key, self.value(*step, value, depth + 1)?));
                    self.path.back(length);
                }
                Ok(Value::Array(pairs))
            }
            (Step::Items { prefix, items }, Value::Array(values)) => {
                let mut sent = Vec::with_capacity(values.len());
                for (index, value) in values.iter().enumerate() {
                    let step = prefix.get(index).copied().unwrap_or(*items);
                    let length = self.path.index(index);
                    sent.push(self.value(step, value, depth + 1)?);
                    self.path.back(length);
                }
                Ok(Value::Array(sent))
            }
            (Step::Tuple { elements, rest }, Value::Array(values)) => {
                let mut sent = Map::new();
                for (index, (name, member)) in elements.iter().enumerate() {
                    let length = self.path.index(index);
                    let value = match values.get(index) {
                        Some(value) => self.member(member, value, depth)?,
                        None => absent(member),
                    };
                    self.path.back(length);
                    if let Some(value) = value {
                        sent.insert(name.clone(), value);
                    }
                }
                if let Some(rest) = rest {
                    let mut others = Vec::new();
                    for value in values.iter().skip(elements.len()) {
                        others.push(self.value(rest.step, value, depth + 1)?);
                    }
                    sent.insert(rest.member.clone(), Value::Array(others));
                }
                Ok(Value::Object(sent))
            }
            (Step::Wrap { key, inner }, value) => {
                let value = self.value(*inner, value, depth + 1)?;
                Ok(Value::Object(Map::from_iter([(key.clone(), value)])))
            }
            (Step::Text, value) => Ok(Value::String(value.to_string())),
            (Step::Any, value) => self.any(value, depth),
            (Step::Either { branches }, value) => self.branch(branches, value, depth),
            (_, value) => Ok(value.clone()),
        }
    }

    fn member(
        &mut self,
        member: &Member,
        value: &Value,
        depth: usize,
    ) -> Result<Option<Value>, LiftError> {
        if member.absence == Absence::NullLeftOut && value.is_null() {
            return Ok(None);
        }
        let value = self.value(member.step, value, depth + 1)?;
        Ok(Some(if member.absence == Absence::Boxed {
            Value::Object(Map::from_iter([(BOX_VALUE.to_owned(), value)]))
        } else {
            value
        }))
    }

    /// The first branch from which the value comes back as it is, as answers of that branch do.
    fn branch(
        &mut self,
        branches: &[Branch],
        value: &Value,
        depth: usize,
    ) -> Result<Value, LiftError> {
        let mut failure = LiftErrorKind::NoBranch;
        for branch in branches {
            if !branch.original.matches(value) {
                continue;
            }
            match self.value(branch.step, value, depth + 1) {
                Ok(sent) if self.is_of(branch, branches, &sent, value) => return Ok(sent),
                Ok(_) => {}
                Err(error) if error.kind() == LiftErrorKind::NoBranch => {}
                Err(error) => failure = error.kind(),
            }
            if failure == LiftErrorKind::TooMuch {
                break;
            }
        }
        Err(self.error(failure))
    }

    fn is_of(&self, branch: &Branch, branches: &[Branch], sent: &Value, value: &Value) -> bool {
        let found = branches.iter().find(|branch| branch.sent.matches(sent));
        if found.is_none_or(|found| found.step != branch.step) {
            return false;
        }
        let conforms = Validator::new(&self.complete(&branch.schema))
            .is_ok_and(|validator| validator.is_valid(sent));
        conforms
            && Up::new(self.plan)
                .value(branch.step, sent.clone(), 0)
                .is_ok_and(|back| back == *value)
    }

    /// The branch with the definitions it may refer to.
    fn complete(&self, schema: &Value) -> Value {
        let mut schema = schema.clone();
        if let Value::Object(schema) = &mut schema
            && !self.definitions.is_empty()
        {
            let definitions = Value::Object(self.definitions.clone());
            schema.insert("$defs".to_owned(), definitions);
        }
        schema
    }

    fn any(&mut self, value: &Value, depth: usize) -> Result<Value, LiftError> {
        if depth > MAX_INSTANCE_DEPTH {
            return Err(self.error(LiftErrorKind::TooDeep));
        }
        match value {
            Value::Array(values) => values
                .iter()
                .map(|value| self.any(value, depth + 1))
                .collect::<Result<Vec<_>, _>>()
                .map(Value::Array),
            Value::Object(object) => {
                let mut pairs = Vec::with_capacity(object.len());
                for (key, value) in object {
                    pairs.push(pair(key, self.any(value, depth + 1)?));
                }
                let entries = Value::Array(pairs);
                Ok(Value::Object(Map::from_iter([(
                    ANY_ENTRIES.to_owned(),
                    entries,
                )])))
            }
            scalar => Ok(scalar.clone()),
        }
    }

    fn error(&self, kind: LiftErrorKind) -> LiftError {
        LiftError::new(kind, self.path.as_str())
    }
}

/// What is put where the property is not there.
fn absent(member: &Member) -> Option<Value> {
    match &member.absence {
        Absence::LeftOut | Absence::NullLeftOut => None,
        Absence::Marker(marker) => Some(marker.clone()),
        Absence::Boxed => Some(Value::Null),
    }
}

fn pair(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([
        (PAIR_KEY.to_owned(), Value::String(key.to_owned())),
        (PAIR_VALUE.to_owned(), value),
    ]))
}
