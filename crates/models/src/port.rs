//! The model port: whoever answers a request.

use std::time::Duration;

use loopwright_runtime::perform::Interrupt;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::error::ModelError;
use crate::request::Request;

/// Answers requests. One call of [`Model::ask`] is one try; repeating it is somebody else's business.
pub trait Model: Send + Sync {
    /// Who answers.
    fn identity(&self) -> &ModelIdentity;

    /// Asks once. Ends within the time limit and soon after an interrupt, whatever the other side does.
    fn ask(&self, request: &Request, limits: Limits<'_>) -> Result<Answer, ModelError>;
}

/// Who answers, as evidence names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelIdentity {
    /// What stands behind it: a host, `scripted`, or `recorded`. Never holds a secret.
    pub provider: String,
    /// The model's name, as the provider knows it.
    pub model: String,
}

/// What bounds one try.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// The longest it may take, from the first byte sent to the last byte read.
    pub time: Duration,
    /// A person's wish to stop.
    pub interrupt: &'a Interrupt,
}
