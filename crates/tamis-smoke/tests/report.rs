//! The JSON report's form, and the text.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use tamis_sim::Sim;
use tamis_smoke::{Expectation, Plan, Report, Text, Truth};

async fn report() -> Report {
    let sim = Sim::builder().seed(4).start().await.unwrap();
    let client = tamis::Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .build()
        .unwrap();
    let expected = Expectation::new(json!({"customer": {}}));
    let plan = Plan::example()
        .model("sim/lottery")
        .unwrap()
        .model("sim/rate-limited-seconds*1")
        .unwrap()
        .requests(6)
        .unwrap()
        .concurrency(1)
        .stream(true)
        .pin(true)
        .truth(Truth::Expect(expected))
        .simulated(true)
        .server("the simulator");
    tamis_smoke::run(&client, &plan, |_| {}, std::future::pending())
        .await
        .unwrap()
}

/// Replaces what changes from one day to the next.
fn redact(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if key.ends_with("_ms") && value.is_number() {
                    *value = json!("[time]");
                } else {
                    redact(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        _ => {}
    }
}

#[tokio::test]
async fn the_json_form() {
    let mut value = serde_json::to_value(report().await).unwrap();
    redact(&mut value);
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
}

#[tokio::test]
async fn the_text_keeps_to_the_width_and_says_that_it_is_simulated() {
    let report = report().await;
    let text = Text::new(&report).width(80).to_string();
    assert!(text.starts_with("SIMULATED"));
    for line in text.lines().filter(|line| line.contains('─')) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(text.contains("sim/lottery: SWITCH"), "{text}");
    assert!(text.contains("rate-limited ×1"), "{text}");
}
