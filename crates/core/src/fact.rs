//! Facts: what a journal keeps, in its own versioned shape. State is a fold of them.

use serde::{Deserialize, Serialize};

use crate::budget::Amounts;
use crate::evaluation::{Evaluation, GateVerdict};
use crate::graph::GraphSpec;
use crate::ids::{AskId, EffectId, NodePath};
use crate::json::{Digest, Json};
use crate::outcome::{Failure, Outcome, Signal};

/// The version of the shape below; a reader refuses facts of a version it does not know.
pub const FORMAT: u32 = 1;

/// One thing that happened to a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Its number in the run, from 1.
    pub seq: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The node it happened to.
    pub path: NodePath,
    /// SHA-256 of what bounds that node.
    pub contract: Digest,
    /// SHA-256 of the stored bytes of the fact before it.
    pub prev: Digest,
    /// What happened.
    pub event: Event,
}

/// What can happen, in the past tense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The run began; always the first fact and only that.
    RunStarted {
        /// See [`FORMAT`].
        format: u32,
        /// The graph as it was written.
        graph: Box<GraphSpec>,
        /// What its nodes are given.
        inputs: Json,
        /// What the run is about, for whoever shows it; the machine never reads it.
        about: Json,
    },
    /// Some nodes of a graph began, as one batch.
    BatchStarted {
        /// Their names, in declaration order.
        nodes: Vec<String>,
    },
    /// An effect that is not pure is about to be performed.
    EffectStarted {
        /// Which.
        id: EffectId,
        /// What kind of order it carries out.
        order: OrderKind,
        /// SHA-256 of the order.
        digest: Digest,
        /// What was reserved for it.
        reserve: Amounts,
    },
    /// An effect that is under way was tried and has to be tried again.
    EffectTried {
        /// Which.
        id: EffectId,
        /// What came of the try, for whoever shows it; the machine never reads it.
        note: Json,
    },
    /// An effect came back.
    EffectFinished {
        /// Which.
        id: EffectId,
        /// With what.
        result: EffectResult,
        /// What it cost.
        spent: Amounts,
        /// How it was obtained, for whoever shows it; the machine never reads it.
        #[serde(default, skip_serializing_if = "Json::is_null")]
        note: Json,
    },
    /// An effect was started and nobody will ever hear of it again.
    EffectLost {
        /// Which.
        id: EffectId,
    },
    /// A person was asked.
    Asked {
        /// The question.
        ask: Ask,
    },
    /// A person answered.
    Answered {
        /// Which question.
        id: AskId,
        /// The answer.
        answer: Answer,
    },
    /// A person raised a budget; the only fact that reopens an exhausted node.
    Amended {
        /// By how much.
        budget: Amounts,
        /// Who.
        actor: String,
        /// Why.
        note: Option<String>,
    },
    /// A node that failed with the world is tried again.
    Retried {
        /// Who wants it.
        actor: Option<String>,
    },
    /// A person ended the run.
    Cancelled {
        /// Who.
        actor: String,
        /// Why.
        note: Option<String>,
    },
    /// A node, or the run itself, came to its end.
    NodeClosed {
        /// How.
        outcome: Outcome,
        /// What it tells its graph.
        signal: Signal,
        /// What it hands on.
        value: Json,
    },
}

impl Event {
    /// The node whose effect or question the event names; the fact has to be filed under it.
    pub(crate) fn names(&self) -> Option<&NodePath> {
        match self {
            Self::EffectStarted { id, .. }
            | Self::EffectTried { id, .. }
            | Self::EffectFinished { id, .. }
            | Self::EffectLost { id } => Some(&id.path),
            Self::Asked { ask } => Some(&ask.id.path),
            Self::Answered { id, .. } => Some(&id.path),
            _ => None,
        }
    }
}

/// The kind of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderKind {
    /// Ask the policy.
    Decide,
    /// Check a decision.
    Gate,
    /// Perform an action.
    Act,
    /// Judge a state.
    Evaluate,
    /// Write the hand-off of a loop that ends.
    WrapUp,
    /// Perform a task node.
    Task,
    /// Perform a gate node.
    Check,
}

/// What an effect brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EffectResult {
    /// A policy's answer, as it came; the machine reads it.
    Decided {
        /// The answer.
        answer: Json,
    },
    /// A policy's output that could not be used, kept whole: a bad case.
    ///
    /// It costs what asking costs, and its error is the next turn's feedback.
    Unusable {
        /// The class of the error.
        class: String,
        /// What is wrong with the output and what to do, written for the policy.
        message: String,
        /// The output as it came.
        raw: Json,
    },
    /// What the policy wrote for whoever goes on.
    WrappedUp {
        /// The text, or whatever the contract's policy writes.
        written: Json,
    },
    /// A gate's word on a decision.
    Gated {
        /// The word.
        verdict: GateVerdict,
    },
    /// An action was performed.
    Acted {
        /// The state after it.
        state: Json,
        /// What it returned.
        observation: Json,
        /// The class of the action's own error, if it had one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A state was judged.
    Evaluated {
        /// The judgement.
        evaluation: Evaluation,
    },
    /// A task or gate node was performed.
    Done {
        /// What it hands on.
        value: Json,
        /// What it tells its graph.
        #[serde(default)]
        signal: Signal,
    },
    /// The world broke.
    Failed {
        /// How.
        failure: Failure,
    },
}

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Which.
    pub id: AskId,
    /// What about.
    pub about: AskAbout,
    /// Who may answer.
    pub decided_by: String,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AskAbout {
    /// A human node: its question and its inputs.
    Node {
        /// The question.
        question: Json,
        /// What the person is shown.
        inputs: Json,
    },
    /// An effect that needs approval.
    Approval {
        /// The kind of effect.
        order: OrderKind,
        /// What exactly would be done.
        subject: Json,
    },
    /// A policy's question.
    Question {
        /// Its text.
        question: String,
    },
    /// Everything that waits for the governor.
    Governor {
        /// The question.
        question: Json,
        /// What the person is shown.
        inputs: Json,
        /// Whether `approve` is a legal reply.
        may_approve: bool,
    },
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What they said.
    pub reply: Reply,
    /// Who.
    pub actor: String,
    /// Why, in their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a person, or a governor of another kind, may reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// Yes.
    Approve {
        /// What goes with the yes: a scope, a number of runs.
        #[serde(default)]
        value: Json,
    },
    /// No.
    Reject {},
    /// Another aim is wanted.
    ChangeGoal {
        /// Which.
        proposal: Json,
    },
    /// Words, in answer to a policy's question.
    Say {
        /// The words.
        text: String,
    },
}
