//! One line of an event stream: which field it is, and where its value starts.

/// The fields that the standard knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Data,
    Event,
    Id,
    Retry,
    Comment,
    /// Any other name. Such a line is ignored.
    Unknown,
}

/// Splits a line that is not empty, and has no line end, into its field and its value.
pub(super) fn split(line: &[u8]) -> (Field, &[u8]) {
    // Nearly every line of a completion's stream; the rest need not be fast.
    if let Some(value) = line.strip_prefix(b"data:") {
        return (Field::Data, without_space(value));
    }
    if let Some(text) = line.strip_prefix(b":") {
        return (Field::Comment, without_space(text));
    }
    let (name, value) = match memchr::memchr(b':', line) {
        Some(colon) => {
            let (name, rest) = line.split_at_checked(colon).unwrap_or((line, &[]));
            (name, without_space(rest.get(1..).unwrap_or_default()))
        }
        None => (line, &[][..]),
    };
    let field = match name {
        b"data" => Field::Data,
        b"event" => Field::Event,
        b"id" => Field::Id,
        b"retry" => Field::Retry,
        _ => Field::Unknown,
    };
    (field, value)
}

/// The standard takes one space off a value, and no more.
fn without_space(value: &[u8]) -> &[u8] {
    value.strip_prefix(b" ").unwrap_or(value)
}

/// Reads a reconnection time: ASCII digits only, at least one.
pub(super) fn milliseconds(value: &[u8]) -> Option<u64> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(value.iter().fold(0_u64, |sum, digit| {
        sum.saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    }))
}

/// Replaces `target` by the text of `bytes`, with U+FFFD for what is not UTF-8.
pub(super) fn set_text(target: &mut String, bytes: &[u8]) {
    target.clear();
    for chunk in bytes.utf8_chunks() {
        target.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            target.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_told_apart() {
        for (line, field, value) in [
            (&b"data: x"[..], Field::Data, &b"x"[..]),
            (b"data:x", Field::Data, b"x"),
            (b"data:  x", Field::Data, b" x"),
            (b"data:", Field::Data, b""),
            (b"data", Field::Data, b""),
            (b"data : x", Field::Unknown, b"x"),
            (b"Data: x", Field::Unknown, b"x"),
            (b" data: x", Field::Unknown, b"x"),
            (b"event: a:b", Field::Event, b"a:b"),
            (b"id", Field::Id, b""),
            (b"retry:1", Field::Retry, b"1"),
            (b":", Field::Comment, b""),
            (b": x", Field::Comment, b"x"),
            (b"::", Field::Comment, b":"),
        ] {
            assert_eq!(split(line), (field, value));
        }
    }

    #[test]
    fn milliseconds_are_digits() {
        assert_eq!(milliseconds(b"0500"), Some(500));
        for wrong in [&b""[..], b"+5", b"5 ", b"5.0", b"-5", "\u{665}".as_bytes()] {
            assert_eq!(milliseconds(wrong), None);
        }
        assert_eq!(milliseconds(&[b'9'; 40]), Some(u64::MAX));
    }

    #[test]
    fn text_marks_what_is_not_utf8() {
        let mut text = String::from("old");
        set_text(&mut text, b"a\xffb\xe2\x82");
        assert_eq!(text, "a\u{fffd}b\u{fffd}");
    }
}
