//! One file per command: its flags (`Args`) and what it does with them (`run`).
//!
//! A new command needs its file here, a line below, and a variant in `cli::Command`.

pub(crate) mod ask;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod credits;
pub(crate) mod decide;
pub(crate) mod endpoints;
pub(crate) mod fold;
pub(crate) mod generation;
pub(crate) mod heal;
pub(crate) mod key;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod models;
pub(crate) mod sim;
pub(crate) mod smoke;
