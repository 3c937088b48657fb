//! Shapes that requests are made of: words that may be others, and objects told apart by a name.

/// Defines an enum of the words that a field takes, open to others.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)*
            /// Any other word.
            Other(String),
        }

        impl $name {
            /// The word.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        /// No word.
        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::lenient::Tolerant<'de> for $name {
            fn from_text(word: std::borrow::Cow<'de, str>) -> Self {
                Self::from(&*word)
            }
        }

        impl<'de> $crate::lenient::Tolerant<'de> for Option<$name> {
            fn from_text(word: std::borrow::Cow<'de, str>) -> Self {
                Some($name::from(&*word))
            }
        }
    };
}
pub(crate) use words;

/// Defines an enum of objects that are told apart by the value of one field, open to others.
macro_rules! tagged {
    (
        $(#[$meta:meta])*
        pub enum $name:ident by $tag:literal {
            $($(#[$variant_meta:meta])* $variant:ident($record:ty) = $word:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant($record),)*
            /// Any other, with all its fields.
            Other(serde_json::Map<String, serde_json::Value>),
        }

        impl $name {
            #[doc = concat!("What it is: its `", $tag, "`; empty where it has none.")]
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $word,)*
                    Self::Other(fields) => {
                        fields.get($tag).and_then(serde_json::Value::as_str).unwrap_or_default()
                    }
                }
            }
        }

        /// An object without fields.
        impl Default for $name {
            fn default() -> Self {
                Self::Other(serde_json::Map::new())
            }
        }

        /// What it is, not what it holds.
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(formatter, "<{}>", self.kind())
            }
        }

        impl From<serde_json::Map<String, serde_json::Value>> for $name {
            fn from(fields: serde_json::Map<String, serde_json::Value>) -> Self {
                match fields.get($tag).and_then(serde_json::Value::as_str) {
                    $(Some($word) => {
                        let mut inner = fields.clone();
                        inner.shift_remove($tag);
                        match serde_json::from_value(serde_json::Value::Object(inner)) {
                            Ok(record) => Self::$variant(record),
                            Err(_) => Self::Other(fields),
                        }
                    })*
                    _ => Self::Other(fields),
                }
            }
        }

        $(
            impl From<$record> for $name {
                fn from(record: $record) -> Self {
                    Self::$variant(record)
                }
            }
        )*

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(record) => {
                        $crate::request::macros::tagged_object(serializer, ($tag, $word), record)
                    })*
                    Self::Other(fields) => fields.serialize(serializer),
                }
            }
        }

        impl<'de> $crate::lenient::Tolerant<'de> for $name {
            fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
                <serde_json::Map<_, _> as $crate::lenient::Tolerant>::from_map(map).map(Self::from)
            }
        }

        impl<'de> $crate::lenient::Tolerant<'de> for Option<$name> {
            fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
                <$name as $crate::lenient::Tolerant>::from_map(map).map(Some)
            }
        }
    };
}
pub(crate) use tagged;

/// Writes a record with the field that tells what it is before the others.
pub(crate) fn tagged_object<S: serde::Serializer>(
    serializer: S,
    (tag, word): (&'static str, &'static str),
    record: &impl serde::Serialize,
) -> Result<S::Ok, S::Error> {
    use serde::ser::{Error as _, SerializeMap as _};
    let serde_json::Value::Object(fields) =
        serde_json::to_value(record).map_err(S::Error::custom)?
    else {
        return Err(S::Error::custom("not an object"));
    };
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(tag, word)?;
    for (name, value) in fields.iter().filter(|(name, _)| *name != tag) {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// Says of a record that it is there, and not what it holds.
macro_rules! hide {
    ($($name:ident),* $(,)?) => {
        $(
            /// That it is there, not what it holds.
            impl std::fmt::Debug for $name {
                fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    formatter.debug_struct(stringify!($name)).finish_non_exhaustive()
                }
            }
        )*
    };
}
pub(crate) use hide;
