//! Why a command could not do its work.

use std::fmt;
use std::io;

use tamis::report::Exit;
use tamis::wire::Failure;

/// Why a command could not do its work. What the service answered is no such error, but a result.
#[derive(Debug)]
pub(crate) enum Error {
    /// A mistake in the flags, a file that cannot be read, a schema that is none.
    Usage(String),
    /// The service, or the way to it, failed.
    Failure(Failure),
    /// Nobody reads the output any more.
    ReaderGone,
    /// The output cannot be written.
    Output(io::Error),
    /// Ctrl-C.
    Interrupted,
}

impl Error {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) | Self::Output(_) => Exit::Refused,
            Self::Failure(failure) => Exit::of_failure(failure),
            // Whatever the command would have said, nobody has seen all of it.
            Self::ReaderGone => Exit::NotTrustworthy,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => formatter.write_str(message),
            Self::Failure(failure) => failure.fmt(formatter),
            Self::ReaderGone => formatter.write_str("nobody reads the output any more"),
            Self::Output(error) => write!(formatter, "the output cannot be written: {error}"),
            Self::Interrupted => formatter.write_str("interrupted"),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ReaderGone
        } else {
            Self::Output(error)
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
