//! What is asked of the list of models.

use std::fmt::Display;

use tamis_wire::{Decimal, Failure};

use crate::data::refused;

/// The most models on a page.
const LONGEST_PAGE: u64 = 1000;

/// Which models, in which order, and which page of them. Empty, it asks for all that give text.
///
/// ```
/// use tamis::catalogue::{ModelSort, ModelsQuery};
///
/// let query = ModelsQuery::new()
///     .structured_outputs()
///     .min_context(100_000)
///     .sort(ModelSort::PricingLowToHigh);
/// # let _ = query;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a query does nothing until it is asked"]
pub struct ModelsQuery {
    offset: Option<u64>,
    limit: Option<u64>,
    words: Vec<(&'static str, String)>,
    lists: Vec<(&'static str, Vec<String>)>,
    ranges: Vec<Range>,
}

/// A number with the range it must be in.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    name: &'static str,
    value: f64,
    text: String,
    most: f64,
}

/// The order of a list of models.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelSort {
    /// Most used first.
    MostPopular,
    /// Newest first.
    Newest,
    /// Most used this week first.
    TopWeekly,
    /// Cheapest first.
    PricingLowToHigh,
    /// Dearest first.
    PricingHighToLow,
    /// Largest context first.
    ContextHighToLow,
    /// Most tokens a second first.
    ThroughputHighToLow,
    /// Soonest first token first.
    LatencyLowToHigh,
    /// Highest intelligence index first.
    IntelligenceHighToLow,
    /// Highest coding index first.
    CodingHighToLow,
    /// Highest agentic index first.
    AgenticHighToLow,
    /// Best in the Design Arena first.
    DesignArenaEloHighToLow,
    /// Any other that the server knows.
    Other(String),
}

impl ModelSort {
    /// The server's name for it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::MostPopular => "most-popular",
            Self::Newest => "newest",
            Self::TopWeekly => "top-weekly",
            Self::PricingLowToHigh => "pricing-low-to-high",
            Self::PricingHighToLow => "pricing-high-to-low",
            Self::ContextHighToLow => "context-high-to-low",
            Self::ThroughputHighToLow => "throughput-high-to-low",
            Self::LatencyLowToHigh => "latency-low-to-high",
            Self::IntelligenceHighToLow => "intelligence-high-to-low",
            Self::CodingHighToLow => "coding-high-to-low",
            Self::AgenticHighToLow => "agentic-high-to-low",
            Self::DesignArenaEloHighToLow => "design-arena-elo-high-to-low",
            Self::Other(name) => name,
        }
    }
}

impl From<ModelSort> for String {
    fn from(value: ModelSort) -> Self {
        match value {
            ModelSort::Other(name) => name,
            known => known.as_str().to_owned(),
        }
    }
}

/// Where a model must be served.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Region {
    /// In the European Union.
    Eu,
    /// In the United States.
    Us,
    /// Anywhere else that the server knows.
    Other(String),
}

impl Region {
    /// The server's name for it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Eu => "eu",
            Self::Us => "us",
            Self::Other(name) => name,
        }
    }
}

impl From<Region> for String {
    fn from(value: Region) -> Self {
        match value {
            Region::Other(name) => name,
            known => known.as_str().to_owned(),
        }
    }
}

/// Setters of words.
macro_rules! words {
    ($($(#[$doc:meta])* $method:ident => $name:literal;)*) => {
        $(
            $(#[$doc])*
            pub fn $method(self, value: impl Into<String>) -> Self {
                self.word($name, value.into())
            }
        )*
    };
}

/// Setters of lists; given again, one replaces the list before.
macro_rules! lists {
    ($($(#[$doc:meta])* $method:ident => $name:literal;)*) => {
        $(
            $(#[$doc])*
            pub fn $method<I>(self, values: I) -> Self
            where
                I: IntoIterator,
                I::Item: Into<String>,
            {
                self.list($name, values.into_iter().map(Into::into).collect())
            }
        )*
    };
}

/// Setters of numbers from 0 on.
macro_rules! numbers {
    ($($(#[$doc:meta])* $method:ident: $kind:ty, $most:expr => $name:literal;)*) => {
        $(
            $(#[$doc])*
            pub fn $method(self, value: $kind) -> Self {
                self.number($name, value, $most)
            }
        )*
    };
}

impl ModelsQuery {
    /// All models that give text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Skips so many. The server pages only where an offset or a limit is given.
    pub fn offset(mut self, count: u64) -> Self {
        self.offset = Some(count);
        self
    }

    /// At most so many, from 1 to 1000.
    pub fn limit(mut self, count: u64) -> Self {
        self.limit = Some(count);
        self
    }

    /// Only what takes a `json_schema` response format at one endpoint or more.
    pub fn structured_outputs(self) -> Self {
        self.supported_parameters(["structured_outputs"])
    }

    words! {
        /// Only what has this in its name or id.
        search => "q";
        /// Only what is used for this: `programming`, `roleplay`, `marketing`, `marketing/seo`,
        /// `technology`, `science`, `translation`, `legal`, `finance`, `health`, `trivia`, `academia`.
        category => "category";
        /// Only models of this family of tokenizers.
        architecture => "arch";
    }

    lists! {
        /// Only what takes all of these request fields.
        supported_parameters => "supported_parameters";
        /// Only what takes all of these in.
        input_modalities => "input_modalities";
        /// Only what gives all of these; `all` for whatever it gives. Text by default.
        output_modalities => "output_modalities";
        /// Only models of these authors.
        authors => "model_authors";
        /// Only what one of these providers serves.
        providers => "providers";
    }

    numbers! {
        /// Only contexts of so many tokens and more.
        min_context: u64, f64::MAX => "context";
        /// Tokens in cost at least so many US dollars a million.
        min_price: Decimal, f64::MAX => "min_price";
        /// Tokens in cost at most so many US dollars a million.
        max_price: Decimal, f64::MAX => "max_price";
        /// Tokens out cost at least so many US dollars a million.
        min_output_price: Decimal, f64::MAX => "min_output_price";
        /// Tokens out cost at most so many US dollars a million.
        max_output_price: Decimal, f64::MAX => "max_output_price";
        /// Listed for at least so many days.
        min_age_days: u64, f64::MAX => "min_age_days";
        /// Listed for at most so many days.
        max_age_days: u64, f64::MAX => "max_age_days";
        /// An intelligence index of at least this.
        min_intelligence_index: f64, f64::MAX => "min_intelligence_index";
        /// An intelligence index of at most this.
        max_intelligence_index: f64, f64::MAX => "max_intelligence_index";
        /// A coding index of at least this.
        min_coding_index: f64, f64::MAX => "min_coding_index";
        /// A coding index of at most this.
        max_coding_index: f64, f64::MAX => "max_coding_index";
        /// An agentic index of at least this.
        min_agentic_index: f64, f64::MAX => "min_agentic_index";
        /// An agentic index of at most this.
        max_agentic_index: f64, f64::MAX => "max_agentic_index";
        /// A share of tool calls that succeed of at least this, from 0 to 1.
        min_tool_success_rate: f64, 1.0 => "min_tool_success_rate";
        /// A share of tool calls that succeed of at most this, from 0 to 1.
        max_tool_success_rate: f64, 1.0 => "max_tool_success_rate";
    }

    /// The order.
    pub fn sort(self, order: ModelSort) -> Self {
        self.word("sort", order.into())
    }

    /// Only what is served there.
    pub fn region(self, region: Region) -> Self {
        self.word("region", region.into())
    }

    /// Only models whose answers may, or may not, be learned from.
    pub fn distillable(self, distillable: bool) -> Self {
        self.word("distillable", distillable.to_string())
    }

    /// Only what an endpoint without data retention serves.
    pub fn zdr(self) -> Self {
        self.word("zdr", "true".to_owned())
    }

    fn word(mut self, name: &'static str, value: String) -> Self {
        self.words.retain(|(other, _)| *other != name);
        self.words.push((name, value));
        self
    }

    fn list(mut self, name: &'static str, values: Vec<String>) -> Self {
        self.lists.retain(|(other, _)| *other != name);
        self.lists.push((name, values));
        self
    }

    fn number<N: Display>(mut self, name: &'static str, value: N, most: f64) -> Self {
        let text = value.to_string();
        self.ranges.retain(|other| other.name != name);
        self.ranges.push(Range {
            name,
            value: text.parse().unwrap_or(f64::NAN),
            text,
            most,
        });
        self
    }

    /// The query's parameters, checked.
    pub(crate) fn pairs(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut pairs = self.page()?;
        for (name, word) in &self.words {
            if word.trim().is_empty() {
                return Err(refused(format!("{name}: empty")));
            }
            pairs.push((name, word.clone()));
        }
        for (name, values) in &self.lists {
            let unusable = |value: &String| value.trim().is_empty() || value.contains(',');
            if values.is_empty() || values.iter().any(unusable) {
                return Err(refused(format!(
                    "{name}: expected one word or more, each without a comma"
                )));
            }
            pairs.push((name, values.join(",")));
        }
        for range in &self.ranges {
            if !(0.0..=range.most).contains(&range.value) {
                let most = if range.most < f64::MAX {
                    format!("from 0 to {}", range.most)
                } else {
                    "of 0 or more".to_owned()
                };
                return Err(refused(format!("{}: expected a number {most}", range.name)));
            }
            if let Some(rest) = range.name.strip_prefix("min_")
                && let Some(most) = self
                    .ranges
                    .iter()
                    .find(|other| other.name.strip_prefix("max_") == Some(rest))
                && range.value > most.value
            {
                return Err(refused(format!("{}: more than {}", range.name, most.name)));
            }
            pairs.push((range.name, range.text.clone()));
        }
        Ok(pairs)
    }

    /// The page alone.
    pub(crate) fn page(&self) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut pairs = Vec::new();
        if let Some(offset) = self.offset {
            pairs.push(("offset", offset.to_string()));
        }
        if let Some(limit) = self.limit {
            if !(1..=LONGEST_PAGE).contains(&limit) {
                return Err(refused(format!("limit: expected 1 to {LONGEST_PAGE}")));
            }
            pairs.push(("limit", limit.to_string()));
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use tamis_wire::{Decimal, FailureKind};

    use super::{ModelSort, ModelsQuery, Region};

    #[test]
    fn every_parameter() {
        let query = ModelsQuery::new()
            .offset(40)
            .limit(20)
            .search("gravel")
            .category("science")
            .architecture("Other")
            .supported_parameters(["tools", "structured_outputs"])
            .input_modalities(["image"])
            .output_modalities(["all"])
            .authors(["acme"])
            .providers(["granite"])
            .min_context(1000)
            .min_price(Decimal::new(1, 1))
            .max_price(Decimal::new(25, 1))
            .min_output_price(Decimal::ZERO)
            .max_output_price(Decimal::TEN)
            .min_age_days(1)
            .max_age_days(90)
            .min_intelligence_index(1.5)
            .max_intelligence_index(60.0)
            .min_coding_index(2.0)
            .max_coding_index(61.0)
            .min_agentic_index(3.0)
            .max_agentic_index(62.0)
            .min_tool_success_rate(0.9)
            .max_tool_success_rate(1.0)
            .sort(ModelSort::Newest)
            .region(Region::Eu)
            .distillable(true)
            .zdr();
        let pairs = query.pairs().unwrap();
        let text: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(
            text.join("&"),
            "offset=40&limit=20&q=gravel&category=science&arch=Other&sort=newest&region=eu\
             &distillable=true&zdr=true&supported_parameters=tools,structured_outputs\
             &input_modalities=image&output_modalities=all&model_authors=acme&providers=granite\
             &context=1000&min_price=0.1&max_price=2.5&min_output_price=0&max_output_price=10\
             &min_age_days=1&max_age_days=90&min_intelligence_index=1.5&max_intelligence_index=60\
             &min_coding_index=2&max_coding_index=61&min_agentic_index=3&max_agentic_index=62\
             &min_tool_success_rate=0.9&max_tool_success_rate=1"
        );
        assert_eq!(query.page().unwrap().len(), 2);
        assert_eq!(ModelsQuery::new().pairs().unwrap(), []);
    }

    #[test]
    fn what_is_given_again_replaces() {
        let query = ModelsQuery::new().search("a").search("b").zdr().zdr();
        let query = query
            .min_context(1)
            .min_context(2)
            .authors(["a"])
            .authors(["b"]);
        assert_eq!(
            query.pairs().unwrap(),
            [
                ("q", "b".to_owned()),
                ("zdr", "true".to_owned()),
                ("model_authors", "b".to_owned()),
                ("context", "2".to_owned())
            ]
        );
    }

    #[test]
    fn out_of_range_is_refused() {
        let new = ModelsQuery::new;
        for query in [
            new().limit(0),
            new().limit(1001),
            new().search(" "),
            new().providers(Vec::<String>::new()),
            new().providers(["a,b"]),
            new().min_price(Decimal::NEGATIVE_ONE),
            new().min_tool_success_rate(1.1),
            new().max_coding_index(f64::NAN),
            new().max_coding_index(f64::INFINITY),
            new().min_price(Decimal::TWO).max_price(Decimal::ONE),
            new().max_age_days(1).min_age_days(2),
        ] {
            let failure = query.pairs().unwrap_err();
            assert_eq!(failure.kind(), FailureKind::Validation, "{query:?}");
        }
    }
}
