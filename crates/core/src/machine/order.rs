//! What a performer is asked to do, with everything it may know.

use serde::Serialize;

use crate::authority::Authority;
use crate::budget::Budget;
use crate::decision::{Action, Decision};
use crate::evaluation::Evaluation;
use crate::fact::OrderKind;
use crate::json::{Digest, Json};
use crate::outcome::Exhaustion;

/// What a loop's policy, gate, performer and evaluator are given; there is nothing hidden beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Context {
    /// What the loop may converge on.
    pub aim: String,
    /// The state as it is.
    pub state: Json,
    /// The attempt that is under way, from 1.
    pub attempt: u32,
    /// The evaluation of that state, where there is one.
    pub evaluation: Option<Evaluation>,
    /// The newest feedback: of an evaluation, an action, a refusal or a person.
    pub feedback: Json,
    /// What the loop may do.
    pub authority: Authority,
    /// What is left of everything that is limited.
    pub budget_left: Budget,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Order {
    /// Ask the policy.
    Decide {
        /// What it knows.
        context: Box<Context>,
    },
    /// Check a decision.
    Gate {
        /// What is known.
        context: Box<Context>,
        /// The decision.
        decision: Decision,
    },
    /// Perform an action.
    Act {
        /// What is known.
        context: Box<Context>,
        /// The action.
        action: Action,
    },
    /// Judge the state.
    Evaluate {
        /// What is known.
        context: Box<Context>,
        /// Whether the policy claims to be finished.
        claimed: bool,
    },
    /// Write the hand-off of a loop that ends, and nothing else.
    WrapUp {
        /// What is known.
        context: Box<Context>,
        /// What ran out.
        exhaustion: Exhaustion,
    },
    /// Perform a task node.
    Task {
        /// Its inputs.
        inputs: Json,
    },
    /// Perform a gate node.
    Check {
        /// Its inputs.
        inputs: Json,
    },
}

impl Order {
    /// The kind of the order.
    pub fn kind(&self) -> OrderKind {
        match self {
            Self::Decide { .. } => OrderKind::Decide,
            Self::Gate { .. } => OrderKind::Gate,
            Self::Act { .. } => OrderKind::Act,
            Self::Evaluate { .. } => OrderKind::Evaluate,
            Self::WrapUp { .. } => OrderKind::WrapUp,
            Self::Task { .. } => OrderKind::Task,
            Self::Check { .. } => OrderKind::Check,
        }
    }

    /// SHA-256 over the digests of the order's parts, which are computed once for every value.
    pub fn digest(&self) -> Digest {
        let mut parts = Parts(format!("{:?}", self.kind()).into_bytes());
        match self {
            Self::Decide { context } => parts.context(context),
            Self::Gate { context, decision } => {
                parts.context(context);
                parts.decision(decision);
            }
            Self::Act { context, action } => {
                parts.context(context);
                parts.action(action);
            }
            Self::Evaluate { context, claimed } => {
                parts.context(context);
                parts.text(if *claimed { "claimed" } else { "" });
            }
            Self::WrapUp { context, exhaustion } => {
                parts.context(context);
                parts.text(&exhaustion.to_string());
            }
            Self::Task { inputs } | Self::Check { inputs } => parts.json(inputs),
        }
        Digest::of(&parts.0)
    }
}

/// Collects the digests of an order's parts.
struct Parts(Vec<u8>);

impl Parts {
    fn text(&mut self, text: &str) {
        self.0.push(b'\n');
        self.0.extend_from_slice(text.as_bytes());
    }

    fn json(&mut self, json: &Json) {
        self.text(&json.digest().to_string());
    }

    fn action(&mut self, action: &Action) {
        self.text(&action.name);
        self.json(&action.args);
    }

    fn decision(&mut self, decision: &Decision) {
        match decision {
            Decision::Act { action } => self.action(action),
            Decision::Finish { claim } => {
                self.text("finish");
                if !claim.is_null() {
                    self.json(claim);
                }
            }
            Decision::AskHuman { question } => self.text(question),
            Decision::ProposeGoalChange { proposal } => self.json(proposal),
        }
    }

    fn context(&mut self, context: &Context) {
        self.text(&context.aim);
        self.json(&context.state);
        self.text(&context.attempt.to_string());
        self.json(&context.feedback);
        if let Some(evaluation) = &context.evaluation {
            self.text(&format!("{:?} {:?}", evaluation.verdict, evaluation.score));
            self.json(&evaluation.feedback);
        }
    }
}
