//! OpenRouter's stable names for what went wrong.

use std::fmt;

use crate::failure::FailureKind;

macro_rules! error_types {
    ($($(#[$doc:meta])* $variant:ident = $name:literal => $kind:ident,)*) => {
        /// What went wrong, as `error.metadata.error_type` says it.
        ///
        /// The list is OpenRouter's own, which only grows; names are compared exactly. A name that is
        /// not on it reads as [`ErrorType::Unknown`], with its text.
        ///
        /// ```
        /// use tamis_wire::{ErrorType, FailureKind};
        ///
        /// let error_type = ErrorType::from("rate_limit_exceeded");
        /// assert_eq!(error_type.failure_kind(), Some(FailureKind::RateLimited));
        /// assert_eq!(ErrorType::from("Rate_Limit_Exceeded").failure_kind(), None);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum ErrorType {
            $($(#[$doc])* $variant,)*
            /// A name that is not on the list.
            Unknown(String),
        }

        impl ErrorType {
            /// Every name that is known.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Unknown(name) => name,
                }
            }

            /// The failure kind it stands for; none where the name is unknown.
            pub fn failure_kind(&self) -> Option<FailureKind> {
                match self {
                    $(Self::$variant => Some(FailureKind::$kind),)*
                    Self::Unknown(_) => None,
                }
            }
        }

        impl From<&str> for ErrorType {
            fn from(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Unknown(name.to_owned()),
                }
            }
        }
    };
}

error_types! {
    /// The prompt does not fit the model's context.
    ContextLengthExceeded = "context_length_exceeded" => ContextLength,
    /// More tokens were asked for than the model gives.
    MaxTokensExceeded = "max_tokens_exceeded" => ContextLength,
    /// Prompt and answer together are too long.
    TokenLimitExceeded = "token_limit_exceeded" => ContextLength,
    /// A text in the request is too long.
    StringTooLong = "string_too_long" => ContextLength,
    /// The key is missing, wrong or disabled.
    Authentication = "authentication" => Authentication,
    /// The key may not do this.
    PermissionDenied = "permission_denied" => Authentication,
    /// The account cannot pay for it.
    PaymentRequired = "payment_required" => InsufficientCredits,
    /// Too many requests.
    RateLimitExceeded = "rate_limit_exceeded" => RateLimited,
    /// The provider is overloaded.
    ProviderOverloaded = "provider_overloaded" => ProviderUnavailable,
    /// The provider is down, or answered nonsense.
    ProviderUnavailable = "provider_unavailable" => ProviderUnavailable,
    /// The request is wrong.
    InvalidRequest = "invalid_request" => InvalidRequest,
    /// The prompt is refused as it is.
    InvalidPrompt = "invalid_prompt" => InvalidRequest,
    /// No such model, endpoint or generation.
    NotFound = "not_found" => InvalidRequest,
    /// A condition of the request does not hold.
    PreconditionFailed = "precondition_failed" => InvalidRequest,
    /// The request is too large.
    PayloadTooLarge = "payload_too_large" => InvalidRequest,
    /// The request is well formed and makes no sense.
    Unprocessable = "unprocessable" => InvalidRequest,
    /// A content policy forbids it.
    ContentPolicyViolation = "content_policy_violation" => ContentPolicy,
    /// The model declined.
    Refusal = "refusal" => ContentPolicy,
    /// An image cannot be read.
    InvalidImage = "invalid_image" => InvalidRequest,
    /// An image is too large.
    ImageTooLarge = "image_too_large" => InvalidRequest,
    /// An image is too small.
    ImageTooSmall = "image_too_small" => InvalidRequest,
    /// An image's format is not supported.
    UnsupportedImageFormat = "unsupported_image_format" => InvalidRequest,
    /// An image is not where the request says.
    ImageNotFound = "image_not_found" => InvalidRequest,
    /// An image could not be fetched.
    ImageDownloadFailed = "image_download_failed" => InvalidRequest,
    /// The server failed.
    Server = "server" => ProviderUnavailable,
    /// The provider took too long.
    Timeout = "timeout" => ProviderUnavailable,
    /// The provider's error has no name here.
    Unmapped = "unmapped" => ProviderUnavailable,
}

impl ErrorType {
    /// The HTTP status that OpenRouter documents for it, for errors that come without one; none where the
    /// name is unknown. Source: OpenRouter's documentation of errors, 2026.
    pub fn status(&self) -> Option<u16> {
        Some(match self {
            Self::Unknown(_) => return None,
            Self::Authentication => 401,
            Self::PaymentRequired => 402,
            Self::PermissionDenied => 403,
            Self::NotFound | Self::ImageNotFound => 404,
            Self::PreconditionFailed => 412,
            Self::PayloadTooLarge => 413,
            Self::Unprocessable => 422,
            Self::RateLimitExceeded => 429,
            Self::Server | Self::Unmapped => 500,
            Self::ProviderUnavailable => 502,
            Self::ProviderOverloaded => 503,
            Self::Timeout => 504,
            _ => 400,
        })
    }
}

impl fmt::Display for ErrorType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorType;

    #[test]
    fn there_are_twenty_seven_and_each_reads_back() {
        assert_eq!(ErrorType::ALL.len(), 27);
        for error_type in ErrorType::ALL {
            assert_eq!(&ErrorType::from(error_type.as_str()), error_type);
            assert!(error_type.failure_kind().is_some());
        }
    }

    #[test]
    fn names_are_compared_exactly() {
        for name in ["Refusal", "REFUSAL", " refusal", "429", ""] {
            assert_eq!(ErrorType::from(name), ErrorType::Unknown(name.to_owned()));
        }
    }
}
