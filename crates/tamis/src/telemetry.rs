//! Spans with the names of OpenTelemetry's GenAI conventions, without content.

use tamis_wire::{Completion, Failure};
use tracing::Span;
use tracing::field::Empty;

/// A span around one call, retries and stream included.
pub(crate) fn span(model: &str, host: &str, stream: bool) -> Span {
    tracing::info_span!(
        "chat",
        otel.name = format_args!("chat {model}"),
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.request.model = model,
        gen_ai.request.stream = stream,
        server.address = host,
        gen_ai.response.model = Empty,
        gen_ai.response.id = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        tamis.provider = Empty,
        tamis.cost = Empty,
        tamis.attempts = Empty,
        "error.type" = Empty,
    )
}

/// Records how a call ended.
pub(crate) fn record(span: &Span, result: Result<&Completion, &Failure>, attempts: u32) {
    span.record("tamis.attempts", attempts);
    match result {
        Ok(completion) => record_completion(span, completion),
        Err(failure) => {
            span.record("error.type", failure.kind().as_str());
            if let Some(completion) = failure.completion() {
                record_completion(span, completion);
            }
        }
    }
}

fn record_completion(span: &Span, completion: &Completion) {
    let text = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            span.record(name, value);
        }
    };
    text("gen_ai.response.model", completion.model.as_deref());
    text("gen_ai.response.id", completion.id.as_deref());
    text(
        "gen_ai.response.finish_reasons",
        completion
            .finish_reason()
            .map(tamis_wire::FinishReason::as_str),
    );
    text("tamis.provider", completion.provider.as_deref());
    if let Some(usage) = &completion.usage {
        if let Some(tokens) = usage.prompt_tokens {
            span.record("gen_ai.usage.input_tokens", tokens);
        }
        if let Some(tokens) = usage.completion_tokens {
            span.record("gen_ai.usage.output_tokens", tokens);
        }
    }
    if let Some(cost) = completion.cost() {
        span.record("tamis.cost", cost);
    }
}
