//! Embeddings: vectors that stand for texts, images and the like.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sim = tamis_sim::Sim::builder().start().await?;
//! # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
//! let embedded = client
//!     .embeddings("openai/text-embedding-3-small")
//!     .input(["a red mug", "a green cup"])
//!     .dimensions(256)
//!     .send()
//!     .await?;
//! assert_eq!((embedded.vectors.len(), embedded.vectors[0].len()), (2, 256));
//! # Ok(())
//! # }
//! ```

mod call;
mod embedded;

pub use call::Embed;
pub use embedded::Embedded;
pub use tamis_wire::embedding::{
    EmbeddingInput, EmbeddingPart, EmbeddingRequest, EmbeddingUsage, EncodingFormat,
};
