//! The bullet-hell pack, read as a caller reads it, and the comparison of readings with examples.

use std::path::PathBuf;
use std::sync::Arc;

use loopwright_configs::{Layout, Path, Schema};
use loopwright_intake::{Answer, Intake, Reading, Vocabulary};
use serde_json::{Value, json};

pub(crate) fn pack(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packs/bullet-hell").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn baseline() -> Value {
    serde_json::from_str(&pack("baseline.json")).unwrap()
}

pub(crate) fn layout() -> Layout {
    serde_json::from_value(json!({"collections": [{"path": "phases", "id": "phase_id"}]})).unwrap()
}

pub(crate) fn vocabulary() -> Vocabulary {
    let (zh, en) = (pack("phrases.zh.toml"), pack("phrases.en.toml"));
    Vocabulary::read(
        ("vocabulary.toml", &pack("vocabulary.toml")),
        &[("phrases.zh.toml", &zh), ("phrases.en.toml", &en)],
    )
    .unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn intake() -> Intake {
    let schema = Schema::compile(serde_json::from_str(&pack("schema.json")).unwrap()).unwrap();
    let scope = ["phases[*].pattern.*", "constraints.*", "runtime_targets.*"];
    let scope = scope.iter().map(|path| path.parse::<Path>().unwrap()).collect();
    Intake::new(vocabulary(), layout(), Arc::new(schema), scope)
}

/// One line per way in which a reading differs from its example.
pub(crate) fn differences(example: &Value, reading: &Reading) -> Vec<String> {
    let mut wrong = Vec::new();
    let decision = match &reading.answer {
        Answer::Accepted { .. } => "accepted",
        Answer::NeedsClarification { .. } => "needs_clarification",
        Answer::Blocked { .. } => "blocked",
    };
    if example["decision"] != decision {
        wrong.push(format!("decision {decision} instead of {}: {:?}", example["decision"], brief(reading)));
        return wrong;
    }
    match &reading.answer {
        Answer::Accepted { candidate } => compare(example, candidate, &mut wrong),
        Answer::Blocked { field, .. } => {
            let expected = example["blocked_field"].as_str();
            let same = |field: &str| {
                let limit = |path: &str| path.replace("runtime_targets.", "constraints.");
                expected.is_some_and(|expected| limit(expected) == limit(field))
            };
            if !(expected.is_none() && field.is_none() || field.as_deref().is_some_and(same)) {
                wrong.push(format!("blocked {field:?} instead of {expected:?}"));
            }
        }
        Answer::NeedsClarification { .. } => {}
    }
    wrong
}

fn brief(reading: &Reading) -> String {
    match &reading.answer {
        Answer::Accepted { .. } => {
            reading.understood.iter().map(|one| one.meaning.en.clone()).collect::<Vec<_>>().join(" | ")
        }
        Answer::NeedsClarification { question, code } => {
            let question = question.en.split(". Can it be said").next().unwrap_or_default().to_owned();
            format!("{code:?} {question}")
        }
        Answer::Blocked { reason, .. } => reason.en.clone(),
    }
}

fn compare(example: &Value, candidate: &Value, wrong: &mut Vec<String>) {
    let (baseline, layout) = (baseline(), layout());
    let mut expected = baseline.clone();
    let mut open = Vec::new();
    for edit in example["edits"].as_array().unwrap() {
        let path: Path = edit["path"].as_str().unwrap().parse().unwrap();
        let before = layout.get(&baseline, &path).unwrap().clone();
        let after = layout.get(candidate, &path).unwrap().clone();
        let numbers = before.as_f64().zip(after.as_f64());
        let holds = match edit["op"].as_str().unwrap() {
            "set" => equal(&edit["value"], &after),
            "up" => numbers.is_some_and(|(before, after)| after > before),
            "down" => numbers.is_some_and(|(before, after)| after < before),
            "same" => equal(&before, &after),
            other => panic!("no such op: {other}"),
        };
        if !holds {
            wrong.push(format!("{path}: {edit} but {before} -> {after}"));
        }
        open.push(path);
    }
    for (limit, value) in example["limits"].as_object().unwrap() {
        for place in ["constraints", "runtime_targets"] {
            if limit == "min_survival_seconds" && place == "constraints" {
                continue;
            }
            let path: Path = format!("{place}.{limit}").parse().unwrap();
            let after = layout.get(candidate, &path).unwrap();
            if !equal(value, after) {
                wrong.push(format!("{path}: {after} instead of {value}"));
            }
            open.push(path);
        }
    }
    for path in open {
        let value = layout.get(candidate, &path).unwrap().clone();
        layout.set(&mut expected, &path, value).unwrap();
    }
    if expected != *candidate {
        for change in loopwright_configs::diff(&layout, &expected, candidate) {
            wrong.push(format!("also changed: {change:?}"));
        }
    }
}

fn equal(expected: &Value, actual: &Value) -> bool {
    match (expected.as_f64(), actual.as_f64()) {
        (Some(expected), Some(actual)) => {
            let rounded = |number: f64| (number * 100.0).round();
            (rounded(expected) - rounded(actual)).abs() < 0.5
        }
        _ => expected == actual,
    }
}
