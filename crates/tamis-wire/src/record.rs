//! Objects that are read tolerantly and written again as they came, field for field.
//!
//! The catalogue and the account are read once and shown, stored or passed on, and a request given as
//! JSON is sent; so nothing of them is lost, not even a null. What a field makes of its value is written back and compared; where that is
//! not what came, the value stays in `extra` under the field's own name, and is written from there.

use serde::Serialize;
use serde::de::Deserialize;
use serde_json::Value;

use crate::extra::Extra;
use crate::lenient::{Any, Tolerant};

/// Reads a field.
pub(crate) fn take<T>(field: &mut T, name: &str, value: Value, extra: &mut Extra)
where
    T: for<'de> Tolerant<'de> + Serialize + Default + PartialEq,
{
    // A repeated key: the last one counts.
    extra.remove(name);
    *field = Any::<T>::deserialize(&value).map_or_else(|_| T::default(), |Any(read)| read);
    let fits = *field != T::default()
        && serde_json::to_value(&*field).is_ok_and(|written| is_same(&written, &value));
    if !fits {
        extra.insert(name, value);
    }
}

/// Whether what is written is what came; a whole number that became a float is the same number.
fn is_same(written: &Value, came: &Value) -> bool {
    match (written, came) {
        (Value::Number(float), Value::Number(whole)) if float.is_f64() && !whole.is_f64() => {
            float.as_f64() == whole.as_f64()
        }
        _ => written == came,
    }
}

/// Whether a field is written from its own value: it has one, and `extra` holds nothing that says
/// more.
pub(crate) fn speaks<T: Default + PartialEq>(field: &T, name: &str, extra: &Extra) -> bool {
    *field != T::default() && extra.get(name).is_none_or(says_nothing)
}

/// What a field may have come as that was left as it was.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Defines a struct whose fields are read by their own names, each as far as it fits.
///
/// One that is `(opaque)` has no `Debug` of its own making. That of `(opaque, NAMES)` has, besides, the
/// names of its fields, and can empty a field by its name.
macro_rules! record {
    (
        (opaque, $names:ident)
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        $crate::record::record! {
            (opaque)
            $(#[$meta])*
            pub struct $name {
                $($(#[$field_meta])* $field: $type,)*
            }
        }

        const $names: &[&str] = &[$(stringify!($field)),*];

        impl $name {
            /// Empties a field.
            fn clear(&mut self, name: &str) {
                match name {
                    $(stringify!($field) => self.$field = Default::default(),)*
                    _ => {}
                }
            }
        }
    };
    (
        (opaque)
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            /// Everything else, and as it came every field above whose value says nothing or does not
            /// fit, so that the object is written again as it was read.
            pub extra: $crate::extra::Extra,
        }

        impl<'de> $crate::lenient::Tolerant<'de> for $name {
            fn from_map<A: serde::de::MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                let mut out = Self::default();
                while let Some($crate::lenient::Key(key)) = map.next_key()? {
                    let value: serde_json::Value = map.next_value()?;
                    match &*key {
                        $(stringify!($field) => $crate::record::take(
                            &mut out.$field,
                            stringify!($field),
                            value,
                            &mut out.extra,
                        ),)*
                        other => out.extra.insert(other, value),
                    }
                }
                Ok(out)
            }
        }

        impl<'de> $crate::lenient::Tolerant<'de> for Option<$name> {
            fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
                let value = <$name as $crate::lenient::Tolerant>::from_map(map)?;
                Ok((value != Default::default()).then_some(value))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::lenient::object(deserializer)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $(
                    if $crate::record::speaks(&self.$field, stringify!($field), &self.extra) {
                        map.serialize_entry(stringify!($field), &self.$field)?;
                    }
                )*
                let spoken_for = |name: &str| match name {
                    $(stringify!($field) => {
                        $crate::record::speaks(&self.$field, stringify!($field), &self.extra)
                    })*
                    _ => false,
                };
                for (name, value) in self.extra.iter().filter(|(name, _)| !spoken_for(name)) {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
        }
    ) => {
        $crate::record::record! {
            (opaque)
            $(#[$meta])*
            #[derive(Debug)]
            pub struct $name {
                $($(#[$field_meta])* $field: $type,)*
            }
        }
    };
}
pub(crate) use record;
