//! Faults of the catalogue's and the account's calls: what comes is JSON, and not what was asked for.

use super::{Fault, Op, Reply};

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

macro_rules! instead {
    ($name:literal, $status:literal, $summary:literal, $body:literal) => {
        Fault::data(
            $name,
            $summary,
            &[Op::Instead(&Reply {
                status: $status,
                headers: JSON,
                body: $body,
            })],
        )
    };
}

pub(super) const TABLE: &[Fault] = &[
    instead!(
        "data-missing",
        200,
        "200 with an object that holds no data",
        "{}"
    ),
    instead!(
        "data-null",
        200,
        "200 with data that is null",
        r#"{"data":null}"#
    ),
    instead!(
        "data-empty",
        200,
        "200 with an empty list as the data",
        r#"{"data":[]}"#
    ),
    instead!(
        "data-as-text",
        200,
        "200 with text as the data",
        r#"{"data":"coming soon"}"#
    ),
    instead!(
        "data-of-strangers",
        200,
        "200 with a list whose entries are something else",
        r#"{"data":[{"object":"pebble"}]}"#
    ),
    instead!(
        "data-bare",
        200,
        "200 with an object that stands where its envelope should",
        r#"{"object":"pebble","weight":3}"#
    ),
    instead!(
        "zod-error",
        400,
        "400: a parameter is refused, in the other error shape, without a code",
        r#"{"success":false,"error":{"name":"ZodError","message":"[{\"code\":\"invalid_value\",\"path\":[\"sort\"],\"message\":\"Invalid option\"}]"}}"#
    ),
];
