//! The evidence folder: which files, that they are what the journal says, and that the same input gives the same.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::support::{BASELINE, FAILING, HEADLINE_EN, Place, evidence, files_of, text};

const FILES: [&str; 15] = [
    "agent_runs.json",
    "badcases.json",
    "baseline_config.json",
    "baseline_telemetry.json",
    "candidate_config.json",
    "candidate_history.json",
    "candidate_telemetry.json",
    "comparison_report.json",
    "config_diff.json",
    "quality_reviews.json",
    "repair_history.json",
    "requirement.json",
    "structured_goal.json",
    "validation_results.json",
    "workflow_manifest.json",
];

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
        .collect()
}

/// RFC 8785 for documents like ours, written down a second time: sorted keys, no spaces, whole numbers without `.0`.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<Vec<u16>, _> =
                fields.iter().map(|(name, value)| (name.encode_utf16().collect(), (name, value))).collect();
            let fields: Vec<_> =
                sorted.values().map(|(name, value)| format!("{}:{}", json!(name), canonical(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Number(number) => number.as_f64().unwrap().to_string(),
        other => other.to_string(),
    }
}

#[test]
fn every_status_has_the_fifteen_files() {
    let cases = [
        (0, vec![HEADLINE_EN, "--authorize", "designer"]),
        (3, vec![HEADLINE_EN]),
        (4, [&FAILING[..], &["--max-runs", "1", "--authorize", "qa"]].concat()),
        (5, vec!["phase 3 two-way, faster", "--authorize", "designer"]),
        (5, vec!["make it more exciting"]),
        (5, vec!["--set", "phase_2.layer_count=5"]),
    ];
    for (code, args) in cases {
        let place = Place::new();
        let document = place.json(code, &[&["verify"], &args[..]].concat());
        let run = text(&document["run_id"]);
        let folder = place.evidence(run);
        assert_eq!(place.path(text(&document["evidence_dir"])), folder);
        let files = files_of(&folder);
        let (shown, plain): (Vec<_>, Vec<_>) =
            files.iter().cloned().partition(|(name, _)| name == "report.html" || name.starts_with("pictures/"));
        assert_eq!(plain.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), FILES);
        assert_eq!(shown.iter().filter(|(name, _)| name == "report.html").count(), 1);
        for (name, bytes) in &plain {
            serde_json::from_slice::<Value>(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(bytes.last(), Some(&b'\n'), "{name}");
        }
        // The manifest vouches for the other fourteen.
        let manifest = evidence(&folder, "workflow_manifest.json");
        let named = manifest["files"].as_object().unwrap();
        assert_eq!(named.len(), 14);
        for (name, bytes) in plain.iter().filter(|(name, _)| name != "workflow_manifest.json") {
            assert_eq!(text(&named[name]), sha256(bytes), "{name}");
        }
        // The journal alone is enough to write the folder again, byte for byte.
        fs::remove_dir_all(&folder).unwrap();
        place.run(&["export", run]).ends(0);
        assert_eq!(files_of(&folder), files);
        place.run(&["export", run, "--output", "else/where"]).ends(0);
        assert_eq!(files_of(&place.path("else/where")), files);
        fs::write(folder.join("requirement.json"), "forged").unwrap();
        place.run(&["export", run]).ends(0);
        assert_eq!(files_of(&folder), files);
    }
}

#[test]
fn hashes_are_those_of_the_canonical_configs() {
    let place = Place::new();
    let document = place.json(0, &["verify", HEADLINE_EN, "--authorize", "designer"]);
    let folder = place.evidence(text(&document["run_id"]));
    for side in ["baseline", "candidate"] {
        let config = evidence(&folder, &format!("{side}_config.json"));
        let hash = sha256(canonical(&config).as_bytes());
        assert_eq!(config, document[side]["config"]);
        assert_eq!(text(&document[side]["config_sha256"]), hash);
        assert_eq!(text(&document[side]["telemetry"]["config_sha256"]), hash);
        assert_eq!(evidence(&folder, &format!("{side}_telemetry.json")), document[side]["telemetry"]);
    }
    let history = evidence(&folder, "candidate_history.json");
    let history = history.as_array().unwrap();
    assert_eq!(
        history.iter().map(|candidate| text(&candidate["origin"])).collect::<Vec<_>>(),
        ["intake", "REDUCE_BULLET_SPEED", "REDUCE_BULLET_SPEED"]
    );
    for candidate in history {
        assert_eq!(text(&candidate["config_sha256"]), sha256(canonical(&candidate["config"]).as_bytes()));
    }
    let report = evidence(&folder, "comparison_report.json");
    assert_eq!(report["candidate_sha256"], document["candidate"]["config_sha256"]);
    assert_eq!((&report["fps_basis"], &report["device_profile"]), (&json!("modelled"), &json!("reference-desktop")));
    assert_eq!(report["accepted"], true);
}

#[test]
fn the_manifest_tells_the_whole_story() {
    let place = Place::new();
    let run = place.begin(3, &[HEADLINE_EN]);
    place.run(&["authorize", &run, "--actor", "ann", "--note", "go"]).ends(0);
    place.run(&["resume", &run]).ends(0);
    place.run(&["decide", &run, "accept", "--actor", "bob", "--note", "good"]).ends(0);
    let manifest = evidence(&place.evidence(&run), "workflow_manifest.json");
    assert_eq!(
        (&manifest["run_id"], &manifest["status"], &manifest["outcome"]),
        (&json!(run), &json!("accepted"), &json!("success"))
    );
    assert_eq!(
        (&manifest["iteration"], &manifest["seed"], &manifest["policy"]),
        (&json!(3), &json!(20_260_727), &json!("rules"))
    );
    assert_eq!(manifest["budget"]["candidate_runs"], json!({"limit": 3, "used": 3}));
    assert_eq!(manifest["baseline_overwritten"], false);
    let given = &manifest["authorization"];
    assert_eq!(
        (&given["actor"], &given["note"], &given["scope"], &given["runs_granted"]),
        (&json!("ann"), &json!("go"), &json!("candidate_json_only"), &json!(4))
    );
    let is_time = |value: &Value| text(value).len() == 24 && text(value).ends_with('Z');
    assert!(is_time(&given["at"]) && is_time(&manifest["decision"]["at"]));
    assert_eq!((&manifest["decision"]["decision"], &manifest["decision"]["note"]), (&json!("accept"), &json!("good")));
    assert_eq!(manifest["device_profile"]["name"], "reference-desktop");
    let timeline = manifest["timeline"].as_array().unwrap();
    assert_eq!(manifest["journal"]["facts"], timeline.len());
    let answered: Vec<_> =
        timeline.iter().filter(|event| event["event"] == "answered").map(|event| text(&event["actor"])).collect();
    assert_eq!(answered, ["ann", "bob"]);
}

#[test]
fn agent_runs_say_that_no_model_was_called() {
    let place = Place::new();
    let run = place.begin(0, &[HEADLINE_EN, "--authorize", "designer"]);
    let calls = evidence(&place.evidence(&run), "agent_runs.json");
    let calls = calls.as_array().unwrap();
    for call in calls {
        assert_eq!((&call["model_call"], &call["status"]), (&json!(false), &json!("ok")));
        for field in ["agent", "provider", "read", "written", "iteration", "latency_ms"] {
            assert!(!call[field].is_null(), "{field} is missing in {call}");
        }
    }
    let of = |agent: &str| calls.iter().filter(|call| call["agent"] == agent).collect::<Vec<_>>();
    for agent in ["requirement_agent", "quality_reviewer"] {
        assert!(!of(agent).is_empty() && of(agent).iter().all(|call| call["provider"] == "rules"), "{agent}");
    }
    let iterations = |agent: &str| of(agent).iter().map(|call| call["iteration"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(iterations("baseline_run"), [0]);
    assert_eq!(iterations("candidate_run"), [1, 2, 3]);
    assert_eq!(iterations("quality_reviewer"), [1, 2, 3]);
    assert_eq!(iterations("repair_tool"), [1, 2]);
    assert_eq!(evidence(&place.evidence(&run), "badcases.json"), json!([]));
}

#[test]
fn accepting_leaves_the_baseline_alone() {
    let place = Place::new();
    place.write("baseline.json", BASELINE);
    let args = ["phase 2 two-way", "--baseline", "baseline.json", "--authorize", "designer"];
    let run = place.begin(0, &args);
    let before = fs::metadata(place.path("baseline.json")).unwrap().modified().unwrap();
    place.run(&["decide", &run, "accept", "--actor", "ann", "--note", "good"]).ends(0);
    assert_eq!(fs::read_to_string(place.path("baseline.json")).unwrap(), BASELINE);
    assert_eq!(fs::metadata(place.path("baseline.json")).unwrap().modified().unwrap(), before);
    let names = files_of(&place.path("")).into_iter().map(|(name, _)| name);
    assert_eq!(names.filter(|name| !name.starts_with(".loopwright/")).collect::<Vec<_>>(), ["baseline.json"]);
}

/// Whatever follows from a run's name, from clocks, or from digests over those.
const OF_THE_MOMENT: [&str; 6] = ["at", "at_ms", "latency_ms", "wall_ms", "head", "files"];

fn timeless(value: &Value, run: &str) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !OF_THE_MOMENT.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name.clone(), timeless(value, run))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(|item| timeless(item, run)).collect(),
        Value::String(text) if text == run => json!("RUN"),
        other => other.clone(),
    }
}

#[test]
fn the_same_requirement_gives_the_same_evidence() {
    let (first, second) = (Place::new(), Place::new());
    let args = [HEADLINE_EN, "--authorize", "designer"];
    let runs = [&first, &second].map(|place| (place.evidence(&place.begin(0, &args)), place));
    let [(one, _), (two, _)] = &runs;
    let names = [one, two].map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned());
    assert_ne!(names[0], names[1]);
    for file in FILES {
        let sides = [timeless(&evidence(one, file), &names[0]), timeless(&evidence(two, file), &names[1])];
        assert_eq!(sides[0], sides[1], "{file}");
    }
    // Files in which no name, time or duration stands are equal to the last byte.
    let varying = ["agent_runs.json", "baseline_telemetry.json", "candidate_telemetry.json", "workflow_manifest.json"];
    for file in FILES.iter().filter(|file| !varying.contains(file)) {
        assert_eq!(fs::read(one.join(file)).unwrap(), fs::read(two.join(file)).unwrap(), "{file}");
    }
}
