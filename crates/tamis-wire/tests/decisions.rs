//! Decisions: what is read as one, and what never is.
#![expect(
    clippy::too_many_lines,
    reason = "a table is as long as its rows are many"
)]

use proptest::prelude::*;
use serde_json::{Value, json};
use tamis_wire::FailureKind;
use tamis_wire::decision::{Decision, DecisionRequest, DecisionResponse, Question};

fn request() -> DecisionRequest {
    DecisionRequest::new("typesafe/jev-1.14", "The parcel arrived crushed.")
        .question("refund", Question::yes_no("Does the writer ask for money?"))
        .question(
            "queue",
            Question::choice("Who takes it?", ["shipping", "billing", "other"]),
        )
        .question(
            "anger",
            Question::score("How angry?", ["calm", "annoyed", "furious"]),
        )
        .question("dog", Question::locate("the dog"))
        .question(
            "order",
            Question::other("rank", "Which first?", serde_json::Map::new()),
        )
}

fn body() -> Value {
    json!({
        "id": "gen-dec-1796000000-abc",
        "model": "typesafe/jev-1.14-20261015",
        "provider": "TypeSafe",
        "answers": {
            "anger": {"type": "score", "score": 1.31, "confidence": 0.61,
                "legend": {"0": "calm", "1": "annoyed", "2": "furious"},
                "probabilities": {"2": 0.36, "0": 0.05, "1": 0.59}},
            "refund": {"type": "noul", "noul": 0.97, "confidence": null, "reasoned": true},
            "queue": {"type": "choice", "choice": "shipping", "confidence": 0.73,
                "probabilities": {"shipping": 0.82, "billing": 0.18, "other": 0}},
            "dog": {"type": "box", "box": {"top": 0.1, "bottom": 0.62, "left": 0.2, "right": 0.71}},
            "order": {"type": "rank", "ranks": [2, 1]},
            "unasked": "whatever",
        },
        "usage": {"input_tokens": 476, "output_tokens": 70, "cost": 0.000_019_992,
            "input_tokens_details": {"cached_tokens": null}, "truncated": false},
        "later": null,
    })
}

fn read(body: &Value) -> Result<Vec<(String, Decision)>, tamis_wire::Failure> {
    request().read(&DecisionResponse::read(body.to_string().as_bytes())?)
}

#[test]
fn every_type_is_read() {
    let decisions = read(&body()).unwrap();
    let ids: Vec<&str> = decisions.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["refund", "queue", "anger", "dog", "order"]);
    let refund = decisions[0].1.as_yes_no().unwrap();
    assert!(refund.yes);
    assert_eq!((refund.probability, refund.confidence), (Some(0.97), None));
    assert_eq!(refund.extra.get("reasoned"), Some(&json!(true)));
    let queue = decisions[1].1.as_choice().unwrap();
    assert_eq!(queue.option, "shipping");
    assert_eq!(queue.probability("billing"), Some(0.18));
    assert_eq!(queue.confidence, Some(0.73));
    let anger = decisions[2].1.as_score().unwrap();
    assert_eq!(anger.probabilities, [(0, 0.05), (1, 0.59), (2, 0.36)]);
    assert_eq!(anger.nearest(), Some((1, &json!("annoyed"))));
    let dog = decisions[3].1.as_location().unwrap();
    assert_eq!((dog.top, dog.right), (0.1, 0.71));
    let Decision::Other(order) = &decisions[4].1 else {
        panic!("{:?}", decisions[4])
    };
    assert_eq!(order.fields["ranks"], json!([2, 1]));
    // What is asked for and optional may be missing.
    let mut bare = body();
    bare["answers"]["queue"] = json!({"type": "choice", "choice": "other"});
    bare["answers"]["anger"] = json!({"type": "score", "score": 2});
    let decisions = read(&bare).unwrap();
    assert!(decisions[1].1.as_choice().unwrap().probabilities.is_empty());
    assert_eq!(decisions[2].1.as_score().unwrap().nearest().unwrap().0, 2);
}

#[test]
fn nothing_is_lost_and_nothing_is_printed() {
    let response = DecisionResponse::read(body().to_string().as_bytes()).unwrap();
    assert_eq!(serde_json::to_value(&response).unwrap(), body());
    assert_eq!(response.usage.as_ref().unwrap().input_tokens, Some(476));
    let printed = format!("{response:?} {:?} {:?}", read(&body()), request());
    for secret in ["shipping", "0.97", "crushed", "angry"] {
        assert!(!printed.contains(secret), "{printed}");
    }
}

#[test]
fn an_answer_that_was_not_asked_for_is_none() {
    let rows = [
        ("refund", json!(null), "no answer"),
        ("refund", json!("yes"), "not an object"),
        ("refund", json!({"noul": 0.5}), "no type"),
        ("refund", json!({"type": "refusal"}), "refusal"),
        ("refund", json!({"type": "the model said: no"}), "another"),
        (
            "refund",
            json!({"type": "choice", "choice": "yes"}),
            "choice",
        ),
        ("refund", json!({"type": "noul"}), "not a number"),
        (
            "refund",
            json!({"type": "noul", "noul": "0.5"}),
            "not a number",
        ),
        (
            "refund",
            json!({"type": "noul", "noul": 1.01}),
            "out of its range",
        ),
        (
            "refund",
            json!({"type": "noul", "noul": -0.01}),
            "out of its range",
        ),
        (
            "refund",
            json!({"type": "noul", "noul": 0.5, "confidence": 2}),
            "confidence",
        ),
        ("queue", json!({"type": "choice"}), "no option"),
        (
            "queue",
            json!({"type": "choice", "choice": "Shipping"}),
            "not asked for",
        ),
        (
            "queue",
            json!({"type": "choice", "choice": "other", "probabilities": {"fourth": 0.1}}),
            "not asked for",
        ),
        (
            "queue",
            json!({"type": "choice", "choice": "other", "probabilities": {"other": 1.2}}),
            "out of its range",
        ),
        (
            "queue",
            json!({"type": "choice", "choice": "other", "probabilities": {"other": 0.9, "billing": 0.9}}),
            "make 1",
        ),
        (
            "queue",
            json!({"type": "choice", "choice": "other", "probabilities": {"other": 0.1, "billing": 0.1, "shipping": 0.1}}),
            "make 1",
        ),
        (
            "queue",
            json!({"type": "choice", "choice": "other", "probabilities": [1]}),
            "not an object",
        ),
        ("anger", json!({"type": "score", "score": 2.01}), "0 to 2"),
        ("anger", json!({"type": "score", "score": -0.5}), "0 to 2"),
        (
            "anger",
            json!({"type": "score", "score": "1"}),
            "not a number",
        ),
        (
            "anger",
            json!({"type": "score", "score": 1, "probabilities": {"3": 0.1}}),
            "not asked for",
        ),
        (
            "anger",
            json!({"type": "score", "score": 1, "probabilities": {"01": 0.1}}),
            "not asked for",
        ),
        (
            "anger",
            json!({"type": "score", "score": 1, "legend": {"0": "furious", "2": "calm"}}),
            "another order",
        ),
        (
            "anger",
            json!({"type": "score", "score": 1, "legend": {"calm": "0"}}),
            "not asked for",
        ),
        (
            "anger",
            json!({"type": "score", "score": 1, "legend": "calm"}),
            "not an object",
        ),
        ("dog", json!({"type": "box"}), "no box"),
        (
            "dog",
            json!({"type": "box", "box": {"top": 0, "bottom": 1, "left": 0}}),
            "right",
        ),
        (
            "dog",
            json!({"type": "box", "box": {"top": 0.9, "bottom": 0.1, "left": 0, "right": 1}}),
            "wrong order",
        ),
        (
            "dog",
            json!({"type": "box", "box": {"top": 10, "bottom": 62, "left": 0, "right": 1}}),
            "out of its range",
        ),
        ("order", json!({"type": "noul", "noul": 1}), "rank"),
    ];
    for (id, answer, words) in rows {
        let mut body = body();
        body["answers"][id] = answer.clone();
        let failure = read(&body).unwrap_err();
        assert_eq!(failure.kind(), FailureKind::Malformed, "{answer}");
        let message = failure.message();
        assert!(
            message.contains(words) && message.contains(id),
            "{answer}: {message}"
        );
        assert!(!message.contains("the model said"));
        assert_eq!(failure.generation_id(), Some("gen-dec-1796000000-abc"));
    }
    let mut body = body();
    body["answers"].as_object_mut().unwrap().shift_remove("dog");
    assert!(read(&body).unwrap_err().message().contains("no answer"));
}

#[test]
fn what_is_only_rounded_is_let_through() {
    let mut body = body();
    // From the documentation: the score is of what was not rounded yet.
    body["answers"]["anger"] = json!({"type": "score", "score": 1.99, "confidence": 0.99,
        "probabilities": {"0": 0, "1": 0, "2": 1}, "legend": {"0": "calm", "1": "in other words"}});
    body["answers"]["queue"]["probabilities"] =
        json!({"shipping": 0.02, "billing": 0.93, "other": 0.04});
    // A confidence in words says nothing that is asked for.
    body["answers"]["queue"]["confidence"] = json!("high");
    let decisions = read(&body).unwrap();
    assert_eq!(decisions[1].1.as_choice().unwrap().confidence, None);
}

#[test]
fn what_is_no_response() {
    for (body, kind) in [
        ("", FailureKind::Malformed),
        ("null", FailureKind::Malformed),
        ("{}", FailureKind::Malformed),
        ("[]", FailureKind::Malformed),
        (r#"{"answers":{}}"#, FailureKind::Malformed),
        (r#"{"answers":[]}"#, FailureKind::Malformed),
        (
            r#"{"answers":{"q":{"type":"noul","noul":1e999}}}"#,
            FailureKind::Malformed,
        ),
        (
            r#"{"error":{"code":429,"message":"x"},"user_id":null}"#,
            FailureKind::RateLimited,
        ),
        (
            r#"{"error":{"message":"x"},"answers":{"q":{}}}"#,
            FailureKind::ProviderUnavailable,
        ),
    ] {
        let failure = DecisionResponse::read(body.as_bytes()).unwrap_err();
        assert_eq!(failure.kind(), kind, "{body}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3.0..3.0_f64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop_oneof![
            "calm", "shipping", "noul", "score", "choice", "box", ".{0,4}"
        ]
        .prop_map(Value::from),
    ];
    let keys = prop_oneof![
        "type",
        "noul",
        "choice",
        "score",
        "box",
        "probabilities",
        "legend",
        "confidence",
        "[0-3]",
        "shipping",
        "top",
        "bottom",
        "left",
        "right",
        ".{0,3}"
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_comes_is_sound_or_malformed(
        answers in prop::collection::vec((0_usize..5, any_json()), 0..4),
    ) {
        let mut body = body();
        for (place, answer) in answers {
            let id = request().questions[place].0.clone();
            // Half of the time it says what it should be.
            let mut answer = answer;
            if let Some(fields) = answer.as_object_mut() && fields.len() % 2 == 0 {
                fields.insert("type".into(), request().questions[place].1.type_name().into());
            }
            body["answers"][id] = answer;
        }
        let response = DecisionResponse::read(body.to_string().as_bytes()).unwrap();
        prop_assert_eq!(serde_json::to_value(&response).unwrap(), body);
        match request().read(&response) {
            Err(failure) => prop_assert_eq!(failure.kind(), FailureKind::Malformed),
            Ok(decisions) => {
                let share = 0.0..=1.0;
                prop_assert_eq!(decisions.len(), 5);
                prop_assert!(share.contains(&decisions[0].1.as_yes_no().unwrap().probability.unwrap()));
                let queue = decisions[1].1.as_choice().unwrap();
                prop_assert!(["shipping", "billing", "other"].contains(&queue.option.as_str()));
                prop_assert!(queue.probabilities.iter().all(|(_, p)| share.contains(p)));
                prop_assert!(decisions[2].1.as_score().unwrap().nearest().is_some());
                prop_assert!(decisions[3].1.as_location().unwrap().is_sound());
            }
        }
    }
}
