//! What a rule found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::refs::Document;

/// One thing about a schema that its upstream will not take, or not keep to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    rule: &'static str,
    severity: Severity,
    pointer: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// The upstream will refuse the schema, or no value conforms to it.
    Error,
    /// The upstream will leave it out of account: only validation on this side enforces it.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// Its name: `error`, `warning`, `info`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Finding {
    /// The rule's id, which is stable.
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Whether the upstream will refuse the schema.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The JSON Pointer to the place in the schema.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What is wrong, in words. The wording may change.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() {
            "the root"
        } else {
            &self.pointer
        };
        write!(
            f,
            "{}: {place}: {} [{}]",
            self.severity, self.message, self.rule
        )
    }
}

/// How many bytes the findings of one schema may be. A finding holds its place's pointer, and so a long
/// name costs for each of them.
const MAX_BYTES: usize = 32 << 20;

/// What a finding costs besides its texts.
const BYTES_EACH: usize = 128;

/// How many characters of a name a message quotes.
const MAX_NAME: usize = 80;

/// What was found so far.
pub(super) struct Findings {
    found: Vec<Finding>,
    /// How many bytes are left.
    room: usize,
    /// Those that there is no room for: how many, and the worst of them.
    left_out: Option<(usize, Severity)>,
    /// What is said of one that there is no room for is said to this.
    spare: Finding,
}

impl Default for Findings {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            room: MAX_BYTES,
            left_out: None,
            spare: Finding {
                rule: "",
                severity: Severity::Info,
                pointer: String::new(),
                message: String::new(),
                help: None,
            },
        }
    }
}

impl Findings {
    pub(super) fn add(
        &mut self,
        rule: &'static str,
        severity: Severity,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Finding {
        if self.room == 0 {
            let (count, worst) = self.left_out.unwrap_or((0, severity));
            self.left_out = Some((count + 1, worst.min(severity)));
            return &mut self.spare;
        }
        let (pointer, message) = (pointer.into(), message.into());
        let size = pointer.len() + message.len() + BYTES_EACH;
        self.room = self.room.saturating_sub(size);
        self.found.push(Finding {
            rule,
            severity,
            pointer,
            message,
            help: None,
        });
        // The one that was just added.
        let last = self.found.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "it was pushed above")]
        &mut self.found[last]
    }

    pub(super) fn error(
        &mut self,
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Finding {
        self.add(rule, Severity::Error, pointer, message)
    }

    /// In the order of the document, and the worst of a place first.
    pub(super) fn in_order(mut self, document: &Document<'_>) -> Vec<Finding> {
        if let Some((count, severity)) = self.left_out {
            self.found.push(Finding {
                rule: "too-many-findings",
                severity,
                pointer: String::new(),
                message: format!("there is no room for {count} findings more"),
                help: None,
            });
        }
        let order: BTreeMap<&str, usize> = document
            .nodes()
            .iter()
            .enumerate()
            .map(|(index, node)| (node.pointer.as_str(), index))
            .collect();
        // A keyword's place is its schema's.
        let place = |pointer: &str| {
            let mut at = pointer;
            loop {
                if let Some(index) = order.get(at) {
                    return *index;
                }
                match at.rsplit_once('/') {
                    Some((above, _)) => at = above,
                    None => return 0,
                }
            }
        };
        self.found
            .sort_by_cached_key(|finding| (place(&finding.pointer), finding.severity));
        self.found
    }
}

impl Finding {
    pub(super) fn with_help(&mut self, help: impl Into<String>) {
        self.help = Some(help.into());
    }
}

/// A name as a message quotes it: the beginning of a long one.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(MAX_NAME) {
        None => Cow::Borrowed(name),
        Some((end, _)) => Cow::Owned(format!("{}…", name.get(..end).unwrap_or_default())),
    }
}
