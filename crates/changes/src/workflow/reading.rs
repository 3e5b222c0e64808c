//! A requirement as it was understood: what the intake's state holds, whoever read it.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::goal::Goal;

/// Reads requirements: the rules of the pack, or whoever else comes to propose candidates.
pub trait RequirementReader: Sync {
    /// What a requirement asks of a baseline.
    fn read(&self, requirement: &str, baseline: &Value) -> Reading;
}

/// What a requirement came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The three answers.
    pub answer: Answer,
    /// The structured goal, as the pack's schema describes it.
    pub structured_goal: Value,
    /// The part of it that is checked.
    pub goal: Goal,
    /// What was understood, clause by clause.
    pub understood: Vec<Clause>,
    /// What was not.
    pub not_understood: Vec<Clause>,
    /// What the contract forced, and which documented steps were taken.
    pub notes: Vec<Text>,
}

/// A clause of the requirement, and what was made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clause {
    /// The clause as it was written.
    pub clause: String,
    /// What it means, or why it means nothing.
    pub meaning: Text,
    /// Whether it loosens a limit.
    #[serde(default)]
    pub loosened: bool,
}

/// The three answers to a requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Answer {
    /// A candidate waits for authorization.
    Accepted {
        /// The candidate.
        candidate: Value,
    },
    /// The requirement has to be put differently.
    NeedsClarification {
        /// What to ask.
        question: Text,
    },
    /// The requirement asks for what may not be.
    Blocked {
        /// What stands in the way.
        blocked: Blocked,
    },
}

/// What stands in the way of a requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blocked {
    /// The field or item.
    pub field: Option<String>,
    /// The value that was asked for.
    pub asked: Option<Value>,
    /// What is allowed there.
    pub allowed: Option<Value>,
    /// Why.
    pub reason: Text,
}
