//! Embeddings: vectors that stand for texts, images and the like.
//!
//! Source: OpenRouter's `OpenAPI` document of `POST /embeddings`, as of August 2026.
//!
//! ```
//! use tamis_wire::embedding::{EmbeddingInput, EmbeddingRequest};
//!
//! let request = EmbeddingRequest::new("openai/text-embedding-3-small", ["red", "green"]);
//! request.check()?;
//! let body = br#"{"object":"list","model":"openai/text-embedding-3-small","data":[
//!     {"object":"embedding","index":0,"embedding":[0.5,-0.25]},
//!     {"object":"embedding","index":1,"embedding":"AACAPwAAAMA="}]}"#;
//! let embeddings = request.read(body)?;
//! assert_eq!(embeddings.vectors, [[0.5, -0.25], [1.0, -2.0]]);
//! # Ok::<(), tamis_wire::Failure>(())
//! ```

mod base64;
mod body;
mod check;
mod input;
mod request;
mod response;

pub use input::{EmbeddingInput, EmbeddingPart};
pub use request::{EmbeddingRequest, EncodingFormat};
pub use response::{EmbeddingUsage, Embeddings};
