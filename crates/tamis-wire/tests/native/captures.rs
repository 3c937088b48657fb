//! What real servers sent, where the recordings are at hand.

use std::path::PathBuf;

use tamis_wire::{FinishReason, Protocol, read_response_as};

use super::stream;

fn captures() -> Option<PathBuf> {
    let shared = std::env::var_os("TAMIS_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let captures = shared.join("captures");
    if !captures.is_dir() {
        eprintln!("skipped: no shared folder");
        return None;
    }
    Some(captures)
}

#[test]
fn recorded_bodies_and_streams_are_read_without_loss() {
    let Some(captures) = captures() else { return };
    let rows = [
        (
            Protocol::Responses,
            "j4_responses.body.json",
            "j5_responses_stream.sse",
        ),
        (
            Protocol::Messages,
            "j6_anthropic_messages.body.json",
            "j7_anthropic_messages_stream.sse",
        ),
    ];
    let mut read = 0;
    for server in ["vllm-cpu", "litellm-over-llama-server", "llama-server"] {
        for (protocol, body, events) in rows {
            let bytes = std::fs::read(captures.join(server).join(body)).unwrap();
            let completion = read_response_as(protocol, 200, &bytes).unwrap().completion;
            let native = match protocol {
                Protocol::Responses => serde_json::to_value(completion.response().unwrap()),
                _ => serde_json::to_value(completion.native_message().unwrap()),
            };
            let body: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(native.unwrap(), body, "{server} {protocol}");
            assert!(completion.usage.unwrap().total_tokens.is_some());

            let bytes = std::fs::read(captures.join(server).join(events)).unwrap();
            let fragments: Vec<&[u8]> = bytes.chunks(7).collect();
            let streamed = stream(protocol, &fragments);
            let completion = streamed.result.unwrap();
            assert_eq!(
                completion.text().as_deref(),
                Some(&*streamed.text),
                "{server} {protocol}"
            );
            assert!(completion.fold_notes().is_empty(), "{server} {protocol}");
            let finish = completion.finish_reason().unwrap();
            assert!(
                matches!(finish, FinishReason::Stop | FinishReason::Length),
                "{server} {finish}"
            );
            read += 2;
        }
    }
    assert_eq!(read, 12);
}
