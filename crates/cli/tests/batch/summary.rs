//! What a batch comes to: items, files, exit code.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Place, failing, fine, of_items, read_json, set, text};

/// One item of every kind that ends by itself.
fn mixed() -> Vec<Value> {
    vec![
        fine("fine"),
        failing("too slow"),
        json!({"text": "make it nicer"}),
        json!({"name": "broken", "candidate": {"phases": []}}),
        set("misspelt", &["phase_9.nothing=1"]),
        json!({"name": "no item"}),
    ]
}

#[test]
fn every_item_has_its_own_verdict_and_the_worst_one_is_the_batchs() {
    let place = Place::new();
    place.items("night.jsonl", &mixed());
    let args = ["--no-repair", "--name", "night", "--junit", "report.xml"];
    let document = place.batch(2, "night.jsonl", &args);
    assert_eq!(document["exit_code"], 2);
    let names = ["fine", "too slow", "make it nicer", "broken", "misspelt", "no item"];
    assert_eq!(of_items(&document, "name"), names);
    assert_eq!(of_items(&document, "exit_code"), [0, 1, 5, 5, 2, 2]);
    let statuses = json!(["evidence_ready", "not_met", "needs_clarification", "blocked", null, null]);
    assert_eq!(json!(of_items(&document, "status")), statuses);
    let counts = json!({"passed": 1, "failed": 3, "invalid": 2, "waiting": 0, "world": 0, "undone": 0});
    assert_eq!(document["counts"], counts);
    let failed = document["items"][1]["failed_checks"].as_array().unwrap();
    assert!(
        failed.iter().any(|check| check["id"] == "player_hits" && check["actual"] != check["expected"]),
        "{failed:?}"
    );
    for item in &document["items"].as_array().unwrap()[2..] {
        assert!(!text(&item["message"]["en"]).is_empty(), "who does not pass says why: {item}");
    }

    let folder = place.data("batches/night");
    let mut kept = read_json(&folder.join("summary.json"));
    assert_eq!(kept, document, "the document is kept");
    kept["items"] = Value::Null;
    let junit = fs::read_to_string(folder.join("junit.xml")).unwrap();
    assert!(junit.contains(r#"tests="6" failures="3" errors="2" skipped="0""#), "{junit}");
    assert_eq!(fs::read_to_string(place.path("report.xml")).unwrap(), junit);
    let page = fs::read_to_string(folder.join("summary.html")).unwrap();
    for run in of_items(&document, "run_id").iter().filter_map(Value::as_str) {
        let link = format!("../../evidence/{run}/");
        assert!(page.contains(&link) && folder.join(&link).join("workflow_manifest.json").is_file(), "{run}");
    }
    assert!(page.contains("未通过") && page.contains("misspelt"));
}

#[test]
fn a_folder_holds_a_candidate_a_file() {
    let place = Place::new();
    let baseline = include_str!("../../../../packs/bullet-hell/baseline.json");
    place.write("night/b.json", baseline.replace("\"bullet_speed\": 3.6", "\"bullet_speed\": 3.8"));
    place.write("night/a.json", "{");
    place.write("night/notes.txt", "no candidate");
    place.write("night/c.json/inside.json", baseline);
    let document = place.batch(2, "night", &[]);
    assert_eq!(of_items(&document, "name"), ["a.json", "b.json"]);
    assert_eq!(of_items(&document, "exit_code"), [2, 0]);
    assert!(text(&document["batch"]).starts_with("night-"), "a batch is called like its input: {}", document["batch"]);
}

#[test]
fn a_text_is_read_in_either_language_and_told_in_lines() {
    let place = Place::new();
    place.write("ideas.txt", "# ideas\n\n末阶段弹速提高百分之十五\nphase 1 denser, at most 250 bullets on screen\n");
    let ran = place.run(0, &["verify-all", "ideas.txt", "--authorize", "qa", "--name", "ideas", "--jobs", "1"]);
    let lines: Vec<_> = ran.err.lines().collect();
    let expected = [
        "[1/2] ✓ 末阶段弹速提高百分之十五  evidence_ready",
        "[2/2] ✓ phase 1 denser, at most 250 bullets on screen  evidence_ready",
    ];
    assert_eq!(lines, expected);
    assert!(ran.out.starts_with("batch ideas\n  ✓     2  passed\n"), "{}", ran.out);
    let ran = place.run(0, &["verify-all", "ideas.txt", "--authorize", "qa", "--name", "ideas", "--lang", "zh"]);
    assert!(ran.out.starts_with("批次 ideas\n  ✓     2  通过\n"), "{}", ran.out);
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let document = |jobs: &str| {
        let place = Place::new();
        place.items("night.jsonl", &mixed());
        place.batch(2, "night.jsonl", &["--jobs", jobs])
    };
    assert_eq!(document("1"), document("5"));
}

#[test]
fn shards_are_disjoint_and_complete() {
    let place = Place::new();
    let items: Vec<_> =
        (0..12).map(|n| set(&format!("item {n}"), &[&format!("phase_3.bullet_speed=4.{n:02}")])).collect();
    place.items("night.jsonl", &items);
    let mut names = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let document = place.batch(0, "night.jsonl", &["--name", "night", "--shard", shard]);
        assert_eq!(document["shard"], shard);
        names.extend(of_items(&document, "name").iter().map(|name| text(name).to_owned()));
        let page = place.data(&format!("batches/night/shard-{}/summary.html", shard.replace('/', "-of-")));
        assert!(fs::read_to_string(page).unwrap().contains("../../../evidence/"));
    }
    names.sort();
    let mut all: Vec<_> = (0..12).map(|n| format!("item {n}")).collect();
    all.sort();
    assert_eq!(names, all);
    let whole = place.batch(0, "night.jsonl", &["--name", "night", "--against", "night"]);
    assert_eq!(whole["against"]["gone"], json!([]), "an earlier batch is all its shards");
    assert_eq!(place.runs().len(), 12, "the whole found the shards' runs at rest");
    let again = place.batch(0, "night.jsonl", &["--name", "night", "--against", "night"]);
    assert_eq!(again["against"]["gone"], json!([]), "an item that whole and shard tell of is one item");
}

#[test]
fn what_cannot_be_a_batch_is_told_before_anything_is_made() {
    let place = Place::new();
    place.write("empty.txt", "# nothing\n");
    place.write("night.txt", "faster\n");
    place.write("folder/notes.txt", "");
    let cases: [(&[&str], &str); 9] = [
        (&["missing.txt"], "cannot read missing.txt"),
        (&["empty.txt"], "nothing to verify in empty.txt"),
        (&["folder"], "nothing to verify in folder"),
        (&["night.txt", "--against", "never"], "there is no batch \"never\""),
        (&["night.txt", "--shard", "5/4"], "is no shard"),
        (&["night.txt", "--name", "../up"], "a batch's name"),
        (&["night.txt", "--jobs", "0"], "--jobs"),
        (&["night.txt", "--authorize", " "], "a name is needed"),
        (&["night.txt", "--baseline", "empty.txt"], "empty.txt"),
    ];
    for (args, words) in cases {
        let ran = place.run(2, &[&["verify-all"], args].concat());
        assert!(ran.err.contains(words), "{args:?}: {}", ran.err);
    }
    assert!(!place.path(".loopwright").exists());
}
