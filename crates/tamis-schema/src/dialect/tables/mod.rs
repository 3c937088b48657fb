//! The dialects' tables, one a file.

pub(super) mod anthropic;
pub(super) mod azure;
pub(super) mod bedrock;
pub(super) mod cerebras;
pub(super) mod deepseek_tools;
pub(super) mod fireworks;
pub(super) mod gemini;
pub(super) mod groq_strict;
pub(super) mod llama_cpp;
pub(super) mod mistral;
pub(super) mod openai_strict;
pub(super) mod openai_strict_tools;
pub(super) mod portable;
pub(super) mod vllm;
pub(super) mod xai;
