//! Dialects: the subset of JSON Schema that each upstream takes.
//!
//! A dialect is data, one table in `tables/`, each fact of it with its source. Adding one is adding a
//! table, and a line in [`ALL`].

mod find;
mod keywords;
mod rules;
mod table;
mod tables;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use keywords::KEYWORDS;
pub use rules::{
    Closed, EnumRule, Limits, PatternRule, Recursion, References, Required, Root, Siblings,
};
pub use table::{Fact, Source, Support, Surface, Table, Unsupported};

/// The subset of JSON Schema that one upstream accepts.
///
/// ```
/// use tamis_schema::{Dialect, Support};
///
/// let dialect: Dialect = "anthropic".parse()?;
/// assert_eq!(dialect, Dialect::ANTHROPIC);
/// assert_eq!(Dialect::for_model("anthropic/claude-sonnet-4.5"), Some(dialect));
/// let fact = dialect.table().keyword("maximum").unwrap();
/// assert_eq!(fact.support, Support::Rejected);
/// assert!(dialect.table().source(fact.source).is_some());
/// # Ok::<(), tamis_schema::UnknownDialect>(())
/// ```
#[derive(Clone, Copy)]
pub struct Dialect(&'static Table);

macro_rules! dialects {
    ($($(#[$doc:meta])* $constant:ident = $module:ident;)*) => {
        impl Dialect {
            $($(#[$doc])* pub const $constant: Self = Self(&tables::$module::TABLE);)*
            const ALL: &[Self] = &[$(Self::$constant,)*];
        }
    };
}

dialects! {
    /// OpenAI's structured outputs, in the response format.
    OPENAI_STRICT = openai_strict;
    /// OpenAI's strict function calling.
    OPENAI_STRICT_TOOLS = openai_strict_tools;
    /// Azure OpenAI, whose documentation still has the older limits.
    AZURE = azure;
    /// Anthropic's structured outputs and strict tools.
    ANTHROPIC = anthropic;
    /// Gemini's `responseJsonSchema`.
    GEMINI = gemini;
    /// Groq's constrained decoding.
    GROQ_STRICT = groq_strict;
    /// Cerebras' strict mode.
    CEREBRAS = cerebras;
    /// xAI's structured outputs.
    XAI = xai;
    /// DeepSeek's strict function calling; it has no response format with a schema.
    DEEPSEEK_TOOLS = deepseek_tools;
    /// Fireworks' JSON mode with a schema.
    FIREWORKS = fireworks;
    /// Mistral's response format, whose subset is not documented.
    MISTRAL = mistral;
    /// Amazon Bedrock's structured outputs.
    BEDROCK = bedrock;
    /// vLLM with its xgrammar backend.
    VLLM = vllm;
    /// llama.cpp, which makes a grammar of the schema.
    LLAMA_CPP = llama_cpp;
    /// What every strict mode takes.
    PORTABLE = portable;
}

impl Dialect {
    /// Every dialect.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        Self::ALL.iter().copied()
    }

    /// Its name, such as `openai-strict`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What is known of it.
    pub const fn table(self) -> &'static Table {
        self.0
    }

    /// The dialect of whoever makes a model, by its id on OpenRouter (`author/slug`) or its plain name;
    /// none where others serve the model too, or nothing is known.
    ///
    /// ```
    /// use tamis_schema::Dialect;
    ///
    /// assert_eq!(Dialect::for_model("openai/gpt-4o:extended"), Some(Dialect::OPENAI_STRICT));
    /// assert_eq!(Dialect::for_model("google/gemini-2.5-pro"), Some(Dialect::GEMINI));
    /// // Its weights are open, and many serve it.
    /// assert_eq!(Dialect::for_model("openai/gpt-oss-120b"), None);
    /// ```
    pub fn for_model(model: &str) -> Option<Self> {
        find::model(model)
    }

    /// The dialect of a provider, by its name or slug on OpenRouter, in any spelling.
    ///
    /// ```
    /// use tamis_schema::Dialect;
    ///
    /// assert_eq!(Dialect::for_provider("Google AI Studio"), Some(Dialect::GEMINI));
    /// assert_eq!(Dialect::for_provider("amazon-bedrock/us"), Some(Dialect::BEDROCK));
    /// assert_eq!(Dialect::for_provider("nobody"), None);
    /// ```
    pub fn for_provider(provider: &str) -> Option<Self> {
        find::provider(provider)
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Dialect {}

impl Hash for Dialect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::all()
            .find(|dialect| dialect.name() == name)
            .ok_or(UnknownDialect(()))
    }
}

/// A name that is no dialect's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect(());

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the dialects are")?;
        for (place, dialect) in Dialect::all().enumerate() {
            let separator = if place == 0 { " " } else { ", " };
            write!(f, "{separator}{dialect}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownDialect {}

#[cfg(test)]
mod tests;
