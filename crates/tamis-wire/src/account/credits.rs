//! An account's money.

use rust_decimal::Decimal;

use crate::record::record;
use crate::usd::Usd;

record! {
    /// What was bought and what was used, in US dollars.
    pub struct Credits {
        /// Bought so far.
        total_credits: Option<Usd>,
        /// Used so far.
        total_usage: Option<Usd>,
    }
}

impl Credits {
    /// What is left; below zero where more was used than bought.
    ///
    /// ```
    /// use tamis_wire::account::Credits;
    ///
    /// let credits: Credits = serde_json::from_str(r#"{"total_credits":10.1,"total_usage":9.8}"#)?;
    /// assert_eq!(credits.remaining().unwrap().to_string(), "0.3");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn remaining(&self) -> Option<Decimal> {
        let bought = self.total_credits.as_ref()?.amount();
        let used = self.total_usage.as_ref()?.amount();
        Some(bought.checked_sub(used)?.normalize())
    }
}
