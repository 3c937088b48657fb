//! Objects that are read tolerantly and fast, and written again as they came, field for field.
//!
//! A field whose JSON type fits is written from its own value. What such a value cannot tell (whether
//! a missing one was null, empty or not there) is two bits in [`Kept`]; what did not fit at all stays
//! as it came in `extra`, under the field's own name, and is written from there for as long as the
//! field still is what was made of it.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde_json::{Number, Value};

use crate::extra::Extra;
use crate::lenient::{Any, Tolerant};

/// Of each field of an object, how one that says nothing came: two bits each, for up to 16 fields.
///
/// All are equal: how something missing was spelled makes no difference to what was said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept(u32);

/// How a field that says nothing came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The object was not read, but made.
    Made = 0,
    /// It was null.
    Null = 1,
    /// It was there: an empty array or text.
    Empty = 2,
    /// It was not there.
    Absent = 3,
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Kept {
    /// Of an object of which nothing was read yet.
    pub(crate) const READING: Self = Self(u32::MAX);

    pub(crate) fn of(self, place: u32) -> Missing {
        match (self.0 >> (2 * place)) & 3 {
            0 => Missing::Made,
            1 => Missing::Null,
            2 => Missing::Empty,
            _ => Missing::Absent,
        }
    }

    fn set(&mut self, place: u32, missing: Missing) {
        let shift = 2 * place;
        self.0 = self.0 & !(3 << shift) | ((missing as u32) << shift);
    }

    /// Notes how a field came.
    pub(crate) fn note(&mut self, place: u32, name: &str, came: Came, extra: &mut Extra) {
        // A repeated key: the last one counts.
        extra.remove(name);
        match came {
            Came::Fits => self.set(place, Missing::Empty),
            Came::Null => self.set(place, Missing::Null),
            Came::Other(value) => extra.insert(name, *value),
        }
    }
}

/// How a field's value came.
#[derive(Debug)]
pub(crate) enum Came {
    /// As what is written for it.
    Fits,
    /// As null.
    Null,
    /// As something else, or as an object that says nothing.
    Other(Box<Value>),
}

impl Came {
    fn as_it_came(value: impl Into<Value>) -> Self {
        Self::Other(Box::new(value.into()))
    }
}

/// A tolerant type of which is known for what JSON it is written again.
pub(crate) trait Written<'de>: Tolerant<'de> + Serialize {
    /// Whether text is written as it came.
    const TEXT: bool = false;
    /// Whether `true` and `false` are.
    const BOOL: bool = false;
    /// Whether an array is, and how it is read then.
    const SEQ: bool = false;
    /// Whether an object is, and how it is read then.
    const MAP: bool = false;

    /// Whether a number is written as it came.
    fn writes_number(_number: &Number) -> bool {
        false
    }

    fn read_seq<A: SeqAccess<'de>>(&mut self, seq: A) -> Result<Came, A::Error> {
        *self = Self::from_seq(seq)?;
        Ok(Came::Fits)
    }

    fn read_map<A: MapAccess<'de>>(&mut self, map: A) -> Result<Came, A::Error> {
        *self = Self::from_map(map)?;
        Ok(Came::Fits)
    }

    /// See [`Field::as_read`].
    fn as_read(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A field that is read and written without loss.
pub(crate) trait Field: Default + PartialEq + Serialize {
    /// Reads the value of a key.
    fn read<'de, A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<Came, A::Error>;

    /// Whether it is what this value is read as.
    fn is_read_from(&self, value: &Value) -> bool;

    /// The value that it was just read from: what did not fit is taken as it is, without a look at
    /// whether the field is still what was made of it, which would be read again on every level.
    fn as_read(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl<T> Field for T
where
    T: for<'de> Written<'de> + PartialEq + Serialize,
{
    fn read<'de, A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<Came, A::Error> {
        map.next_value_seed(Reading(self))
    }

    fn is_read_from(&self, value: &Value) -> bool {
        Any::<T>::deserialize(value).is_ok_and(|Any(read)| read == *self)
    }

    fn as_read(&self) -> Value {
        Written::as_read(self)
    }
}

/// Reads any JSON value into a `T`, and tells how it came.
struct Reading<'a, T>(&'a mut T);

impl<'de, T: Written<'de>> Reading<'_, T> {
    fn text(self, text: Cow<'de, str>) -> Came {
        if T::TEXT {
            *self.0 = T::from_text(text);
            Came::Fits
        } else {
            self.other(text.into_owned().into())
        }
    }

    fn number(self, number: Number) -> Came {
        if T::writes_number(&number) {
            *self.0 = T::from_number(number);
            Came::Fits
        } else {
            self.other(number.into())
        }
    }

    fn null(self) -> Came {
        *self.0 = T::default();
        Came::Null
    }

    /// A value that is not written as it came: what it is read as, and the value.
    fn other(self, value: Value) -> Came {
        *self.0 = Any::deserialize(value.clone()).map_or_else(|_| T::default(), |Any(read)| read);
        Came::as_it_came(value)
    }
}

impl<'de, T: Written<'de>> DeserializeSeed<'de> for Reading<'_, T> {
    type Value = Came;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Came, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Written<'de>> Visitor<'de> for Reading<'_, T> {
    type Value = Came;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Came, E> {
        Ok(self.text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Came, E> {
        Ok(self.text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Came, E> {
        Ok(self.text(Cow::Owned(text)))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Came, E> {
        if T::BOOL {
            *self.0 = T::from_bool(value);
            Ok(Came::Fits)
        } else {
            Ok(self.other(value.into()))
        }
    }

    fn visit_i64<E>(self, value: i64) -> Result<Came, E> {
        Ok(self.number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Came, E> {
        Ok(self.number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Came, E> {
        Ok(match Number::from_f64(value) {
            Some(number) => self.number(number),
            None => self.null(),
        })
    }

    fn visit_unit<E>(self) -> Result<Came, E> {
        Ok(self.null())
    }

    fn visit_none<E>(self) -> Result<Came, E> {
        Ok(self.null())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Came, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Came, A::Error> {
        if T::SEQ {
            return self.0.read_seq(seq);
        }
        let value = <Option<Value> as Tolerant>::from_seq(seq)?;
        Ok(self.other(value.unwrap_or_default()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Came, A::Error> {
        if T::MAP {
            return self.0.read_map(map);
        }
        let value = <Option<Value> as Tolerant>::from_map(map)?;
        Ok(self.other(value.unwrap_or_default()))
    }
}

/// Writes a field, where there is something to write.
///
/// `always` is for the fields that the protocol promises, which are written in an object that was
/// made here even where they say nothing.
pub(crate) fn write<T: Field, M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    field: &T,
    (missing, always): (Missing, bool),
    extra: &Extra,
) -> Result<(), M::Error> {
    let says_nothing = is_default(field);
    if let Some(value) = extra.get(name)
        && (says_nothing || field.is_read_from(value))
    {
        return map.serialize_entry(name, value);
    }
    if !says_nothing {
        return map.serialize_entry(name, field);
    }
    match missing {
        Missing::Null => map.serialize_entry(name, &()),
        Missing::Empty => map.serialize_entry(name, field),
        Missing::Made if always => map.serialize_entry(name, field),
        Missing::Made | Missing::Absent => Ok(()),
    }
}

/// A field as it was just read; none where it was not there.
pub(crate) fn as_read<T: Field>(field: &T, missing: Missing) -> Option<Value> {
    match missing {
        _ if !is_default(field) => Some(field.as_read()),
        Missing::Null => Some(Value::Null),
        Missing::Empty => Some(field.as_read()),
        Missing::Made | Missing::Absent => None,
    }
}

/// Whether nothing is said in a value: null, or an object of nothing else.
pub(crate) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => fields.values().all(is_blank),
        _ => false,
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Written<'_> for String {
    const TEXT: bool = true;
}

impl Written<'_> for Option<String> {
    const TEXT: bool = true;
}

impl Written<'_> for Option<bool> {
    const BOOL: bool = true;
}

impl Written<'_> for Option<u64> {
    fn writes_number(number: &Number) -> bool {
        number.is_u64()
    }
}

impl Written<'_> for Option<Number> {
    fn writes_number(_number: &Number) -> bool {
        true
    }
}

impl Written<'_> for Option<Value> {
    const TEXT: bool = true;
    const BOOL: bool = true;
    const SEQ: bool = true;
    const MAP: bool = true;

    fn writes_number(_number: &Number) -> bool {
        true
    }
}

impl Written<'_> for Vec<Value> {
    const SEQ: bool = true;
}

/// An array of objects. Where an element is something else, the whole array is kept as it came.
impl<'de, T: Object<'de>> Written<'de> for Vec<T> {
    const SEQ: bool = true;

    fn read_seq<A: SeqAccess<'de>>(&mut self, mut seq: A) -> Result<Came, A::Error> {
        self.clear();
        let mut odd: Option<Vec<Value>> = None;
        loop {
            let mut item = T::default();
            let Some(came) = seq.next_element_seed(Reading(&mut item))? else {
                break;
            };
            if !matches!(came, Came::Fits) && odd.is_none() {
                odd = Some(self.iter().map(Written::as_read).collect());
            }
            if let Some(values) = &mut odd {
                values.push(match &came {
                    Came::Fits => item.as_read(),
                    Came::Null => Value::Null,
                    Came::Other(value) => (**value).clone(),
                });
            }
            if !matches!(came, Came::Null) {
                self.push(item);
            }
        }
        Ok(odd.map_or(Came::Fits, Came::as_it_came))
    }

    fn as_read(&self) -> Value {
        self.iter().map(Written::as_read).collect()
    }
}

/// A type that is written as an object.
pub(crate) trait Object<'de>: Written<'de> {}

impl<'de, T> Written<'de> for Option<Box<T>>
where
    Option<T>: Written<'de>,
    T: Serialize,
{
    const TEXT: bool = <Option<T>>::TEXT;
    const BOOL: bool = <Option<T>>::BOOL;
    const SEQ: bool = <Option<T>>::SEQ;
    const MAP: bool = <Option<T>>::MAP;

    fn writes_number(number: &Number) -> bool {
        <Option<T>>::writes_number(number)
    }

    fn read_seq<A: SeqAccess<'de>>(&mut self, seq: A) -> Result<Came, A::Error> {
        let mut value: Option<T> = None;
        let came = value.read_seq(seq)?;
        *self = value.map(Box::new);
        Ok(came)
    }

    fn read_map<A: MapAccess<'de>>(&mut self, map: A) -> Result<Came, A::Error> {
        let mut value: Option<T> = None;
        let came = value.read_map(map)?;
        *self = value.map(Box::new);
        Ok(came)
    }
}

/// Implements reading and writing for a struct with the fields `extra` and `kept`, field by field.
///
/// A key that is not listed goes to `extra`, even where it is null. An `Option` of the struct reads
/// as missing unless an object came in which something is said: `"usage":{}` says as little as no
/// usage. A field marked `always` is one that the protocol promises; see [`write`].
macro_rules! lossless_object {
    ($name:ident { $($key:literal => $field:ident $($always:ident)?),* $(,)? }) => {
        const _: () = {
            use $crate::lenient::Tolerant;
            use $crate::lossless::{
                Came, Field, Kept, Object, Written, as_read, is_blank, is_default, write,
            };

            #[expect(non_camel_case_types, reason = "one for each field, by its name")]
            #[derive(Clone, Copy)]
            enum Place { $($field),* }

            const NAMES: &[&str] = &[$($key),*];
            const _: () = assert!(NAMES.len() <= 16, "two bits for each field");

            impl $name {
                /// Whether nothing is said in it.
                fn says_nothing(&self) -> bool {
                    $(is_default(&self.$field) &&)*
                    self.extra.iter().all(|(_, value)| is_blank(value))
                }

                fn fill<'de, A: serde::de::MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
                    self.kept = Kept::READING;
                    while let Some($crate::lenient::Key(key)) = map.next_key()? {
                        match &*key {
                            $($key => {
                                let came = Field::read(&mut self.$field, &mut map)?;
                                self.kept.note(Place::$field as u32, $key, came, &mut self.extra);
                            })*
                            other => self.extra.insert(other, map.next_value()?),
                        }
                    }
                    Ok(())
                }
            }

            impl<'de> Tolerant<'de> for $name {
                fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
                    let mut out = Self::default();
                    out.fill(map)?;
                    Ok(out)
                }
            }

            impl<'de> Written<'de> for $name {
                const MAP: bool = true;

                fn read_map<A: serde::de::MapAccess<'de>>(&mut self, map: A) -> Result<Came, A::Error> {
                    *self = Self::default();
                    self.fill(map)?;
                    Ok(Came::Fits)
                }

                fn as_read(&self) -> serde_json::Value {
                    let mut map = serde_json::Map::new();
                    $(if let Some(value) = as_read(&self.$field, self.kept.of(Place::$field as u32)) {
                        map.insert($key.to_owned(), value);
                    })*
                    for (name, value) in self.extra.iter() {
                        map.insert(name.to_owned(), value.clone());
                    }
                    map.into()
                }
            }

            impl Object<'_> for $name {}

            impl<'de> Tolerant<'de> for Option<$name> {
                fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
                    let value = <$name as Tolerant>::from_map(map)?;
                    Ok((!value.says_nothing()).then_some(value))
                }
            }

            impl<'de> Written<'de> for Option<$name> {
                const MAP: bool = true;

                fn read_map<A: serde::de::MapAccess<'de>>(&mut self, map: A) -> Result<Came, A::Error> {
                    let value = self.insert($name::default());
                    value.fill(map)?;
                    if !value.says_nothing() {
                        return Ok(Came::Fits);
                    }
                    let as_it_came = Written::as_read(value);
                    *self = None;
                    Ok(Came::Other(Box::new(as_it_came)))
                }

                fn as_read(&self) -> serde_json::Value {
                    self.as_ref().map_or(serde_json::Value::Null, Written::as_read)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> Result<Self, D::Error> {
                    $crate::lenient::object(deserializer)
                }
            }

            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    use serde::ser::SerializeMap as _;
                    let mut map = serializer.serialize_map(None)?;
                    $(
                        let always = $crate::lossless::lossless_object!(@always $($always)?);
                        let missing = self.kept.of(Place::$field as u32);
                        write(&mut map, $key, &self.$field, (missing, always), &self.extra)?;
                    )*
                    for (name, value) in self.extra.iter().filter(|(name, _)| !NAMES.contains(name)) {
                        map.serialize_entry(name, value)?;
                    }
                    map.end()
                }
            }
        };
    };
    (@always always) => { true };
    (@always) => { false };
}
pub(crate) use lossless_object;
