//! The intake loop: read the requirement once, judge what was read.

use loopwright_configs::Text;
use loopwright_core::decision::Action;
use loopwright_core::evaluation::{Escalation, Evaluation, Verdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::machine::Context;
use loopwright_runtime::perform::Performed;
use serde_json::json;

use super::graph::{PERSON, READ_REQUIREMENT};
use super::notes::Note;
use super::perform::{ChangePerformer, broken, noted};
use super::reading::{Answer, Reading};
use super::state::{read, write};
use super::status::NEEDS_CLARIFICATION;

/// What stands behind a reading or a review that no model made.
pub(super) const RULES: &str = "rules";

impl ChangePerformer<'_> {
    /// The rules have one decision only: to read.
    pub(super) fn decide_to_read() -> Performed {
        let answer = json!({"type": "act", "action": {"name": READ_REQUIREMENT}});
        let note = Note::new("requirement_agent", RULES, 0, &["requirement", "baseline_config"], &[]);
        noted(EffectResult::Decided { answer: answer.into() }, &note)
    }

    /// Reads the requirement: a model's proposal where there is one, by the rules where there is none.
    pub(super) fn read_requirement(&self, action: &Action) -> Performed {
        let Some(requirement) = &self.brief.requirement else {
            return broken("a run without a requirement has no intake");
        };
        let proposed = !action.args.is_null();
        let reading = if proposed {
            self.reading_of(requirement, action)
        } else {
            Some(self.reader.read(requirement, self.baseline))
        };
        let Some(reading) = reading else { return broken("the intake's proposal cannot be read") };
        let written: &[&str] = match reading.answer {
            Answer::Accepted { .. } => &["structured_goal", "candidate_config"],
            _ => &["structured_goal"],
        };
        let provider = if proposed { self.provider() } else { RULES.to_owned() };
        let note = Note::new("requirement_agent", &provider, 0, &["requirement", "baseline_config"], written);
        let observation = json!({"understood": reading.understood.len(), "open": reading.not_understood.len()});
        let state = write(&json!({"reading": reading}));
        noted(EffectResult::Acted { state, observation: observation.into(), error: None }, &note)
    }

    pub(super) fn judge_reading(context: &Context) -> Performed {
        let reading = context.state.get("reading").cloned().unwrap_or_default();
        let Some(reading) = read::<Reading>(&reading.into()) else {
            return broken("the intake's state holds no reading");
        };
        let mut evaluation = Evaluation::new(Verdict::Success, json!({}));
        let stop = match &reading.answer {
            Answer::Accepted { .. } => None,
            Answer::NeedsClarification { question } => Some((NEEDS_CLARIFICATION, question.clone(), json!({}))),
            Answer::Blocked { blocked } => Some(("blocked", blocked.reason.clone(), json!({"blocked": blocked}))),
        };
        if let Some((reason, message, mut proposal)) = stop {
            proposal["message"] = json!(message);
            evaluation.verdict = Verdict::Escalate;
            evaluation.escalation = Some(escalation(reason, &message, proposal));
        }
        let note = Note::new("requirement_check", "pack", 0, &["structured_goal"], &[]);
        noted(EffectResult::Evaluated { evaluation }, &note)
    }
}

/// An escalation to the person of this workflow, with its text in both languages among what is proposed.
pub(super) fn escalation(reason: &str, message: &Text, proposal: serde_json::Value) -> Escalation {
    Escalation {
        reason: reason.to_owned(),
        message: message.en.clone(),
        required_authority: PERSON.to_owned(),
        proposal: Some(proposal.into()),
    }
}
