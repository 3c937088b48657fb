//! Finding the end of plain text fast, eight bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many bytes come before the first quote, backslash or control character.
#[inline]
pub(crate) fn plain(text: &[u8]) -> usize {
    plain_before(b'"', text)
}

/// The same for a string that this other ASCII quotation mark ends.
#[inline]
pub(crate) fn plain_before(mark: u8, text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * u64::from(mark));
        let backslash = word ^ (ONES * 0x5c);
        // A byte's high bit is set here when the byte is zero (for the first two) or below 0x20;
        // a borrow can set it wrongly only above a byte where it is rightly set.
        let found = ((quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word))
            & HIGHS;
        if found != 0 {
            return index * 8 + (found.trailing_zeros() / 8) as usize;
        }
    }
    let tail = rest
        .iter()
        .take_while(|b| **b != mark && !matches!(**b, b'\\' | 0..0x20))
        .count();
    text.len() - rest.len() + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_plain_loop_finds_it(text in prop::collection::vec(any::<u8>(), 0..64)) {
            let expected = text.iter().position(|b| matches!(b, b'"' | b'\\' | 0..0x20));
            prop_assert_eq!(plain(&text), expected.unwrap_or(text.len()));
        }

        #[test]
        fn in_mostly_plain_text_too(text in "[!a-zé~\u{80}-\u{ff}]{0,40}[\"\\\\\n]?[a-z]{0,9}") {
            let expected = text.bytes().position(|b| matches!(b, b'"' | b'\\' | 0..0x20));
            prop_assert_eq!(plain(text.as_bytes()), expected.unwrap_or(text.len()));
        }
    }
}
