//! Strings of a format.

use crate::rng::Rng;

/// A string of the named format, if it is one of the usual ones.
pub(super) fn format(name: &str, rng: &mut Rng) -> Option<String> {
    let mut n = |low, high| rng.between(low, high);
    Some(match name {
        "date-time" => {
            let (date, time) = (date(&mut n), time(&mut n));
            format!("{date}T{time}")
        }
        "date" => date(&mut n),
        "time" => time(&mut n),
        "duration" => format!("P{}DT{}H{}M", n(1, 9), n(0, 23), n(0, 59)),
        "email" | "idn-email" => format!("miller{}@example.com", n(1, 999)),
        "hostname" | "idn-hostname" => format!("mill-{}.example.com", n(1, 999)),
        "ipv4" => format!("192.0.2.{}", n(1, 254)),
        "ipv6" => format!("2001:db8::{:x}", n(1, 65_535)),
        "uuid" => format!(
            "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
            n(0, 0xffff_ffff),
            n(0, 0xffff),
            n(0, 0xfff),
            n(0, 0xfff),
            n(0, 0xffff_ffff)
        ),
        "uri" | "iri" => format!("https://example.com/stones/{}", n(1, 999)),
        "uri-reference" | "iri-reference" => format!("/stones/{}", n(1, 999)),
        "uri-template" => format!("https://example.com/stones/{}{{?size}}", n(1, 999)),
        "json-pointer" => format!("/stones/{}", n(0, 99)),
        "relative-json-pointer" => format!("{}/stones", n(0, 9)),
        "regex" => format!("^[a-z]{{{}}}$", n(1, 9)),
        _ => return None,
    })
}

fn date(n: &mut impl FnMut(usize, usize) -> usize) -> String {
    format!("20{:02}-{:02}-{:02}", n(0, 40), n(1, 12), n(1, 28))
}

fn time(n: &mut impl FnMut(usize, usize) -> usize) -> String {
    format!("{:02}:{:02}:{:02}Z", n(0, 23), n(0, 59), n(0, 59))
}
