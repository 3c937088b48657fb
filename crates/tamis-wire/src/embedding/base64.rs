//! Vectors in base64: little-endian floats of four bytes each.

/// What no digit is worth.
const NO_DIGIT: u8 = 0x80;

/// What each byte is worth as a digit.
const VALUES: [u8; 256] = values();

/// The floats that a text holds; none where it is no base64, or ends inside a float.
pub(super) fn floats(text: &str) -> Option<Vec<f32>> {
    let digits = text.trim_end_matches('=').as_bytes();
    // Padding is left out by some, and never more than two.
    let padding = text.len() - digits.len();
    if padding > 2 || (padding > 0 && !text.len().is_multiple_of(4)) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len().div_ceil(4) * 3);
    let (groups, rest) = digits.as_chunks::<4>();
    for group in groups {
        let [_, triple @ ..] = bits(*group)?.to_be_bytes();
        bytes.extend_from_slice(&triple);
    }
    // A rest is one or two bytes, and what is left over of its bits says nothing.
    let spare: u16 = match *rest {
        [] => 0,
        [one, two] => {
            let [_, first, spare @ ..] = bits([one, two, b'A', b'A'])?.to_be_bytes();
            bytes.push(first);
            spare.into_iter().map(u16::from).sum()
        }
        [one, two, three] => {
            let [_, first, second, spare] = bits([one, two, three, b'A'])?.to_be_bytes();
            bytes.extend_from_slice(&[first, second]);
            u16::from(spare)
        }
        _ => return None,
    };
    let (floats, rest) = bytes.as_chunks::<4>();
    if spare != 0 || !rest.is_empty() {
        return None;
    }
    Some(floats.iter().copied().map(f32::from_le_bytes).collect())
}

/// Four digits in one number of 24 bits.
fn bits(digits: [u8; 4]) -> Option<u32> {
    let values = digits.map(|digit| VALUES.get(usize::from(digit)).copied().unwrap_or(NO_DIGIT));
    let [one, two, three, four] = values.map(u32::from);
    let all = one | two | three | four;
    (all < u32::from(NO_DIGIT)).then_some(one << 18 | two << 12 | three << 6 | four)
}

#[expect(
    clippy::indexing_slicing,
    reason = "worked out by the compiler, which would say so"
)]
const fn values() -> [u8; 256] {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [NO_DIGIT; 256];
    let mut value: u8 = 0;
    while value < 64 {
        values[digits[value as usize] as usize] = value;
        value += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::floats;

    /// Written as the standard says, to read it by.
    fn written(floats: &[f32]) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let bytes: Vec<u8> = floats
            .iter()
            .flat_map(|float| float.to_le_bytes())
            .collect();
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let bits = group
                .iter()
                .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
                << (8 * (3 - group.len()));
            for digit in 0..4 {
                if digit <= group.len() {
                    let at = (bits >> (18 - 6 * digit)) & 63;
                    text.push(char::from(DIGITS[usize::try_from(at).unwrap()]));
                } else {
                    text.push('=');
                }
            }
        }
        text
    }

    proptest! {
        #[test]
        fn any_floats_come_back(bits in prop::collection::vec(any::<u32>(), 0..40)) {
            let given: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
            let text = written(&given);
            for text in [text.as_str(), text.trim_end_matches('=')] {
                let read: Vec<u32> = floats(text).unwrap().iter().map(|float| float.to_bits()).collect();
                prop_assert_eq!(&read, &bits);
            }
        }

        #[test]
        fn a_cut_text_is_none(bits in prop::collection::vec(any::<u32>(), 1..9), cut in 1_usize..6) {
            let given: Vec<f32> = bits.iter().map(|bits| f32::from_bits(*bits)).collect();
            let text = written(&given);
            let digits = text.trim_end_matches('=');
            let kept = &digits[..digits.len().saturating_sub(cut)];
            // Unless whole floats are left.
            prop_assume!(kept.len() * 6 / 32 * 32 != kept.len() * 6 / 8 * 8);
            prop_assert!(floats(kept).is_none(), "{}", kept);
        }

        #[test]
        fn any_text_is_read_without_panic(text in ".{0,40}|[A-Za-z0-9+/=]{0,40}") {
            let _ = floats(&text);
        }
    }

    #[test]
    fn what_is_none() {
        assert_eq!(floats(""), Some(Vec::new()));
        assert_eq!(floats("AACAPw=="), Some(vec![1.0]));
        for text in [
            "AACAPw=",
            "AACAPw===",
            "AACAPx==",
            "AACA Pw=",
            "AACAP-==",
            "====",
            "A",
            "AAC=",
        ] {
            assert_eq!(floats(text), None, "{text}");
        }
    }
}
