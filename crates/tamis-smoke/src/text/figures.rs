//! Figures in words.

/// `1 request`, `2 requests`.
pub(super) fn count(number: u32, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A share as per cent.
pub(super) fn share(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{} %", text.trim_end_matches(".0"))
}

/// Milliseconds, or seconds from ten on.
pub(super) fn time(milliseconds: f64) -> String {
    if milliseconds >= 10_000.0 {
        format!("{:.1} s", milliseconds / 1000.0)
    } else if milliseconds >= 10.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{milliseconds:.1} ms")
    }
}

/// US dollars, with as many digits as a small sum needs.
pub(super) fn cost(dollars: f64) -> String {
    if dollars >= 1.0 || dollars == 0.0 {
        format!("${dollars:.2}")
    } else {
        format!("${dollars:.6}")
    }
}

#[cfg(test)]
mod tests {
    use super::{cost, count, share, time};

    #[test]
    fn figures() {
        assert_eq!(
            (count(1, "request"), count(3, "request")),
            ("1 request".to_owned(), "3 requests".to_owned())
        );
        assert_eq!(
            (share(0.9), share(0.955)),
            ("90 %".to_owned(), "95.5 %".to_owned())
        );
        assert_eq!(
            (time(1.24), time(812.6), time(12_340.0)),
            (
                "1.2 ms".to_owned(),
                "813 ms".to_owned(),
                "12.3 s".to_owned()
            )
        );
        assert_eq!(
            (cost(0.0), cost(0.000_123), cost(2.5)),
            (
                "$0.00".to_owned(),
                "$0.000123".to_owned(),
                "$2.50".to_owned()
            )
        );
    }
}
