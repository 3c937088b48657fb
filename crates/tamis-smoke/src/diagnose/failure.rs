//! A request that brought no answer, or one that may not be read.

use tamis::wire::{ApiError, Completion, Failure, FailureKind};

use crate::finding::Finding;
use crate::problem::Problem;

/// Names why a completion that came may not be read as an answer.
pub(crate) fn declined(completion: &Completion, failure: &Failure) -> Finding {
    let message = completion.message();
    let text = completion.text().unwrap_or_default();
    if failure.details().is_some() {
        return self::failure(failure).with_offending(&text);
    }
    match failure.kind() {
        FailureKind::ContextLength => {
            Finding::new(Problem::Truncated, failure.message()).with_offending(&text)
        }
        FailureKind::ContentPolicy => match message.and_then(|message| message.refusal_text()) {
            Some(refusal) => {
                Finding::new(Problem::Refusal, failure.message()).with_offending(refusal)
            }
            None => Finding::new(Problem::ContentFilter, failure.message()).with_offending(&text),
        },
        FailureKind::Malformed => {
            if message.is_some_and(|message| !message.tool_calls.is_empty()) {
                return Finding::new(Problem::ToolCalls, failure.message()).with_offending(&text);
            }
            empty(completion)
        }
        FailureKind::Interrupted => {
            Finding::new(Problem::Interrupted, failure.message()).with_offending(&text)
        }
        _ => self::failure(failure).with_offending(&text),
    }
}

/// A completion without content; some put it where the reasoning belongs.
fn empty(completion: &Completion) -> Finding {
    let reasoning = completion.reasoning().unwrap_or_default();
    if serde_json::from_str::<serde::de::IgnoredAny>(&reasoning).is_ok() {
        return Finding::new(
            Problem::InReasoning,
            "the content is empty, and the JSON is in the reasoning",
        )
        .with_offending(&reasoning);
    }
    let detail = match completion.finish_reason() {
        Some(reason) if !reason.is_blank() => {
            format!("the content is empty, finish reason {reason}")
        }
        _ => "the content is empty".to_owned(),
    };
    Finding::new(Problem::Empty, detail)
}

/// Names a failure.
pub(crate) fn failure(failure: &Failure) -> Finding {
    let mut finding = Finding::new(name(failure), failure.message());
    if let Some(details) = failure.details()
        && let Ok(json) = serde_json::to_string(details)
    {
        finding = finding.with_offending(&json);
    } else if let Some(text) = failure.completion().and_then(Completion::text) {
        finding = finding.with_offending(&text);
    }
    finding
}

fn name(failure: &Failure) -> Problem {
    if let Some(details) = failure.details() {
        // The model's own output was at fault, and the provider noticed before we did.
        if details.is_failed_generation() {
            return Problem::BrokenJson;
        }
        // Moderation and guardrails, whatever kind of failure they come as.
        let metadata = details.metadata();
        if !metadata.patterns().is_empty() || !metadata.reasons().is_empty() {
            return Problem::ContentFilter;
        }
        if let Some(problem) = by_words(failure, details) {
            return problem;
        }
    }
    match failure.kind() {
        FailureKind::RateLimited => Problem::RateLimited,
        FailureKind::ProviderUnavailable => Problem::ProviderError,
        FailureKind::Network => Problem::Network,
        FailureKind::Timeout | FailureKind::Stalled => Problem::Hang,
        FailureKind::Interrupted => Problem::Interrupted,
        FailureKind::Malformed => Problem::Malformed,
        FailureKind::Authentication => Problem::Authentication,
        FailureKind::InsufficientCredits => Problem::InsufficientCredits,
        FailureKind::ContextLength => Problem::ContextLength,
        FailureKind::ContentPolicy => Problem::ContentFilter,
        FailureKind::InvalidRequest if failure.status() == Some(404) => Problem::NoEndpoint,
        FailureKind::InvalidRequest | FailureKind::Validation => Problem::Rejected,
        _ => Problem::Unknown,
    }
}

/// What the service says about the schema, the format or the tool choice. No server has a code for
/// these that others share, so its words decide.
fn by_words(failure: &Failure, details: &ApiError) -> Option<Problem> {
    // Some servers answer 500 to a request that they do not understand.
    let about_the_request = matches!(
        failure.kind(),
        FailureKind::InvalidRequest | FailureKind::ProviderUnavailable | FailureKind::Unknown
    );
    if !about_the_request {
        return None;
    }
    let said = Said::of(details);
    if said.any(&["tool_choice", "tool choice"]) {
        return Some(Problem::ToolChoiceRejected);
    }
    if said.any(&["unexpected empty grammar"]) {
        return Some(Problem::SchemaRejected);
    }
    let excluded_by: Vec<&str> = details
        .availability
        .iter()
        .flat_map(|said| &said.excluded_by)
        .map(String::as_str)
        .collect();
    if excluded_by.contains(&"require_parameters") {
        return Some(Problem::Unsupported);
    }
    if said.any(&["no endpoints"]) {
        let about_parameters =
            said.any(&["requested parameters", "provided parameters"]) || said.mentions_format();
        return Some(if about_parameters {
            Problem::Unsupported
        } else {
            Problem::NoEndpoint
        });
    }
    let no_such_model = said.any(&["not a valid model", "model_not_found"]);
    if !excluded_by.is_empty() || (no_such_model && !said.mentions_format()) {
        return Some(Problem::NoEndpoint);
    }
    let rejects = said.any(&[
        "invalid schema",
        "invalid_json_schema",
        "invalid json schema",
        "json schema error",
        "json schema conversion failed",
        "schema is not",
        "schema must",
        "grammar error",
        "unsatisfiable schema",
        "schema is too",
        "schema exceeds",
        "too many states",
    ]);
    if rejects {
        return Some(Problem::SchemaRejected);
    }
    if !said.mentions_format() {
        return None;
    }
    let unsupported = said.any(&[
        "not support",
        "unsupported",
        "not available",
        "unavailable",
        "not allowed with",
        "unknown parameter",
        "unrecognized",
        "unexpected keyword",
        "extra inputs are not permitted",
        "must be one of",
        "input should be 'text' or 'json_object'",
    ]);
    match (unsupported, failure.kind()) {
        (true, _) => Some(Problem::Unsupported),
        (false, FailureKind::InvalidRequest) => Some(Problem::SchemaRejected),
        // A service that is down may mention anything.
        _ => None,
    }
}

/// Everything an error says, in lower case.
struct Said(String);

impl Said {
    fn of(details: &ApiError) -> Self {
        let upstream = details.metadata().upstream_error();
        let errors = [Some(details), upstream.as_ref()];
        let mut words = String::new();
        for error in errors.into_iter().flatten() {
            words.push_str(&error.message);
            for name in ["type", "param"] {
                words.push('\n');
                words.push_str(error.extra.get_str(name).unwrap_or_default());
            }
            words.push('\n');
            if let Some(code) = error.code.as_ref().and_then(|code| code.as_str()) {
                words.push_str(code);
            }
            words.push('\n');
        }
        if let Some(text) = details.upstream_message() {
            words.push_str(&text);
        }
        words.make_ascii_lowercase();
        Self(words)
    }

    fn any(&self, parts: &[&str]) -> bool {
        parts.iter().any(|part| self.0.contains(part))
    }

    fn mentions_format(&self) -> bool {
        self.any(&[
            "response_format",
            "response format",
            "json_schema",
            "structured output",
            "structured_output",
            "text.format",
            "output_config.format",
        ])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tamis::wire::{Failure, FailureKind, read_response};

    use super::failure;
    use crate::problem::Problem::{self, *};

    fn reported(status: u16, body: &Value) -> Problem {
        let refused = read_response(status, body.to_string().as_bytes()).unwrap_err();
        failure(&refused).problem
    }

    /// What llama.cpp, vLLM, llama-cpp-python, LiteLLM and OpenRouter say.
    #[test]
    fn a_rejected_schema_by_its_words() {
        let rows = [
            (
                400,
                json!({"error": {"code": 400, "type": "invalid_request_error", "message":
                    "Automatic parser generation failed: JSON schema error at #: unrecognized type x"}}),
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "JSON schema conversion failed:\nInvalid pattern"}}),
            ),
            (
                500,
                json!({"error": {"code": 500, "type": "server_error", "message":
                    "got exception: Unexpected empty grammar stack after accepting piece"}}),
            ),
            (
                400,
                json!({"error": {"code": 400, "type": "BadRequestError", "param": null, "message":
                    "Grammar error: Unsatisfiable schema: required property 'a' is unsatisfiable"}}),
            ),
            (
                400,
                json!({"error": {"message": "Grammar error: Pointer '/$defs/x' does not exist"}}),
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "Provider returned error", "metadata": {"raw":
                    "{\"error\":{\"message\":\"bad\",\"code\":\"invalid_json_schema\",\"param\":\"text.format.schema\"}}"}}}),
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "the property is missing", "param": "response_format"}}),
            ),
        ];
        for (status, body) in rows {
            assert_eq!(reported(status, &body), SchemaRejected, "{status} {body}");
        }
    }

    #[test]
    fn a_refused_request_by_its_words() {
        let rows = [
            (
                500,
                json!({"error": {"code": null, "type": "internal_server_error", "message":
                    "{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}"}}),
                Unsupported,
            ),
            (
                400,
                json!({"error": {"message": "This response_format type is unavailable now"}}),
                Unsupported,
            ),
            (
                400,
                json!({"error": {"message": "`json_schema` is not supported with this model"}}),
                Unsupported,
            ),
            (
                404,
                json!({"error": {"code": 404, "message":
                    "No endpoints found that can handle the requested parameters."}}),
                Unsupported,
            ),
            (
                404,
                json!({"error": {"code": 404, "message":
                    "No endpoints found that support the provided 'tool_choice' value."}}),
                ToolChoiceRejected,
            ),
            (
                400,
                json!({"error": {"code": 400, "param": "tool_choice", "message": "Invalid value"}}),
                ToolChoiceRejected,
            ),
            (
                404,
                json!({"error": {"code": 404, "message": "No endpoints found for a/b."}}),
                NoEndpoint,
            ),
            (
                404,
                json!({"error": {"code": 404, "message": "No allowed providers are available."}}),
                NoEndpoint,
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "a/b is not a valid model ID"}}),
                NoEndpoint,
            ),
            (
                400,
                json!({"error": {"code": 400, "message": "temperature: too hot"}}),
                Rejected,
            ),
            (
                400,
                json!({"error": {"code": "json_validate_failed", "message": "no", "failed_generation": "{"}}),
                BrokenJson,
            ),
            (
                403,
                json!({"error": {"code": 403, "message": "flagged", "metadata": {"reasons": ["x"]}}}),
                ContentFilter,
            ),
            (
                502,
                json!({"error": {"code": 502, "message": "response_format or not, I am down"}}),
                ProviderError,
            ),
        ];
        for (status, body, problem) in rows {
            assert_eq!(reported(status, &body), problem, "{status} {body}");
        }
    }

    #[test]
    fn every_kind_has_a_name() {
        for kind in FailureKind::ALL {
            let named = failure(&Failure::new(kind, "m")).problem;
            assert_eq!(named == Unknown, kind == FailureKind::Unknown, "{kind}");
        }
    }
}
