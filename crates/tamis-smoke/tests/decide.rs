//! Whole smoke tests against the simulator: attribution, decision, pin, saving, ending early.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::time::Duration;

use serde_json::{Value, json};
use tamis_sim::Sim;
use tamis_smoke::{
    Attribution, Conclusion, Expectation, Judge, Plan, Problem, Report, Truth, Verdict,
};

async fn sim() -> Sim {
    Sim::builder().seed(11).start().await.unwrap()
}

fn client(sim: &Sim) -> tamis::Client {
    tamis::Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .timeout(Duration::from_secs(10))
        .build()
        .unwrap()
}

fn plan(model: &str) -> Plan {
    Plan::example().model(model).unwrap().simulated(true)
}

async fn run(sim: &Sim, plan: &Plan) -> Report {
    tamis_smoke::run(&client(sim), plan, |_| {}, std::future::pending())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_lottery_is_pinned() {
    let sim = sim().await;
    let report = run(
        &sim,
        &plan("sim/lottery")
            .requests(30)
            .unwrap()
            .threshold(0.95)
            .unwrap(),
    )
    .await;
    let decision = &report.models[0].decision;
    assert_eq!(decision.verdict, Verdict::Pin, "{:?}", decision.reasons);
    assert_eq!(decision.provider.as_deref(), Some("Granite"));
    assert!(!report.holds && report.simulated);
    assert_eq!(report.conclusion(), Conclusion::Below);
    let rows = &report.models[0].runs[0].providers;
    assert_eq!(rows.len(), 3);
    assert_eq!(rows.iter().map(|row| row.requests).sum::<u32>(), 30);
    let all_named = report
        .samples()
        .all(|sample| sample.attribution == Attribution::Body);
    assert!(all_named);
    let sent = sim.requests()[0].body.clone().unwrap();
    assert_eq!(sent["provider"], json!({"require_parameters": true}));
    assert_eq!(sent["response_format"]["json_schema"]["strict"], true);
}

#[tokio::test]
async fn ten_of_ten_from_several_providers_is_a_lottery_too() {
    let sim = sim().await;
    let report = run(&sim, &plan("sim/steady")).await;
    let decision = &report.models[0].decision;
    assert_eq!((decision.passed, decision.verdict), (10, Verdict::Pin));
    assert!(report.holds);
    assert_eq!(report.conclusion(), Conclusion::Holds);
}

#[tokio::test]
async fn what_passes_after_repair_passes_and_is_told() {
    let sim = sim().await;
    let report = run(&sim, &plan("sim/fenced:0.5").requests(20).unwrap()).await;
    let (total, decision) = (&report.models[0].runs[0].total, &report.models[0].decision);
    assert_eq!((total.parses, total.conforms, total.passed), (20, 20, 20));
    assert!((1..20).contains(&total.parses_as_sent));
    let mended = 20 - total.parses_as_sent;
    assert_eq!(
        (total.passed_after_repair, total.problems[&Problem::Fenced]),
        (mended, mended)
    );
    assert_eq!(decision.passed_after_repair, mended);
    assert!(report.holds, "{:?}", decision.reasons);
    assert!(
        decision.reasons[1].contains("only after repair"),
        "{:?}",
        decision.reasons
    );
    for sample in report.samples() {
        assert_eq!(sample.repairs.is_empty(), sample.bars.parses_as_sent);
        assert_eq!(sample.finding.is_some(), sample.passed_after_repair());
    }
    let text = tamis_smoke::Text::new(&report).to_string();
    let figures = format!("{}+{mended}/20", total.parses_as_sent);
    assert!(text.contains(&format!("parses {figures}: ")), "{text}");
    let all_as_sent = run(&sim, &plan("sim/steady").requests(3).unwrap()).await;
    let text = tamis_smoke::Text::new(&all_as_sent).to_string();
    assert!(!text.contains("repair"), "{text}");
}

#[tokio::test]
async fn with_a_pin_the_second_run_decides() {
    let sim = sim().await;
    // Enough that no provider but the best gets through without a fault: equals are told apart by
    // their latency, which the machine decides.
    let plan = plan("sim/lottery").requests(30).unwrap().pin(true);
    let report = run(&sim, &plan).await;
    let model = &report.models[0];
    assert_eq!(model.runs.len(), 2);
    assert_eq!(model.runs[1].pinned.as_deref(), Some("Granite"));
    assert_eq!(model.decision.verdict, Verdict::Ship);
    assert_eq!(
        model.decision.provider_block,
        Some(json!({"order": ["Granite"], "allow_fallbacks": false}))
    );
    assert_eq!(report.conclusion(), Conclusion::Holds);
    let requests = sim.requests();
    let last = requests.last().unwrap().body.clone().unwrap();
    assert_eq!(last["provider"]["order"], json!(["Granite"]));
    assert_eq!(last["provider"]["allow_fallbacks"], false);
}

#[tokio::test]
async fn a_pin_on_the_way_may_fail() {
    let sim = sim().await;
    let report = run(
        &sim,
        &plan("sim/hint-only")
            .requests(60)
            .unwrap()
            .threshold(0.95)
            .unwrap(),
    )
    .await;
    assert_eq!(report.models[0].decision.verdict, Verdict::Switch);
    let report = run(&sim, &plan("sim/unsupported")).await;
    let run = &report.models[0].runs[0];
    assert_eq!(run.total.problems[&Problem::Unsupported], 10);
    assert_eq!(report.models[0].decision.verdict, Verdict::Switch);
    assert_eq!(report.conclusion(), Conclusion::Permanent);
}

#[tokio::test]
async fn a_stream_tells_the_time_to_the_first_token() {
    let sim = sim().await;
    let report = run(&sim, &plan("sim/steady").stream(true)).await;
    let total = &report.models[0].runs[0].total;
    let (first, whole) = (total.first_token.unwrap(), total.latency.unwrap());
    assert!(first.p50_ms <= whole.p50_ms);
    assert!(total.completion_tokens.unwrap() > 0 && total.cost.unwrap() > 0.0);
}

#[tokio::test]
async fn a_third_bar() {
    let sim = sim().await;
    let expect = |value| Truth::Expect(Expectation::new(value));
    let right = run(
        &sim,
        &plan("sim/steady").truth(expect(json!({"customer": {}}))),
    )
    .await;
    assert_eq!(right.models[0].runs[0].total.right, Some(10));
    let wrong = run(
        &sim,
        &plan("sim/steady").truth(expect(json!({"summary": 7}))),
    )
    .await;
    let total = &wrong.models[0].runs[0].total;
    assert_eq!((total.conforms, total.right), (10, Some(0)));
    assert_eq!(total.problems[&Problem::Wrong], 10);
    assert_eq!(wrong.conclusion(), Conclusion::Below);
}

#[cfg(unix)]
#[tokio::test]
async fn a_judge_decides_or_is_unfit() {
    let sim = sim().await;
    let judged = |command: &str| plan("sim/steady").truth(Truth::Judge(Judge::new(command)));
    let report = run(&sim, &judged("grep -q customer")).await;
    assert_eq!(report.models[0].runs[0].total.right, Some(10));
    let unfit = judged("/nowhere/judge");
    let error = tamis_smoke::run(&client(&sim), &unfit, |_| {}, std::future::pending()).await;
    assert!(error.unwrap_err().to_string().contains("judge"));
}

#[tokio::test]
async fn what_cannot_be_sent_is_an_error_and_no_finding() {
    let sim = sim().await;
    let schemas = [json!({"type": "wibble"}), json!({"type": "object"})];
    let names = ["fine", "no spaces allowed"];
    for (schema, name) in schemas.into_iter().zip(names) {
        let plan = Plan::prompt("Hi", name, schema)
            .model("sim/steady")
            .unwrap();
        let result = tamis_smoke::run(&client(&sim), &plan, |_| {}, std::future::pending()).await;
        assert!(result.is_err(), "{name}");
    }
    let nobody = Plan::example();
    let result = tamis_smoke::run(&client(&sim), &nobody, |_| {}, std::future::pending()).await;
    assert!(result.is_err());
    assert!(sim.requests().is_empty());
}

#[tokio::test]
async fn nobody_there_is_transient_and_a_refused_key_is_permanent() {
    let closed = tamis::Client::builder()
        .base_url("http://127.0.0.1:9/v1")
        .build()
        .unwrap();
    let plan = plan("sim/steady").requests(2).unwrap();
    let report = tamis_smoke::run(&closed, &plan, |_| {}, std::future::pending())
        .await
        .unwrap();
    assert_eq!(report.conclusion(), Conclusion::Transient);
    assert_eq!(
        report.models[0].runs[0].total.problems[&Problem::Network],
        2
    );
    let guarded = Sim::builder().require_key("right").start().await.unwrap();
    let report = run(&guarded, &plan).await;
    assert_eq!(report.conclusion(), Conclusion::Permanent);
    assert_eq!(
        report.models[0].runs[0].total.problems[&Problem::Authentication],
        2
    );
}

#[tokio::test]
async fn retries_only_where_asked_for() {
    let sim = sim().await;
    let once = plan("sim/http-529*1").requests(1).unwrap();
    let report = run(&sim, &once).await;
    assert_eq!(report.models[0].runs[0].total.passed, 0);
    let again = plan("sim/http-500*1").requests(1).unwrap().retries(1);
    let report = run(&sim, &again).await;
    assert_eq!(report.samples().next().unwrap().attempts, 2);
}

#[tokio::test]
async fn every_raw_response_is_saved_and_none_is_overwritten() {
    let sim = sim().await;
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("raw");
    let saving = plan("sim/fenced").requests(3).unwrap().save(&target);
    run(&sim, &saving).await;
    let body = std::fs::read(target.join("1-sim_fenced/002.json")).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let content = body["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(content.starts_with("```"));
    let index = std::fs::read_to_string(target.join("index.jsonl")).unwrap();
    assert_eq!(index.lines().count(), 3);
    for line in index.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["status"], 200);
        assert_eq!(line["sample"]["problem"], "fenced");
        assert!(target.join(line["file"].as_str().unwrap()).is_file());
    }
    let again = tamis_smoke::run(&client(&sim), &saving, |_| {}, std::future::pending()).await;
    assert!(again.is_err());
}

#[tokio::test]
async fn ended_early_it_has_what_was_measured() {
    let sim = sim().await;
    let plan = plan("sim/steady").requests(50).unwrap().concurrency(1);
    let (tell, told) = tokio::sync::oneshot::channel();
    let mut tell = Some(tell);
    let report = tamis_smoke::run(
        &client(&sim),
        &plan,
        |progress| {
            if progress.done == 3
                && let Some(tell) = tell.take()
            {
                tell.send(()).unwrap();
            }
        },
        async {
            told.await.unwrap();
        },
    )
    .await
    .unwrap();
    assert_eq!(report.samples().count(), 3);
    assert_eq!(report.models[0].decision.verdict, Verdict::Undecided);
    assert_eq!(report.conclusion(), Conclusion::Interrupted);
}
