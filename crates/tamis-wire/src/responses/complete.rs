//! A response as a completion.

use serde_json::Value;

use super::{Item, Response};
use crate::completion::{
    Arguments, Choice, Completion, CompletionTokensDetails, Content, CostDetails, FunctionCall,
    Message, PromptTokensDetails, ToolCall, Usage,
};
use crate::finish_reason::FinishReason;
use crate::native::{Fields, Native, Object, Texts};
use crate::scalar::Scalar;

impl Response {
    /// The same as a completion: text, refusal, reasoning, tool calls, the reason for the end, usage and
    /// error in their places, and the response itself beside them.
    pub(crate) fn into_completion(self) -> Completion {
        let mut completion = self.header();
        let mut texts = Texts::default();
        let mut tool_calls = Vec::new();
        for item in self.output() {
            texts.content.push_str(&item.text());
            texts.refusal.push_str(&item.refusal());
            texts.reasoning.push_str(&item.reasoning());
            tool_calls.extend(tool_call(item));
        }
        let (finish_reason, native_finish_reason) = self.finish();
        let own = |text: String| (!text.is_empty()).then_some(text);
        let failed = finish_reason == Some(FinishReason::Error);
        completion.error = self.error().filter(|_| failed).map(Box::new);
        completion.choices = vec![Choice {
            index: Some(0),
            message: Some(Message {
                role: Some("assistant".to_owned()),
                content: own(texts.content).map(Content::Text),
                refusal: own(texts.refusal),
                reasoning: own(texts.reasoning),
                tool_calls,
                ..Message::default()
            }),
            finish_reason,
            native_finish_reason,
            ..Choice::default()
        }];
        completion.native = Some(Native::Response(Box::new(self)));
        completion
    }

    /// Who answered, and what it used.
    pub(super) fn header(&self) -> Completion {
        let text = |name: &str| self.fields().str(name).map(str::to_owned);
        let created =
            ["created_at", "created"]
                .iter()
                .find_map(|name| match self.fields().get(*name)? {
                    Value::Number(number) => Some(Scalar::Number(number.clone())),
                    Value::String(text) => Some(Scalar::Text(text.clone())),
                    _ => None,
                });
        Completion {
            id: text("id"),
            object: Some("chat.completion".to_owned()),
            created,
            model: text("model"),
            provider: text("provider"),
            service_tier: text("service_tier"),
            usage: self.usage(),
            openrouter_metadata: self
                .fields()
                .get("openrouter_metadata")
                .filter(|value| !value.is_null())
                .cloned(),
            ..Completion::default()
        }
    }

    /// Why it ended, and in the protocol's own words.
    pub(super) fn finish(&self) -> (Option<FinishReason>, Option<String>) {
        let native = self.incomplete_reason().or(self.status());
        let failed = self.error().is_some();
        let reason = match self.status() {
            Some("failed" | "cancelled") => FinishReason::Error,
            Some("incomplete") => match self.incomplete_reason() {
                Some("content_filter") => FinishReason::ContentFilter,
                // Whatever limit it was, what is there is not all.
                _ => FinishReason::Length,
            },
            // Some servers say that it was cut off, and call it complete.
            _ if self.incomplete_reason() == Some("max_output_tokens") => FinishReason::Length,
            _ if failed => FinishReason::Error,
            Some("completed") if self.output().any(is_cut) => {
                return (Some(FinishReason::Length), Some("incomplete".to_owned()));
            }
            Some("completed") if self.output().any(|item| item.call_name().is_some()) => {
                FinishReason::ToolCalls
            }
            Some("completed") => FinishReason::Stop,
            Some(other) if !matches!(other, "in_progress" | "queued") => FinishReason::from(other),
            _ => return (None, native.map(str::to_owned)),
        };
        (Some(reason), native.map(str::to_owned))
    }
}

/// An item that the answer consists of, and that is not all there.
fn is_cut(item: Item<'_>) -> bool {
    item.status() == Some("incomplete") && (item.kind() == "message" || item.call_name().is_some())
}

fn tool_call(item: Item<'_>) -> Option<ToolCall> {
    let name = item.call_name()?;
    let fields = item.fields();
    let (kind, arguments) = match item.kind() {
        "function_call" => ("function", fields.get("arguments")),
        _ => ("custom", fields.get("input")),
    };
    Some(ToolCall {
        id: fields.str("call_id").or(item.id()).map(str::to_owned),
        kind: Some(kind.to_owned()),
        function: FunctionCall {
            name: name.to_owned(),
            arguments: read_arguments(arguments),
            ..Default::default()
        },
        ..Default::default()
    })
}

/// JSON text by the protocol; some servers send the object itself.
pub(crate) fn read_arguments(value: Option<&Value>) -> Arguments {
    match value {
        None | Some(Value::Null) => Arguments::Missing,
        Some(Value::String(text)) => Arguments::Text(text.clone()),
        Some(other) => {
            serde_json::value::to_raw_value(other).map_or(Arguments::Missing, Arguments::Json)
        }
    }
}

/// Usage under the names of chat completions; none where it says nothing.
pub(super) fn usage(fields: &Fields) -> Option<Usage> {
    let mut usage = Usage {
        prompt_tokens: fields.whole("input_tokens"),
        completion_tokens: fields.whole("output_tokens"),
        total_tokens: fields.whole("total_tokens"),
        ..money(fields)
    };
    usage.prompt_tokens_details = fields.object("input_tokens_details").map(|details| {
        Box::new(PromptTokensDetails {
            cached_tokens: details.whole("cached_tokens"),
            cache_write_tokens: details.whole("cache_write_tokens"),
            audio_tokens: details.whole("audio_tokens"),
            ..PromptTokensDetails::default()
        })
    });
    usage.completion_tokens_details = fields.object("output_tokens_details").map(|details| {
        Box::new(CompletionTokensDetails {
            reasoning_tokens: details.whole("reasoning_tokens"),
            audio_tokens: details.whole("audio_tokens"),
            ..CompletionTokensDetails::default()
        })
    });
    (usage != Usage::default()).then_some(usage)
}

/// What OpenRouter adds to every protocol's usage.
pub(crate) fn money(fields: &Fields) -> Usage {
    let number = |fields: &Fields, name: &str| match fields.get(name)? {
        Value::Number(number) => Some(number.clone()),
        _ => None,
    };
    let details = fields.object("cost_details").map(|details| {
        let either =
            |first: &str, second: &str| number(details, first).or_else(|| number(details, second));
        Box::new(CostDetails {
            upstream_inference_cost: number(details, "upstream_inference_cost"),
            upstream_inference_prompt_cost: either(
                "upstream_inference_input_cost",
                "upstream_inference_prompt_cost",
            ),
            upstream_inference_completions_cost: either(
                "upstream_inference_output_cost",
                "upstream_inference_completions_cost",
            ),
            ..CostDetails::default()
        })
    });
    Usage {
        cost: number(fields, "cost"),
        is_byok: fields.get("is_byok").and_then(Value::as_bool),
        cost_details: details,
        ..Usage::default()
    }
}
