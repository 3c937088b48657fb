//! Every fault of the simulator, and what the smoke test calls it.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::time::Duration;

use tamis_sim::{Fault, Sim};
use tamis_smoke::{Plan, Report, run};

async fn sim() -> (Sim, tamis::Client) {
    let sim = Sim::builder()
        .seed(5)
        .pace(Duration::ZERO)
        .drip(Duration::from_millis(1))
        .beat(Duration::from_millis(20))
        .start()
        .await
        .unwrap();
    let client = tamis::Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .timeout(Duration::from_secs(5))
        .first_byte_timeout(Duration::from_millis(500))
        .stall_timeout(Duration::from_millis(300))
        .build()
        .unwrap();
    (sim, client)
}

async fn smoke(client: &tamis::Client, model: &str, stream: bool) -> Report {
    let plan = Plan::example()
        .model(model)
        .unwrap()
        .requests(1)
        .unwrap()
        .stream(stream)
        .lookup(Duration::from_millis(200));
    run(client, &plan, |_| {}, std::future::pending())
        .await
        .unwrap()
}

#[tokio::test]
async fn show() {
    let (_sim, client) = sim().await;
    for fault in Fault::all() {
        let mut line = format!("{:30}", fault.name());
        for stream in [false, true] {
            let report = smoke(&client, &format!("sim/{}", fault.name()), stream).await;
            let sample = report.samples().next().unwrap().clone();
            let found = sample.finding.as_ref().map_or("-", |f| f.problem.name());
            line += &format!(" {:20} {:8} {:?}", found, sample.provider.unwrap_or_default(), sample.finding.map(|f|f.detail).unwrap_or_default().chars().take(40).collect::<String>());
        }
        eprintln!("{line}");
    }
}
