//! A message as a completion.

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Block, Message};
use crate::completion::{
    self, Arguments, Choice, Completion, CompletionTokensDetails, Content, FunctionCall,
    PromptTokensDetails, ToolCall, Usage,
};
use crate::finish_reason::FinishReason;
use crate::native::{Fields, Native, Object};
use crate::responses::{money, read_arguments};

impl Message {
    /// The same as a completion: text, refusal, reasoning, tool calls, the reason for the end and usage in
    /// their places, and the message itself beside them.
    pub(crate) fn into_completion(self) -> Completion {
        let mut completion = self.header();
        let thinking: String = self.content().filter_map(Block::thinking).collect();
        let own = |text: String| (!text.is_empty()).then_some(text);
        completion.choices = vec![Choice {
            index: Some(0),
            message: Some(completion::Message {
                role: Some("assistant".to_owned()),
                content: own(self.text()).map(Content::Text),
                refusal: self.refusal(),
                reasoning: own(thinking),
                tool_calls: self.tool_calls(),
                ..completion::Message::default()
            }),
            finish_reason: self.finish(),
            native_finish_reason: self.stop_reason().map(str::to_owned),
            ..Choice::default()
        }];
        completion.native = Some(Native::Message(Box::new(self)));
        completion
    }

    /// Who answered, and what it used.
    pub(super) fn header(&self) -> Completion {
        let text = |name: &str| self.fields().str(name).map(str::to_owned);
        let tier = self
            .fields()
            .object("usage")
            .and_then(|usage| usage.str("service_tier"));
        Completion {
            id: text("id"),
            object: Some("chat.completion".to_owned()),
            model: text("model"),
            provider: text("provider"),
            service_tier: text("service_tier").or(tier.map(str::to_owned)),
            usage: self.usage(),
            openrouter_metadata: self
                .fields()
                .get("openrouter_metadata")
                .filter(|value| !value.is_null())
                .cloned(),
            ..Completion::default()
        }
    }

    /// Why it ended, in the words of chat completions; a word that has none there stays as it is.
    pub(super) fn finish(&self) -> Option<FinishReason> {
        Some(match self.stop_reason()? {
            "end_turn" | "stop_sequence" => FinishReason::Stop,
            "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
            "tool_use" => FinishReason::ToolCalls,
            "refusal" => FinishReason::ContentFilter,
            other => FinishReason::from(other),
        })
    }

    fn tool_calls(&self) -> Vec<ToolCall> {
        self.content()
            .enumerate()
            .filter_map(|(place, block)| {
                let input = self.inputs.get(place).and_then(Option::as_deref);
                tool_call(block, input)
            })
            .collect()
    }

    /// Where the model or the service declined: why, as far as it says, else what the model did say.
    fn refusal(&self) -> Option<String> {
        if self.stop_reason() != Some("refusal") {
            return None;
        }
        let explained = self
            .fields()
            .object("stop_details")
            .and_then(|details| details.str("explanation"))
            .map(str::to_owned);
        let said = |text: &String| !text.trim().is_empty();
        explained
            .filter(said)
            .or_else(|| Some(self.text()).filter(said))
            .or_else(|| Some("refusal".to_owned()))
    }
}

fn tool_call(block: Block<'_>, input: Option<&RawValue>) -> Option<ToolCall> {
    let name = block.call_name()?;
    let arguments = match input {
        Some(raw) => Arguments::Json(raw.to_owned()),
        None => read_arguments(block.input()),
    };
    Some(ToolCall {
        id: block.fields().str("id").map(str::to_owned),
        kind: Some("function".to_owned()),
        function: FunctionCall {
            name: name.to_owned(),
            arguments,
            ..Default::default()
        },
        ..Default::default()
    })
}

/// Usage under the names of chat completions; none where it says nothing.
///
/// Anthropic counts what comes from a cache and what goes into it beside `input_tokens`, chat completions
/// count it among them.
pub(super) fn usage(fields: &Fields) -> Option<Usage> {
    let read = fields.whole("cache_read_input_tokens");
    let written = fields.whole("cache_creation_input_tokens");
    let prompt = fields.whole("input_tokens").map(|tokens| {
        tokens
            .saturating_add(read.unwrap_or(0))
            .saturating_add(written.unwrap_or(0))
    });
    let output = fields.whole("output_tokens");
    let mut usage = Usage {
        prompt_tokens: prompt,
        completion_tokens: output,
        total_tokens: prompt
            .zip(output)
            .map(|(prompt, output)| prompt.saturating_add(output)),
        ..money(fields)
    };
    if read.is_some() || written.is_some() {
        usage.prompt_tokens_details = Some(Box::new(PromptTokensDetails {
            cached_tokens: read,
            cache_write_tokens: written,
            ..PromptTokensDetails::default()
        }));
    }
    let thinking = fields
        .object("output_tokens_details")
        .and_then(|details| {
            details
                .get("thinking_tokens")
                .or(details.get("reasoning_tokens"))
        })
        .and_then(Value::as_u64);
    if thinking.is_some() {
        usage.completion_tokens_details = Some(Box::new(CompletionTokensDetails {
            reasoning_tokens: thinking,
            ..CompletionTokensDetails::default()
        }));
    }
    (usage != Usage::default()).then_some(usage)
}
