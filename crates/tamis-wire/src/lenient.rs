//! Tolerant reading: what does not fit reads as missing, and nothing unknown is an error.
//!
//! `serde`'s derive fails on a null where a string was expected, on a repeated key, and on a number
//! where text was expected. Real servers send all three, so the wire types read themselves through
//! [`Tolerant`] instead: one method for each JSON type, each with a default that reads as missing.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A type that makes something of any JSON value.
pub(crate) trait Tolerant<'de>: Default {
    /// What text reads as.
    fn from_text(_text: Cow<'de, str>) -> Self {
        Self::default()
    }

    /// What a number reads as.
    fn from_number(_number: Number) -> Self {
        Self::default()
    }

    /// What `true` or `false` reads as.
    fn from_bool(_value: bool) -> Self {
        Self::default()
    }

    /// What an array reads as.
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    /// What an object reads as.
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

/// Reads any JSON value as a `T`.
pub(crate) struct Any<T>(pub(crate) T);

impl<'de, T: Tolerant<'de>> Deserialize<'de> for Any<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(AnyVisitor(PhantomData))
            .map(Any)
    }
}

/// Reads a JSON object as a `T`; anything else is an error.
pub(crate) fn object<'de, T: Tolerant<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Tolerant<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(map)
    }
}

struct AnyVisitor<T>(PhantomData<T>);

impl<'de, T: Tolerant<'de>> Visitor<'de> for AnyVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::from_text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::from_text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<T, E> {
        Ok(T::from_text(Cow::Owned(text)))
    }

    fn visit_bool<E>(self, value: bool) -> Result<T, E> {
        Ok(T::from_bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<T, E> {
        Ok(T::from_number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<T, E> {
        Ok(T::from_number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<T, E> {
        Ok(Number::from_f64(value).map_or_else(T::default, T::from_number))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_none<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        T::from_seq(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(map)
    }
}

/// An object's key, borrowed from the input where it holds no escape.
pub(crate) struct Key<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(KeyVisitor)
    }
}

impl<'de> Tolerant<'de> for Option<Cow<'de, str>> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(text)
    }

    fn from_number(number: Number) -> Self {
        Some(Cow::Owned(number.to_string()))
    }
}

impl<'de> Tolerant<'de> for Option<String> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(text.into_owned())
    }

    fn from_number(number: Number) -> Self {
        Some(number.to_string())
    }
}

impl<'de> Tolerant<'de> for String {
    fn from_text(text: Cow<'de, str>) -> Self {
        text.into_owned()
    }

    fn from_number(number: Number) -> Self {
        number.to_string()
    }
}

impl<'de> Tolerant<'de> for Option<bool> {
    fn from_bool(value: bool) -> Self {
        Some(value)
    }

    fn from_text(text: Cow<'de, str>) -> Self {
        text.parse().ok()
    }
}

impl Tolerant<'_> for bool {
    fn from_bool(value: bool) -> Self {
        value
    }
}

impl Tolerant<'_> for Option<f64> {
    fn from_number(number: Number) -> Self {
        number.as_f64()
    }
}

impl<'de> Tolerant<'de> for Map<String, Value> {
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Self::deserialize(MapAccessDeserializer::new(map))
    }
}

impl<'de> Tolerant<'de> for Option<u64> {
    fn from_number(number: Number) -> Self {
        number
            .as_u64()
            .or_else(|| integer(&number).and_then(|value| u64::try_from(value).ok()))
    }

    fn from_text(text: Cow<'de, str>) -> Self {
        text.trim().parse().ok()
    }
}

impl<'de> Tolerant<'de> for Option<i64> {
    fn from_number(number: Number) -> Self {
        integer(&number)
    }

    fn from_text(text: Cow<'de, str>) -> Self {
        text.trim().parse().ok()
    }
}

impl<'de> Tolerant<'de> for Option<Number> {
    fn from_number(number: Number) -> Self {
        Some(number)
    }

    fn from_text(text: Cow<'de, str>) -> Self {
        serde_json::from_str(text.trim()).ok()
    }
}

impl<'de> Tolerant<'de> for Option<Value> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(Value::String(text.into_owned()))
    }

    fn from_number(number: Number) -> Self {
        Some(Value::Number(number))
    }

    fn from_bool(value: bool) -> Self {
        Some(Value::Bool(value))
    }

    fn from_seq<A: SeqAccess<'de>>(seq: A) -> Result<Self, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(seq)).map(Some)
    }

    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Value::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

/// Elements that are null are left out; an element of another type reads as an empty `T`.
impl<'de, T: Tolerant<'de>> Tolerant<'de> for Vec<T> {
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Option<Any<T>>>()? {
            items.extend(item.map(|Any(item)| item));
        }
        Ok(items)
    }
}

impl<'de> Tolerant<'de> for Vec<Value> {
    fn from_seq<A: SeqAccess<'de>>(seq: A) -> Result<Self, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq))
    }
}

impl<'de, T> Tolerant<'de> for Option<Box<T>>
where
    Option<T>: Tolerant<'de>,
{
    fn from_text(text: Cow<'de, str>) -> Self {
        Option::<T>::from_text(text).map(Box::new)
    }

    fn from_number(number: Number) -> Self {
        Option::<T>::from_number(number).map(Box::new)
    }

    fn from_bool(value: bool) -> Self {
        Option::<T>::from_bool(value).map(Box::new)
    }

    fn from_seq<A: SeqAccess<'de>>(seq: A) -> Result<Self, A::Error> {
        Ok(Option::<T>::from_seq(seq)?.map(Box::new))
    }

    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        Ok(Option::<T>::from_map(map)?.map(Box::new))
    }
}

/// A number as an integer, if it is one: `200`, and `200.0` too.
pub(crate) fn integer(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64()?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the range is checked, and whole floats of this size convert exactly"
        )]
        (float.fract() == 0.0 && float.abs() < 9.0e15).then_some(float as i64)
    })
}

/// Implements [`Tolerant`] and `Deserialize` for a struct, field by field.
///
/// A key that is not listed goes to the struct's `extra` field, so that nothing a server said is
/// out of reach. An `Option` of the struct reads as missing unless an object with at least one field
/// came.
macro_rules! tolerant_object {
    (<$de:lifetime> $name:ty {
        $($($key:literal)|+ => $field:ident),* $(,)? ; extra
    }) => {
        impl<$de> $crate::lenient::Tolerant<$de> for $name {
            fn from_map<A: serde::de::MapAccess<$de>>(mut map: A) -> Result<Self, A::Error> {
                let mut out = Self::default();
                while let Some($crate::lenient::Key(key)) = map.next_key()? {
                    match &*key {
                        $($($key)|+ => out.$field = map.next_value::<$crate::lenient::Any<_>>()?.0,)*
                        _ => out.extra.insert_known(&key, map.next_value()?),
                    }
                }
                Ok(out)
            }
        }

        impl<$de> $crate::lenient::Tolerant<$de> for Option<$name> {
            fn from_map<A: serde::de::MapAccess<$de>>(map: A) -> Result<Self, A::Error> {
                let value = <$name as $crate::lenient::Tolerant>::from_map(map)?;
                Ok((value != Default::default()).then_some(value))
            }
        }

        impl<$de> serde::Deserialize<$de> for $name {
            fn deserialize<D: serde::Deserializer<$de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::lenient::object(deserializer)
            }
        }
    };
}
pub(crate) use tolerant_object;
