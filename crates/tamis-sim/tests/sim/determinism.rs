//! What an answer depends on, and what it does not.

use serde_json::Value;
use tamis_sim::Sim;

use super::client::{ask, structured};

async fn contents(seed: u64, model: &str, header: &[(&str, &str)], count: usize) -> Vec<Value> {
    let sim = Sim::builder().seed(seed).start().await.unwrap();
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(ask(&sim, header, &structured(model, false)).await.json());
    }
    all
}

#[tokio::test]
async fn the_nth_request_for_a_model_depends_on_the_seed_and_nothing_else() {
    let one = contents(7, "sim/lottery", &[], 20).await;
    assert_eq!(one, contents(7, "sim/lottery", &[], 20).await);
    assert_ne!(one, contents(8, "sim/lottery", &[], 20).await);

    // Requests for other models in between change nothing.
    let sim = Sim::builder().seed(7).start().await.unwrap();
    for answer in &one {
        ask(&sim, &[], &structured("sim/steady", false)).await;
        assert_eq!(
            *answer,
            ask(&sim, &[], &structured("sim/lottery", false))
                .await
                .json()
        );
    }
}

#[tokio::test]
async fn a_key_takes_the_numbers_place() {
    let sim = Sim::builder().seed(7).start().await.unwrap();
    let say = async |key: &str| {
        let got = ask(
            &sim,
            &[("x-tamis-key", key)],
            &structured("sim/lottery", false),
        )
        .await;
        let body = got.json();
        (body["provider"].clone(), body["choices"].clone())
    };
    let first = say("a").await;
    assert_ne!(say("b").await, first);
    assert_eq!(say("a").await, first);
}

#[tokio::test]
async fn concurrent_requests_get_the_same_set_of_answers() {
    let mut alone: Vec<String> = contents(7, "sim/lottery", &[], 24)
        .await
        .iter()
        .map(Value::to_string)
        .collect();
    let sim = Sim::builder().seed(7).start().await.unwrap();
    let request = structured("sim/lottery", false);
    let asks = (0..24).map(|_| ask(&sim, &[], &request));
    let mut together: Vec<String> = futures_util::future::join_all(asks)
        .await
        .iter()
        .map(|got| got.json().to_string())
        .collect();
    alone.sort();
    together.sort();
    assert_eq!(alone, together);
}

#[tokio::test]
async fn probabilities_counts_and_lists() {
    let fenced = |answers: &[Value]| {
        let is_fenced = |body: &&Value| {
            let text = body["choices"][0]["message"]["content"].as_str();
            text.is_some_and(|text| text.starts_with("```"))
        };
        answers.iter().filter(is_fenced).count()
    };
    let by_header = contents(1, "sim/steady", &[("x-tamis-fault", "fenced=0.3")], 100).await;
    assert!(
        (15..45).contains(&fenced(&by_header)),
        "{}",
        fenced(&by_header)
    );
    let by_model = contents(1, "sim/fenced:0.3", &[], 100).await;
    assert!(
        (15..45).contains(&fenced(&by_model)),
        "{}",
        fenced(&by_model)
    );
    let first_two = contents(1, "sim/steady", &[("x-tamis-fault", "fenced*2")], 5).await;
    assert_eq!((fenced(&first_two[..2]), fenced(&first_two[2..])), (2, 0));
    let first_wins = contents(
        1,
        "sim/trivial-answer",
        &[("x-tamis-fault", "refusal=0,fenced,prose-only")],
        3,
    )
    .await;
    assert_eq!(fenced(&first_wins), 3);
}
