//! Bringing an answer back. What does not look as it was asked for is left as it is: validation against
//! the caller's schema has the last word.

use serde_json::{Map, Value};

use super::error::{LiftError, LiftErrorKind};
use super::path::Path;
use super::plan::{
    ANY_ENTRIES, Absence, BOX_VALUE, Member, PAIR_KEY, PAIR_VALUE, Plan, Rest, Step, StepId,
};
use super::{LiftKind, LiftNote};
use crate::measure::MAX_INSTANCE_DEPTH;

/// How many bytes of pointers are kept on record.
const MAX_NOTE_BYTES: usize = 4 << 20;

pub(crate) struct Up<'a> {
    plan: &'a Plan,
    path: Path,
    pub(crate) notes: Vec<LiftNote>,
    pub(crate) unlisted: usize,
    note_bytes: usize,
}

impl<'a> Up<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            path: Path::default(),
            notes: Vec::new(),
            unlisted: 0,
            note_bytes: 0,
        }
    }

    pub(crate) fn value(
        &mut self,
        id: StepId,
        value: Value,
        depth: usize,
    ) -> Result<Value, LiftError> {
        let plan = self.plan;
        let step = plan.get(id);
        if *step == Step::Same {
            return Ok(value);
        }
        if depth > MAX_INSTANCE_DEPTH {
            return Err(self.error(LiftErrorKind::TooDeep));
        }
        match (step, value) {
            (
                Step::Object {
                    members,
                    rest,
                    others,
                },
                Value::Object(object),
            ) => {
                let mut back = Map::new();
                let mut pairs = None;
                for (key, value) in object {
                    if let Some(rest) = rest
                        && rest.member == key
                        && let Some(found) = as_pairs(&value)
                    {
                        pairs = Some((found, rest.step));
                        continue;
                    }
                    let length = self.path.key(&key);
                    let value = match members.get(&key) {
                        Some(member) => self.member(member, value, depth)?,
                        None => Some(self.value(*others, value, depth + 1)?),
                    };
                    self.path.back(length);
                    if let Some(value) = value {
                        back.insert(key, value);
                    }
                }
                if let Some((pairs, step)) = pairs {
                    self.note(LiftKind::PairsToMap);
                    self.pairs(pairs, step, &mut back, depth)?;
                }
                self.left_out_nulls(members, &mut back);
                Ok(Value::Object(back))
            }
            (Step::Pairs { value: step }, value) => {
                let Some(pairs) = as_pairs(&value) else {
                    return Ok(value);
                };
                let mut map = Map::new();
                self.note(LiftKind::PairsToMap);
                self.pairs(pairs, *step, &mut map, depth)?;
                Ok(Value::Object(map))
            }
            (Step::Items { prefix, items }, Value::Array(values)) => {
                let mut steps = prefix.iter();
                self.list(values, || steps.next().copied().unwrap_or(*items), depth)
            }
            (Step::Tuple { elements, rest }, Value::Object(object)) => {
                self.tuple(elements, rest.as_ref(), object, depth)
            }
            (Step::Wrap { key, inner }, Value::Object(mut object)) => {
                if object.len() != 1 {
                    return Ok(Value::Object(object));
                }
                match object.remove(key) {
                    Some(value) => {
                        self.note(LiftKind::Unwrapped);
                        self.value(*inner, value, depth + 1)
                    }
                    None => Ok(Value::Object(object)),
                }
            }
            (Step::Text, Value::String(text)) => {
                let value = serde_json::from_str(&text)
                    .map_err(|_not_json| self.error(LiftErrorKind::NotJson))?;
                self.note(LiftKind::TextRead);
                Ok(value)
            }
            (Step::Any, value) => self.any(value, depth),
            (Step::Either { branches }, value) => {
                let step = branches
                    .iter()
                    .find(|branch| branch.sent.matches(&value))
                    .map_or(StepId::SAME, |branch| branch.step);
                self.value(step, value, depth + 1)
            }
            (_, value) => Ok(value),
        }
    }

    /// A property's value; `None` where the answer says that it is not there.
    fn member(
        &mut self,
        member: &Member,
        value: Value,
        depth: usize,
    ) -> Result<Option<Value>, LiftError> {
        let value = match (&member.absence, value) {
            (Absence::Marker(marker), value) if *marker == value => {
                self.note(LiftKind::AbsenceRestored);
                return Ok(None);
            }
            (Absence::Boxed, Value::Null) => {
                self.note(LiftKind::AbsenceRestored);
                return Ok(None);
            }
            (Absence::Boxed, Value::Object(mut object)) => {
                if object.len() == 1
                    && let Some(value) = object.remove(BOX_VALUE)
                {
                    self.note(LiftKind::Unwrapped);
                    value
                } else {
                    return Ok(Some(Value::Object(object)));
                }
            }
            (_, value) => value,
        };
        self.value(member.step, value, depth + 1).map(Some)
    }

    fn left_out_nulls<'m>(
        &mut self,
        members: impl IntoIterator<Item = (&'m String, &'m Member)>,
        object: &mut Map<String, Value>,
    ) {
        for (name, member) in members {
            if member.absence == Absence::NullLeftOut && !object.contains_key(name) {
                let length = self.path.key(name);
                self.note(LiftKind::NullRestored);
                self.path.back(length);
                object.insert(name.clone(), Value::Null);
            }
        }
    }

    fn pairs(
        &mut self,
        pairs: Vec<(String, Value)>,
        step: StepId,
        into: &mut Map<String, Value>,
        depth: usize,
    ) -> Result<(), LiftError> {
        for (key, value) in pairs {
            if into.contains_key(&key) {
                return Err(self.error(LiftErrorKind::DuplicateKey));
            }
            let length = self.path.key(&key);
            let value = self.value(step, value, depth + 1)?;
            self.path.back(length);
            into.insert(key, value);
        }
        Ok(())
    }

    fn list(
        &mut self,
        values: Vec<Value>,
        mut next_step: impl FnMut() -> StepId,
        depth: usize,
    ) -> Result<Value, LiftError> {
        let mut back = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            let length = self.path.index(index);
            back.push(self.value(next_step(), value, depth + 1)?);
            self.path.back(length);
        }
        Ok(Value::Array(back))
    }

    fn tuple(
        &mut self,
        elements: &[(String, Member)],
        rest: Option<&Rest>,
        mut object: Map<String, Value>,
        depth: usize,
    ) -> Result<Value, LiftError> {
        let known = elements
            .iter()
            .map(|(name, _)| name)
            .chain(rest.map(|rest| &rest.member))
            .filter(|name| object.contains_key(*name))
            .count();
        if known != object.len() {
            return Ok(Value::Object(object));
        }
        self.note(LiftKind::TupleRestored);
        let mut back = Vec::new();
        let mut has_gap = false;
        for (name, member) in elements {
            let length = self.path.index(back.len());
            let value = match object.remove(name) {
                Some(value) => self.member(member, value, depth)?,
                None => None,
            };
            self.path.back(length);
            match value {
                Some(_) if has_gap => return Err(self.error(LiftErrorKind::Gap)),
                Some(value) => back.push(value),
                None => has_gap = true,
            }
        }
        if let Some(rest) = rest
            && let Some(Value::Array(values)) = object.remove(&rest.member)
        {
            if has_gap && !values.is_empty() {
                return Err(self.error(LiftErrorKind::Gap));
            }
            for value in values {
                let length = self.path.index(back.len());
                back.push(self.value(rest.step, value, depth + 1)?);
                self.path.back(length);
            }
        }
        Ok(Value::Array(back))
    }

    /// A value of any kind, with its objects' entries.
    fn any(&mut self, value: Value, depth: usize) -> Result<Value, LiftError> {
        if depth > MAX_INSTANCE_DEPTH {
            return Err(self.error(LiftErrorKind::TooDeep));
        }
        match value {
            Value::Array(values) => {
                let mut back = Vec::with_capacity(values.len());
                for (index, value) in values.into_iter().enumerate() {
                    let length = self.path.index(index);
                    back.push(self.any(value, depth + 1)?);
                    self.path.back(length);
                }
                Ok(Value::Array(back))
            }
            Value::Object(object) => {
                let entries = object
                    .get(ANY_ENTRIES)
                    .filter(|_| object.len() == 1)
                    .and_then(as_pairs);
                let Some(entries) = entries else {
                    return Ok(Value::Object(object));
                };
                self.note(LiftKind::PairsToMap);
                let mut map = Map::new();
                for (key, value) in entries {
                    if map.contains_key(&key) {
                        return Err(self.error(LiftErrorKind::DuplicateKey));
                    }
                    let length = self.path.key(&key);
                    let value = self.any(value, depth + 1)?;
                    self.path.back(length);
                    map.insert(key, value);
                }
                Ok(Value::Object(map))
            }
            scalar => Ok(scalar),
        }
    }

    fn note(&mut self, kind: LiftKind) {
        let pointer = self.path.as_str();
        self.note_bytes = self.note_bytes.saturating_add(pointer.len());
        if self.note_bytes > MAX_NOTE_BYTES {
            self.unlisted += 1;
        } else {
            self.notes.push(LiftNote {
                pointer: pointer.to_owned(),
                kind,
            });
        }
    }

    fn error(&self, kind: LiftErrorKind) -> LiftError {
        LiftError::new(kind, self.path.as_str())
    }
}

/// The keys and values, if the value is an array of pairs and of nothing else.
fn as_pairs(value: &Value) -> Option<Vec<(String, Value)>> {
    value
        .as_array()?
        .iter()
        .map(|pair| {
            let pair = pair.as_object().filter(|pair| pair.len() == 2)?;
            let key = pair.get(PAIR_KEY)?.as_str()?;
            Some((key.to_owned(), pair.get(PAIR_VALUE)?))
        })
        .collect::<Option<Vec<_>>>()
        .map(|pairs| {
            pairs
                .into_iter()
                .map(|(key, value)| (key, value.clone()))
                .collect()
        })
}
