//! Typed artifacts of an engine: pictures and scenes, with what they show in both languages.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an artifact shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// A picture of one moment; `detail` has its time.
    Capture,
    /// Small pictures of many moments.
    Filmstrip,
    /// A picture over the place of play, of the whole run.
    Map,
    /// Everything that moved, so that the run can be shown again exactly.
    Scene,
}

/// Bytes that an engine made, with what they show.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// A file name, unique within a run of an engine.
    pub name: String,
    /// What it shows.
    pub kind: ArtifactKind,
    /// Its media type.
    pub media_type: String,
    /// What it shows, for people.
    pub label: Text,
    /// More of it: a time, a phase, figures at that moment.
    pub detail: Value,
    /// The bytes.
    pub bytes: Vec<u8>,
}
