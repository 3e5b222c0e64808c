//! The reviewer, the policy gate that stands between it and every repair, and the repair itself.
//!
//! The gate makes its own choice from the same evidence. A review passes only where it agrees; everything else is
//! for a person.

use loopwright_configs::Text;
use loopwright_configs::text::plain;
use loopwright_core::decision::{Action, Decision};
use loopwright_core::evaluation::GateVerdict;
use loopwright_core::fact::EffectResult;
use loopwright_core::machine::Context;
use loopwright_runtime::perform::Performed;
use serde_json::{Value, json};

use super::agents::evidence;
use super::graph::APPLY_REPAIR;
use super::intake::{RULES, escalation};
use super::notes::Note;
use super::perform::{ChangePerformer, broken, noted};
use super::state::{CandidateRun, RepairRecord, RepairState, read, write};
use crate::repairs::{NoRepair, Reason, Repair, RepairChoice, apply_repair, choose_repair};

/// What every review reads.
pub(super) const REVIEW_READS: &[&str] =
    &["requirement", "structured_goal", "config_diff", "candidate_telemetry", "comparison_report", "repair_history"];

impl ChangePerformer<'_> {
    /// The rules' review: what the gate itself would choose.
    pub(super) fn review(&self, context: &Context) -> Performed {
        let Some((state, choice)) = self.choice(context) else { return broken("nothing was judged yet") };
        let answer = match &choice {
            RepairChoice::Nothing => json!({"type": "finish"}),
            RepairChoice::Repair(repair) => {
                let args = json!({"intent": repair.intent, "reason": repair.reason, "evidence": repair.check});
                json!({"type": "act", "action": {"name": APPLY_REPAIR, "args": args}})
            }
            RepairChoice::Person(person) => json!({"type": "ask_human", "question": person.message.en}),
        };
        let note = Note::new("quality_reviewer", RULES, state.iteration, REVIEW_READS, &["quality_reviews"]);
        noted(EffectResult::Decided { answer: answer.into() }, &note)
    }

    pub(super) fn gate(&self, context: &Context, decision: &Decision) -> Performed {
        let Some((state, choice)) = self.choice(context) else { return broken("nothing was judged yet") };
        let verdict = match (decision, &choice) {
            _ if let Some(missing) = Self::cites_nothing(context, decision) => invented(&missing),
            (Decision::Finish { .. }, RepairChoice::Nothing) => GateVerdict::Pass {},
            (Decision::Act { action }, RepairChoice::Repair(repair)) if names(action, &repair.intent) => {
                GateVerdict::Pass {}
            }
            (Decision::AskHuman { .. }, RepairChoice::Person(person)) => for_a_person(&state, person),
            (Decision::AskHuman { question }, _) => {
                let message = Text::new(question.clone(), format!("评审请求人工判断：{question}"));
                refuse("human_review", &message, json!({}))
            }
            (decision, choice) => disagreement(decision, choice),
        };
        let note = Note::new("policy_gate", "pack", state.iteration, &["quality_reviews", "comparison_report"], &[]);
        noted(EffectResult::Gated { verdict }, &note)
    }

    /// The first thing that a review cites and that is no evidence of the run it is about.
    fn cites_nothing(context: &Context, decision: &Decision) -> Option<String> {
        let grounds = match decision {
            Decision::Finish { claim } => claim,
            Decision::Act { action } => &action.args,
            Decision::AskHuman { .. } | Decision::ProposeGoalChange { .. } => return None,
        };
        let cited = grounds.get("evidence_refs")?.as_array()?;
        let run = read::<CandidateRun>(&context.evaluation.as_ref()?.feedback)?;
        let known = evidence(&run.judgement?, &run.telemetry?);
        let word = |cited: &Value| cited.as_str().map_or_else(|| cited.to_string(), str::to_owned);
        cited.iter().map(word).find(|cited| !known.contains(cited))
    }

    pub(super) fn repair(&self, context: &Context, action: &Action) -> Performed {
        let Some((mut state, RepairChoice::Repair(repair))) = self.choice(context) else {
            return broken("a repair passed the gate that the gate would not choose");
        };
        let iteration = state.iteration;
        let note =
            Note::new("repair_tool", "pack", iteration, &["candidate_config"], &["candidate_config", "repair_history"]);
        let record = record(iteration, &repair);
        let (error, observation) = match apply_repair(self.pack, &state.candidate, &repair) {
            Ok(candidate) => {
                state.candidate = candidate;
                state.iteration += 1;
                state.repairs.push(record.clone());
                (None, json!(record))
            }
            Err(error) => (Some("repair".to_owned()), json!({"error": error.to_string(), "action": action})),
        };
        noted(EffectResult::Acted { state: write(&state), observation: observation.into(), error }, &note)
    }

    /// The gate's own choice, from the newest judgement.
    fn choice(&self, context: &Context) -> Option<(RepairState, RepairChoice)> {
        let state = read::<RepairState>(&context.state)?;
        let run = read::<CandidateRun>(&context.evaluation.as_ref()?.feedback)?;
        let (judgement, telemetry) = (run.judgement?, run.telemetry?);
        let choice = choose_repair(self.pack, &state.goal, self.baseline, &state.candidate, &judgement, &telemetry);
        Some((state, choice))
    }
}

fn names(action: &Action, intent: &str) -> bool {
    action.name == APPLY_REPAIR && action.args.get("intent").and_then(Value::as_str) == Some(intent)
}

fn record(iteration: u32, repair: &Repair) -> RepairRecord {
    RepairRecord {
        iteration,
        action: repair.intent.clone(),
        applied: true,
        check: repair.check.clone(),
        target: repair.target.to_string(),
        changes: repair.changes.clone(),
        reason: repair.reason.clone(),
    }
}

/// What the gate leaves to a person, with the repair that was not applied.
fn for_a_person(state: &RepairState, person: &NoRepair) -> GateVerdict {
    let reason = match person.reason {
        Reason::UnnamedTarget => "unnamed_target",
        Reason::NoRepairForCheck => "no_repair_for_check",
        Reason::RepairWithoutEffect => "repair_without_effect",
        Reason::IntentConflict => "intent_conflict",
    };
    let record = RepairRecord {
        iteration: state.iteration,
        action: person.intent.clone(),
        applied: false,
        check: person.check.clone().unwrap_or_default(),
        target: person.target.as_ref().map(ToString::to_string).unwrap_or_default(),
        changes: person.changes.clone(),
        reason: person.message.clone(),
    };
    refuse(reason, &person.message, json!({"repair": record}))
}

/// A review that rests on what is not there.
fn invented(cited: &str) -> GateVerdict {
    let message = Text::new(
        format!("the review cites `{cited}`, which is no evidence of this run"),
        format!("评审引用了 `{cited}`，但本次运行没有这项证据"),
    );
    refuse("policy_gate", &message, json!({"cited": cited}))
}

fn disagreement(decision: &Decision, choice: &RepairChoice) -> GateVerdict {
    let said = match decision {
        Decision::Finish { .. } => "accept".to_owned(),
        Decision::Act { action } => {
            format!("{} {}", action.name, action.args.get("intent").map(plain).unwrap_or_default())
        }
        Decision::AskHuman { .. } | Decision::ProposeGoalChange { .. } => "a person".to_owned(),
    };
    let own = match choice {
        RepairChoice::Nothing => "accept".to_owned(),
        RepairChoice::Repair(repair) => repair.intent.clone(),
        RepairChoice::Person(person) => person.intent.clone(),
    };
    let message = Text::new(
        format!("the review says {said}, the evidence says {own}"),
        format!("评审结论是 {said}，而证据支持的是 {own}"),
    );
    refuse("policy_gate", &message, json!({"review": said, "gate": own}))
}

fn refuse(reason: &str, message: &Text, mut proposal: Value) -> GateVerdict {
    proposal["message"] = json!(message);
    GateVerdict::Escalate { escalation: escalation(reason, message, proposal) }
}
