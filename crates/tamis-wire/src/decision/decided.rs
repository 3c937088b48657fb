//! What was decided.

use std::fmt;

use serde_json::{Map, Value};

use crate::extra::Extra;

/// What was decided of one question.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// Yes or no.
    YesNo(YesNo),
    /// One of several options.
    Choice(Chosen),
    /// How much.
    Score(Scored),
    /// Where.
    Location(Located),
    /// An answer to a question of a kind that this crate does not know.
    Other(OtherDecision),
}

/// Yes or no.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct YesNo {
    /// Whether yes is at least as probable as no. Where a threshold matters, look at the probability.
    pub yes: bool,
    /// How probable yes is, from 0 to 1; none where the model said which and not how probable.
    pub probability: Option<f64>,
    /// How concentrated the distribution is, where the model says; not the chance of being right.
    pub confidence: Option<f64>,
    /// Everything else.
    pub extra: Extra,
}

/// One of several options.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Chosen {
    /// The name of the option.
    pub option: String,
    /// How probable each option is, from 0 to 1, in the order in which they were asked for; those that
    /// the model gave none for are left out. Rounded: their sum is about 1.
    pub probabilities: Vec<(String, f64)>,
    /// How concentrated the distribution is, where the model says; not the chance of being right.
    pub confidence: Option<f64>,
    /// Everything else.
    pub extra: Extra,
}

/// How much, on a scale of levels.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Scored {
    /// The mean of the levels' places, from 0 to one less than there are levels, by how probable each
    /// is.
    pub score: f64,
    /// How probable each level is, from 0 to 1, by its place; those that the model gave none for are
    /// left out. Rounded: their sum is about 1.
    pub probabilities: Vec<(usize, f64)>,
    /// What the levels stand for, the lowest first, as they were asked for.
    pub legend: Vec<Value>,
    /// How concentrated the distribution is, where the model says; not the chance of being right.
    pub confidence: Option<f64>,
    /// Everything else.
    pub extra: Extra,
}

/// Where something is in an image: edges from the top left corner, as fractions of the image's height and
/// width.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Located {
    /// The upper edge, from 0 to 1.
    pub top: f64,
    /// The lower edge, at least the upper one.
    pub bottom: f64,
    /// The left edge, from 0 to 1.
    pub left: f64,
    /// The right edge, at least the left one.
    pub right: f64,
    /// How sure the model is, where it says.
    pub confidence: Option<f64>,
    /// Everything else.
    pub extra: Extra,
}

/// An answer to a question of a kind that this crate does not know.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct OtherDecision {
    /// The name of its type.
    pub type_name: String,
    /// Its fields, the type among them.
    pub fields: Map<String, Value>,
}

impl Decision {
    /// Yes or no, where it is that.
    pub fn as_yes_no(&self) -> Option<&YesNo> {
        match self {
            Self::YesNo(yes_no) => Some(yes_no),
            _ => None,
        }
    }

    /// The option, where it is a choice.
    pub fn as_choice(&self) -> Option<&Chosen> {
        match self {
            Self::Choice(chosen) => Some(chosen),
            _ => None,
        }
    }

    /// The score, where it is one.
    pub fn as_score(&self) -> Option<&Scored> {
        match self {
            Self::Score(scored) => Some(scored),
            _ => None,
        }
    }

    /// The place, where it is one.
    pub fn as_location(&self) -> Option<&Located> {
        match self {
            Self::Location(located) => Some(located),
            _ => None,
        }
    }

    /// Its type's name on the wire.
    pub fn type_name(&self) -> &str {
        match self {
            Self::YesNo(_) => "noul",
            Self::Choice(_) => "choice",
            Self::Score(_) => "score",
            Self::Location(_) => "box",
            Self::Other(other) => &other.type_name,
        }
    }
}

impl YesNo {
    /// By how probable yes is.
    pub fn by_probability(probability: f64) -> Self {
        Self {
            yes: probability >= 0.5,
            probability: Some(probability),
            confidence: None,
            extra: Extra::default(),
        }
    }

    /// By a word alone.
    pub fn by_word(yes: bool) -> Self {
        Self {
            yes,
            probability: None,
            confidence: None,
            extra: Extra::default(),
        }
    }
}

impl Chosen {
    /// An option without probabilities.
    pub fn new(option: impl Into<String>) -> Self {
        Self {
            option: option.into(),
            probabilities: Vec::new(),
            confidence: None,
            extra: Extra::default(),
        }
    }

    /// How probable an option is, where the model says.
    pub fn probability(&self, option: &str) -> Option<f64> {
        let mut all = self.probabilities.iter();
        all.find(|(name, _)| name == option)
            .map(|(_, probability)| *probability)
    }
}

impl Scored {
    /// A score on a scale, without probabilities.
    pub fn new(score: f64, legend: Vec<Value>) -> Self {
        Self {
            score,
            probabilities: Vec::new(),
            legend,
            confidence: None,
            extra: Extra::default(),
        }
    }

    /// How probable a level is, where the model says.
    pub fn probability(&self, level: usize) -> Option<f64> {
        let mut all = self.probabilities.iter();
        all.find(|(place, _)| *place == level)
            .map(|(_, probability)| *probability)
    }

    /// The level that the score is nearest to, and what it stands for; the higher one of two.
    pub fn nearest(&self) -> Option<(usize, &Value)> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float beyond the range becomes its nearest end, which is no level's place"
        )]
        let place = self.score.round() as usize;
        Some((place, self.legend.get(place)?))
    }
}

impl Located {
    /// A place by its edges.
    pub fn new(top: f64, bottom: f64, left: f64, right: f64) -> Self {
        Self {
            top,
            bottom,
            left,
            right,
            confidence: None,
            extra: Extra::default(),
        }
    }

    /// Whether the edges are fractions, and in their order.
    pub fn is_sound(&self) -> bool {
        let ordered =
            |low: f64, high: f64| (0.0..=1.0).contains(&low) && low <= high && high <= 1.0;
        ordered(self.top, self.bottom) && ordered(self.left, self.right)
    }
}

macro_rules! without_content {
    ($($kind:ident: $name:literal,)*) => {
        $(
            /// Without what was decided.
            impl fmt::Debug for $kind {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.debug_struct($name).finish_non_exhaustive()
                }
            }
        )*
    };
}

without_content! {
    YesNo: "YesNo",
    Chosen: "Chosen",
    Scored: "Scored",
    Located: "Located",
    OtherDecision: "OtherDecision",
}

/// Of which kind it is.
impl fmt::Debug for Decision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("Decision")
            .field(&self.type_name())
            .finish()
    }
}
