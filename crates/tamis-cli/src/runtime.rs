//! The async runtime, for the commands that need one.

use std::future::Future;

use tokio::runtime::Builder;

use crate::error::Error;

/// Runs a future to its end, or until Ctrl-C: then it is dropped, which cancels its requests.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    block_on_to_the_end(async {
        tokio::select! {
            biased;
            // Where the signal cannot be listened to, it ends the process as it always does.
            Ok(()) = tokio::signal::ctrl_c() => Err(Error::Interrupted),
            ended = future => ended,
        }
    })
}

/// Runs a future to its end, for those that listen to Ctrl-C themselves.
pub(crate) fn block_on_to_the_end<T>(
    future: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Error::usage(format!("no runtime: {error}")))?;
    let ended = runtime.block_on(future);
    // A name lookup that hangs must not hold up the end.
    runtime.shutdown_background();
    ended
}
