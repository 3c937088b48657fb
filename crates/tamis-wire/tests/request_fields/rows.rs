//! The fields, with what they take and what they do not.

use serde_json::{Value, json};

/// A field's name, a value that uses all that is typed of it, and values that are refused, each with
/// what the failure begins with.
pub(crate) type Row = (&'static str, Value, Vec<(Value, &'static str)>);

#[expect(clippy::too_many_lines, reason = "one row for each field")]
pub(crate) fn rows() -> Vec<Row> {
    let text = |name: &'static str| (json!(5), name);
    vec![
        (
            "model",
            json!("a/b"),
            vec![(json!(5), "model"), (json!(" "), "model")],
        ),
        (
            "models",
            json!(["c/d", "e/f"]),
            vec![(json!("c/d"), "models"), (json!(["c/d", ""]), "models[1]")],
        ),
        ("messages", messages(), wrong_messages()),
        ("stream", json!(true), vec![text("stream")]),
        (
            "stream_options",
            json!({"include_usage": true}),
            vec![
                text("stream_options"),
                (json!({"include_usage": 1}), "stream_options.include_usage"),
            ],
        ),
        (
            "usage",
            json!({"include": true}),
            vec![text("usage"), (json!({"include": "yes"}), "usage.include")],
        ),
        (
            "max_completion_tokens",
            json!(1),
            vec![(json!(0), "max_completion_tokens")],
        ),
        (
            "max_tokens",
            json!(16),
            vec![(json!(0), "max_tokens"), (json!(1.5), "max_tokens")],
        ),
        (
            "temperature",
            json!(0.5),
            vec![(json!(2.1), "temperature"), (json!("hot"), "temperature")],
        ),
        ("top_p", json!(0.5), vec![(json!(1.1), "top_p")]),
        ("top_k", json!(5), vec![(json!(-1), "top_k")]),
        ("top_a", json!(0.5), vec![(json!(-0.1), "top_a")]),
        ("min_p", json!(0.5), vec![(json!(1.1), "min_p")]),
        (
            "frequency_penalty",
            json!(-1.5),
            vec![(json!(-2.1), "frequency_penalty")],
        ),
        (
            "presence_penalty",
            json!(1.5),
            vec![(json!(2.1), "presence_penalty")],
        ),
        (
            "repetition_penalty",
            json!(1.5),
            vec![(json!(2.1), "repetition_penalty")],
        ),
        ("seed", json!(-7), vec![(json!(0.5), "seed")]),
        (
            "stop",
            json!(["END"]),
            vec![
                (json!(["a", "b", "c", "d", "e"]), "stop"),
                (json!([""]), "stop"),
            ],
        ),
        (
            "logit_bias",
            json!({"5": -100}),
            vec![
                (json!({"5": -101}), "logit_bias"),
                (json!([]), "logit_bias"),
            ],
        ),
        ("logprobs", json!(true), vec![text("logprobs")]),
        ("top_logprobs", json!(20), vec![(json!(21), "top_logprobs")]),
        ("tools", tools(), wrong_tools()),
        (
            "tool_choice",
            json!({"type": "function", "function": {"name": "lamp"}}),
            vec![
                (json!(5), "tool_choice"),
                (json!({"name": "lamp"}), "tool_choice.type"),
                (
                    json!({"type": "function", "function": {}}),
                    "tool_choice.function.name",
                ),
            ],
        ),
        (
            "parallel_tool_calls",
            json!(true),
            vec![text("parallel_tool_calls")],
        ),
        (
            "stop_server_tools_when",
            json!([
                {"type": "step_count_is", "step_count": 3},
                {"type": "has_tool_call", "tool_name": "lamp"},
                {"type": "max_tokens_used", "max_tokens": 500},
                {"type": "max_cost", "max_cost_in_dollars": 0.5},
                {"type": "finish_reason_is", "reason": "length"},
                {"type": "novel", "x": 1},
            ]),
            vec![
                (json!([]), "stop_server_tools_when"),
                (json!([{"step_count": 3}]), "stop_server_tools_when[0].type"),
                (
                    json!([{"type": "step_count_is", "step_count": 0}]),
                    "stop_server_tools_when[0].step_count",
                ),
                (
                    json!([{"type": "has_tool_call"}]),
                    "stop_server_tools_when[0].tool_name",
                ),
                (
                    json!([{"type": "max_tokens_used"}]),
                    "stop_server_tools_when[0].max_tokens",
                ),
                (
                    json!([{"type": "max_cost", "max_cost_in_dollars": -1}]),
                    "stop_server_tools_when[0].max_cost",
                ),
                (
                    json!([{"type": "finish_reason_is"}]),
                    "stop_server_tools_when[0].reason",
                ),
            ],
        ),
        (
            "response_format",
            json!({"type": "json_schema", "json_schema": {
            "name": "order", "description": "An order.", "strict": true, "schema": {"type": "object"}}}),
            vec![
                text("response_format"),
                (json!({}), "response_format.type"),
                (json!({"type": "grammar"}), "response_format.grammar"),
            ],
        ),
        ("structured_outputs", json!(true), vec![]),
        (
            "reasoning",
            json!({"effort": "high", "exclude": true, "enabled": true, "summary": "concise"}),
            vec![
                text("reasoning"),
                (json!({"effort": 1}), "reasoning.effort"),
                (json!({"max_tokens": 0}), "reasoning.max_tokens"),
                (
                    json!({"effort": "low", "max_tokens": 5}),
                    "reasoning: effort and max_tokens",
                ),
                (json!({"exclude": "yes"}), "reasoning.exclude"),
                (json!({"effort": "low"}), "reasoning_effort: another"),
            ],
        ),
        (
            "reasoning_effort",
            json!("high"),
            vec![text("reasoning_effort")],
        ),
        (
            "include_reasoning",
            json!(true),
            vec![text("include_reasoning")],
        ),
        ("verbosity", json!("xhigh"), vec![text("verbosity")]),
        (
            "modalities",
            json!(["text", "image", "smell"]),
            vec![(json!("text"), "modalities"), (json!([1]), "modalities[0]")],
        ),
        (
            "image_config",
            json!({"aspect_ratio": "16:9"}),
            vec![text("image_config")],
        ),
        (
            "audio",
            json!({"voice": "alloy", "format": "wav"}),
            vec![text("audio"), (json!({"voice": 1}), "audio.voice")],
        ),
        (
            "prediction",
            json!({"type": "content", "content": [{"type": "text", "text": "a"}]}),
            vec![
                text("prediction"),
                (json!({"content": "a"}), "prediction.type"),
                (json!({"type": "content"}), "prediction.content"),
                (
                    json!({"type": "content", "content": [{"type": "file"}]}),
                    "prediction.content",
                ),
            ],
        ),
        ("provider", provider(), wrong_providers()),
        ("route", json!("fallback"), vec![text("route")]),
        ("plugins", plugins(), wrong_plugins()),
        (
            "transforms",
            json!(["middle-out"]),
            vec![text("transforms")],
        ),
        ("preset", json!("mine"), vec![text("preset")]),
        (
            "web_search_options",
            json!({"search_context_size": "low", "user_location": {"type": "approximate"}}),
            vec![text("web_search_options")],
        ),
        ("service_tier", json!("flex"), vec![text("service_tier")]),
        (
            "session_id",
            json!("s"),
            vec![text("session_id"), (json!("é".repeat(257)), "session_id")],
        ),
        ("user", json!("u"), vec![text("user")]),
        (
            "metadata",
            json!({"k": "v"}),
            vec![
                (json!([]), "metadata"),
                (json!({"k": 1}), "metadata"),
                (json!({"k": "v".repeat(513)}), "metadata"),
                (json!({"k".repeat(65): "v"}), "metadata"),
            ],
        ),
        (
            "trace",
            json!({"trace_id": "t", "trace_name": "n", "span_name": "s", "generation_name": "g",
            "parent_span_id": "p", "mine": 1}),
            vec![text("trace"), (json!({"trace_id": 1}), "trace.trace_id")],
        ),
        (
            "cache_control",
            json!({"type": "ephemeral", "ttl": "1h"}),
            vec![
                text("cache_control"),
                (json!({"ttl": "1h"}), "cache_control.type"),
                (json!({"type": "ephemeral", "ttl": 5}), "cache_control.ttl"),
            ],
        ),
        (
            "prompt_cache_key",
            json!("k"),
            vec![text("prompt_cache_key")],
        ),
        (
            "prompt_cache_options",
            json!({"mode": "explicit", "ttl": "1h"}),
            vec![
                text("prompt_cache_options"),
                (json!({}), "prompt_cache_options.mode"),
            ],
        ),
        (
            "debug",
            json!({"echo_upstream_body": true}),
            vec![
                text("debug"),
                (json!({"echo_upstream_body": 1}), "debug.echo_upstream_body"),
            ],
        ),
    ]
}

fn messages() -> Value {
    json!([
        {"role": "system", "content": "a", "name": "n"},
        {"role": "developer", "content": [{"type": "text", "text": "a",
            "cache_control": {"type": "ephemeral", "ttl": "5m"}, "prompt_cache_breakpoint": {"mode": "explicit"}}]},
        {"role": "user", "content": [
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png", "detail": "original"}},
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
            {"type": "video_url", "video_url": {"url": "https://example.com/a.mp4", "processing": "static"}},
            {"type": "input_video", "video_url": {"url": "https://example.com/a.mp4"}},
            {"type": "file", "file": {"file_data": "https://example.com/a.pdf", "file_id": "f", "filename": "a.pdf"}},
            {"type": "novel", "x": null},
        ]},
        {"role": "assistant", "content": null, "model": "a/b", "reasoning": "r", "reasoning_content": "r",
            "tool_calls": [{"id": "k", "type": "function", "function": {"name": "lamp", "arguments": "{}"}}],
            "reasoning_details": [{"type": "reasoning.text", "text": "r", "signature": null}],
            "images": [{"image_url": {"url": "data:,"}}], "audio": {"id": "a"}, "annotations": [{"type": "file"}]},
        {"role": "assistant", "refusal": "no"},
        {"role": "tool", "tool_call_id": "k", "content": ""},
    ])
}

fn wrong_messages() -> Vec<(Value, &'static str)> {
    let part = |part: Value| json!([{"role": "user", "content": [part]}]);
    vec![
        (json!([]), "messages"),
        (json!("hi"), "messages"),
        (json!(["hi"]), "messages[0]"),
        (json!([{"content": "hi"}]), "messages[0].role"),
        (
            json!([{"role": "user", "content": ""}]),
            "messages[0].content",
        ),
        (
            json!([{"role": "user", "content": "a", "name": 5}]),
            "messages[0].name",
        ),
        (
            json!([{"role": "tool", "content": "a"}]),
            "messages[0].tool_call_id",
        ),
        (part(json!("a")), "messages[0].content[0]"),
        (part(json!({"text": "a"})), "messages[0].content[0].type"),
        (part(json!({"type": "text"})), "messages[0].content[0].text"),
        (
            part(json!({"type": "text", "text": "a", "cache_control": {}})),
            "messages[0].content[0].cache_control.type",
        ),
        (
            part(json!({"type": "image_url"})),
            "messages[0].content[0].image_url",
        ),
        (
            part(json!({"type": "image_url", "image_url": {"url": ""}})),
            "messages[0].content[0].image_url.url",
        ),
        (
            part(json!({"type": "video_url", "video_url": {}})),
            "messages[0].content[0].video_url.url",
        ),
        (
            part(json!({"type": "input_audio", "input_audio": {"data": "A"}})),
            "messages[0].content[0].input_audio.format",
        ),
        (
            part(json!({"type": "file", "file": {"filename": "a"}})),
            "messages[0].content[0].file",
        ),
    ]
}

fn tools() -> Value {
    json!([
        {"type": "function", "function": {"name": "lamp", "description": "d", "parameters": {"type": "object"},
            "strict": true}, "cache_control": {"type": "ephemeral"}},
        {"type": "openrouter:web_search", "parameters": {"engine": "exa", "max_results": 5, "max_total_results": 50,
            "max_uses": 1, "max_characters": 100, "allowed_domains": ["example.com"], "search_context_size": "low",
            "mode": "fast", "user_location": {"type": "approximate", "city": "Oslo"}}},
        {"type": "openrouter:web_fetch", "parameters": {"engine": "auto", "max_uses": 1, "max_content_tokens": 9,
            "allowed_domains": ["a"], "blocked_domains": ["b"]}},
        {"type": "openrouter:datetime"},
        {"type": "openrouter:novel", "parameters": {"x": 1}},
        {"type": "web_search_preview"},
    ])
}

fn wrong_tools() -> Vec<(Value, &'static str)> {
    let search =
        |parameters: Value| json!([{"type": "openrouter:web_search", "parameters": parameters}]);
    vec![
        (json!({}), "tools"),
        (json!([{"type": "function"}]), "tools[0].function"),
        (
            json!([{"type": "function", "function": {"name": "a b"}}]),
            "tools[0].function.name",
        ),
        (
            json!([{"type": "function", "function": {"name": "a".repeat(65)}}]),
            "tools[0].function.name",
        ),
        (
            json!([{"type": "function", "function": {"name": "a", "strict": "yes"}}]),
            "tools[0].function.strict",
        ),
        (
            json!([{"type": "function", "function": {"name": "a"}, "cache_control": {}}]),
            "tools[0].cache_control",
        ),
        (
            search(json!({"max_results": 0})),
            "tools[0].parameters.max_results",
        ),
        (
            search(json!({"allowed_domains": ["a"], "excluded_domains": ["b"]})),
            "tools[0].parameters",
        ),
    ]
}

fn provider() -> Value {
    json!({
        "order": ["a"], "only": ["a"], "ignore": ["b"], "allow_fallbacks": true, "require_parameters": true,
        "data_collection": "deny", "zdr": true, "enforce_distillable_text": true, "quantizations": ["fp8", "int2"],
        "sort": {"by": "price", "partition": "none"},
        "max_price": {"prompt": 1, "completion": "2.5", "image": "0", "audio": "0", "request": "0.1"},
        "preferred_min_throughput": 50, "preferred_max_latency": {"p50": 0.5, "p75": 1.5, "p90": 2.5, "p99": 3.5},
        "options": {"a": {"x": 1}}, "novel": null,
    })
}

fn wrong_providers() -> Vec<(Value, &'static str)> {
    let rows = [
        ("order", json!("a")),
        ("only", json!([""])),
        ("ignore", json!([5])),
        ("allow_fallbacks", json!("no")),
        ("require_parameters", json!(1)),
        ("data_collection", json!(false)),
        ("zdr", json!("yes")),
        ("enforce_distillable_text", json!("yes")),
        ("quantizations", json!("fp8")),
        ("sort", json!(["price"])),
        ("max_price", json!(5)),
        ("preferred_min_throughput", json!(-1)),
        ("preferred_max_latency", json!({"p50": "fast"})),
        ("options", json!([])),
    ];
    let mut wrong: Vec<_> = rows
        .into_iter()
        .map(|(name, value)| (json!({name: value}), "provider."))
        .collect();
    wrong.push((
        json!({"max_price": {"prompt": -1}}),
        "provider.max_price.prompt",
    ));
    wrong.push((json!({"sort": {"by": 1}}), "provider.sort.by"));
    wrong.push((json!("a"), "provider"));
    wrong
}

fn plugins() -> Value {
    json!([
        {"id": "web", "enabled": true, "engine": "exa", "max_results": 3, "search_prompt": "p",
            "include_domains": ["a"], "exclude_domains": ["b"], "max_uses": 2, "mode": "deep",
            "user_location": {"type": "approximate", "city": "Oslo", "country": "NO", "region": "Oslo",
                "timezone": "Europe/Oslo"}},
        {"id": "web-fetch", "max_uses": 1, "max_content_tokens": 5, "allowed_domains": ["a"], "blocked_domains": ["b"]},
        {"id": "file-parser", "enabled": true, "pdf": {"engine": "native"}},
        {"id": "response-healing", "enabled": false},
        {"id": "context-compression", "enabled": true, "engine": "middle-out"},
        {"id": "moderation"},
        {"id": "auto-router", "enabled": true, "allowed_models": ["a/*"], "excluded_models": ["b/*"],
            "cost_tier": "low", "cost_quality_tradeoff": 5.5, "pin_model": true},
        {"id": "auto-beta-router", "enabled": true, "allowed_models": ["a/*"], "cost_tier": "max"},
        {"id": "pareto-router", "enabled": true, "min_coding_score": 0.5, "max_price": 5, "price_source": "prompt"},
        {"id": "fusion", "enabled": true, "preset": "general-high", "analysis_models": ["a/b"], "model": "c/d",
            "max_tool_calls": 16, "tools": [{"type": "openrouter:web_search"}]},
        {"id": "novel", "x": [null]},
    ])
}

fn wrong_plugins() -> Vec<(Value, &'static str)> {
    let rows = [
        (json!({"enabled": true}), "plugins[0].id"),
        (
            json!({"id": "web", "max_results": 0}),
            "plugins[0].max_results",
        ),
        (json!({"id": "web", "enabled": "yes"}), "plugins[0].enabled"),
        (
            json!({"id": "auto-router", "allowed_models": vec!["a"; 1025]}),
            "plugins[0].allowed_models",
        ),
        (
            json!({"id": "auto-router", "excluded_models": ["a".repeat(1025)]}),
            "plugins[0].excluded_models",
        ),
        (
            json!({"id": "auto-router", "excluded_models": vec!["a".repeat(1000); 66]}),
            "plugins[0].excluded_models",
        ),
        (
            json!({"id": "auto-beta-router", "cost_quality_tradeoff": 11}),
            "plugins[0].cost_quality_tradeoff",
        ),
        (
            json!({"id": "pareto-router", "min_coding_score": 1.5}),
            "plugins[0].min_coding_score",
        ),
        (
            json!({"id": "pareto-router", "max_price": -1}),
            "plugins[0].max_price",
        ),
        (
            json!({"id": "fusion", "analysis_models": vec!["a"; 9]}),
            "plugins[0].analysis_models",
        ),
        (
            json!({"id": "fusion", "analysis_models": []}),
            "plugins[0].analysis_models",
        ),
        (
            json!({"id": "fusion", "max_tool_calls": 17}),
            "plugins[0].max_tool_calls",
        ),
        (
            json!({"id": "fusion", "tools": vec![json!({}); 9]}),
            "plugins[0].tools",
        ),
    ];
    let mut wrong: Vec<_> = rows
        .into_iter()
        .map(|(plugin, path)| (json!([plugin]), path))
        .collect();
    wrong.push((json!({}), "plugins"));
    wrong
}
