//! A look at what the server really sent.

use std::sync::Arc;

use reqwest::header::HeaderMap;

/// What a tap sees; see [`Chat::tap`](crate::Chat::tap).
#[derive(Debug)]
#[non_exhaustive]
pub enum Tapped<'a> {
    /// An attempt's response began.
    #[non_exhaustive]
    Response {
        /// Which attempt, from 1.
        attempt: u32,
        /// Its HTTP status.
        status: u16,
        /// Its headers.
        headers: &'a HeaderMap,
    },
    /// Bytes of its body, decompressed.
    Bytes(&'a [u8]),
}

type Look = dyn Fn(Tapped<'_>) + Send + Sync;

/// A caller's tap.
#[derive(Clone, Default)]
pub(crate) struct Tap(Option<Arc<Look>>);

impl Tap {
    pub(crate) fn new(tap: impl Fn(Tapped<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tap)))
    }

    pub(crate) fn see(&self, tapped: Tapped<'_>) {
        if let Some(tap) = &self.0 {
            tap(tapped);
        }
    }
}
