//! What a model answered.

use serde::{Deserialize, Serialize};

/// One answer, before anybody has looked into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its text, as it came.
    pub text: String,
    /// What the server says it took; nothing where it does not say, or says nonsense.
    pub usage: Option<Usage>,
    /// Why the model stopped.
    pub finish: Finish,
    /// The model that the server says has answered.
    pub model: Option<String>,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
}

/// Tokens of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the request.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

impl Usage {
    /// Both together.
    pub fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was finished.
    Stop,
    /// The limit on the answer's tokens was reached: what is there is a beginning.
    Length,
    /// It, or somebody before it, refused to answer.
    Refused,
    /// Something else, in the server's word.
    Other(String),
}
