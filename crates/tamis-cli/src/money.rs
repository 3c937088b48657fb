//! Prices and amounts for people.

use tamis::catalogue::{Decimal, Usd};

use crate::table::NOTHING;

/// A price for one as a price for a million.
pub(crate) fn per_million(price: Option<&Usd>) -> String {
    match price.and_then(Usd::per_million) {
        None => NOTHING.to_owned(),
        // A router's price depends on the model that it picks.
        Some(price) if price < Decimal::ZERO => "varies".to_owned(),
        Some(price) => dollars(price),
    }
}

/// An amount, with two digits after the point and more where they are needed.
pub(crate) fn dollars(amount: Decimal) -> String {
    let sign = if amount < Decimal::ZERO { "-" } else { "" };
    let mut text = amount.abs().normalize().to_string();
    match text.split_once('.').map(|(_, digits)| digits.len()) {
        None => text.push_str(".00"),
        Some(1) => text.push('0'),
        Some(_) => {}
    }
    format!("{sign}${text}")
}

/// An amount, where there is one.
pub(crate) fn amount(amount: Option<&Usd>) -> Option<String> {
    amount.map(|amount| dollars(amount.amount()))
}

#[cfg(test)]
mod tests {
    use tamis::catalogue::Decimal;

    use super::dollars;

    #[test]
    fn amounts() {
        for (amount, text) in [
            (Decimal::new(5, 1), "$0.50"),
            (Decimal::new(25_000, 4), "$2.50"),
            (Decimal::new(125, 3), "$0.125"),
            (Decimal::new(-3, 0), "-$3.00"),
            (Decimal::ZERO, "$0.00"),
            (Decimal::new(1, 9), "$0.000000001"),
        ] {
            assert_eq!(dollars(amount), text);
        }
    }
}
