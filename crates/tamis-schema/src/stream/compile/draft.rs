//! What differs between the drafts.

use serde_json::Value;

/// A draft of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    Four,
    Six,
    Seven,
    V2019,
    V2020,
}

impl Draft {
    /// The draft of a document; none where it is not one of these.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        let Some(name) = schema.get("$schema") else {
            return Some(Self::V2020);
        };
        let name = name.as_str()?.trim_end_matches('#');
        let path = name
            .strip_prefix("https://")
            .or_else(|| name.strip_prefix("http://"))?;
        Some(match path.strip_prefix("json-schema.org/")? {
            "draft-04/schema" => Self::Four,
            "draft-06/schema" => Self::Six,
            "draft-07/schema" => Self::Seven,
            "draft/2019-09/schema" => Self::V2019,
            "draft/2020-12/schema" => Self::V2020,
            _ => return None,
        })
    }

    /// Whether a reference hides what stands beside it.
    pub(super) fn ref_stands_alone(self) -> bool {
        self < Self::V2019
    }

    /// Keywords that may break a value, and are not judged here.
    pub(super) fn unjudged(self) -> &'static [&'static str] {
        match self {
            Self::Four => &[],
            Self::Six | Self::Seven => &["contentEncoding", "contentMediaType"],
            Self::V2019 | Self::V2020 => &[
                "$dynamicRef",
                "$recursiveRef",
                "unevaluatedItems",
                "unevaluatedProperties",
                "dependencies",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
            ],
        }
    }

    /// The value of its `$schema`.
    pub(super) fn uri(self) -> &'static str {
        match self {
            Self::Four => "http://json-schema.org/draft-04/schema#",
            Self::Six => "http://json-schema.org/draft-06/schema#",
            Self::Seven => "http://json-schema.org/draft-07/schema#",
            Self::V2019 => "https://json-schema.org/draft/2019-09/schema",
            Self::V2020 => "https://json-schema.org/draft/2020-12/schema",
        }
    }
}
