//! What a view holds of a change's facts, one record a kind; these are the entries of the evidence files.

use loopwright_configs::Text;
use loopwright_core::budget::Amounts;
use loopwright_core::json::Digest;
use loopwright_engines::artifact::ArtifactKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::layers::LayerResult;

/// One candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its number, from 1.
    pub iteration: u32,
    /// Where it came from: `intake`, `person`, or the repair's name.
    pub origin: String,
    /// SHA-256 of its RFC 8785 form.
    pub config_sha256: Digest,
    /// The config.
    pub config: Value,
}

/// What the four layers said of one candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// Which candidate.
    pub iteration: u32,
    /// The layers.
    pub layers: Vec<LayerResult>,
}

/// One review and the gate's word on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The candidate it is about.
    pub iteration: u32,
    /// `accept`, `repair` or `human_review`.
    pub decision: String,
    /// The repair it names.
    pub repair_action: Option<String>,
    /// Why.
    pub reason: Value,
    /// What it rests on.
    pub evidence_refs: Vec<String>,
    /// What stands behind it.
    pub provider: String,
    /// Whether a model was called.
    pub model_call: bool,
    /// `passed` or `escalated`, once the gate has spoken.
    pub gate: Option<String>,
    /// The gate's reason.
    pub gate_reason: Option<String>,
}

/// A policy's answer that could not be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BadCase {
    /// The node that asked.
    pub stage: String,
    /// The class of the error.
    pub error_class: String,
    /// What is wrong with it.
    pub message: String,
    /// The answer as it came.
    pub raw_output: Value,
    /// What stands behind it.
    pub provider: String,
}

/// One effect and how it was obtained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRun {
    /// The effect.
    pub effect: String,
    /// Who did it.
    pub agent: String,
    /// What part of the work it was.
    pub stage: String,
    /// What stands behind it.
    pub provider: String,
    /// Whether a model was called.
    pub model_call: bool,
    /// Artifacts read.
    pub read: Vec<String>,
    /// Artifacts written.
    pub written: Vec<String>,
    /// `ok` or `failed`.
    pub status: String,
    /// The candidate it was about; 0 where it was about none.
    pub iteration: u32,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// What else it cost.
    pub spent: Amounts,
}

/// An artifact that an engine made; its bytes are kept under its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArtifactRecord {
    /// Its file name.
    pub name: String,
    /// What it shows.
    pub kind: ArtifactKind,
    /// Its media type.
    pub media_type: String,
    /// What it shows, for people.
    pub label: Text,
    /// More of it.
    pub detail: Value,
    /// SHA-256 of its bytes.
    pub sha256: Digest,
    /// How many bytes it has.
    pub size: u64,
}

/// What an engine made of one side in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gallery {
    /// Which candidate; 0 for the baseline.
    pub iteration: u32,
    /// Its artifacts.
    pub artifacts: Vec<ArtifactRecord>,
}

/// A person's yes to the engine runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Authorization {
    /// Who.
    pub actor: String,
    /// Why, in their words.
    pub note: Option<String>,
    /// What it covers.
    pub scope: String,
    /// How many engine runs, the baseline's included.
    pub runs_granted: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionTaken {
    /// `accept`, `revise` or `rollback`.
    pub decision: String,
    /// Who.
    pub actor: String,
    /// Why, in their words.
    pub note: Option<String>,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}
