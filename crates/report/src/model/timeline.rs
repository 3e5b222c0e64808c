//! What happened, in order.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::Tone;

/// A list of what happened.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timeline {
    /// What it is a list of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<Text>,
    /// The entries, earliest first.
    pub entries: Vec<Entry>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// When, as it shall be read.
    pub time: String,
    /// Who or what did it.
    pub who: Text,
    /// What happened.
    pub text: Text,
    /// How it is to be taken.
    #[serde(default)]
    pub tone: Tone,
}
