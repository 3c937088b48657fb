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
    let (figure, unit) = scaled(milliseconds, milliseconds);
    format!("{figure} {unit}")
}

/// Two times in the unit of the second, which is no shorter.
pub(super) fn times(first: f64, second: f64) -> String {
    let ((first, _), (second, unit)) = (scaled(first, second), scaled(second, second));
    format!("{first}/{second} {unit}")
}

/// A time in the unit, and with the digits, that suit another.
fn scaled(milliseconds: f64, like: f64) -> (String, &'static str) {
    if like >= 10_000.0 {
        (format!("{:.1}", milliseconds / 1000.0), "s")
    } else if like >= 10.0 {
        (format!("{milliseconds:.0}"), "ms")
    } else {
        (format!("{milliseconds:.1}"), "ms")
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
    use super::{cost, count, share, time, times};

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
        assert_eq!(times(1.24, 8.0), "1.2/8.0 ms");
        assert_eq!(times(9.4, 812.6), "9/813 ms");
        assert_eq!(times(900.0, 12_340.0), "0.9/12.3 s");
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
