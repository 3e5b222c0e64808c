//! The JSON documents: the fields they are promised to have, in every status.

use serde_json::{Value, json};

use crate::support::{FAILING, HEADLINE_EN, Place, text};

const PROMISED: [&str; 12] = [
    "run_id",
    "status",
    "outcome",
    "budget",
    "goal",
    "diff",
    "validation",
    "checks",
    "baseline",
    "candidate",
    "repairs",
    "evidence_dir",
];

#[track_caller]
fn has(value: &Value, names: &[&str]) {
    let missing: Vec<_> = names.iter().filter(|name| value.get(**name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?} are missing in {value:#}");
}

#[test]
fn every_status_answers_with_the_same_fields() {
    let failing = |more: &[&'static str]| [&FAILING[..], &["--authorize", "qa"], more].concat();
    let cases = [
        (0, vec![HEADLINE_EN, "--authorize", "designer"]),
        (1, failing(&["--no-repair"])),
        (3, vec![HEADLINE_EN]),
        (3, FAILING.to_vec()),
        (4, failing(&["--max-runs", "1"])),
        (5, vec!["phase 3 two-way, faster", "--authorize", "designer"]),
        (5, vec!["make it more exciting"]),
        (5, vec!["phase 2 200 bullets a wave"]),
        (5, vec!["--set", "phase_2.layer_count=5"]),
    ];
    for (code, args) in cases {
        let place = Place::new();
        let document = place.json(code, &[&["verify"], &args[..]].concat());
        has(&document, &PROMISED);
        let status = text(&document["status"]);
        assert_eq!(document.get("question").is_some(), status == "needs_clarification", "{args:?}");
        assert_eq!(document.get("blocked").is_some(), status == "blocked", "{args:?}");
        assert_eq!(document.get("hand_off").is_some(), status == "budget_exhausted", "{args:?}");
        assert_eq!(document["baseline_overwritten"], false);
        has(&document["budget"], &["candidate_runs", "engine_runs", "model_calls", "wall_ms"]);
        for repair in document["repairs"].as_array().unwrap() {
            has(repair, &["iteration", "action", "applied", "target", "before", "after", "reason"]);
        }
        for check in document["checks"].as_array().unwrap() {
            has(check, &["id", "title", "expected", "actual", "status", "passed", "evidence", "baseline"]);
        }
        for side in ["baseline", "candidate"] {
            if !document[side].is_null() {
                has(&document[side], &["config_sha256", "telemetry"]);
            }
        }
        // Another command about the run tells the same.
        let run = text(&document["run_id"]).to_owned();
        assert_eq!(place.json(0, &["show", &run]), document);
        assert_eq!(place.json(0, &["export", &run]), document);
    }
}

#[test]
fn the_other_commands_answer_in_the_same_shape() {
    let place = Place::new();
    let run = place.begin(3, &["phase 2 two-way"]);
    let steps: [(&[&str], &str); 3] = [
        (&["authorize", &run, "--actor", "ann"], "authorized"),
        (&["resume", &run], "evidence_ready"),
        (&["decide", &run, "accept", "--actor", "ann", "--note", "good"], "accepted"),
    ];
    for (args, status) in steps {
        let document = place.json(0, args);
        has(&document, &PROMISED);
        assert_eq!((&document["run_id"], &document["status"]), (&json!(run), &json!(status)));
    }
    assert_eq!(place.json(0, &["show", &run])["outcome"], "success");
    let other = place.begin(3, &["phase 2 two-way"]);
    let document = place.json(0, &["cancel", &other]);
    has(&document, &PROMISED);
    assert_eq!((&document["status"], &document["outcome"]), (&json!("cancelled"), &json!("cancelled")));
}

#[test]
fn an_unclear_requirement_comes_back_with_a_question() {
    let sentences = [
        "make it more exciting",
        "what's the weather like",
        "phase 2 faster and slower",
        "第二阶段更刺激一点",
        "换个背景音乐",
    ];
    for sentence in sentences {
        let place = Place::new();
        let document = place.json(5, &["verify", sentence, "--authorize", "designer"]);
        assert_eq!(document["status"], "needs_clarification", "{sentence}");
        for lang in ["en", "zh"] {
            assert!(!text(&document["question"][lang]).is_empty(), "{sentence}");
        }
        assert_eq!(document["candidate"], Value::Null);
        assert_eq!(document["budget"]["engine_runs"]["used"], 0);
    }
}

#[test]
fn a_blocked_requirement_names_field_value_and_range() {
    let cases = [
        ("phase 2 200 bullets a wave", "phases[phase_2].pattern.bullets_per_wave", json!(200), json!("1..=64")),
        ("phase 2 fires every 0.02 s", "phases[phase_2].pattern.wave_interval_ms", json!(20), json!("100..=5000")),
        ("at most 400 bullets alive", "constraints.max_alive_bullets", json!(400), json!("1..=350")),
        ("最多 400 发同屏", "constraints.max_alive_bullets", json!(400), json!("1..=350")),
    ];
    for (sentence, field, asked, allowed) in cases {
        let place = Place::new();
        let document = place.json(5, &["verify", sentence, "--authorize", "designer"]);
        let blocked = &document["blocked"];
        assert_eq!(document["status"], "blocked", "{sentence}");
        assert_eq!((text(&blocked["field"]), &blocked["asked"], &blocked["allowed"]), (field, &asked, &allowed));
        assert_eq!(document["budget"]["engine_runs"]["used"], 0);
    }
    let place = Place::new();
    let document = place.json(5, &["verify", "boss health 5000"]);
    assert_eq!(document["blocked"]["field"], "boss.max_health");
    assert!(text(&document["blocked"]["reason"]["en"]).contains("phases[*].pattern.*"));
}

#[test]
fn a_candidate_outside_the_contract_names_layer_field_value_and_range() {
    let place = Place::new();
    let document = place.json(5, &["verify", "--set", "phase_2.layer_count=5", "--authorize", "qa"]);
    let blocked = &document["blocked"];
    assert_eq!((&blocked["code"], &blocked["layer"]), (&json!("validation"), &json!("schema")));
    assert_eq!((&blocked["asked"], &blocked["allowed"]), (&json!(5), &json!("1..=4")));
    assert_eq!(text(&blocked["field"]), "phases[phase_2].pattern.layer_count");
    assert_eq!(document["outcome"], "hard_vetoed");
    // The layers after the one that failed have nothing to say, and say so.
    let skipped: Vec<_> =
        document["validation"].as_array().unwrap().iter().map(|layer| layer["skipped"] == true).collect();
    assert_eq!(skipped, [false, true, true, true]);
}

#[test]
fn an_error_is_a_document_too() {
    let place = Place::new();
    let cases: [(i32, &[&str]); 3] =
        [(2, &["verify", " "]), (2, &["show", "last"]), (2, &["engine", "run", "nowhere.json"])];
    for (code, args) in cases {
        let document = place.json(code, args);
        assert_eq!(document["error"]["exit_code"], code);
        has(&document["error"], &["message", "causes", "hints"]);
    }
}
