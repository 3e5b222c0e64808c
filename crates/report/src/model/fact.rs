//! Labelled values.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

/// A list of labelled values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The values, in reading order.
    pub facts: Vec<Fact>,
}

/// One labelled value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What the value is.
    pub label: Text,
    /// The value as people read it.
    pub value: Text,
    /// Whether the value is for machines (a digest, an id) and is set in a fixed-width face.
    #[serde(default)]
    pub code: bool,
}

impl Fact {
    /// A value for people.
    pub fn new(label: Text, value: Text) -> Self {
        Self { label, value, code: false }
    }

    /// A value for machines, the same in both languages.
    pub fn code(label: Text, value: impl Into<String>) -> Self {
        Self { label, value: Text::same(value), code: true }
    }
}
