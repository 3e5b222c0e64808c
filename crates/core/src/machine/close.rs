//! How a node closes: outcome, signal and value together.

use serde_json::json;

use crate::evaluation::Escalation;
use crate::fact::{Answer, Ask, Reply};
use crate::ids::EffectId;
use crate::json::Json;
use crate::outcome::{Failure, Outcome, Signal};

/// A node's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    /// How it ended.
    pub outcome: Outcome,
    /// What it tells its graph.
    pub signal: Signal,
    /// What it hands on.
    pub value: Json,
}

impl Closing {
    pub(super) fn success(value: Json) -> Self {
        Self { outcome: Outcome::Success {}, signal: Signal::Ok, value }
    }

    /// Any outcome, with the signal that belongs to it.
    pub(super) fn of(outcome: Outcome, value: Json) -> Self {
        let signal = match &outcome {
            Outcome::Escalated { escalation, .. } => Signal::Escalation { escalation: escalation.clone() },
            _ => Signal::Ok,
        };
        Self { outcome, signal, value }
    }

    pub(super) fn failed(failure: Failure) -> Self {
        Self::of(Outcome::Failed { failure }, Json::null())
    }

    /// A task that must not happen twice was lost.
    pub(super) fn lost(id: &EffectId) -> Self {
        Self::escalated("effect_lost", format!("{id} was started, must not happen twice, and its result never arrived"))
    }

    /// A person refused a task.
    pub(super) fn disapproved(ask: &Ask, answer: &Answer) -> Self {
        Self::escalated("approval_refused", format!("{} refused {}", answer.actor, ask.id.path))
    }

    fn escalated(reason: &str, message: String) -> Self {
        let (reason, required_authority) = (reason.to_owned(), "operator".to_owned());
        let escalation = Escalation { reason, message, required_authority, proposal: None };
        Self::of(Outcome::Escalated { escalation, hand_off: None }, Json::null())
    }

    /// A human node's end; a governor's no is for the graph to read, anybody else's is a veto.
    pub(super) fn answered(answer: &Answer, governor: bool) -> Self {
        let value = Json::new(json!({"reply": answer.reply, "actor": answer.actor, "note": answer.note}));
        match &answer.reply {
            Reply::Reject {} if !governor => {
                let message = answer.note.clone().unwrap_or_else(|| format!("{} said no", answer.actor));
                let outcome = Outcome::Rejected { actor: answer.actor.clone() };
                Self { outcome, signal: Signal::HardVeto { message }, value }
            }
            _ => Self::success(value),
        }
    }
}
