//! The evidence folder: a projection of the journal into plain JSON files that people can open.
//!
//! The same facts give the same bytes, so a folder can be written again at any time, by anybody.

mod manifest;
pub mod pictures;
mod timeline;

use serde_json::{Value, json};

use super::document::checks;
use super::reading::Reading;
use super::view::View;

pub use timeline::{entry, time};

/// One file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The names of all files, in the order in which they are written.
pub const NAMES: [&str; 15] = [
    "requirement.json",
    "structured_goal.json",
    "baseline_config.json",
    "candidate_config.json",
    "candidate_history.json",
    "config_diff.json",
    "validation_results.json",
    "baseline_telemetry.json",
    "candidate_telemetry.json",
    "comparison_report.json",
    "repair_history.json",
    "quality_reviews.json",
    "agent_runs.json",
    "badcases.json",
    "workflow_manifest.json",
];

/// All files of a change. What a run never came to is `null` or an empty list.
pub fn files(view: &View<'_>) -> Vec<File> {
    let [requirement, goal, baseline, candidate, history, diff, validation, base_run, run, report, repairs, rest @ ..] =
        NAMES;
    let [reviews, agents, badcases, manifest] = rest;
    let newest = view.candidates.last();
    let last_run = view.last_run();
    let mut files = vec![
        file(requirement, &requirement_of(view)),
        file(goal, &goal_of(view)),
        file(baseline, &view.inputs.baseline),
        file(candidate, &json!(newest.map(|candidate| &candidate.config))),
        file(history, &json!(view.candidates)),
        file(diff, &json!(view.named_diff())),
        file(validation, &json!(view.validations)),
        file(base_run, &json!(view.baseline_telemetry)),
        file(run, &json!(last_run.map(|run| &run.telemetry))),
        file(report, &comparison(view)),
        file(repairs, &json!(view.repairs)),
        file(reviews, &json!(view.reviews)),
        file(agents, &json!(view.agent_runs)),
        file(badcases, &json!(view.bad_cases)),
    ];
    let manifest = file(manifest, &manifest::manifest(view, &files));
    files.push(manifest);
    files
}

fn file(name: &'static str, value: &Value) -> File {
    // A JSON value always has a text.
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    File { name, bytes }
}

fn requirement_of(view: &View<'_>) -> Value {
    let reading = view.reading.as_ref();
    let clauses = |of: fn(&Reading) -> Value| reading.map_or(Value::Null, of);
    json!({
        "text": view.brief.requirement,
        "lang": view.brief.lang,
        "proposer": view.brief.proposer,
        "policy": view.brief.policy,
        "decision": clauses(|reading| json!(reading.answer).get("decision").cloned().unwrap_or_default()),
        "understood": clauses(|reading| json!(reading.understood)),
        "not_understood": clauses(|reading| json!(reading.not_understood)),
        "notes": clauses(|reading| json!(reading.notes)),
        "question": clauses(|reading| json!(reading.answer).get("question").cloned().unwrap_or_default()),
        "blocked": clauses(|reading| json!(reading.answer).get("blocked").cloned().unwrap_or_default()),
    })
}

fn goal_of(view: &View<'_>) -> Value {
    let structured = view.reading.as_ref().map(|reading| reading.structured_goal.clone());
    structured.unwrap_or_else(|| json!(view.goal))
}

fn comparison(view: &View<'_>) -> Value {
    let Some(run) = view.last_run() else { return Value::Null };
    let mut report = json!({
        "iteration": run.iteration,
        "candidate_sha256": run.config_sha256,
        "checks": checks(view),
        "score": run.judgement.as_ref().map(|judgement| &judgement.score),
        "accepted": run.judgement.as_ref().map(crate::judgement::Judgement::accepted),
        "rounds": view.runs.iter().map(round).collect::<Vec<_>>(),
        "study": view.study,
    });
    for (field, value) in view.basis() {
        report[field] = value;
    }
    report
}

/// One candidate's run in a line.
fn round(run: &super::state::CandidateRun) -> Value {
    let judgement = run.judgement.as_ref();
    json!({
        "iteration": run.iteration,
        "config_sha256": run.config_sha256,
        "score": judgement.map(|judgement| &judgement.score),
        "failed": judgement.map(|judgement| judgement.failed().map(|check| &check.id).collect::<Vec<_>>()),
    })
}
