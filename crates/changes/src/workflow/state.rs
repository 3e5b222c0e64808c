//! The state of the repair loop, and what its evaluator tells.

use loopwright_configs::{Change, Text};
use loopwright_core::json::{Digest, Json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checks::CheckResult;
use crate::goal::{Goal, Proposer};
use crate::judgement::Judgement;
use crate::layers::LayerResult;

/// What the repair loop works on. Its size is bounded by the number of engine runs a change may have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairState {
    /// What the change is meant to do.
    pub goal: Goal,
    /// Who proposed the first candidate.
    pub proposer: Proposer,
    /// The baseline's telemetry.
    pub baseline_telemetry: Value,
    /// The candidate as it is now.
    pub candidate: Value,
    /// How many candidates there were, this one included.
    pub iteration: u32,
    /// The repairs that led to it.
    pub repairs: Vec<RepairRecord>,
}

/// One repair, applied or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairRecord {
    /// The iteration whose run called for it.
    pub iteration: u32,
    /// The repair intent.
    pub action: String,
    /// Whether the candidate was changed.
    pub applied: bool,
    /// The failing check it answers.
    pub check: String,
    /// What it changes: the item.
    pub target: String,
    /// What it changes: the fields, with their values before and after.
    pub changes: Vec<Change>,
    /// Why.
    pub reason: Text,
}

/// What the evaluator tells of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateRun {
    /// Which candidate.
    pub iteration: u32,
    /// SHA-256 of its RFC 8785 form.
    pub config_sha256: Digest,
    /// What the four layers say; where one of them fails, nothing was run.
    pub layers: Vec<LayerResult>,
    /// The run's verdict.
    pub judgement: Option<Judgement>,
    /// The baseline's figures against the same limits.
    pub baseline_checks: Vec<CheckResult>,
    /// The run's normalised telemetry.
    pub telemetry: Option<Value>,
}

/// Reads a typed view of a JSON value.
pub(super) fn read<T: for<'de> Deserialize<'de>>(json: &Json) -> Option<T> {
    T::deserialize(json.value()).ok()
}

/// A typed value as JSON.
pub(super) fn write(value: &impl Serialize) -> Json {
    // The types of this workflow are plain data with string keys, so they always have a JSON form.
    Json::new(serde_json::to_value(value).unwrap_or_default())
}
