//! What a response is, as one report.

mod exit;

pub use exit::Exit;
