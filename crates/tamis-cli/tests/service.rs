//! `tamis models`, `endpoints`, `key`, `credits` and `generation`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::{Ran, Tamis};
use serde_json::{Value, json};
use tamis::Client;
use tamis_sim::{Builder, Sim};
use tokio::runtime::Runtime;

/// A simulator that outlives a command.
struct Server {
    runtime: Runtime,
    sim: Sim,
}

impl Server {
    fn start(builder: Builder) -> Self {
        let runtime = Runtime::new().unwrap();
        let sim = runtime.block_on(builder.start()).unwrap();
        Self { runtime, sim }
    }

    fn run(&self, args: &str) -> Ran {
        Tamis::new(args)
            .var("TAMIS_BASE_URL", &self.sim.base_url())
            .var("TAMIS_API_KEY", "sk-of-the-tests")
            .run()
    }

    /// The id of a generation.
    fn generate(&self) -> String {
        let client = Client::builder()
            .base_url(self.sim.base_url())
            .build()
            .unwrap();
        let chat = client.chat("sim/steady").user("Hello");
        self.runtime.block_on(chat.send()).unwrap().id.unwrap()
    }
}

fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn tables() {
    for (name, args) in [
        ("models", "models --sim --limit 6"),
        ("models_structured", "models STEADY --sim --structured"),
        ("models_embeddings", "models --sim --output embeddings"),
        (
            "models_cheapest",
            "models --sim --sort pricing-low-to-high --limit 3",
        ),
        ("endpoints", "endpoints --sim sim/lottery"),
        ("endpoints_by_alias", "endpoints --sim ~sim/steady-latest"),
        (
            "endpoints_structured",
            "endpoints --sim sim/hint-only --structured",
        ),
        ("key", "key --sim"),
        ("credits", "credits --sim"),
    ] {
        let ran = Tamis::new(args).run();
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
        insta::assert_snapshot!(name, ran.shown());
    }
}

#[test]
fn nothing_of_the_kind() {
    for (name, args, code) in [
        ("no_model", "models --sim nothing-like-it", 1),
        ("no_such_model", "endpoints --sim unknown/model", 1),
        (
            "no_structured_endpoint",
            "endpoints --sim sim/unsupported --structured",
            1,
        ),
        ("no_model_id", "endpoints --sim gpt-4o", 2),
        ("no_such_page", "models --sim --limit 1001", 2),
        ("no_generation", "generation --sim gen-none --wait 10ms", 4),
        (
            "no_generation_json",
            "generation --sim gen-none --wait 10ms --format json",
            4,
        ),
    ] {
        let ran = Tamis::new(args).run();
        assert_eq!(ran.code, Some(code), "{}", ran.shown());
        insta::assert_snapshot!(name, ran.shown());
    }
    let ran = Tamis::new("generation --sim --wait 10ms").arg(" ").run();
    assert_eq!(ran.code, Some(2), "{}", ran.shown());
}

#[test]
fn json_is_what_the_server_sent() {
    let models = Tamis::new("models --sim --format json --limit 7").run();
    let models = lines(&models);
    assert_eq!(models.len(), 7);
    assert_eq!(models[0]["per_request_limits"], Value::Null);
    assert!(
        models[0]
            .as_object()
            .unwrap()
            .contains_key("per_request_limits")
    );
    assert_eq!(models[0]["pricing"]["prompt"], "0.0000002000");

    let endpoints = lines(&Tamis::new("endpoints --sim sim/lottery --format json").run());
    let tags: Vec<&Value> = endpoints.iter().map(|endpoint| &endpoint["tag"]).collect();
    assert_eq!(tags, ["granite", "basalt", "pumice"]);
    assert_eq!(endpoints[0]["latency_last_30m"]["p50"], 420.0);

    let key = Tamis::new("key --sim --format json").run().json();
    assert_eq!(key["rate_limit"]["requests"], -1);
    let credits = Tamis::new("credits --sim --format json").run().json();
    assert_eq!(
        credits,
        json!({"total_credits": 100.0, "total_usage": 0.0, "remaining": "100"})
    );
}

#[test]
fn a_generation_is_waited_for() {
    let server = Server::start(Sim::builder().seed(3).generation_lag(1));
    let id = server.generate();
    let ran = server.run(&format!("generation {id}"));
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
    insta::assert_snapshot!("generation", ran.shown().replace(&id, "gen-ID"));
    let found = server.run(&format!("generation {id} --format json")).json();
    assert_eq!(found["found"], true);
    assert_eq!(found["generation"]["id"], id);
    assert!(
        found["generation"]
            .as_object()
            .unwrap()
            .contains_key("router")
    );
}

#[test]
fn what_a_service_fails_with() {
    for command in ["models", "endpoints sim/steady", "key", "credits"] {
        for (fault, code) in [
            ("unauthorized", 3),
            ("permission-denied", 3),
            ("zod-error", 3),
            ("http-503", 4),
            ("rate-limited", 4),
            ("error-envelope", 4),
            ("data-missing", 4),
            ("data-as-text", 4),
            ("html-success", 4),
            ("connection-reset", 4),
        ] {
            let ran = Tamis::new(command)
                .args("--sim --retries 0 --header")
                .arg(format!("x-tamis-fault: {fault}"))
                .run();
            assert_eq!(ran.code, Some(code), "{fault} {}", ran.shown());
            assert_eq!(ran.stdout, "", "{fault} {}", ran.shown());
            assert!(ran.stderr.contains("error: "), "{fault} {}", ran.shown());
        }
    }
    let server = Server::start(Sim::builder().require_key("sk-another"));
    let ran = server.run("credits");
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!("the_wrong_key", ran.shown());
    // The catalogue is public.
    assert_eq!(server.run("models --openrouter --limit 1").code, Some(0));
}

#[test]
fn on_another_server() {
    let server = Server::start(Sim::builder());
    let ran = server.run("models STEADY --limit 1");
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
    let paths: Vec<String> = server
        .sim
        .requests()
        .into_iter()
        .map(|request| request.path)
        .collect();
    assert_eq!(paths, ["/api/v1/models"]);
    for flag in ["--structured", "--output all", "--sort newest"] {
        let ran = server.run(&format!("models {flag}"));
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
    }
    let key = server.run("key");
    assert_eq!(key.code, Some(0), "{}", key.shown());
    // Without a key or a server there is nobody to ask for an account.
    for command in ["key", "credits", "generation gen-1"] {
        let ran = Tamis::new(command).run();
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert!(ran.stderr.contains("no API key and no server"));
    }
}
