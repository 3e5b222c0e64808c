//! What the intake hands back.

use loopwright_configs::Text;
use serde_json::Value;

use crate::goal::StructuredGoal;
use crate::trouble::{BlockCode, QuestionCode};

/// A requirement, read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// One of three answers.
    pub answer: Answer,
    /// Every clause that was understood and asks for something, with what it means here.
    pub understood: Vec<Understood>,
    /// Every clause that was not.
    pub not_understood: Vec<NotUnderstood>,
    /// What the contract forced, and what was assumed.
    pub notes: Vec<Text>,
    /// The goal as data; of an answer that is not accepted, as far as it was understood.
    pub goal: StructuredGoal,
}

/// The answer to a requirement.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A candidate that waits for authorization.
    Accepted {
        /// The whole document with the changes applied.
        candidate: Value,
    },
    /// A person has to answer first.
    NeedsClarification {
        /// The question, with the choices there are.
        question: Text,
        /// What it is about.
        code: QuestionCode,
    },
    /// The requirement asks for what may not be.
    Blocked {
        /// The path of the field or element; none for requests for programs.
        field: Option<String>,
        /// What was asked for, where it is a value.
        asked: Option<Value>,
        /// What is allowed: a range, a list or the scope.
        allowed: Option<String>,
        /// The same for people.
        reason: Text,
        /// What kind of refusal it is.
        code: BlockCode,
    },
}

/// A clause that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Understood {
    /// The clause as it was typed.
    pub clause: String,
    /// What it does here.
    pub meaning: Text,
    /// It took the documented step of a direction without a value.
    pub step: bool,
    /// It loosens a limit.
    pub loosened: bool,
}

/// A clause that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnderstood {
    /// The clause as it was typed.
    pub clause: String,
    /// Why.
    pub why: Text,
}
