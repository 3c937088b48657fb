//! Which provider serves, and when none does.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tamis_sim::Sim;

use super::client::{Got, ask, structured};

async fn with_provider(sim: &Sim, model: &str, provider: Value) -> Got {
    let mut request = structured(model, false);
    request["provider"] = provider;
    ask(sim, &[], &request).await
}

/// The providers of twenty answers.
async fn served_by(model: &str, provider: Value) -> BTreeSet<String> {
    let sim = Sim::builder().seed(3).start().await.unwrap();
    let mut served = BTreeSet::new();
    for _ in 0..20 {
        let body = with_provider(&sim, model, provider.clone()).await.json();
        served.insert(
            body["provider"]
                .as_str()
                .unwrap_or_else(|| panic!("{body}"))
                .to_owned(),
        );
    }
    served
}

#[tokio::test]
async fn the_lottery_and_its_limits() {
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>()
    };
    let all = set(&["Basalt", "Granite", "Pumice"]);
    for (provider, expected) in [
        (Value::Null, all.clone()),
        (json!({}), all.clone()),
        (
            json!({"require_parameters": true, "allow_fallbacks": true}),
            all,
        ),
        (json!({"only": ["pumice"]}), set(&["Pumice"])),
        (
            json!({"only": ["Pumice", "granite/fp8"]}),
            set(&["Granite", "Pumice"]),
        ),
        (json!({"ignore": ["granite"]}), set(&["Basalt", "Pumice"])),
        (json!({"order": ["basalt"]}), set(&["Basalt"])),
        (
            json!({"order": ["nobody", "pumice", "basalt"]}),
            set(&["Pumice"]),
        ),
        (
            json!({"order": ["pumice"], "allow_fallbacks": false}),
            set(&["Pumice"]),
        ),
        (
            json!({"order": ["pumice"], "ignore": ["pumice"]}),
            set(&["Basalt", "Granite"]),
        ),
        (json!({"sort": "price"}), set(&["Pumice"])),
    ] {
        assert_eq!(
            served_by("sim/lottery", provider.clone()).await,
            expected,
            "{provider}"
        );
    }
}

#[tokio::test]
async fn nobody_left_is_404() {
    let sim = Sim::builder().start().await.unwrap();
    for (model, provider, words) in [
        (
            "sim/steady",
            json!({"only": ["nobody"]}),
            "No allowed providers",
        ),
        (
            "sim/steady",
            json!({"ignore": ["granite", "basalt", "pumice"]}),
            "No allowed providers",
        ),
        (
            "sim/steady",
            json!({"order": ["nobody"], "allow_fallbacks": false}),
            "No allowed providers",
        ),
        (
            "sim/unsupported",
            json!({"require_parameters": true}),
            "No endpoints found that can handle",
        ),
    ] {
        let got = with_provider(&sim, model, provider.clone()).await;
        assert_eq!(got.status, Some(404), "{provider}");
        let error = &got.json()["error"];
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
        assert_eq!(error["metadata"]["error_type"], "not_found");
        assert_eq!(error["availability"]["retryable"], false);
    }
}

#[tokio::test]
async fn unsupported_parameters_are_ignored_unless_required() {
    let sim = Sim::builder().start().await.unwrap();
    let body = ask(&sim, &[], &structured("sim/unsupported", false))
        .await
        .json();
    let text = body["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
}

#[tokio::test]
async fn the_lottery_is_a_lottery() {
    let sim = Sim::builder().seed(5).start().await.unwrap();
    let (mut native, mut others) = ((0, 0), (0, 0));
    for _ in 0..80 {
        let body = ask(&sim, &[], &structured("sim/lottery", false))
            .await
            .json();
        let text = body["choices"][0]["message"]["content"]
            .as_str()
            .unwrap_or_default();
        let value = serde_json::from_str(text).unwrap_or(Value::Null);
        let good = jsonschema::is_valid(&super::client::schema(), &value);
        let count = if body["provider"] == "Granite" {
            &mut native
        } else {
            &mut others
        };
        count.0 += u32::from(good);
        count.1 += 1;
    }
    assert!(native.1 > 20 && native.0 == native.1, "{native:?}");
    assert!(
        others.1 > 20 && others.0 < others.1 && others.0 > 0,
        "{others:?}"
    );
}

#[tokio::test]
async fn providers_get_only_json_wrong() {
    let sim = Sim::builder().seed(5).start().await.unwrap();
    for _ in 0..40 {
        let body = ask(&sim, &[], &super::client::plain("sim/lottery"))
            .await
            .json();
        let text = body["choices"][0]["message"]["content"].as_str().unwrap();
        assert!(!text.contains(['{', '[', '`']), "{text}");
    }
}
