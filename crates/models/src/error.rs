//! Why a model gave no answer.

use std::time::Duration;

/// Why a try brought no answer. No text in here holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No connection could be made.
    #[error("the model at {place} cannot be reached: {message}")]
    Unreachable {
        /// Host and port.
        place: String,
        /// Why.
        message: String,
    },
    /// No whole answer came in time.
    #[error("the model gave no whole answer within {} ms", .after.as_millis())]
    Timeout {
        /// How long was waited.
        after: Duration,
    },
    /// The connection broke while the answer was under way.
    #[error("the connection to the model broke: {message}")]
    Broken {
        /// How.
        message: String,
    },
    /// Too many requests.
    #[error("the model is asked too often: {message}")]
    RateLimited {
        /// When the server wants to be asked again.
        retry_after: Option<Duration>,
        /// The server's words.
        message: String,
    },
    /// The server does not know the caller, or does not let it in.
    #[error("the model refuses the credentials: {message}")]
    Credentials {
        /// The server's words.
        message: String,
    },
    /// Nothing is left on the account.
    #[error("the account with the model's provider is used up: {message}")]
    Quota {
        /// The server's words.
        message: String,
    },
    /// The request is longer than the model can read.
    #[error("the request is longer than the model can read: {message}")]
    ContextTooLong {
        /// The server's words.
        message: String,
    },
    /// The provider refuses to answer this.
    #[error("the provider refuses to answer: {message}")]
    ContentRefused {
        /// The server's words.
        message: String,
    },
    /// The server cannot do what was asked: an unknown model, a wrong address, an unsupported parameter.
    #[error("the server does not accept the request ({status}): {message}")]
    BadRequest {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// What came is no answer of a model.
    #[error("what came is no answer of a model: {message}")]
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// The server failed.
    #[error("the server failed ({status}): {message}")]
    Server {
        /// The HTTP status, or that of an error inside a successful answer.
        status: u16,
        /// When the server wants to be asked again.
        retry_after: Option<Duration>,
        /// The server's words.
        message: String,
    },
    /// A scripted or recorded model has no answer to this.
    #[error("there is no recorded answer: {message}")]
    Unscripted {
        /// Where none was found.
        message: String,
    },
    /// A person wanted to stop.
    #[error("the call was interrupted")]
    Interrupted,
}

impl ModelError {
    /// A short code, for programs.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "model_unreachable",
            Self::Timeout { .. } => "model_timeout",
            Self::Broken { .. } => "model_connection_broken",
            Self::RateLimited { .. } => "model_rate_limited",
            Self::Credentials { .. } => "model_credentials",
            Self::Quota { .. } => "model_quota",
            Self::ContextTooLong { .. } => "model_context_too_long",
            Self::ContentRefused { .. } => "model_content_refused",
            Self::BadRequest { .. } => "model_bad_request",
            Self::Malformed { .. } => "model_malformed",
            Self::Server { .. } => "model_server_error",
            Self::Unscripted { .. } => "model_unscripted",
            Self::Interrupted => "interrupted",
        }
    }

    /// The error of a class, as scripts and records name it; nothing where there is no such class.
    pub fn of_class(class: &str, message: &str, status: Option<u16>, retry_after: Option<Duration>) -> Option<Self> {
        let message = message.to_owned();
        Some(match class {
            "model_unreachable" => Self::Unreachable { place: "the recorded place".to_owned(), message },
            "model_timeout" => Self::Timeout { after: retry_after.unwrap_or_default() },
            "model_connection_broken" => Self::Broken { message },
            "model_rate_limited" => Self::RateLimited { retry_after, message },
            "model_credentials" => Self::Credentials { message },
            "model_quota" => Self::Quota { message },
            "model_context_too_long" => Self::ContextTooLong { message },
            "model_content_refused" => Self::ContentRefused { message },
            "model_bad_request" => Self::BadRequest { status: status.unwrap_or(400), message },
            "model_malformed" => Self::Malformed { message },
            "model_server_error" => Self::Server { status: status.unwrap_or(500), retry_after, message },
            "model_unscripted" => Self::Unscripted { message },
            "interrupted" => Self::Interrupted,
            _ => return None,
        })
    }

    /// Whether the try may have been billed although nothing usable came of it.
    ///
    /// Such a try counts as a call that used all it had reserved, and is never repeated within the same call.
    pub fn may_be_billed(&self) -> bool {
        matches!(self, Self::Timeout { .. } | Self::Broken { .. } | Self::Malformed { .. } | Self::Interrupted)
    }

    /// Whether the same question may get an answer a little later, at no cost for having asked now.
    pub fn is_worth_retrying(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::RateLimited { .. } | Self::Server { .. })
    }

    /// When the server wants to be asked again.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_may_have_been_billed_is_repeated() {
        let text = String::new;
        let all = [
            ModelError::Unreachable { place: text(), message: text() },
            ModelError::Timeout { after: Duration::ZERO },
            ModelError::Broken { message: text() },
            ModelError::RateLimited { retry_after: None, message: text() },
            ModelError::Credentials { message: text() },
            ModelError::Quota { message: text() },
            ModelError::ContextTooLong { message: text() },
            ModelError::ContentRefused { message: text() },
            ModelError::BadRequest { status: 400, message: text() },
            ModelError::Malformed { message: text() },
            ModelError::Server { status: 500, retry_after: None, message: text() },
            ModelError::Unscripted { message: text() },
            ModelError::Interrupted,
        ];
        assert!(all.iter().all(|error| !(error.may_be_billed() && error.is_worth_retrying())));
        assert_eq!(all.iter().filter(|error| error.is_worth_retrying()).count(), 3);
        for error in &all {
            let again = ModelError::of_class(error.class(), "", None, None).unwrap();
            assert_eq!(again.class(), error.class());
        }
        assert_eq!(ModelError::of_class("model_tired", "", None, None), None);
    }
}
