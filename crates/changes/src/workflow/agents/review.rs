//! The quality reviewer: the evidence of one run in, a review out. It may name a repair, and gives no numbers.

use loopwright_core::machine::{Context, Planned};
use loopwright_runtime::perform::{Interrupt, Performed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::Question;
use super::places;
use crate::checks::CheckResult;
use crate::judgement::Judgement;
use crate::pack::Pack;
use crate::workflow::graph::APPLY_REPAIR;
use crate::workflow::notes::{BadOutput, Note};
use crate::workflow::perform::{ChangePerformer, broken};
use crate::workflow::review::REVIEW_READS;
use crate::workflow::state::{CandidateRun, RepairRecord, RepairState, read};

/// The agent's name, which is its prompt's.
const AGENT: &str = "quality_reviewer";
/// What a review may cite besides checks and figures.
const DOCUMENTS: [&str; 7] = [
    "requirement",
    "structured_goal",
    "config_diff",
    "baseline_telemetry",
    "candidate_telemetry",
    "comparison_report",
    "repair_history",
];

/// The agent's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Review {
    decision: Word,
    repair_action: Option<String>,
    reason: String,
    evidence_refs: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Accept,
    Repair,
    HumanReview,
}

impl ChangePerformer<'_> {
    /// Asks the model for a review.
    pub(in crate::workflow) fn review_by_model(
        &self,
        context: &Context,
        planned: &Planned,
        interrupt: &Interrupt,
    ) -> Performed {
        let Some(prompts) = self.pack.prompts() else {
            return broken("the pack has no prompts, so no model can be asked");
        };
        let run = context.evaluation.as_ref().and_then(|evaluation| read::<CandidateRun>(&evaluation.feedback));
        let judged = run.and_then(|run| Some((run.judgement?, run.telemetry?)));
        let (Some(state), Some((judgement, telemetry))) = (read::<RepairState>(&context.state), judged) else {
            return broken("nothing was judged yet");
        };
        let lines = |lines: Vec<String>| if lines.is_empty() { "none".to_owned() } else { lines.join("\n") };
        let question = Question {
            agent: AGENT,
            prompt: &prompts.quality_reviewer,
            values: [
                (
                    "requirement",
                    self.brief.requirement.clone().unwrap_or_else(|| "(a person's own candidate)".to_owned()),
                ),
                ("goal", format!("{:#}", json!(state.goal))),
                ("diff", places::changes(self.pack, self.baseline, &state.candidate)),
                ("checks", lines(judgement.intents.iter().chain(&judgement.checks).map(check).collect())),
                ("repair_history", lines(state.repairs.iter().map(repair).collect())),
                ("repair_actions", lines(actions(self.pack))),
                ("evidence", evidence(&judgement, &telemetry).join("\n")),
            ]
            .into(),
            schema: schema(self.pack),
        };
        let note = Note::new(AGENT, &self.provider(), state.iteration, REVIEW_READS, &["quality_reviews"]);
        let reply = self.ask(&question, context, planned, interrupt);
        self.conclude(reply, note, decision, || self.review(context))
    }
}

/// Everything that a review of a run may cite.
pub(in crate::workflow) fn evidence(judgement: &Judgement, telemetry: &Value) -> Vec<String> {
    let checks = judgement.intents.iter().chain(&judgement.checks).map(|check| cited(&check.id));
    let figures = telemetry.as_object().into_iter().flatten().map(|(name, _)| format!("telemetry:{name}"));
    DOCUMENTS.iter().map(|name| (*name).to_owned()).chain(checks).chain(figures).collect()
}

/// A check as a review cites it; what was asked has a name of that form already.
fn cited(id: &str) -> String {
    if id.starts_with("intent:") { id.to_owned() } else { format!("check:{id}") }
}

fn schema(pack: &Pack) -> Value {
    let names: Vec<_> = pack.repairs().repairs.iter().map(|rule| json!(rule.intent)).chain([Value::Null]).collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["decision", "repair_action", "reason", "evidence_refs"],
        "properties": {
            "decision": {"enum": ["accept", "repair", "human_review"]},
            "repair_action": {"enum": names},
            "reason": {"type": "string", "minLength": 1, "maxLength": 1000},
            "evidence_refs": {"type": "array", "minItems": 1, "maxItems": 32, "items": {"type": "string", "minLength": 1}},
        },
    })
}

/// A review becomes a decision, with everything that the gate has to judge.
fn decision(answer: &Value) -> Result<Value, BadOutput> {
    let wrong = |message: String| BadOutput { class: "wrong_type".to_owned(), message, raw: answer.to_string() };
    let review = Review::deserialize(answer).map_err(|error| wrong(format!("the review cannot be read: {error}")))?;
    match (review.decision, &review.repair_action) {
        (Word::Accept, None) => Ok(json!({"type": "finish", "claim": review})),
        (Word::Repair, Some(intent)) => {
            let args = json!({"intent": intent, "reason": review.reason, "evidence_refs": review.evidence_refs});
            Ok(json!({"type": "act", "action": {"name": APPLY_REPAIR, "args": args}}))
        }
        (Word::HumanReview, None) => Ok(json!({"type": "ask_human", "question": review.reason})),
        (Word::Repair, None) => Err(wrong("the decision is repair, but repair_action is null: name one".to_owned())),
        (Word::Accept | Word::HumanReview, Some(_)) => {
            Err(wrong("repair_action has to be null unless the decision is repair".to_owned()))
        }
    }
}

fn check(check: &CheckResult) -> String {
    let (expected, actual) = (&check.expected, &check.actual);
    format!("- {} ({}): {}, expected {expected}, actual {actual}", cited(&check.id), check.title.en, check.status)
}

fn repair(record: &RepairRecord) -> String {
    let changes = places::listed(&record.changes).replace('\n', "; ");
    format!("- after run {}: {} for {}: {changes}", record.iteration, record.action, record.check)
}

fn actions(pack: &Pack) -> Vec<String> {
    pack.repairs().repairs.iter().map(|rule| format!("- {}: {}", rule.intent, rule.title.en)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review(word: &str, action: &Value) -> Value {
        json!({"decision": word, "repair_action": action, "reason": "as seen", "evidence_refs": ["check:a"]})
    }

    #[test]
    fn a_review_becomes_a_decision_with_its_grounds() {
        let cases = [
            (review("accept", &Value::Null), "/claim/evidence_refs/0", json!("check:a")),
            (review("repair", &json!("LESS")), "/action/args/evidence_refs/0", json!("check:a")),
            (review("repair", &json!("LESS")), "/action/args/intent", json!("LESS")),
            (review("human_review", &Value::Null), "/question", json!("as seen")),
        ];
        for (answer, pointer, expected) in cases {
            let decision = decision(&answer).unwrap();
            assert_eq!(decision.pointer(pointer), Some(&expected), "{decision}");
            assert!(loopwright_core::decision::Decision::parse(&decision).is_ok());
        }
    }

    #[test]
    fn a_review_that_contradicts_itself_is_no_review() {
        for answer in
            [review("repair", &Value::Null), review("accept", &json!("LESS")), review("human_review", &json!("LESS"))]
        {
            assert_eq!(decision(&answer).unwrap_err().class, "wrong_type");
        }
    }
}
