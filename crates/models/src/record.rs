//! What a run keeps of a call: enough to prove it, to explain it, and to answer the same question again offline.

use loopwright_core::json::Digest;
use serde::{Deserialize, Serialize};

use crate::answer::{Finish, Usage};
use crate::port::ModelIdentity;
use crate::price::Bill;
use crate::request::PromptReference;

/// One call of a model, with all its tries. Holds no secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallRecord {
    /// Who was asked.
    pub model: ModelIdentity,
    /// The prompt.
    pub prompt: PromptReference,
    /// SHA-256 of the request; a recorded model finds its answers by it.
    pub request_sha256: Digest,
    /// The answer's text as it came; nothing where none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why the model stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// What the server said it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What it counts as.
    pub bill: Bill,
    /// How long the call took with all its tries and the waiting between them, in milliseconds.
    pub latency_ms: u64,
    /// Every try, in order; the last one is what the call came to.
    pub tries: Vec<Tried>,
}

/// One try of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// Its number in the call, from 1.
    pub number: u32,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// The error's class; nothing where an answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_class: Option<String>,
    /// The error for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How long was waited afterwards before the next try, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
}
