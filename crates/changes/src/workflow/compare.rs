//! Two changes side by side: configs, checks and figures, and what stands in the way of comparing them.
//!
//! Nothing is judged here: who passed was decided in each run, under its own limits. What makes two runs
//! incomparable is said, and both are shown all the same.

use std::collections::BTreeSet;

use loopwright_configs::diff::same_value;
use loopwright_configs::{Change, Path, Text, diff};
use loopwright_core::json::{Digest, Json};
use serde::Serialize;
use serde_json::{Value, json};

use super::status::Status;
use super::view::View;
use crate::checks::{CheckResult, Status as CheckStatus};

/// Fields of a telemetry that say what it belongs to; they differ between any two runs and are no figures.
const BELONGINGS: [&str; 8] =
    ["run_id", "variant", "config_sha256", "engine_name", "engine_version", "build_id", "cited_from", "cited_run"];

/// Two changes side by side; every pair has the first run's side first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Whether figures of the two may be set against each other at all.
    pub comparable: bool,
    /// The two runs.
    pub runs: [Side; 2],
    /// Every place at which the two candidates differ, or one of them differs from its baseline.
    pub config_diff: Vec<ConfigRow>,
    /// Every check that either was judged by.
    pub checks: Vec<CheckRow>,
    /// Every figure of either candidate's telemetry.
    pub figures: Vec<FigureRow>,
    /// What differs in the terms of the two runs, or is missing.
    pub notes: Vec<Note>,
}

/// One of the two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The run.
    pub run_id: String,
    /// Where it stands.
    pub status: Status,
    /// The requirement, where there is one.
    pub requirement: Option<String>,
    /// Name, version and digest of its pack.
    pub pack: Value,
    /// Its engine.
    pub engine: Value,
    /// The seed of both its sides.
    pub seed: u64,
    /// The number of the newest candidate; 0 where there is none.
    pub iteration: u32,
    /// SHA-256 of its baseline's RFC 8785 form.
    pub baseline_sha256: Digest,
    /// SHA-256 of its newest candidate's RFC 8785 form.
    pub candidate_sha256: Option<Digest>,
    /// Its baseline.
    pub baseline: Value,
    /// Its newest candidate.
    pub candidate: Option<Value>,
    /// The newest judged candidate's telemetry.
    pub telemetry: Option<Value>,
}

/// A place of the configs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConfigRow {
    /// Where.
    pub path: Path,
    /// What people call it.
    pub label: Text,
    /// The unit.
    pub unit: Option<Text>,
    /// The baselines' values.
    pub baseline: [Option<Value>; 2],
    /// The newest candidates' values.
    pub candidate: [Option<Value>; 2],
    /// Whether the candidates differ here.
    pub differs: bool,
}

/// A check of both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckRow {
    /// The check's name.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// The unit of limit and figures.
    pub unit: Option<Text>,
    /// What each run's candidate came to; nothing where it was not judged by this check.
    pub sides: [Option<CheckSide>; 2],
}

/// A check of one of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckSide {
    /// The limit.
    pub expected: Value,
    /// The figure.
    pub actual: Value,
    /// The verdict.
    pub status: CheckStatus,
    /// The baseline's figure.
    pub baseline: Option<Value>,
}

/// A figure of both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FigureRow {
    /// Its place in the telemetry.
    pub path: Path,
    /// The values.
    pub values: [Option<Value>; 2],
    /// Whether they differ.
    pub differs: bool,
}

/// What differs in the terms of the two runs, or is missing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Note {
    /// Its name, for programs.
    pub code: &'static str,
    /// Whether figures may not be compared because of it.
    pub incomparable: bool,
    /// The sentence.
    pub message: Text,
}

/// Sets two changes side by side.
pub fn compare(one: &View<'_>, other: &View<'_>) -> Comparison {
    let views = [one, other];
    let notes = notes(views);
    // Places are found by the layout of the pack; under two layouts the same path may be two places.
    let same_places = one.brief.layout == other.brief.layout;
    Comparison {
        comparable: !notes.iter().any(|note| note.incomparable),
        runs: views.map(side),
        config_diff: if same_places { config_rows(views) } else { Vec::new() },
        checks: check_rows(views),
        figures: if same_places { figure_rows(views) } else { Vec::new() },
        notes,
    }
}

fn side(view: &View<'_>) -> Side {
    let (brief, newest) = (&view.brief, view.candidates.last());
    Side {
        run_id: view.history.id.to_string(),
        status: view.status,
        requirement: brief.requirement.clone(),
        pack: json!({"name": brief.pack.name, "version": brief.pack.version, "digest": brief.pack.digest}),
        engine: json!(brief.engine),
        seed: brief.seed,
        iteration: view.iteration(),
        baseline_sha256: Json::new(view.inputs.baseline.clone()).digest(),
        candidate_sha256: newest.map(|newest| newest.config_sha256),
        baseline: view.inputs.baseline.clone(),
        candidate: newest.map(|newest| newest.config.clone()),
        telemetry: telemetry(view).cloned(),
    }
}

fn telemetry<'a>(view: &'a View<'_>) -> Option<&'a Value> {
    view.last_run().and_then(|run| run.telemetry.as_ref())
}

fn notes(views: [&View<'_>; 2]) -> Vec<Note> {
    let [one, other] = views.map(|view| &view.brief);
    let pack = |brief: &super::brief::Brief| {
        format!("{} {} ({})", brief.pack.name, brief.pack.version, brief.pack.digest.short())
    };
    let baseline = |view: &View<'_>| Json::new(view.inputs.baseline.clone()).digest().short();
    let profile = |brief: &super::brief::Brief| match brief.device_profile.value() {
        Value::Null => "–".to_owned(),
        profile => format!(
            "{} ({})",
            profile.get("name").and_then(Value::as_str).unwrap_or_default(),
            brief.device_profile.digest().short()
        ),
    };
    let terms = [
        ("pack", "the packs differ", "数据包不同", pack(one), pack(other)),
        (
            "engine",
            "the engine builds differ",
            "引擎构建不同",
            one.engine.build_id.clone(),
            other.engine.build_id.clone(),
        ),
        ("device_profile", "the device profiles differ", "设备画像不同", profile(one), profile(other)),
        ("seed", "the seeds differ", "随机种子不同", one.seed.to_string(), other.seed.to_string()),
        ("baseline", "the baselines differ", "基线不同", baseline(views[0]), baseline(views[1])),
    ];
    let mut notes = Vec::new();
    for (code, en, zh, left, right) in terms {
        if left != right {
            let message = Text::new(format!("{en}: {left} and {right}"), format!("{zh}：{left} 与 {right}"));
            notes.push(Note { code, incomparable: true, message });
        }
    }
    for view in views {
        let id = &view.history.id;
        let missing = |code, en: &str, zh: &str| {
            let message = Text::new(format!("{id} {en}"), format!("{id} {zh}"));
            Note { code, incomparable: true, message }
        };
        match (view.candidates.last(), view.last_run()) {
            (None, _) => notes.push(missing("no_candidate", "has no candidate", "没有候选配置")),
            (Some(_), None) => notes.push(missing("not_judged", "was never judged", "尚未评估")),
            (Some(newest), Some(run)) if run.iteration != newest.iteration => {
                let message = Text::new(
                    format!(
                        "{id}: the figures are candidate {}'s; its newest, {}, has not run",
                        run.iteration, newest.iteration
                    ),
                    format!("{id}：数据来自候选 {}；最新的候选 {} 尚未运行", run.iteration, newest.iteration),
                );
                notes.push(Note { code: "older_figures", incomparable: false, message });
            }
            _ => {}
        }
    }
    let [left, right] = views.map(|view| view.candidates.last().map(|newest| newest.config_sha256));
    if left.is_some() && left == right {
        let message = Text::new("both candidates are the same config", "两个候选配置相同");
        notes.push(Note { code: "same_candidate", incomparable: false, message });
    }
    notes
}

fn config_rows(views: [&View<'_>; 2]) -> Vec<ConfigRow> {
    let layout = &views[0].brief.layout;
    let candidates = views.map(|view| view.candidates.last().map(|newest| &newest.config));
    let mut changes: Vec<Change> = match candidates {
        [Some(one), Some(other)] => diff(layout, one, other),
        _ => Vec::new(),
    };
    let between: BTreeSet<String> = changes.iter().map(|change| change.path.to_string()).collect();
    changes.extend(views[0].diff());
    changes.extend(views[1].diff());
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for Change { path, .. } in changes {
        if !seen.insert(path.to_string()) {
            continue;
        }
        let in_candidate = |side: usize| candidates[side].and_then(|config| layout.get(config, &path)).cloned();
        let in_baseline = |side: usize| layout.get(&views[side].inputs.baseline, &path).cloned();
        let names = &views[0].brief.names;
        rows.push(ConfigRow {
            label: names.place(&path),
            unit: names.unit(&path).cloned(),
            baseline: [0, 1].map(in_baseline),
            candidate: [0, 1].map(in_candidate),
            differs: between.contains(&path.to_string()),
            path,
        });
    }
    rows
}

fn check_rows(views: [&View<'_>; 2]) -> Vec<CheckRow> {
    let mut rows: Vec<CheckRow> = Vec::new();
    for (place, view) in views.into_iter().enumerate() {
        let Some(run) = view.last_run() else { continue };
        // What was asked differs from run to run; the checks are what two runs have in common.
        for check in run.judgement.iter().flat_map(|judgement| &judgement.checks) {
            let baseline = run.baseline_checks.iter().find(|other| other.id == check.id);
            let side = check_side(check, baseline);
            let place_of_row = rows.iter().position(|row| row.id == check.id).unwrap_or_else(|| {
                let (id, title, unit) = (check.id.clone(), check.title.clone(), check.unit.clone());
                rows.push(CheckRow { id, title, unit, sides: [None, None] });
                rows.len() - 1
            });
            rows[place_of_row].sides[place] = Some(side);
        }
    }
    rows
}

fn check_side(check: &CheckResult, baseline: Option<&CheckResult>) -> CheckSide {
    CheckSide {
        expected: check.expected.clone(),
        actual: check.actual.clone(),
        status: check.status,
        baseline: baseline.map(|check| check.actual.clone()),
    }
}

/// The single values of both telemetries; what is inside lists stands in the runs' whole telemetries.
fn figure_rows(views: [&View<'_>; 2]) -> Vec<FigureRow> {
    let layout = &views[0].brief.layout;
    let mut rows: Vec<FigureRow> = Vec::new();
    for (place, view) in views.into_iter().enumerate() {
        let Some(telemetry) = telemetry(view) else { continue };
        let leaves = layout.leaves(telemetry).into_iter().filter(|(path, value)| is_figure(path, value));
        for (path, value) in leaves {
            let place_of_row = rows.iter().position(|row| row.path == path).unwrap_or_else(|| {
                rows.push(FigureRow { path, values: [None, None], differs: false });
                rows.len() - 1
            });
            rows[place_of_row].values[place] = Some(value.clone());
        }
    }
    for row in &mut rows {
        row.differs = match &row.values {
            [Some(one), Some(other)] => !same_value(one, other),
            _ => true,
        };
    }
    rows
}

fn is_figure(path: &Path, value: &Value) -> bool {
    let inside_list = path.first_key().is_some();
    let belonging = path.last_field().is_some_and(|field| BELONGINGS.contains(&field));
    !inside_list && !belonging && !value.is_array() && !value.is_object()
}
