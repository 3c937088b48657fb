//! Routing preferences.

use serde_json::{Map, Value};

use super::super::ProviderPreferences;
use super::values::{Checked, Kind, check_all, get, in_range, object, price, refuse};

const FIELDS: &[(&str, Kind)] = &[
    ("order", Kind::Texts),
    ("only", Kind::Texts),
    ("ignore", Kind::Texts),
    ("allow_fallbacks", Kind::Truth),
    ("require_parameters", Kind::Truth),
    ("data_collection", Kind::Text),
    ("zdr", Kind::Truth),
    ("enforce_distillable_text", Kind::Truth),
    ("quantizations", Kind::Texts),
    ("options", Kind::Object),
];

impl ProviderPreferences {
    /// Checks what is documented of each field; all requests have the same preferences.
    pub(crate) fn check(&self) -> Checked {
        check(&serde_json::to_value(self).unwrap_or_default())
    }
}

pub(super) fn check(provider: &Value) -> Checked {
    let provider = object("provider", provider)?;
    check_all("provider", provider, FIELDS)?;
    match get(provider, "sort") {
        None | Some(Value::String(_)) => {}
        Some(Value::Object(sort)) => {
            let fields = [("by", Kind::Text), ("partition", Kind::Text)];
            check_all("provider.sort", sort, &fields)?;
        }
        Some(_) => return refuse("provider.sort: neither a word nor an object"),
    }
    if let Some(prices) = get(provider, "max_price") {
        for (what, value) in object("provider.max_price", prices)? {
            price(&format!("provider.max_price.{what}"), value)?;
        }
    }
    check_cutoff(provider, "preferred_min_throughput")?;
    check_cutoff(provider, "preferred_max_latency")
}

/// A number of 0 or more, or one for each of some percentiles.
fn check_cutoff(provider: &Map<String, Value>, name: &str) -> Checked {
    let path = format!("provider.{name}");
    match get(provider, name) {
        None => Ok(()),
        Some(Value::Object(percentiles)) => percentiles
            .iter()
            .filter(|(_, limit)| !limit.is_null())
            .try_for_each(|(percentile, limit)| {
                in_range(
                    &format!("{path}.{percentile}"),
                    limit,
                    &(0.0..=f64::INFINITY),
                )
            }),
        Some(limit) => in_range(&path, limit, &(0.0..=f64::INFINITY)),
    }
}
