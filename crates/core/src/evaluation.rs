//! What an evaluator says of a state, and what a gate says of a decision.

use serde::{Deserialize, Deserializer, Serialize};

use crate::json::Json;

/// The evaluator's word on a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Not there yet.
    Continue,
    /// The aim is reached.
    Success,
    /// A person has to decide.
    Escalate,
}

/// One check of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// Whether it held; nothing where it could not be evaluated.
    pub passed: Option<bool>,
}

/// A loop's honest stop at its boundary: why, who must decide, and what was proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escalation {
    /// A short code, for programs.
    pub reason: String,
    /// What happened, for people.
    pub message: String,
    /// Who must decide.
    pub required_authority: String,
    /// What was proposed or refused; `null` is a proposal too, if a strange one.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub proposal: Option<Json>,
}

/// Reads a field that is there, so that `null` is not taken for a field that is not.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// An evaluator's judgement of a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// The word that counts.
    pub verdict: Verdict,
    /// Larger is better, compared lexicographically.
    #[serde(default)]
    pub score: Vec<i64>,
    /// The single checks.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// What the verdict rests on.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// What the policy is told.
    #[serde(default)]
    pub feedback: Json,
    /// Set where the verdict is to escalate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Escalation>,
}

impl Evaluation {
    /// An evaluation with a verdict and feedback, and nothing more.
    pub fn new(verdict: Verdict, feedback: impl Into<Json>) -> Self {
        let (score, checks, evidence) = (Vec::new(), Vec::new(), Vec::new());
        Self { verdict, score, checks, evidence, feedback: feedback.into(), escalation: None }
    }
}

/// A deterministic check between a decision and its effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum GateVerdict {
    /// The decision may go on to authority and ledger.
    Pass {},
    /// The policy is told why and may try again.
    Refuse {
        /// Why.
        feedback: Json,
    },
    /// The loop stops; a person has to decide.
    Escalate {
        /// Why, and who.
        escalation: Escalation,
    },
}
