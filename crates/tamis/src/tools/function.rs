//! Functions that carry out calls.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::{RunError, ToolError};

/// A function of arguments as JSON.
pub(super) type Function = Arc<dyn Fn(Value) -> Running + Send + Sync>;

type Running = Pin<Box<dyn Future<Output = Result<Value, RunError>> + Send>>;

/// A function of a type as one of JSON.
pub(super) fn typed<A, R, F, Fut>(run: F) -> impl Fn(Value) -> Running + Send + Sync
where
    A: DeserializeOwned,
    R: Serialize,
    F: Fn(A) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
{
    move |arguments| match serde_json::from_value::<A>(arguments) {
        Err(error) => Box::pin(std::future::ready(Err(RunError::arguments(error)))),
        Ok(arguments) => {
            let running = run(arguments);
            Box::pin(async move {
                let result = running.await.map_err(RunError::failed)?;
                serde_json::to_value(result).map_err(RunError::result)
            })
        }
    }
}
