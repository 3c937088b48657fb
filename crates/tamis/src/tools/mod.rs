//! Tools that the model may call: what it is told of them, and how its calls are read.
//!
//! A [`Toolbox`] holds the tools, with schemas by hand or from types, with or without the functions
//! that do the work. [`Chat::turn`](crate::Chat::turn) sends a request with it, and gives the model's turn: its words,
//! or calls whose arguments were checked against the tool's own schema before anything is run.

mod anthropic;
mod call;
mod error;
mod function;
mod prepare;
mod reader;
mod toolbox;

pub(crate) use anthropic::strict_tools_header;
pub use call::{ArgumentsForm, Call};
pub use error::{CallError, CallErrorKind, RunError, ToolError};
pub(crate) use prepare::add;
pub use reader::{ToolReader, Turn};
pub use toolbox::Toolbox;
