//! How a run ended, and what a person has to do now.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::Tone;

/// The first thing a reader sees.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// How the outcome is to be taken.
    pub tone: Tone,
    /// The status word programs know, such as `evidence_ready`.
    pub status: String,
    /// The outcome in one sentence.
    pub headline: Text,
    /// What a person must decide now, and on what.
    pub decide: Text,
    /// Commands that carry the decision out, ready to be typed.
    #[serde(default)]
    pub commands: Vec<String>,
    /// Whether the world failed, so that nothing was judged. Test reports count this apart from failed checks.
    #[serde(default)]
    pub world_failed: bool,
}
