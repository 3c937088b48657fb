//! A log of requests, for those who turn it on.
//!
//! A line says what was asked, what came and how long it took; never a key, never a query, and no body
//! unless that is turned on as well.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sim = tamis_sim::Sim::builder().start().await?;
//! use tamis::Client;
//! use tamis::logging::RequestLog;
//!
//! let client = Client::builder()
//! #   .base_url(sim.base_url())
//! #   .openrouter(true)
//!     // GET /api/v1/credits: 200 in 1.2 ms, 0 bytes out, 52 in
//!     .log(RequestLog::to(|line| eprintln!("{line}")))
//!     .build()?;
//! client.credits().await?;
//! # Ok(())
//! # }
//! ```

mod line;
mod log;
mod recorder;

pub use line::LogLine;
pub use log::RequestLog;
pub(crate) use recorder::Recorder;
