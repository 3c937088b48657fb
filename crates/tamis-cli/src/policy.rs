//! What may be mended in a text.

use clap::ValueEnum;
use tamis::json::Policy;

use crate::error::Error;

/// What may be mended in a text.
#[derive(Debug, clap::Args)]
pub(crate) struct PolicyArgs {
    /// What may be mended in the text, separated by commas [default: all]
    #[arg(long = "policy", value_name = "GROUPS", value_delimiter = ',')]
    policy: Vec<Group>,
}

/// A group of repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Everything below
    All,
    /// Nothing: strict JSON only
    None,
    /// Take the JSON out of fences, prose, thinking, and strings
    Extraction,
    /// Commas, colons, quotes, comments, literals, escapes, brackets
    Syntax,
    /// Close what is open at the end
    Closing,
}

impl PolicyArgs {
    pub(crate) fn policy(&self) -> Result<Policy, Error> {
        self.policy_or(Policy::default())
    }

    /// The policy, or another one where the flag is not there.
    pub(crate) fn policy_or(&self, unsaid: Policy) -> Result<Policy, Error> {
        if self.policy.is_empty() {
            return Ok(unsaid);
        }
        let alone = |group| self.policy.as_slice() == [group];
        let mixed = |group| self.policy.contains(&group) && !alone(group);
        if mixed(Group::All) || mixed(Group::None) {
            return Err(Error::usage(
                "--policy: all and none cannot stand beside other groups",
            ));
        }
        let allows = |group| alone(Group::All) || self.policy.contains(&group);
        Ok(Policy::none()
            .extraction(allows(Group::Extraction))
            .syntax(allows(Group::Syntax))
            .closing(allows(Group::Closing)))
    }
}
