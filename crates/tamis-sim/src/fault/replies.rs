//! Faults in which something else than an answer comes, with its HTTP status.

use super::{Fault, Op, Reply};

const JSON: (&str, &str) = ("content-type", "application/json");
const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");

/// An error in JSON, as OpenRouter sends it.
macro_rules! error {
    ($name:literal, $status:literal, $summary:literal, [$($header:expr),*], $body:literal) => {
        Fault::both($name, $summary, &[Op::Instead(&Reply {
            status: $status,
            headers: &[JSON, ("x-generation-id", "$ID"), $($header),*],
            body: $body,
        })])
    };
}

pub(super) const TABLE: &[Fault] = &[
    // The request is at fault.
    error!(
        "json-schema-unsupported",
        400,
        "400: the model does not take response_format json_schema",
        [],
        r#"{"error":{"code":400,"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","metadata":{"error_type":"invalid_request","provider_code":"unsupported_parameter","provider_name":"$PROVIDER"}}}"#
    ),
    error!(
        "schema-rejected",
        400,
        "400: the upstream rejects the schema, in its own words inside metadata.raw",
        [],
        r#"{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"{\n  \"error\": {\n    \"message\": \"Invalid schema for response_format 'out': In context=(), 'additionalProperties' is required to be supplied and to be false.\",\n    \"type\": \"invalid_request_error\",\n    \"param\": \"text.format.schema\",\n    \"code\": \"invalid_json_schema\"\n  }\n}","provider_name":"$PROVIDER","is_byok":false}},"user_id":"user_sim"}"#
    ),
    error!(
        "tool-choice-unsupported",
        400,
        "400: the upstream does not take this tool_choice",
        [],
        r#"{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":{"error":{"message":"tool_choice 'required' is not supported by this model, use 'auto' or 'none'","type":"invalid_request_error","param":"tool_choice","code":null}},"provider_name":"$PROVIDER","is_byok":false}},"user_id":"user_sim"}"#
    ),
    error!(
        "context-length",
        400,
        "400: the prompt is longer than the model's context",
        [],
        r#"{"error":{"code":400,"message":"This endpoint's maximum context length is 128000 tokens. However, you requested about 190412 tokens.","metadata":{"error_type":"context_length_exceeded","provider_name":"$PROVIDER"}}}"#
    ),
    error!(
        "http-413",
        413,
        "413: the request is too large",
        [],
        r#"{"error":{"code":413,"message":"Request entity too large","metadata":{"error_type":"payload_too_large"}}}"#
    ),
    error!(
        "http-422",
        422,
        "422: the request is well formed and makes no sense, as a list under detail",
        [],
        r#"{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required","input":null}]}"#
    ),
    error!(
        "no-endpoints",
        404,
        "404: no endpoint of the model takes all parameters under require_parameters",
        [],
        r#"{"error":{"code":404,"message":"No endpoints found that can handle the requested parameters. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection","metadata":{"error_type":"not_found"}}}"#
    ),
    error!(
        "no-endpoints-availability",
        404,
        "404: the same with error.availability (not retryable) and no code",
        [],
        r#"{"error":{"message":"No endpoints available for the requested parameters","error_type":"not_found","http_status":404,"availability":{"code":"constraint_filtered","retryable":false,"requested_models":["$MODEL"],"excluded_by":["require_parameters"],"docs_url":"https://openrouter.ai/docs/errors"},"metadata":null}}"#
    ),
    // Account and policy.
    error!(
        "unauthorized",
        401,
        "401: the key is unknown",
        [],
        r#"{"error":{"code":401,"message":"User not found.","metadata":{"error_type":"authentication"}}}"#
    ),
    error!(
        "payment-required",
        402,
        "402: no credits left",
        [],
        r#"{"error":{"code":402,"message":"This request requires more credits, or fewer max_tokens.","metadata":{"error_type":"payment_required","limit_source":"openrouter_credits","reason":"weight_exceeds_budget","remedy_hint":"Add credits or lower max_tokens."}}}"#
    ),
    error!(
        "payment-in-flight",
        402,
        "402 for the moment: the requests under way use up the budget; Retry-After",
        [("retry-after", "$SECONDS")],
        r#"{"error":{"code":402,"message":"Your requests in progress use up your remaining budget.","metadata":{"error_type":"payment_required","limit_source":"openrouter_in_flight_budget","reason":"in_flight_budget_exhausted","remedy_hint":"Try again when they have ended."}}}"#
    ),
    error!(
        "moderation",
        403,
        "403: the moderation flagged the input",
        [],
        r#"{"error":{"code":403,"message":"The model requires moderation, and your input was flagged for: violence.","metadata":{"reasons":["violence"],"flagged_input":"how to break a ... with a hammer","provider_name":"$PROVIDER","model_slug":"$MODEL"}}}"#
    ),
    error!(
        "guardrail",
        403,
        "403: one of the account's guardrails blocked the input",
        [],
        r#"{"error":{"code":403,"message":"Request blocked: prompt injection patterns detected","metadata":{"patterns":["ignore (all )?previous instructions"]}}}"#
    ),
    error!(
        "permission-denied",
        403,
        "403: the key may not use this model",
        [],
        r#"{"error":{"code":403,"message":"This key is not allowed to use $MODEL.","metadata":{"error_type":"permission_denied"}}}"#
    ),
    // Rate limits, each with another way to say when to come back.
    error!(
        "rate-limited",
        429,
        "429 that does not say when to come back",
        [],
        r#"{"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"$MODEL is temporarily rate-limited upstream.","provider_name":"$PROVIDER","is_byok":false,"provider_error_code":"rate_limit_exceeded"}},"user_id":"user_sim"}"#
    ),
    error!(
        "rate-limited-seconds",
        429,
        "429 with Retry-After in seconds",
        [("retry-after", "$SECONDS")],
        r#"{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"error_type":"rate_limit_exceeded"}}}"#
    ),
    error!(
        "rate-limited-date",
        429,
        "429 with Retry-After as an HTTP date",
        [("retry-after", "$DATE")],
        r#"{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"error_type":"rate_limit_exceeded"}}}"#
    ),
    error!(
        "rate-limited-ms",
        429,
        "429 with retry-after-ms",
        [("retry-after-ms", "$MILLIS")],
        r#"{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"error_type":"rate_limit_exceeded"}}}"#
    ),
    error!(
        "rate-limited-body",
        429,
        "429 with metadata.retry_after_seconds and no header",
        [],
        r#"{"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"slow down","provider_name":"$PROVIDER","is_byok":false,"limit_source":"upstream_provider_shared_pool","remedy_hint":"Use another provider.","retry_after_seconds":$SECONDS,"retry_after_seconds_raw":$SECONDS}},"user_id":"user_sim"}"#
    ),
    error!(
        "rate-limited-nested",
        429,
        "429 with Retry-After in metadata.headers and nowhere else",
        [],
        r#"{"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"slow down","provider_name":"$PROVIDER","headers":{"Retry-After":"$SECONDS"}}},"user_id":"user_sim"}"#
    ),
    error!(
        "rate-limited-unusable",
        429,
        "429 with a Retry-After that is no time; metadata.retry_after_seconds is right",
        [("retry-after", "soon"), ("retry-after-ms", "-5")],
        r#"{"error":{"code":429,"message":"Rate limit exceeded","metadata":{"error_type":"rate_limit_exceeded","retry_after_seconds":$SECONDS}}}"#
    ),
    error!(
        "rate-limited-for-a-day",
        429,
        "429 with a Retry-After of 24 hours, longer than anyone waits",
        [("retry-after", "86400")],
        r#"{"error":{"code":429,"message":"Rate limit exceeded: free-models-per-day.","metadata":{"limit_source":"openrouter_free_tier_daily","headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"0"}}},"user_id":"user_sim"}"#
    ),
    error!(
        "quota-exhausted",
        429,
        "429 whose code is insufficient_quota: no credits, waiting does not help",
        [],
        r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#
    ),
    // The service is at fault.
    error!(
        "http-408",
        408,
        "408: the server waited too long for the request",
        [],
        r#"{"error":{"code":408,"message":"Request timed out"}}"#
    ),
    error!(
        "http-500",
        500,
        "500: internal error, with a masked message",
        [],
        r#"{"error":{"code":500,"message":"Internal Server Error","metadata":{"error_type":"server"}}}"#
    ),
    error!(
        "http-501",
        501,
        "501: not implemented",
        [],
        r#"{"error":{"code":501,"message":"Not implemented"}}"#
    ),
    error!(
        "http-502",
        502,
        "502: the provider is down, with the history of the attempts",
        [],
        r#"{"error":{"code":502,"message":"Provider returned error","metadata":{"error_type":"provider_unavailable","provider_code":"bad_gateway","provider_name":"$PROVIDER","previous_errors":[{"provider":"Marl","code":"overloaded","status":529}]}}}"#
    ),
    error!(
        "http-503",
        503,
        "503: no provider is available at the moment",
        [("retry-after", "$SECONDS")],
        r#"{"error":{"code":503,"message":"No instances available","metadata":{"error_type":"provider_overloaded"}}}"#
    ),
    error!(
        "unavailable-retryable",
        503,
        "503 with error.availability, retryable, and no code",
        [],
        r#"{"error":{"message":"The model is temporarily unavailable","error_type":"provider_overloaded","http_status":503,"availability":{"code":"temporarily_unavailable","retryable":true,"retry_after":$SECONDS,"requested_models":["$MODEL"],"affected_providers":["$PROVIDER"],"docs_url":"https://openrouter.ai/docs/errors"},"metadata":{}}}"#
    ),
    error!(
        "unavailable-for-good",
        503,
        "503 whose error.availability says that a retry cannot help",
        [],
        r#"{"error":{"code":503,"message":"No provider meets your routing requirements","availability":{"code":"constraint_filtered","retryable":false,"requested_models":["$MODEL"],"excluded_by":["max_price"],"docs_url":"https://openrouter.ai/docs/errors"}}}"#
    ),
    Fault::both(
        "http-504",
        "504: the provider took too long, and the body says so in plain text",
        &[Op::Instead(&Reply {
            status: 504,
            headers: &[("content-type", "text/plain")],
            body: "upstream request timeout",
        })],
    ),
    error!(
        "http-524",
        524,
        "524: the edge gave up waiting for the provider",
        [],
        r#"{"error":{"code":524,"message":"A timeout occurred"}}"#
    ),
    error!(
        "http-529",
        529,
        "529: the provider is overloaded",
        [],
        r#"{"error":{"code":529,"message":"Provider returned error","metadata":{"error_type":"provider_overloaded","raw":"Overloaded","provider_name":"$PROVIDER"}}}"#
    ),
    error!(
        "error-with-string-code",
        502,
        "502 whose error code is the string \"0502\"",
        [],
        r#"{"error":{"code":"0502","message":"bad gateway at the relay"}}"#
    ),
    error!(
        "error-as-text",
        500,
        "500 with the error as a bare string, as other servers send it",
        [],
        r#"{"error":"model runner has unexpectedly stopped"}"#
    ),
    Fault::both(
        "html-error",
        "502 with an HTML page",
        &[Op::Instead(&Reply {
            status: 502,
            headers: &[HTML],
            body: "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body><center><h1>502 Bad Gateway</h1></center></body></html>\n",
        })],
    ),
    Fault::both(
        "html-success",
        "200 with an HTML page, as from a captive portal",
        &[Op::Instead(&Reply {
            status: 200,
            headers: &[HTML],
            body: "<!DOCTYPE html>\n<html><body>Please sign in to this network.</body></html>\n",
        })],
    ),
    // Success that is none.
    error!(
        "error-envelope",
        200,
        "200 with an error envelope in JSON, in a stream's place too",
        [],
        r#"{"error":{"code":502,"message":"Upstream error from $PROVIDER: connection reset","metadata":{"error_type":"provider_unavailable","provider_code":"reset"}},"user_id":"user_sim"}"#
    ),
    error!(
        "null-body",
        200,
        "200 with a completion in which everything is null, in a stream's place too",
        [],
        r#"{"id":null,"object":null,"created":null,"model":null,"provider":null,"choices":null,"usage":null}"#
    ),
    error!(
        "no-choices",
        200,
        "200 with a completion whose choices are an empty array",
        [],
        r#"{"id":"$ID","object":"chat.completion","created":$CREATED,"model":"$MODEL","provider":"$PROVIDER","choices":[]}"#
    ),
    error!("empty-body", 200, "200 with a body of no bytes", [], ""),
    error!(
        "redirect-elsewhere",
        307,
        "307 to another host, where a key must not go",
        [(
            "location",
            "http://elsewhere.invalid/api/v1/chat/completions"
        )],
        ""
    ),
];
