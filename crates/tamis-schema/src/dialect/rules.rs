//! The rules of a dialect that are not about single keywords.

/// What a schema's root must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// It must be of the type `object`.
    pub object: bool,
    /// It may be an `anyOf`.
    pub any_of: bool,
}

/// Whether objects must say `additionalProperties: false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Closed {
    /// Every object must.
    Must,
    /// Objects are closed whether they say so or not.
    Assumed,
    /// They may be open.
    May,
}

/// Which properties of an object must be in `required`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Required {
    /// All of them.
    All,
    /// Those that the schema says.
    Free,
}

/// What references may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct References {
    /// The keywords under which definitions may stand, the usual one first. A reference to somewhere
    /// else is refused, but for the root where recursion is allowed.
    pub definitions: &'static [&'static str],
    /// What may stand beside a `$ref`.
    pub siblings: Siblings,
    /// Whether a definition may lead back to itself.
    pub recursion: Recursion,
}

/// What may stand beside a `$ref`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Siblings {
    /// Anything.
    Any,
    /// Nothing.
    None,
    /// Nothing but keywords that begin with `$`.
    Dollar,
}

/// Whether a definition may lead back to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recursion {
    /// It may.
    Allowed,
    /// It may, within properties that are not required.
    Optional,
    /// It may not.
    Refused,
}

/// What an enum's values may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumRule {
    /// Any values.
    Any,
    /// No arrays and objects.
    Scalars,
    /// Strings and numbers.
    StringsAndNumbers,
    /// Strings.
    Strings,
}

/// What patterns may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternRule {
    /// Any regular expression of ECMA-262.
    Any,
    /// No look-around, no back-references, no word boundaries.
    Regular,
    /// Such as [`PatternRule::Regular`], and it must begin with `^` and end with `$`.
    Anchored,
}

/// How much of everything a schema may have; none where no limit is documented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Properties in the whole schema.
    pub properties: Option<usize>,
    /// Objects within each other, the root counted; a reference is not followed.
    pub depth: Option<usize>,
    /// Enum values in the whole schema.
    pub enum_values: Option<usize>,
    /// Values of one enum.
    pub enum_values_each: Option<usize>,
    /// Characters of a string enum that has more values than [`Limits::large_enum`].
    pub large_enum_characters: Option<usize>,
    /// From how many values on an enum is large.
    pub large_enum: Option<usize>,
    /// Characters of all property names, definition names, enum values and constants.
    pub characters: Option<usize>,
    /// Unions: `anyOf`s, and lists of types.
    pub unions: Option<usize>,
    /// Properties that are not required.
    pub optionals: Option<usize>,
    /// Branches of one `anyOf`.
    pub branches: Option<usize>,
    /// Characters of the schema, written as JSON without spaces.
    pub schema_characters: Option<usize>,
    /// The largest `minItems`.
    pub min_items: Option<u64>,
    /// The largest `maxItems` that is enforced.
    pub max_items: Option<u64>,
    /// The largest `maxLength` that is enforced.
    pub max_length: Option<u64>,
    /// The largest `maxProperties` that is enforced.
    pub max_properties: Option<u64>,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self {
        properties: None,
        depth: None,
        enum_values: None,
        enum_values_each: None,
        large_enum_characters: None,
        large_enum: None,
        characters: None,
        unions: None,
        optionals: None,
        branches: None,
        schema_characters: None,
        min_items: None,
        max_items: None,
        max_length: None,
        max_properties: None,
    };
}
