//! What a view holds of a change's facts, one record a kind; these are the entries of the evidence files.

use loopwright_configs::Text;
use loopwright_core::budget::Amounts;
use loopwright_core::json::{Digest, Json};
use loopwright_engines::artifact::ArtifactKind;
use loopwright_models::{Bill, CallRecord, PromptReference, Tried, Usage};
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

impl Review {
    /// Takes the reason and the references that a model's review brings.
    pub(super) fn cite(&mut self, grounds: &Json) {
        if let Some(reason) = grounds.get("reason") {
            self.reason = reason.clone();
        }
        if let Some(cited) = grounds.get("evidence_refs").and_then(Value::as_array) {
            self.evidence_refs = cited.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
    }
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
    /// The model, where one answered.
    pub model: Option<String>,
    /// The prompt it answered.
    pub prompt: Option<PromptReference>,
    /// The candidate it is about; 0 where there is none yet.
    pub iteration: u32,
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
    /// The call, where one was made.
    pub call: Option<Call>,
    /// Whether the rules stood in for a model that brought nothing usable.
    pub fell_back: bool,
    /// Artifacts read.
    pub read: Vec<String>,
    /// Artifacts written.
    pub written: Vec<String>,
    /// `ok`, `unusable` or `failed`.
    pub status: String,
    /// The candidate it was about; 0 where it was about none.
    pub iteration: u32,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// What else it cost.
    pub spent: Amounts,
}

/// A call of a model, without its texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The model.
    pub model: String,
    /// The prompt's name and version.
    pub prompt: PromptReference,
    /// SHA-256 of the request.
    pub request_sha256: Digest,
    /// What the server said it took.
    pub usage: Option<Usage>,
    /// What it counts as.
    pub bill: Bill,
    /// How long it took with all its tries, in milliseconds.
    pub latency_ms: u64,
    /// Every try.
    pub tries: Vec<Tried>,
}

impl Call {
    pub(super) fn of(record: &CallRecord) -> Self {
        Self {
            model: record.model.model.clone(),
            prompt: record.prompt.clone(),
            request_sha256: record.request_sha256,
            usage: record.usage,
            bill: record.bill,
            latency_ms: record.latency_ms,
            tries: record.tries.clone(),
        }
    }
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

impl Gallery {
    /// The side and run it is of, as file names begin.
    pub fn side(&self) -> String {
        if self.iteration == 0 { "baseline".to_owned() } else { format!("candidate-{}", self.iteration) }
    }
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
