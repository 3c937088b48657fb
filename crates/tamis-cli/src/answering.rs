//! How a schema is sent and its answer read: flags of every command that asks for JSON.

use std::str::FromStr;

use tamis::json::Policy;
use tamis::schema::Dialect;
use tamis::{Chat, SchemaMode, UnknownMode};
/// How a schema is sent, and how its answer is read.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Schema")]
pub(crate) struct AnsweringArgs {
    /// The dialect that the schema is lowered into [default: the providers' or the model's, where it is
    /// known]; `tamis lint --all` shows them
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: Option<Dialect>,

    /// By which means the model is told of the schema: json-schema, tool, json-object, prompt, or auto for
    /// what the catalogue says the model supports
    #[arg(long, value_name = "MODE", default_value = "json-schema")]
    pub(crate) schema_mode: ModeArg,

    /// Change values that break the schema where nothing is lost, such as "5" to 5
    #[arg(long)]
    pub(crate) coerce: bool,

    /// Send an answer that is none back, with what is wrong with it, at most so often
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) reask: u32,

    /// Send the schema as it is, and take the answer as it comes: no lowering, no repair, no coercion, no
    /// asking again
    #[arg(long, conflicts_with_all = ["dialect", "coerce", "reask"])]
    pub(crate) as_is: bool,
}

/// A schema mode, or what chooses one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ModeArg {
    Auto,
    By(SchemaMode),
    #[default]
    Unsaid,
}

impl FromStr for ModeArg {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "auto" => Ok(Self::Auto),
            name => name.parse().map(Self::By),
        }
    }
}

impl ModeArg {
    /// The mode, where it does not depend on the model.
    pub(crate) fn fixed(self) -> SchemaMode {
        match self {
            Self::By(mode) => mode,
            Self::Auto | Self::Unsaid => SchemaMode::default(),
        }
    }
}

impl AnsweringArgs {
    /// What may be mended: what the policy's own flags say, and nothing of an answer as it comes.
    pub(crate) fn policy(&self, policy: Policy) -> Policy {
        if self.as_is { Policy::none() } else { policy }
    }

    pub(crate) fn apply(&self, chat: Chat) -> Chat {
        let chat = chat
            .schema_mode(self.schema_mode.fixed())
            .lowering(!self.as_is)
            .coerce(self.coerce)
            .reask(self.reask);
        match self.dialect {
            Some(dialect) => chat.dialect(dialect),
            None => chat,
        }
    }
}
