//! Naming what went wrong.

mod failure;
mod helped;
mod shape;
mod text;

pub(crate) use failure::{declined, failure};
pub(crate) use helped::{asked_again, coerced};
pub(crate) use shape::value;
pub(crate) use text::{mended, text};
