//! Every fault of the simulator, and what Responses and Messages make of it.
//!
//! The kinds are those of chat completions, which `faults.rs` has; where one differs, it is here with the
//! reason.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use serde_json::json;
use tamis::{Client, Failure, RetryPolicy};
use tamis_sim::{Fault, Sim};


#[tokio::test]
async fn print() {
    let sim = Sim::builder()
        .seed(7)
        .hang(Duration::from_secs(30))
        .drip(Duration::from_millis(2))
        .start()
        .await
        .unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .stall_timeout(Duration::from_millis(700))
        .first_byte_timeout(Duration::from_secs(1))
        .retry(RetryPolicy::none())
        .build()
        .unwrap();
    for fault in Fault::all() {
        let name = fault.name();
        let r = || client.responses(format!("sim/{name}")).user("Go.").json_schema("x", schema());
        let m = || client.messages(format!("sim/{name}")).user("Go.").json_schema(schema());
        let row = [
            kind(r().answer().await),
            match r().stream().await { Ok(s) => kind(s.answer().await), Err(e) => e.kind().as_str() },
            kind(m().answer().await),
            match m().stream().await { Ok(s) => kind(s.answer().await), Err(e) => e.kind().as_str() },
        ];
        println!("    ({name:?}, {row:?}),");
    }
}

fn schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {"size": {"enum": ["small", "large"]}, "count": {"type": "integer"}},
        "required": ["size", "count"],
        "additionalProperties": false,
    })
}

fn kind<T>(result: Result<T, Failure>) -> &'static str {
    match result {
        Ok(_) => "-",
        Err(failure) => failure.kind().as_str(),
    }
}
