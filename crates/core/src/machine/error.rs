//! Why a fact was refused.

use crate::fact::FORMAT;
use crate::graph::GraphError;
use crate::ids::{AskId, EffectId, NodePath};

/// A fact that the state does not allow: a damaged journal, or a bug of whoever made it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTransition {
    /// The first fact does not start a run.
    #[error("the first fact of a run is run_started, and only the first")]
    NotAStart,
    /// The run was written by another version.
    #[error("the run is written in format {found}; this version reads format {FORMAT}")]
    UnknownFormat {
        /// The format found.
        found: u32,
    },
    /// The graph of the run cannot run.
    #[error("the run's graph is refused")]
    Graph(#[from] GraphError),
    /// A fact is missing or stands twice.
    #[error("fact {found} where fact {expected} is due")]
    OutOfOrder {
        /// The number that is due.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// The run has ended.
    #[error("the run has ended; nothing can happen to it")]
    Ended,
    /// No such node.
    #[error("there is no node {path}")]
    UnknownNode {
        /// The path.
        path: NodePath,
    },
    /// A fact of one node about an effect or a question of another.
    #[error("a fact of {path} is about {named}")]
    ElsewhereNamed {
        /// The node the fact is filed under.
        path: NodePath,
        /// The node whose effect or question it names.
        named: NodePath,
    },
    /// A fact that should follow by itself does not follow.
    #[error("{event} of {path} does not follow from the run's state")]
    DoesNotFollow {
        /// The kind of fact.
        event: &'static str,
        /// The node.
        path: NodePath,
    },
    /// An effect that is not due, or not open, or of another kind.
    #[error("the effect {id} is not {expected}")]
    Effect {
        /// The effect.
        id: EffectId,
        /// What it would have to be.
        expected: &'static str,
    },
    /// An answer to a question that nobody asks, or not any more.
    #[error("the question {id} is not open")]
    NotAsked {
        /// The question.
        id: AskId,
    },
    /// A reply that the question does not allow.
    #[error("{reply} is no answer to {id}: {why}")]
    Reply {
        /// The question.
        id: AskId,
        /// The reply.
        reply: &'static str,
        /// Why.
        why: &'static str,
    },
    /// A node that cannot be reopened.
    #[error("{path} cannot be reopened: {why}")]
    CannotReopen {
        /// The node.
        path: NodePath,
        /// Why.
        why: &'static str,
    },
}
