//! What a quotation mark in a string does: it ends the string, or is part of it.
#![expect(
    clippy::match_same_arms,
    reason = "each row of a decision table stands alone"
)]

use serde_json::Value;

use super::delimiter::Quotes;
use super::look::{Ahead, Family, Guess, Look};
use crate::parser::{Frame, Input, Kind, Machine};

/// What a quotation mark inside a string does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It ends the string.
    Ends,
    /// It is part of the text.
    Inner,
    /// It opens the next key or item: the one that ends this string is missing.
    Opens,
    /// It ends a key of the object around the array, whose bracket is missing.
    EndsKey,
    /// It ends the first key of an item, whose opening bracket is missing.
    EndsFirstKey,
    Wait,
    /// It can be read in several ways.
    Unclear,
}

impl Machine {
    /// What a quotation mark of this length does here. Where the strict reading is possible as far
    /// as can be seen, it is taken, so that valid JSON is never read otherwise.
    pub(super) fn role(&mut self, length: usize, input: &Input<'_>) -> Role {
        if self.text.delimiter.quotes == Quotes::Triple {
            return Role::Ends;
        }
        let look = Look::from(input, length);
        if self.text.is_key {
            return Self::key_role(look);
        }
        match self.tree.top().map(|top| top.kind) {
            None | Some(Kind::Bare) => Role::Ends,
            Some(Kind::Object) => self.member_role(look, input),
            Some(_) => self.item_role(look, input),
        }
    }

    fn key_role(mut look: Look<'_>) -> Role {
        match look.next() {
            Ahead::More => Role::Wait,
            Ahead::Byte(b':' | b',' | b'}' | b'{' | b'[' | b'-' | b'0'..=b'9' | b'=') => Role::Ends,
            Ahead::End | Ahead::Far => Role::Ends,
            // `"a" "b"` lacks a colon; `"a""` has a quotation mark too many.
            Ahead::Quote(_) if look.space => Role::Ends,
            Ahead::Byte(_) => {
                match look.word(&["true", "false", "null", "True", "False", "None"]) {
                    Guess::Yes => Role::Ends,
                    Guess::More => Role::Wait,
                    _ => Role::Inner,
                }
            }
            Ahead::Quote(_) => Role::Inner,
        }
    }

    /// In a member's value.
    fn member_role(&mut self, look: Look<'_>, input: &Input<'_>) -> Role {
        let inside = self.text.delimiter.is_inside();
        let mut next = look;
        let ahead = next.next();
        match ahead {
            Ahead::More => Role::Wait,
            // The quotation ends here, and what came after it was cut.
            Ahead::End if inside => Role::Inner,
            Ahead::End | Ahead::Far => Role::Ends,
            Ahead::Byte(b',') => {
                next.skip(1);
                let mut after = next;
                match after.next() {
                    Ahead::More => Role::Wait,
                    Ahead::End | Ahead::Far => Role::Ends,
                    Ahead::Byte(b'}' | b']' | b'{' | b',' | b'.') => {
                        if self.in_brackets() {
                            Role::Inner
                        } else {
                            Role::Ends
                        }
                    }
                    Ahead::Byte(_) | Ahead::Quote(_) => match after.key() {
                        Guess::Yes | Guess::Far => Role::Ends,
                        Guess::More => Role::Wait,
                        // The continuation cannot be a member. A quotation that is open ends
                        // here; otherwise a second quoted text stays an error.
                        Guess::No if inside => Role::Inner,
                        Guess::No => match after.here() {
                            Ahead::Quote(_) => Role::Ends,
                            _ => match after.key_without_colon() {
                                Guess::Yes => Role::Unclear,
                                Guess::More => Role::Wait,
                                _ => Role::Inner,
                            },
                        },
                    },
                }
            }
            Ahead::Byte(b'}') => {
                if self.in_brackets() {
                    return Role::Inner;
                }
                next.skip(1);
                match next.here() {
                    Ahead::More => Role::Wait,
                    // A quotation mark right after the bracket: both are part of the text.
                    Ahead::Quote(Family::Double | Family::Single) => Role::Inner,
                    _ => Role::Ends,
                }
            }
            Ahead::Byte(b']') => {
                if self.in_brackets() {
                    Role::Inner
                } else {
                    Role::Ends
                }
            }
            Ahead::Byte(b':') => {
                if self.in_brackets() {
                    Role::Inner
                } else {
                    Role::Unclear
                }
            }
            Ahead::Byte(b';') => Role::Ends,
            Ahead::Byte(b'+') => {
                next.skip(1);
                match next.next() {
                    Ahead::More => Role::Wait,
                    Ahead::Quote(_) => Role::Ends,
                    _ => self.inner_or_opens(look, input),
                }
            }
            Ahead::Byte(b'`' | b'<') => self.inner_or_opens(look, input),
            Ahead::Quote(_) | Ahead::Byte(_) => {
                let adjacent = matches!(ahead, Ahead::Quote(Family::Double));
                if next.line_break || ((next.space || adjacent) && !inside) {
                    match next.key() {
                        Guess::Yes => return Role::Ends,
                        Guess::More => return Role::Wait,
                        _ => {}
                    }
                    if let Ahead::Quote(Family::Backtick) = ahead {
                        match next.starts_with(b"```") {
                            Guess::Yes => return Role::Ends,
                            Guess::More => return Role::Wait,
                            _ => {}
                        }
                    }
                    // `"x" "b" "y"`: strings without commas or colons, or quotations in one.
                    if next.space && !inside && ahead == Ahead::Quote(Family::Double) {
                        return Role::Unclear;
                    }
                }
                if !inside {
                    match next.scalar() {
                        Guess::Yes => return Role::Unclear,
                        Guess::More => return Role::Wait,
                        _ => {}
                    }
                }
                self.inner_or_opens(look, input)
            }
        }
    }

    /// In an array's item.
    fn item_role(&mut self, look: Look<'_>, input: &Input<'_>) -> Role {
        let inside = self.text.delimiter.is_inside();
        let mut next = look;
        match next.next() {
            Ahead::More => Role::Wait,
            Ahead::End if inside => Role::Inner,
            Ahead::End | Ahead::Far => Role::Ends,
            Ahead::Byte(b']' | b'}' | b')') => {
                if self.in_brackets() {
                    Role::Inner
                } else {
                    Role::Ends
                }
            }
            Ahead::Byte(b',') => {
                next.skip(1);
                let mut after = next;
                match after.next() {
                    Ahead::More => Role::Wait,
                    Ahead::Byte(byte) if inside && byte.is_ascii_alphabetic() => {
                        match after.word(&["true", "false", "null"]) {
                            Guess::Yes => Role::Ends,
                            Guess::More => Role::Wait,
                            _ => Role::Inner,
                        }
                    }
                    _ => Role::Ends,
                }
            }
            Ahead::Byte(b':') => {
                let object_around = {
                    let frames = self.tree.frames();
                    let above = frames.len().checked_sub(2).and_then(|i| frames.get(i));
                    above.is_some_and(Frame::is_object)
                };
                if self.in_brackets() {
                    return Role::Inner;
                }
                if self.text.delimiter.inner > 0 {
                    return Role::Unclear;
                }
                // After an item that is an object, the key may begin the next item.
                match self.tree.last_item() {
                    Some(Value::Object(map)) if map.contains_key(&self.text.buffer) => {
                        Role::EndsFirstKey
                    }
                    Some(Value::Object(_)) => Role::Unclear,
                    _ if object_around => Role::EndsKey,
                    _ => Role::Unclear,
                }
            }
            Ahead::Byte(b'+') => {
                next.skip(1);
                match next.next() {
                    Ahead::More => Role::Wait,
                    Ahead::Quote(_) => Role::Ends,
                    _ => Role::Inner,
                }
            }
            Ahead::Byte(b'{' | b'[' | b';') if !inside => Role::Ends,
            Ahead::Quote(Family::Double | Family::Single) if next.line_break => Role::Ends,
            Ahead::Quote(Family::Double | Family::Single) if next.space && !inside => Role::Ends,
            Ahead::Quote(Family::Backtick) if next.line_break => Role::Ends,
            Ahead::Byte(b'.') => match next.starts_with(b"...") {
                Guess::Yes => Role::Ends,
                Guess::More => Role::Wait,
                _ => self.inner_or_opens(look, input),
            },
            _ if !inside => match next.scalar() {
                Guess::Yes => Role::Ends,
                Guess::More => Role::Wait,
                _ => self.inner_or_opens(look, input),
            },
            _ => self.inner_or_opens(look, input),
        }
    }

    /// Neither a comma nor a bracket follows: part of the text, unless it opens what comes next.
    fn inner_or_opens(&self, after: Look<'_>, input: &Input<'_>) -> Role {
        let text = self.text.buffer.as_str();
        let trimmed = text.trim_end();
        if self.text.delimiter.closed_nothing && trimmed.len() < text.len() {
            // The one before closed a quotation that nothing opened, and this one opens another:
            // both may be the ends of strings.
            match after.here() {
                Ahead::More => return Role::Wait,
                Ahead::Byte(b' ') => {}
                _ => return Role::Unclear,
            }
        }
        let line_break = text
            .get(trimmed.len()..)
            .is_some_and(|space| space.contains('\n'));
        let comma = trimmed.ends_with(',');
        if !(comma || line_break) {
            return Role::Inner;
        }
        let here = Look::from(input, 0);
        let object = self.tree.top().is_some_and(Frame::is_object);
        let opens = if object {
            here.key()
        } else if comma && (trimmed.len() < text.len()) {
            here.quoted_item()
        } else {
            Guess::No
        };
        match opens {
            Guess::Yes => Role::Opens,
            Guess::More => Role::Wait,
            _ => Role::Inner,
        }
    }

    /// Whether the text has brackets open since a quotation mark in it was taken as text.
    fn in_brackets(&mut self) -> bool {
        if self.text.delimiter.inner == 0 {
            return false;
        }
        self.text.delimiter.count(&self.text.buffer);
        self.text.delimiter.brackets > 0
    }
}
