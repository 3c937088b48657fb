//! Which kind a reported error is.

use super::FailureKind;
use crate::error::{ApiError, ErrorType};

/// The budget for requests in flight frees itself; the other reasons for a 402 do not.
const IN_FLIGHT: &str = "openrouter_in_flight_budget";

/// By the error itself, then by the response's status.
pub(super) fn by_status(status: u16, error: &ApiError) -> FailureKind {
    by_error(Some(status), error).unwrap_or_else(|| from_status(status, error))
}

/// By the error itself, then by the status it names, else as something that may pass.
pub(super) fn inline(error: &ApiError) -> FailureKind {
    let status = error.status();
    by_error(status, error).unwrap_or_else(|| {
        status.map_or(FailureKind::ProviderUnavailable, |status| {
            from_status(status, error)
        })
    })
}

/// What the error says of itself, whatever its status.
fn by_error(status: Option<u16>, error: &ApiError) -> Option<FailureKind> {
    if error.metadata().limit_source() == Some(IN_FLIGHT) {
        return Some(FailureKind::RateLimited);
    }
    if matches!(status, Some(429) | None) && error.is_called("insufficient_quota") {
        return Some(FailureKind::InsufficientCredits);
    }
    if let Some(kind) = error
        .error_type()
        .and_then(|error_type| error_type.failure_kind())
    {
        return Some(kind);
    }
    // A provider that checks its own output reports the model's slip as the caller's error.
    if error.is_failed_generation() {
        return Some(FailureKind::Malformed);
    }
    // OpenAI's, Azure's and llama.cpp's names for two things that a 400 does not tell apart.
    if ["context_length_exceeded", "exceed_context_size_error"]
        .iter()
        .any(|name| error.is_called(name))
    {
        return Some(FailureKind::ContextLength);
    }
    if ["content_filter", "content_policy_violation"]
        .iter()
        .any(|name| error.is_called(name))
    {
        return Some(FailureKind::ContentPolicy);
    }
    // An error inside a 2xx may name its type where the code stands, or where Anthropic has it.
    if status.is_none() {
        return error
            .code_str()
            .map(ErrorType::from)
            .and_then(|name| name.failure_kind())
            .or_else(|| named(error.code_str()?))
            .or_else(|| named(error.extra.get_str("type")?));
    }
    None
}

/// What the other protocols call their errors: `OpenAI`'s codes of a failed response, Anthropic's types.
/// What is not here (`server_error`, `api_error`) may pass.
fn named(name: &str) -> Option<FailureKind> {
    Some(match name {
        "authentication_error" | "permission_error" => FailureKind::Authentication,
        "billing_error" => FailureKind::InsufficientCredits,
        "rate_limit_error" => FailureKind::RateLimited,
        "overloaded_error" | "timeout_error" => FailureKind::ProviderUnavailable,
        "image_content_policy_violation" => FailureKind::ContentPolicy,
        "invalid_request_error"
        | "not_found_error"
        | "request_too_large"
        | "invalid_image_format"
        | "invalid_base64_image"
        | "invalid_image_url"
        | "invalid_image_mode"
        | "image_parse_error"
        | "image_file_too_large"
        | "unsupported_image_media_type"
        | "empty_image_file"
        | "failed_to_download_image"
        | "image_file_not_found" => FailureKind::InvalidRequest,
        _ => return None,
    })
}

fn from_status(status: u16, error: &ApiError) -> FailureKind {
    let metadata = error.metadata();
    match status {
        402 => FailureKind::InsufficientCredits,
        403 if !metadata.reasons().is_empty()
            || !metadata.patterns().is_empty()
            || metadata.get("flagged_input").is_some() =>
        {
            FailureKind::ContentPolicy
        }
        401 | 403 => FailureKind::Authentication,
        408 | 500..=599 => FailureKind::ProviderUnavailable,
        429 => FailureKind::RateLimited,
        400..=499 => FailureKind::InvalidRequest,
        _ => FailureKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{by_status, inline};
    use crate::error::ApiError;
    use crate::failure::FailureKind::{self, *};

    fn error(value: &serde_json::Value) -> ApiError {
        ApiError::from_value(value).unwrap_or_default()
    }

    #[test]
    fn statuses() {
        let rows: &[(u16, FailureKind)] = &[
            (400, InvalidRequest),
            (401, Authentication),
            (402, InsufficientCredits),
            (403, Authentication),
            (404, InvalidRequest),
            (408, ProviderUnavailable),
            (413, InvalidRequest),
            (418, InvalidRequest),
            (422, InvalidRequest),
            (429, RateLimited),
            (500, ProviderUnavailable),
            (501, ProviderUnavailable),
            (503, ProviderUnavailable),
            (505, ProviderUnavailable),
            (524, ProviderUnavailable),
            (529, ProviderUnavailable),
            (302, Unknown),
            (600, Unknown),
        ];
        for (status, kind) in rows {
            assert_eq!(by_status(*status, &ApiError::default()), *kind, "{status}");
        }
    }

    #[test]
    fn what_the_error_says_comes_before_the_status() {
        let rows = [
            (
                400,
                json!({"error": {"metadata": {"error_type": "rate_limit_exceeded"}}}),
                RateLimited,
            ),
            (
                500,
                json!({"error": {"metadata": {"error_type": "refusal"}}}),
                ContentPolicy,
            ),
            (
                404,
                json!({"error": {"error_type": "not_found", "http_status": 404}}),
                InvalidRequest,
            ),
            (
                402,
                json!({"error": {"metadata": {"limit_source": "openrouter_in_flight_budget"}}}),
                RateLimited,
            ),
            (
                402,
                json!({"error": {"metadata": {"limit_source": "openrouter_in_flight_budget",
                "error_type": "payment_required"}}}),
                RateLimited,
            ),
            (
                402,
                json!({"error": {"metadata": {"limit_source": "openrouter_credits"}}}),
                InsufficientCredits,
            ),
            (
                403,
                json!({"error": {"metadata": {"reasons": ["violence"]}}}),
                ContentPolicy,
            ),
            (
                403,
                json!({"error": {"metadata": {"patterns": ["x"]}}}),
                ContentPolicy,
            ),
            (
                429,
                json!({"error": {"code": "insufficient_quota", "message": "m"}}),
                InsufficientCredits,
            ),
            (
                429,
                json!({"error": {"type": "insufficient_quota", "message": "m"}}),
                InsufficientCredits,
            ),
            (
                429,
                json!({"error": {"metadata": {"error_type": "RATE_LIMIT_EXCEEDED"}}}),
                RateLimited,
            ),
            (
                400,
                json!({"error": {"code": "context_length_exceeded"}}),
                ContextLength,
            ),
            (
                400,
                json!({"error": {"code": 400, "type": "exceed_context_size_error"}}),
                ContextLength,
            ),
            (
                400,
                json!({"error": {"code": "content_filter"}}),
                ContentPolicy,
            ),
            (
                400,
                json!({"error": {"code": "tool_use_failed", "failed_generation": "x"}}),
                Malformed,
            ),
        ];
        for (status, body, kind) in rows {
            assert_eq!(by_status(status, &error(&body)), kind, "{status} {body}");
        }
    }

    #[test]
    fn inside_a_success_nothing_reads_as_unknown() {
        let rows = [
            (json!({"error": {"code": 429, "message": "m"}}), RateLimited),
            (json!({"error": {"code": "502"}}), ProviderUnavailable),
            (
                json!({"error": {"code": "server_error", "message": "m"}}),
                ProviderUnavailable,
            ),
            (
                json!({"error": {"code": 7, "message": "m"}}),
                ProviderUnavailable,
            ),
            (
                json!({"error": {"code": 200, "message": "m"}}),
                ProviderUnavailable,
            ),
            (
                json!({"error": {"code": 401, "message": "m"}}),
                Authentication,
            ),
            (
                json!({"error": {"code": "rate_limit_exceeded"}}),
                RateLimited,
            ),
            (json!({"error": "text"}), ProviderUnavailable),
            (
                json!({"error": {"metadata": {"error_type": "novel"}, "message": "m"}}),
                ProviderUnavailable,
            ),
        ];
        for (body, kind) in rows {
            assert_eq!(inline(&error(&body)), kind, "{body}");
        }
    }
}
