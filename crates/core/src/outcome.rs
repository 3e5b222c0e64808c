//! How loops, nodes and graphs end, and what they leave behind.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::budget::{Amounts, Budget, Overrun, Resource, Shortage};
use crate::evaluation::{Escalation, Evaluation};
use crate::json::Json;

/// What stopped a loop that could not go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Exhaustion {
    /// A resource does not pay for the next step.
    Resource {
        /// What was asked for and what was left.
        shortage: Shortage,
    },
    /// A bill was larger than what had been reserved.
    Overrun {
        /// The bill.
        overrun: Overrun,
    },
    /// No better score for some rounds.
    NoProgress {
        /// How many.
        rounds: u32,
    },
}

impl Exhaustion {
    /// The resource that ran out; nothing where it was patience.
    pub fn resource(&self) -> Option<Resource> {
        match self {
            Self::Resource { shortage } => Some(shortage.resource),
            Self::Overrun { overrun } => Some(overrun.resource),
            Self::NoProgress { .. } => None,
        }
    }
}

impl fmt::Display for Exhaustion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource { shortage } => shortage.fmt(f),
            Self::Overrun { overrun } => {
                write!(f, "{} {} spent where {} were reserved", overrun.spent, overrun.resource, overrun.reserved)
            }
            Self::NoProgress { rounds } => write!(f, "no better score in {rounds} rounds"),
        }
    }
}

/// The best state so far, by score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// Its score.
    pub score: Vec<i64>,
    /// The state.
    pub state: Json,
    /// The attempt after which it stood.
    pub attempt: u32,
    /// The evaluation that scored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
}

/// What a stopped loop leaves for whoever goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandOff {
    /// What the loop was to reach; never changed.
    pub aim: String,
    /// Why it stopped, for people.
    pub why: String,
    /// How many attempts it made.
    pub attempts: u32,
    /// The state as it stands.
    pub state: Json,
    /// The evaluation of that state, where there is one.
    pub evaluation: Option<Evaluation>,
    /// The best state so far, where one was scored.
    pub best: Option<Best>,
    /// What the loop was given.
    pub budget: Budget,
    /// What it spent.
    pub spent: Amounts,
    /// Who must decide what happens next.
    pub decided_by: String,
    /// What the policy wrote with the wrap-up reserve, where the contract keeps one.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub written: Json,
}

/// The world broke: an engine, a model, a disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(deny_unknown_fields)]
#[error("{class}: {message}")]
pub struct Failure {
    /// A short code, for programs.
    pub class: String,
    /// What happened and what to do, for people.
    pub message: String,
    /// More of it: a log's tail, an exit status.
    #[serde(default)]
    pub detail: Json,
}

/// How a loop, a node or a graph ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The evaluator accepted, or a graph came to its end with everything accepted.
    Success {},
    /// The budget or the patience ran out.
    BudgetExhausted {
        /// What ran out.
        exhaustion: Exhaustion,
        /// What is left for whoever goes on.
        hand_off: Option<Box<HandOff>>,
    },
    /// A loop stopped at its boundary.
    Escalated {
        /// Why, and who must decide.
        escalation: Escalation,
        /// What is left for whoever decides.
        hand_off: Option<Box<HandOff>>,
    },
    /// The world broke; the run can go on once it is mended.
    Failed {
        /// What broke.
        failure: Failure,
    },
    /// A person ended it.
    Cancelled {
        /// Who.
        actor: String,
        /// Why, if they said so.
        note: Option<String>,
    },
    /// A node's hard veto ended the graph.
    HardVetoed {
        /// Which node.
        node: String,
    },
    /// The governor said no.
    Rejected {
        /// Who.
        actor: String,
    },
    /// The governor wants another aim; a new run has to follow it.
    GoalChanged {
        /// Who.
        actor: String,
        /// What is wanted.
        proposal: Json,
    },
}

/// An outcome without its details; what edges receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// See [`Outcome::Success`].
    Success,
    /// See [`Outcome::BudgetExhausted`].
    BudgetExhausted,
    /// See [`Outcome::Escalated`].
    Escalated,
    /// See [`Outcome::Failed`].
    Failed,
    /// See [`Outcome::Cancelled`].
    Cancelled,
    /// See [`Outcome::HardVetoed`].
    HardVetoed,
    /// See [`Outcome::Rejected`].
    Rejected,
    /// See [`Outcome::GoalChanged`].
    GoalChanged,
}

impl Outcome {
    /// The outcome without its details.
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Success {} => OutcomeKind::Success,
            Self::BudgetExhausted { .. } => OutcomeKind::BudgetExhausted,
            Self::Escalated { .. } => OutcomeKind::Escalated,
            Self::Failed { .. } => OutcomeKind::Failed,
            Self::Cancelled { .. } => OutcomeKind::Cancelled,
            Self::HardVetoed { .. } => OutcomeKind::HardVetoed,
            Self::Rejected { .. } => OutcomeKind::Rejected,
            Self::GoalChanged { .. } => OutcomeKind::GoalChanged,
        }
    }
}

impl OutcomeKind {
    /// The outcome's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::BudgetExhausted => "budget_exhausted",
            Self::Escalated => "escalated",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::HardVetoed => "hard_vetoed",
            Self::Rejected => "rejected",
            Self::GoalChanged => "goal_changed",
        }
    }
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a node tells its graph beside its value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Signal {
    /// Nothing to say.
    #[default]
    Ok,
    /// Reaches the governor and blocks nothing.
    SoftObjection {
        /// What is objected to.
        message: String,
    },
    /// Ends the graph before anything downstream; the governor is not asked.
    HardVeto {
        /// Why.
        message: String,
    },
    /// Goes straight to the governor.
    Escalation {
        /// Why, and who must decide.
        escalation: Escalation,
    },
}
