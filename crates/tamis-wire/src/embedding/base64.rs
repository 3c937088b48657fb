//! Vectors in base64: little-endian floats of four bytes each.

/// The floats that a text holds; none where it is no base64, or ends inside a float.
pub(super) fn floats(text: &str) -> Option<Vec<f32>> {
    let digits = text.trim_end_matches('=').as_bytes();
    // Padding is left out by some, and never more than two.
    let padding = text.len() - digits.len();
    if padding > 2 || (padding > 0 && !text.len().is_multiple_of(4)) {
        return None;
    }
    let mut floats = Vec::with_capacity(digits.len() / 4 * 3 / 4 + 1);
    let (mut float, mut bytes) = ([0_u8; 4], 0_usize);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for digit in digits {
        bits = (bits << 6 | u32::from(value(*digit)?)) & 0x00ff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            let [.., byte] = (bits >> count).to_be_bytes();
            float.rotate_left(1);
            float[3] = byte;
            bytes += 1;
            if bytes == 4 {
                floats.push(f32::from_le_bytes(float));
                bytes = 0;
            }
        }
    }
    // What is left over is no whole byte, and says nothing.
    let leftover = bits & ((1_u32 << count) - 1);
    (bytes == 0 && count < 6 && leftover == 0).then_some(floats)
}

/// A digit's value.
fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
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
