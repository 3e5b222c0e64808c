//! Words: an explanation, a quotation, a caution.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::Tone;

/// One paragraph. Line breaks in the text are kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paragraph {
    /// What it says.
    pub text: Text,
    /// How it speaks.
    #[serde(default)]
    pub manner: Manner,
    /// How it is to be taken.
    #[serde(default)]
    pub tone: Tone,
}

/// How a paragraph speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// The report's own words.
    #[default]
    Plain,
    /// Somebody else's words, as they came.
    Quote,
    /// Something a reader must not miss.
    Note,
}
