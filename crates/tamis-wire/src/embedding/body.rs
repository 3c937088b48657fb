//! A body, read without a JSON value for each of its numbers, of which there may be millions.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::base64;

/// A body: its data, and everything else.
#[derive(Default)]
pub(super) struct Body {
    /// None where there is none, or it is no list.
    pub(super) data: Option<Vec<Item>>,
    pub(super) rest: Map<String, Value>,
}

/// An entry of the data.
#[derive(Default)]
pub(super) struct Item {
    /// None where there is none that can be read.
    pub(super) vector: Option<Vec<f32>>,
    /// As it came.
    pub(super) index: Value,
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BodyVisitor;

        impl<'de> Visitor<'de> for BodyVisitor {
            type Value = Body;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
                let mut body = Body::default();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "data" {
                        body.data = map.next_value::<Data>()?.0;
                    } else {
                        body.rest.insert(key, map.next_value()?);
                    }
                }
                Ok(body)
            }
        }

        deserializer.deserialize_map(BodyVisitor)
    }
}

/// Defines a type that makes something of any JSON value, and its default of what does not fit.
macro_rules! of_any {
    ($name:ident, $visitor:ident, { $($visits:tt)* }) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct $visitor;

                impl<'de> Visitor<'de> for $visitor {
                    type Value = $name;

                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str("any JSON value")
                    }

                    fn visit_bool<E>(self, _: bool) -> Result<$name, E> {
                        Ok($name::default())
                    }

                    fn visit_unit<E>(self) -> Result<$name, E> {
                        Ok($name::default())
                    }

                    $($visits)*
                }

                deserializer.deserialize_any($visitor)
            }
        }
    };
}

macro_rules! no_numbers {
    ($name:ident) => {
        fn visit_i64<E>(self, _: i64) -> Result<$name, E> {
            Ok($name::default())
        }

        fn visit_u64<E>(self, _: u64) -> Result<$name, E> {
            Ok($name::default())
        }

        fn visit_f64<E>(self, _: f64) -> Result<$name, E> {
            Ok($name::default())
        }
    };
}

macro_rules! no_text {
    ($name:ident) => {
        fn visit_str<E>(self, _: &str) -> Result<$name, E> {
            Ok($name::default())
        }
    };
}

macro_rules! no_object {
    ($name:ident) => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($name::default())
        }
    };
}

macro_rules! no_list {
    ($name:ident) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<$name, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok($name::default())
        }
    };
}

#[derive(Default)]
struct Data(Option<Vec<Item>>);

of_any!(Data, DataVisitor, {
    no_numbers!(Data);
    no_text!(Data);
    no_object!(Data);

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Data, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Data(Some(items)))
    }
});

of_any!(Item, ItemVisitor, {
    no_numbers!(Item);
    no_text!(Item);
    no_list!(Item);

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let mut item = Item::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "embedding" => item.vector = map.next_value::<Vector>()?.0,
                "index" => item.index = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(item)
    }
});

#[derive(Default)]
struct Vector(Option<Vec<f32>>);

of_any!(Vector, VectorVisitor, {
    no_numbers!(Vector);
    no_object!(Vector);

    fn visit_str<E>(self, text: &str) -> Result<Vector, E> {
        Ok(Vector(base64::floats(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vector, A::Error> {
        let mut floats = Some(Vec::new());
        while let Some(Float(float)) = seq.next_element()? {
            // One entry that is no number spoils the vector, and the rest is read past.
            match (&mut floats, float) {
                (Some(floats), Some(float)) => floats.push(float),
                _ => floats = None,
            }
        }
        Ok(Vector(floats))
    }
});

#[derive(Default)]
struct Float(Option<f32>);

of_any!(Float, FloatVisitor, {
    no_text!(Float);
    no_object!(Float);
    no_list!(Float);

    fn visit_i64<E>(self, number: i64) -> Result<Float, E> {
        Ok(Float(Some(from_integer(number.into()))))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Float, E> {
        Ok(Float(Some(from_integer(number.into()))))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Float, E> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "what is beyond a single float becomes infinite, and is refused"
        )]
        Ok(Float(Some(number as f32)))
    }
});

#[expect(
    clippy::cast_precision_loss,
    reason = "a vector's numbers are single floats"
)]
fn from_integer(number: i128) -> f32 {
    number as f32
}
