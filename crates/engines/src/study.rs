//! A study: both configurations against many players instead of one fixed path, and what is unfair in them.

use loopwright_configs::Text;
use loopwright_core::json::Json;
use serde::{Deserialize, Serialize};

use crate::artifact::Artifact;

/// What is to be studied.
#[derive(Debug, Clone)]
pub struct StudyRequest {
    /// The configuration before the change.
    pub baseline: Json,
    /// The proposed configuration.
    pub candidate: Json,
    /// The seed that every player's own seed is derived from.
    pub seed: u64,
    /// How many players each configuration meets.
    pub players: u32,
}

/// What a study brought.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyReport {
    /// One entry for every figure that was taken of each player.
    pub distributions: Vec<Distribution>,
    /// What was found in each configuration, in words.
    pub findings: Vec<Finding>,
    /// Pictures of it.
    pub artifacts: Vec<Artifact>,
}

/// Which way a figure gets better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Smaller is better.
    Lower,
    /// Larger is better.
    Higher,
}

/// One figure of every player; the same place in both lists is the same player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// A short name.
    pub id: String,
    /// Its name for people.
    pub label: Text,
    /// The unit of its values.
    pub unit: Option<Text>,
    /// Which way it gets better.
    pub better: Better,
    /// The values under the baseline.
    pub baseline: Vec<f64>,
    /// The values under the candidate.
    pub candidate: Vec<f64>,
}

/// Something that was found in both configurations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What was looked for.
    pub label: Text,
    /// What was found in the baseline.
    pub baseline: Text,
    /// What was found in the candidate.
    pub candidate: Text,
}
