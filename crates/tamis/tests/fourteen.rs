//! Fourteen things that streams do, none of which may end in a wrong answer, a lost error or a hang.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::{Duration, Instant};

use serde_json::json;
use tamis::wire::request::{FunctionTool, ToolChoice};
use tamis::{Client, Completion, ErrorType, Failure, FailureKind, FinishReason, RetryPolicy};
use tamis_sim::Sim;

struct Server {
    _sim: Sim,
    client: Client,
}

impl Server {
    async fn start() -> Self {
        let sim = Sim::builder()
            .seed(11)
            .hang(Duration::from_mins(1))
            .start()
            .await
            .unwrap();
        let client = Client::builder()
            .base_url(sim.base_url())
            .openrouter(true)
            .stall_timeout(Duration::from_millis(600))
            .retry(RetryPolicy::none())
            .build()
            .unwrap();
        Self { _sim: sim, client }
    }

    /// Streams an answer with a fault, chunk by chunk, and folds it.
    async fn stream(&self, fault: &str) -> Result<Completion, Failure> {
        let schema = json!({
            "type": "object",
            "properties": {"word": {"type": "string"}, "numbers": {"type": "array", "items": {"type": "integer"}, "minItems": 3}},
            "required": ["word", "numbers"],
            "additionalProperties": false,
        });
        let chat = self
            .client
            .chat("openai/gpt-4o")
            .user("Go.")
            .json_schema("x", schema);
        let mut stream = chat
            .header("x-tamis-fault", fault)
            .header("x-tamis-key", "same")
            .stream()
            .await?;
        while let Some(chunk) = stream.next().await {
            if chunk.is_err() {
                break;
            }
        }
        // Asking on after the end, or after an error, is harmless.
        assert!(stream.next().await.is_none());
        stream.finish().await
    }

    async fn whole(&self) -> Completion {
        self.stream("conforming").await.unwrap()
    }
}

/// The same answer as without the fault, to the letter.
async fn comes_out_whole(fault: &str) {
    let server = Server::start().await;
    let completion = server.stream(fault).await.unwrap();
    assert_eq!(completion.text(), server.whole().await.text(), "{fault}");
    completion.parse_json().unwrap();
}

async fn fails(fault: &str) -> Failure {
    let began = Instant::now();
    let failure = Server::start().await.stream(fault).await.unwrap_err();
    assert!(began.elapsed() < Duration::from_secs(5), "{fault}");
    assert!(
        failure
            .completion()
            .is_none_or(|partial| partial.parse_json().is_err()),
        "{fault}"
    );
    failure
}

#[tokio::test]
async fn one_an_ordinary_stream() {
    comes_out_whole("conforming").await;
}

#[tokio::test]
async fn two_a_clean_end_in_the_middle_of_an_answer() {
    let failure = fails("eof-mid-answer").await;
    assert_eq!(failure.kind(), FailureKind::Interrupted);
    assert!(!failure.completion().unwrap().text().unwrap().is_empty());
}

#[tokio::test]
async fn three_an_error_in_the_middle_of_a_stream() {
    let failure = fails("error-mid-stream").await;
    assert_eq!(failure.kind(), FailureKind::ProviderUnavailable);
    let details = failure.details().unwrap();
    assert_eq!(details.code.as_ref().unwrap().as_i64(), Some(502));
    assert_eq!(details.message, "Provider disconnected unexpectedly");
    assert_eq!(details.error_type(), Some(ErrorType::ProviderUnavailable));
}

#[tokio::test]
async fn four_a_finish_reason_nobody_knows() {
    let completion = Server::start()
        .await
        .stream("unknown-finish-reason")
        .await
        .unwrap();
    assert_eq!(completion.finish_reason().unwrap().as_str(), "model_length");
    // It means that a limit cut the answer off.
    assert_eq!(
        completion.finish_reason().unwrap().meaning(),
        FinishReason::Length
    );
    assert_eq!(
        completion.parse_json().unwrap_err().kind(),
        FailureKind::ContextLength
    );
}

#[tokio::test]
async fn five_an_empty_finish_reason() {
    let server = Server::start().await;
    let failure = server.stream("blank-finish-reason").await.unwrap_err();
    assert_eq!(failure.kind(), FailureKind::Interrupted);
    // Not a letter of the text is lost for it.
    assert_eq!(
        failure.completion().unwrap().text(),
        server.whole().await.text()
    );
}

#[tokio::test]
async fn six_an_error_body_under_200() {
    let failure = fails("error-envelope").await;
    assert_eq!(failure.kind(), FailureKind::ProviderUnavailable);
    assert_eq!(failure.status(), Some(502));
    assert!(failure.message().contains("connection reset"), "{failure}");
}

#[tokio::test]
async fn seven_a_body_of_nulls_under_200() {
    assert_eq!(fails("null-body").await.kind(), FailureKind::Malformed);
}

#[tokio::test]
async fn eight_a_byte_order_mark() {
    comes_out_whole("bom").await;
}

#[tokio::test]
async fn nine_a_stall_behind_keep_alives() {
    let failure = fails("stall-with-comments").await;
    assert_eq!(failure.kind(), FailureKind::Stalled);
    assert!(failure.is_transient());
}

#[tokio::test]
async fn ten_a_connection_cut_inside_a_chunk() {
    assert_eq!(
        fails("cut-inside-chunk").await.kind(),
        FailureKind::Interrupted
    );
}

#[tokio::test]
async fn eleven_a_character_in_two_writes() {
    comes_out_whole("split-utf8").await;
}

#[tokio::test]
async fn twelve_two_tool_calls_with_the_index_zero() {
    let server = Server::start().await;
    let tool = |name: &str| {
        FunctionTool::new(
            name,
            json!({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}),
        )
    };
    let chat = || {
        server
            .client
            .chat("openai/gpt-4o")
            .user("Go.")
            .tools([tool("f").into(), tool("g").into()])
            .tool_choice(ToolChoice::Required)
    };
    let stream = chat()
        .header("x-tamis-fault", "tool-index-zero")
        .stream()
        .await
        .unwrap();
    let completion = stream.finish().await.unwrap();
    let calls = &completion.message().unwrap().tool_calls;
    assert_eq!(calls.len(), 2);
    let (first, second) = (&calls[0], &calls[1]);
    assert_ne!(first.id, second.id);
    for call in calls {
        serde_json::from_str::<serde_json::Map<_, _>>(call.function.arguments.text()).unwrap();
    }
}

#[tokio::test]
async fn thirteen_one_event_that_is_not_json() {
    // Text is lost with it, so it is no answer; which event it was is said.
    let failure = fails("malformed-event").await;
    assert_eq!(failure.kind(), FailureKind::Malformed);
    assert!(failure.message().contains("event "), "{failure}");
}

#[tokio::test]
async fn fourteen_crlf_in_tiny_writes() {
    comes_out_whole("crlf-tiny-writes").await;
}
