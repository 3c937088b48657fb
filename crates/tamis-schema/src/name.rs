//! The name that goes with a schema in a request.

use std::fmt;

/// How many characters a schema's name may have.
pub const MAX_NAME_LEN: usize = 64;

/// Checks the name of a `json_schema` before it is sent: 1 to 64 ASCII letters, digits, underscores
/// and hyphens, which is what upstreams accept (`^[a-zA-Z0-9_-]{1,64}$`, and no trailing newline).
///
/// ```
/// use tamis_schema::check_name;
///
/// assert!(check_name("shipping_info").is_ok());
/// let error = check_name("shipping info\n").unwrap_err();
/// assert_eq!(error.offending(), Some((' ', 9)));
/// assert!(error.to_string().contains("U+0020"));
/// ```
///
/// # Errors
/// The name is empty, holds another character, or is too long. Of an unfit character and a length,
/// the character is told.
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameErrorKind::Empty.into());
    }
    let mut count = 0;
    for character in name.chars() {
        count += 1;
        if !is_allowed(character) {
            return Err(NameErrorKind::Character {
                character,
                position: count,
            }
            .into());
        }
    }
    if count > MAX_NAME_LEN {
        return Err(NameErrorKind::TooLong { len: count }.into());
    }
    Ok(())
}

const fn is_allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// A name that upstreams would refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    kind: NameErrorKind,
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameErrorKind {
    /// It has no character.
    Empty,
    /// It has a character that is not allowed.
    Character {
        /// The first such character.
        character: char,
        /// Which of the name's characters it is; the first is 1.
        position: usize,
    },
    /// It has too many characters.
    TooLong {
        /// How many.
        len: usize,
    },
}

impl NameError {
    /// What is wrong.
    pub const fn kind(&self) -> NameErrorKind {
        self.kind
    }

    /// The first character that is not allowed, and which of the name's characters it is, from 1.
    pub const fn offending(&self) -> Option<(char, usize)> {
        match self.kind {
            NameErrorKind::Character {
                character,
                position,
            } => Some((character, position)),
            _ => None,
        }
    }
}

impl From<NameErrorKind> for NameError {
    fn from(kind: NameErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            NameErrorKind::Empty => f.write_str("the schema's name is empty"),
            NameErrorKind::TooLong { len } => write!(
                f,
                "the schema's name has {len} characters, and {MAX_NAME_LEN} are allowed"
            ),
            NameErrorKind::Character {
                character,
                position,
            } => {
                // The character itself may be invisible, or look like one that is allowed.
                write!(
                    f,
                    "character {position} of the schema's name is U+{:04X}",
                    u32::from(character)
                )?;
                if let Some(words) = describe(character) {
                    write!(f, " ({words})")?;
                }
                f.write_str(", and only a-z, A-Z, 0-9, _ and - are allowed")
            }
        }
    }
}

impl std::error::Error for NameError {}

/// Words for characters that people do not see, or take for an allowed one.
fn describe(character: char) -> Option<&'static str> {
    match character {
        '\n' => Some("a line feed"),
        '\r' => Some("a carriage return"),
        '\t' => Some("a tab"),
        ' ' => Some("a space"),
        _ if character.is_control() => Some("a control character"),
        _ if character.is_ascii() => None,
        _ if character.is_alphabetic() => Some("a letter outside ASCII"),
        _ if character.is_numeric() => Some("a digit outside ASCII"),
        _ if character.is_whitespace() => Some("a space outside ASCII"),
        _ => None,
    }
}
