//! The smaller objects of a request.

use super::macros::{hide, tagged, words};
use super::message::InputContent;
use crate::record::record;

record! {
    /// What a stream adds.
    pub struct StreamOptions {
        /// Whether it ends with its usage; OpenRouter's always does.
        include_usage: Option<bool>,
    }
}

impl StreamOptions {
    /// Usage at the end.
    pub fn with_usage() -> Self {
        Self {
            include_usage: Some(true),
            ..Self::default()
        }
    }
}

record! {
    /// OpenRouter: whether usage comes with the answer. It always does today.
    pub struct UsageOptions {
        /// Whether it comes.
        include: Option<bool>,
    }
}

words! {
    /// How much the model says.
    pub enum Verbosity {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
        /// Very much.
        Xhigh = "xhigh",
        /// As much as it can.
        Max = "max",
    }
}

words! {
    /// What an answer is made of.
    pub enum Modality {
        /// Text.
        Text = "text",
        /// Images.
        Image = "image",
        /// Sound; it comes in streams only.
        Audio = "audio",
    }
}

words! {
    /// The tier that a request is served by.
    pub enum ServiceTier {
        /// As the account has it.
        Auto = "auto",
        /// The plain one.
        Default = "default",
        /// Another name of `priority`.
        Fast = "fast",
        /// Cheap and slow.
        Flex = "flex",
        /// Quick and dear.
        Priority = "priority",
        /// Bought beforehand.
        Scale = "scale",
    }
}

words! {
    /// OpenRouter: what comes after a failure; deprecated.
    pub enum Route {
        /// The next model.
        Fallback = "fallback",
        /// Endpoints of all models, sorted.
        Sort = "sort",
    }
}

record! {
    /// The sound of an answer.
    pub struct AudioOptions {
        /// Whose voice.
        voice: Option<String>,
        /// `wav`, `mp3`, `flac`, `opus`, `pcm16`.
        format: Option<String>,
    }
}

tagged! {
    /// What the answer is likely to be, to have it quicker.
    pub enum Prediction by "type" {
        /// This.
        Content(PredictedContent) = "content",
    }
}

impl Prediction {
    /// The answer is likely to be this.
    pub fn content(content: impl Into<InputContent>) -> Self {
        Self::Content(PredictedContent {
            content: Some(content.into()),
            ..PredictedContent::default()
        })
    }
}

record! {
    (opaque)
    /// What the answer is likely to be.
    pub struct PredictedContent {
        /// Text, or text parts.
        content: Option<InputContent>,
    }
}

record! {
    /// OpenRouter: what a request is called in the logs that it is broadcast to.
    pub struct Trace {
        /// The trace's id.
        trace_id: Option<String>,
        /// Its name.
        trace_name: Option<String>,
        /// The span's name.
        span_name: Option<String>,
        /// The generation's name.
        generation_name: Option<String>,
        /// The id of the span that it is in.
        parent_span_id: Option<String>,
    }
}

record! {
    /// OpenRouter: what a stream tells for debugging.
    pub struct DebugOptions {
        /// Whether the first chunk tells what was sent to the provider.
        echo_upstream_body: Option<bool>,
    }
}

hide!(PredictedContent);
