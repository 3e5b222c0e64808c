//! How an effect was obtained: kept with its result, shown in the agents' record, never read by the machine.

use loopwright_core::json::Json;
use loopwright_core::outcome::Failure;
use loopwright_models::CallRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::state::write;
use super::view::ArtifactRecord;

/// Who did what with which artifacts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    /// Who.
    pub agent: String,
    /// What stands behind it: `rules`, the pack, an engine, the host of a model.
    pub provider: String,
    /// Which candidate it was about, where it was about one.
    pub iteration: u32,
    /// What it read.
    pub read: Vec<String>,
    /// What it wrote.
    pub written: Vec<String>,
    /// The artifacts an engine made, by digest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactRecord>,
    /// The call of a model, with its prompt, its answer and its bill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRecord>,
    /// Whether the rules stood in for a model that brought nothing usable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fell_back: bool,
    /// The output that the rules stood in for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad_output: Option<BadOutput>,
    /// The failure that the rules stood in for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The raw figures of an engine, as they came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Value>,
}

/// An output of a model that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BadOutput {
    /// The class of the error.
    pub class: String,
    /// What is wrong with it and what to do, written for the model.
    pub message: String,
    /// The output as it came.
    pub raw: String,
}

impl Note {
    pub(super) fn new(agent: &str, provider: &str, iteration: u32, read: &[&str], written: &[&str]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            agent: agent.to_owned(),
            provider: provider.to_owned(),
            iteration,
            read: owned(read),
            written: owned(written),
            artifacts: Vec::new(),
            call: None,
            fell_back: false,
            bad_output: None,
            failure: None,
            raw: None,
        }
    }

    pub(super) fn to_json(&self) -> Json {
        write(self)
    }
}
