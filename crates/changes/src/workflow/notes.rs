//! How an effect was obtained: kept with its result, shown in the agents' record, never read by the machine.

use loopwright_core::json::Json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::state::write;
use super::view::ArtifactRecord;

/// Who did what with which artifacts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Note {
    /// Who.
    pub agent: String,
    /// What stands behind it: `rules`, the pack, an engine.
    pub provider: String,
    /// Whether a model was called.
    pub model_call: bool,
    /// Which candidate it was about, where it was about one.
    pub iteration: u32,
    /// What it read.
    pub read: Vec<String>,
    /// What it wrote.
    pub written: Vec<String>,
    /// The artifacts an engine made, by digest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactRecord>,
    /// The raw figures of an engine, as they came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Value>,
}

impl Note {
    pub(super) fn new(agent: &str, provider: &str, iteration: u32, read: &[&str], written: &[&str]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            agent: agent.to_owned(),
            provider: provider.to_owned(),
            model_call: false,
            iteration,
            read: owned(read),
            written: owned(written),
            artifacts: Vec::new(),
            raw: None,
        }
    }

    pub(super) fn to_json(&self) -> Json {
        write(self)
    }
}
