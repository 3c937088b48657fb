//! Strings that match a regular expression.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::rng::Rng;

/// Longer than this, repetitions stop at their minimum; that too is bounded.
const LONG: usize = 256;
const LONGEST: usize = 16 * 1024;

/// A string that matches. None if the pattern is outside of what can be read (lookaround,
/// backreferences).
pub(super) fn matching(pattern: &str, rng: &mut Rng) -> Option<String> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&hir, &mut text, rng);
    Some(text)
}

/// Makes a match as long as it has to be where the pattern says nothing about what follows.
pub(super) fn lengthen(pattern: &str, mut text: String, least: usize, most: usize) -> String {
    let length = text.chars().count();
    if length < least && least <= most && !pattern.ends_with('$') {
        text.extend(std::iter::repeat_n('x', least.saturating_sub(length)));
    }
    text
}

fn write(hir: &Hir, text: &mut String, rng: &mut Rng) {
    if text.len() > LONGEST {
        return;
    }
    match hir.kind() {
        // Anchors and word boundaries have nothing to write.
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => {
            text.push_str(str::from_utf8(&literal.0).unwrap_or_default());
        }
        HirKind::Class(class) => text.extend(member(class, rng)),
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).unwrap_or(usize::MAX);
            let most = repetition.max.and_then(|max| usize::try_from(max).ok());
            let most = most.unwrap_or(usize::MAX).min(least.saturating_add(8));
            let most = if text.len() > LONG { least } else { most };
            for _ in 0..rng.between(least, most) {
                if text.len() > LONGEST {
                    return;
                }
                write(&repetition.sub, text, rng);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, text, rng),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, text, rng)),
        HirKind::Alternation(branches) => {
            if let Some(branch) = rng.pick(branches) {
                write(branch, text, rng);
            }
        }
    }
}

/// A readable character of a class, if it has one.
fn member(class: &Class, rng: &mut Rng) -> Option<char> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class
            .ranges()
            .iter()
            .map(|range| (u32::from(range.start()), u32::from(range.end())))
            .collect(),
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .map(|range| (u32::from(range.start()), u32::from(range.end())))
            .collect(),
    };
    // ECMA's `\d` and `\w` are ASCII only, so ASCII is the safer choice in any class.
    let readable: Vec<(u32, u32)> = ranges
        .iter()
        .map(|(low, high)| ((*low).max(0x20), (*high).min(0x7e)))
        .filter(|(low, high)| low <= high)
        .collect();
    let (low, high) = *rng.pick(if readable.is_empty() {
        &ranges
    } else {
        &readable
    })?;
    let span = usize::try_from(high.saturating_sub(low)).unwrap_or(0);
    let offset = u32::try_from(rng.between(0, span)).unwrap_or(0);
    char::from_u32(low.saturating_add(offset)).or_else(|| char::from_u32(low))
}

/// Whether a pattern of literal characters and anchors matches a name.
pub(super) fn is_literal_match(pattern: &str, name: &str) -> bool {
    let start = pattern.strip_prefix('^');
    let body = start.unwrap_or(pattern);
    let end = body.strip_suffix('$');
    let body = end.unwrap_or(body);
    if body.chars().any(|c| r"\.+*?()[]{}|^$".contains(c)) {
        // `.*` and the empty pattern match everything; others are beyond this.
        return body == ".*" || body == ".+";
    }
    match (start.is_some(), end.is_some()) {
        (true, true) => name == body,
        (true, false) => name.starts_with(body),
        (false, true) => name.ends_with(body),
        (false, false) => name.contains(body),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_literal_match, matching};
    use crate::rng::Rng;

    #[test]
    fn matches_look_right() {
        let mut rng = Rng::new(1, &[]);
        let text = matching("^[A-Z]{3}-[0-9]{4}$", &mut rng).unwrap();
        assert_eq!((text.len(), text.chars().nth(3)), (8, Some('-')));
        assert_eq!(matching("(?=x)y", &mut rng), None);
        assert!(
            matching("(((a{1000}){1000}){1000})", &mut rng).is_none_or(|text| text.len() < 20_000)
        );
    }

    #[test]
    fn literal_patterns() {
        assert!(is_literal_match("^x-", "x-a"));
        assert!(!is_literal_match("^x-$", "x-a"));
        assert!(is_literal_match(".*", "anything"));
    }
}
