//! A change as one JSON document, for programs.

use serde_json::{Map, Value, json};

use super::graph::REPAIR;
use super::reading::Answer;
use super::status::Status;
use super::view::View;
use crate::checks::{CheckResult, Status as CheckStatus};
use loopwright_core::machine::NodeStatus;

/// The document that every command about a run answers with.
pub fn document(view: &View<'_>, evidence_dir: &str) -> Value {
    let mut document = json!({
        "run_id": view.history.id,
        "status": view.status,
        "outcome": outcome(view),
        "policy": view.brief.policy,
        "model": view.brief.model.as_ref().map(|model| &model.identity),
        "bad_cases": view.bad_cases.len(),
        "budget": view.budget(),
        "goal": goal(view),
        "understood": view.reading.as_ref().map(|reading| json!({
            "clauses": reading.understood, "not_understood": reading.not_understood, "notes": reading.notes,
        })),
        "diff": view.named_diff(),
        "validation": view.validations.last().map(|validation| &validation.layers),
        "checks": checks(view),
        "baseline": side(view.baseline_telemetry.as_ref(), &view.inputs.baseline),
        "candidate": view.candidates.last().map_or(Value::Null, |candidate| {
            side(view.last_run().and_then(|run| run.telemetry.as_ref()), &candidate.config)
        }),
        "basis": view.basis().into_iter().collect::<Map<_, _>>(),
        "repairs": repairs(view),
        "study": view.study,
        "authorization": view.authorization,
        "decision": view.decision,
        "baseline_overwritten": false,
        "evidence_dir": evidence_dir,
    });
    if let Value::Object(fields) = &mut document {
        add_obstacle(view, fields);
    }
    document
}

/// What the run, or failing that its repair loop, has come to; `null` while it is under way.
fn outcome(view: &View<'_>) -> Option<&'static str> {
    let run = &view.history.run;
    if let Some(outcome) = run.outcome() {
        return Some(outcome.kind().name());
    }
    if view.escalation.is_some() {
        return Some("escalated");
    }
    match run.status(REPAIR) {
        Some(NodeStatus::Closed(closing)) => Some(closing.outcome.kind().name()),
        _ => None,
    }
}

fn goal(view: &View<'_>) -> Value {
    match (&view.reading, &view.goal) {
        (Some(reading), _) => reading.structured_goal.clone(),
        (None, Some(goal)) => json!({"source": "candidate", "intents": goal.intents, "named": goal.named}),
        (None, None) => Value::Null,
    }
}

/// One side of the comparison: which config ran, and what it brought.
fn side(telemetry: Option<&Value>, config: &Value) -> Value {
    let digest = loopwright_core::json::Json::new(config.clone()).digest();
    json!({"config_sha256": digest, "config": config, "telemetry": telemetry})
}

/// Intent checks first, then the run's, each with the baseline beside the candidate.
pub fn checks(view: &View<'_>) -> Vec<Value> {
    let Some(run) = view.last_run() else { return Vec::new() };
    let Some(judgement) = &run.judgement else { return Vec::new() };
    let of_baseline = |id: &str| run.baseline_checks.iter().find(|check| check.id == id);
    let all = judgement.intents.iter().chain(&judgement.checks);
    let beside = view.study.iter().flat_map(|study| &study.checks);
    all.map(|check| one_check(check, of_baseline(&check.id)))
        .chain(beside.map(|check| one_check(check, None)))
        .collect()
}

fn one_check(check: &CheckResult, baseline: Option<&CheckResult>) -> Value {
    let passed = |check: &CheckResult| match check.status {
        CheckStatus::Passed => Some(true),
        CheckStatus::Failed => Some(false),
        CheckStatus::NotEvaluated => None,
    };
    json!({
        "id": check.id,
        "title": check.title,
        "expected": check.expected,
        "actual": check.actual,
        "unit": check.unit,
        "status": check.status,
        "passed": passed(check),
        "evidence": check.evidence,
        "basis": check.basis,
        "note": check.note,
        "baseline": baseline.map(|check| json!({
            "actual": check.actual, "status": check.status, "passed": passed(check),
        })),
    })
}

/// One entry for every field that a repair changed or would have changed.
fn repairs(view: &View<'_>) -> Vec<Value> {
    let mut entries = Vec::new();
    for repair in &view.repairs {
        let entry = |target: &str, before: Value, after: Value| {
            json!({
                "iteration": repair.iteration, "action": repair.action, "applied": repair.applied,
                "target": target, "before": before, "after": after, "check": repair.check, "reason": repair.reason,
            })
        };
        if repair.changes.is_empty() {
            entries.push(entry(&repair.target, Value::Null, Value::Null));
        }
        for change in &repair.changes {
            entries.push(entry(&change.path.to_string(), json!(change.before), json!(change.after)));
        }
    }
    entries
}

/// `question`, `blocked`, `failure` or `hand_off`, where there is one.
fn add_obstacle(view: &View<'_>, fields: &mut Map<String, Value>) {
    match view.reading.as_ref().map(|reading| &reading.answer) {
        Some(Answer::NeedsClarification { question }) => {
            fields.insert("question".to_owned(), json!(question));
            return;
        }
        Some(Answer::Blocked { blocked }) => {
            fields.insert("blocked".to_owned(), json!(blocked));
            return;
        }
        _ => {}
    }
    if view.status == Status::Blocked {
        fields.insert("blocked".to_owned(), obstacle(view));
    }
    if view.status == Status::BudgetExhausted {
        fields.insert("hand_off".to_owned(), hand_off(view));
    }
    if let Some(failure) = &view.failure {
        fields.insert("failure".to_owned(), json!(failure));
    }
}

/// What a loop that ran out leaves, with what was run so far and the artifacts of it.
fn hand_off(view: &View<'_>) -> Value {
    let mut left = json!(view.hand_off());
    if let Value::Object(fields) = &mut left {
        fields.insert("exhaustion".to_owned(), json!(view.exhaustion()));
        fields.insert("artifacts".to_owned(), json!(view.galleries));
    }
    left
}

/// What blocks a change that its intake has accepted.
fn obstacle(view: &View<'_>) -> Value {
    if let Some(escalation) = &view.escalation {
        let message = escalation.proposal.as_ref().and_then(|proposal| proposal.get("message")).cloned();
        let mut blocked = json!({
            "code": escalation.reason,
            "reason": message.unwrap_or_else(|| json!({"en": escalation.message, "zh": escalation.message})),
            "required_authority": escalation.required_authority,
        });
        if let Some(repair) = escalation.proposal.as_ref().and_then(|proposal| proposal.get("repair")) {
            blocked["repair"] = repair.clone();
        }
        return blocked;
    }
    let errors = view.validations.last().map(|validation| {
        let failed = validation.layers.iter().flat_map(|layer| layer.errors.iter().map(move |fault| (layer, fault)));
        failed.map(|(layer, fault)| (layer.layer, fault.clone())).collect::<Vec<_>>()
    });
    let Some((layer, first)) = errors.and_then(|errors| errors.into_iter().next()) else { return Value::Null };
    json!({
        "code": "validation",
        "layer": layer,
        "field": first.path,
        "asked": first.actual,
        "allowed": first.limit,
        "reason": first.message,
    })
}
