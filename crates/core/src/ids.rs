//! Names of nodes, effects and questions. Every id is its own type, so that none can stand for another.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The place of a node in a run: empty for the run's own graph, otherwise names joined by `/`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodePath(String);

impl NodePath {
    /// The run's own graph.
    pub fn root() -> Self {
        Self::default()
    }

    /// A node inside this one.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        if self.0.is_empty() { Self(name.to_owned()) } else { Self(format!("{}/{name}", self.0)) }
    }

    /// Whether this is the run's own graph.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path as text; empty for the root.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "(run)" } else { &self.0 })
    }
}

/// One effect of a node: the node's path and the effect's number in it, from 1.
///
/// An idempotent effect that was lost is repeated under the same id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectId {
    /// The node that asked for it.
    pub path: NodePath,
    /// Its number among the node's effects.
    pub number: u32,
}

impl fmt::Display for EffectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.path, self.number)
    }
}

/// One question of a node to a person: the node's path and the question's number in it, from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskId {
    /// The node that asks.
    pub path: NodePath,
    /// Its number among the node's questions.
    pub number: u32,
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}?{}", self.path, self.number)
    }
}
