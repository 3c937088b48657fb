//! The rules, one subject a file.

mod enums;
mod formats;
mod hints;
mod keywords;
mod limits;
mod numbers;
mod objects;
mod patterns;
mod references;
mod root;
mod types;
mod unions;

use super::Context;
use super::finding::Findings;

pub(super) type Rule = fn(&Context<'_, '_>, &mut Findings);

pub(super) const ALL: &[Rule] = &[
    root::check,
    objects::check,
    keywords::check,
    types::check,
    references::check,
    unions::check,
    enums::check,
    formats::check,
    patterns::check,
    numbers::check,
    limits::check,
    hints::check,
];
