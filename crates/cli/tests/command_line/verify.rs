//! `verify`: what changes end with, from sentences, candidates and single values.

use serde_json::{Value, json};

use crate::support::{FAILING, HEADLINE_EN, HEADLINE_ZH, Place, text, two_way};

fn pattern<'a>(document: &'a Value, phase: usize, field: &str) -> &'a Value {
    &document["candidate"]["config"]["phases"][phase]["pattern"][field]
}

/// The applied repairs as target, before and after.
fn repairs(document: &Value) -> Vec<(&str, &Value, &Value)> {
    let all = document["repairs"].as_array().unwrap();
    all.iter().map(|repair| (text(&repair["target"]), &repair["before"], &repair["after"])).collect()
}

#[test]
fn the_headline_ends_as_published() {
    for sentence in [HEADLINE_ZH, HEADLINE_EN] {
        let place = Place::new();
        let document = place.json(0, &["verify", sentence, "--authorize", "designer"]);
        assert_eq!(document["status"], "evidence_ready", "{sentence}");
        assert_eq!(document["policy"], "rules");
        let budget = &document["budget"];
        assert_eq!(budget["candidate_runs"], json!({"limit": 3, "used": 3}));
        assert_eq!(budget["engine_runs"], json!({"limit": 4, "used": 4}));
        assert_eq!(budget["model_calls"]["used"], 0);
        assert_eq!(pattern(&document, 1, "bullets_per_wave"), 16);
        assert_eq!(pattern(&document, 1, "bidirectional"), true);
        assert_eq!(pattern(&document, 1, "type"), "spiral");
        assert_eq!(pattern(&document, 1, "bullet_speed"), 2.6);
        let speed = "phases[phase_2].pattern.bullet_speed";
        assert_eq!(repairs(&document), [(speed, &json!(3.6), &json!(3.06)), (speed, &json!(3.06), &json!(2.6))]);
        let figures = |side: &str| {
            let telemetry = &document[side]["telemetry"];
            let names = ["total_bullets_spawned", "peak_alive_bullets", "player_hits", "player_survival_seconds"];
            names.map(|name| telemetry[name].as_f64().unwrap().to_string())
        };
        assert_eq!(figures("baseline"), ["592", "66", "2", "36"]);
        assert_eq!(figures("candidate"), ["992", "198", "0", "36"]);
        for side in ["baseline", "candidate"] {
            let telemetry = &document[side]["telemetry"];
            assert_eq!(
                (&telemetry["fps_basis"], &telemetry["device_profile"]),
                (&json!("modelled"), &json!("reference-desktop"))
            );
        }
        let passed = |check: &Value| check["passed"] == true;
        assert!(document["checks"].as_array().unwrap().iter().all(passed));
    }
}

/// Every candidate has its own four layers, not only the first.
#[test]
fn every_candidate_passes_four_layers() {
    let place = Place::new();
    let run = place.begin(0, &[HEADLINE_EN, "--authorize", "designer"]);
    let validations = crate::support::evidence(&place.evidence(&run), "validation_results.json");
    let validations = validations.as_array().unwrap();
    assert_eq!(validations.len(), 3);
    for (validation, iteration) in validations.iter().zip(1..) {
        assert_eq!(validation["iteration"], iteration);
        let layers = validation["layers"].as_array().unwrap();
        let names: Vec<_> = layers.iter().map(|layer| text(&layer["layer"])).collect();
        assert_eq!(names, ["schema", "reference", "rule_engine", "safety_gate"]);
        assert!(layers.iter().all(|layer| layer["passed"] == true && layer["skipped"] == false));
    }
}

#[test]
fn a_repair_never_undoes_what_was_asked() {
    let place = Place::new();
    let document = place.json(5, &["verify", "phase 3 two-way, faster", "--authorize", "designer"]);
    assert_eq!((&document["status"], &document["outcome"]), (&json!("blocked"), &json!("escalated")));
    assert_eq!(document["blocked"]["code"], "intent_conflict");
    assert_eq!(text(&document["blocked"]["reason"]["en"]), "3.91 would undo `faster`");
    assert_eq!(pattern(&document, 2, "bullet_speed"), 4.6);
    let [repair] = document["repairs"].as_array().unwrap().as_slice() else { panic!("{}", document["repairs"]) };
    assert_eq!(repair["applied"], false);
    assert_eq!((&repair["before"], &repair["after"]), (&json!(4.6), &json!(3.91)));
    // Neither accepting nor going on is left: a person rolls back or asks for another change.
    let run = text(&document["run_id"]);
    place.run(&["decide", run, "accept", "--actor", "a", "--note", "n"]).ends(2).says("blocked");
}

#[test]
fn a_repair_never_touches_a_phase_that_nobody_named() {
    let place = Place::new();
    let document = place.json(0, &["verify", "phase 1 as an aimed fan of 60 degrees", "--authorize", "designer"]);
    assert_eq!(document["status"], "evidence_ready");
    assert_eq!(pattern(&document, 0, "type"), "aimed_fan");
    assert_eq!(pattern(&document, 0, "spread_angle_deg"), 60);
    assert_eq!(repairs(&document), [("phases[phase_1].pattern.bullet_speed", &json!(3), &json!(2.55))]);
    let phases = |side: &str| document[side]["config"]["phases"].as_array().unwrap()[1..].to_vec();
    assert_eq!(phases("baseline"), phases("candidate"));
}

#[test]
fn what_an_unnamed_phase_causes_is_for_a_person() {
    let place = Place::new();
    let sentence = "phase 1 faster, at most 1 hit";
    let document = place.json(5, &["verify", sentence, "--authorize", "designer"]);
    assert_eq!((text(&document["status"]), text(&document["blocked"]["code"])), ("blocked", "unnamed_target"));
    assert!(text(&document["blocked"]["reason"]["en"]).contains("nobody asked to change phase_2"));
    assert!(document["repairs"].as_array().unwrap().iter().all(|repair| repair["applied"] == false));
    // Only what was asked differs: the speed, and the limit in both of its places.
    let changed: Vec<_> = document["diff"].as_array().unwrap().iter().map(|change| text(&change["path"])).collect();
    let expected =
        ["phases[phase_1].pattern.bullet_speed", "constraints.max_player_hits", "runtime_targets.max_player_hits"];
    assert_eq!(changed, expected);
}

/// An estimate over the limit is refused before anybody is asked to authorise anything.
#[test]
fn an_estimate_over_the_limit_stops_before_any_run() {
    let place = Place::new();
    let document = place.json(5, &["verify", "phase 2 two-way, 40 bullets a wave", "--authorize", "designer"]);
    assert_eq!((&document["status"], &document["blocked"]["layer"]), (&json!("blocked"), &json!("rule_engine")));
    assert_eq!((&document["blocked"]["asked"], &document["blocked"]["allowed"]), (&json!(640), &json!("<= 350")));
    assert_eq!(document["budget"]["engine_runs"]["used"], 0);
    assert_eq!(document["authorization"], Value::Null);
}

#[test]
fn a_candidate_of_a_person_is_judged_as_it_is() {
    let place = Place::new();
    place.write("candidate.json", two_way(2.6).to_string());
    let document = place.json(0, &["verify", "--candidate", "candidate.json", "--authorize", "qa"]);
    assert_eq!(document["status"], "evidence_ready");
    assert_eq!(document["budget"]["candidate_runs"], json!({"limit": 3, "used": 1}));
    assert_eq!(document["repairs"], json!([]));
    assert_eq!(document["candidate"]["telemetry"]["peak_alive_bullets"], 198);
    assert_eq!(document["goal"]["source"], "candidate");
    // Its own direction is its intent: the speed it lowered may not be raised, and so on for each field.
    let intents: Vec<_> = document["checks"].as_array().unwrap().iter().map(|check| text(&check["id"])).collect();
    assert!(intents.contains(&"intent:phases[phase_2].pattern.bullet_speed"), "{intents:?}");
}

#[test]
fn the_baseline_of_a_person_takes_the_place_of_the_packs() {
    let place = Place::new();
    let mut config = two_way(2.6);
    place.write("baseline.json", config.to_string());
    config["phases"][1]["pattern"]["bullet_speed"] = json!(2.5);
    place.write("candidate.json", config.to_string());
    let args = ["verify", "--candidate", "candidate.json", "--baseline", "baseline.json", "--no-repair"];
    let document = place.json(0, &[&args[..], &["--authorize", "qa"]].concat());
    assert_eq!(document["baseline"]["telemetry"]["peak_alive_bullets"], 198);
    let [change] = document["diff"].as_array().unwrap().as_slice() else { panic!("{}", document["diff"]) };
    assert_eq!((&change["before"], &change["after"]), (&json!(2.6), &json!(2.5)));
}

#[test]
fn values_are_set_by_name_on_either_side() {
    let place = Place::new();
    let document = place.json(0, &["verify", "--set", "phase_3.bullet_speed=4.6", "--authorize", "qa"]);
    assert_eq!(pattern(&document, 2, "bullet_speed"), 4.6);
    assert_eq!(document["diff"].as_array().unwrap().len(), 1);
    place.write("candidate.json", two_way(3.6).to_string());
    let args = ["verify", "--candidate", "candidate.json", "--set", "phases[phase_2].pattern.bullet_speed=2.6"];
    let document = place.json(0, &[&args[..], &["--authorize", "qa"]].concat());
    assert_eq!(document["budget"]["candidate_runs"]["used"], 1);
    assert_eq!(document["candidate"]["telemetry"]["total_bullets_spawned"], 992);
}

#[test]
fn without_repair_a_failing_candidate_is_not_met() {
    let place = Place::new();
    let document = place.json(1, &[&["verify"], &FAILING[..], &["--no-repair", "--authorize", "qa"]].concat());
    assert_eq!((&document["status"], &document["repairs"]), (&json!("not_met"), &json!([])));
    assert_eq!(document["budget"]["candidate_runs"]["used"], 1);
    let failed = document["checks"].as_array().unwrap().iter().filter(|check| check["passed"] == false);
    assert_eq!(
        failed.map(|check| text(&check["id"])).collect::<Vec<_>>(),
        ["normal_completion", "player_hits", "survival_time"]
    );
}

#[test]
fn a_budget_that_ends_leaves_a_hand_off() {
    for (runs, repairs) in [("1", 0), ("2", 1)] {
        let place = Place::new();
        let args = [&["verify"], &FAILING[..], &["--max-runs", runs, "--authorize", "qa"]].concat();
        let document = place.json(4, &args);
        assert_eq!(
            (&document["status"], &document["outcome"]),
            (&json!("budget_exhausted"), &json!("budget_exhausted"))
        );
        let limit = runs.parse::<u64>().unwrap();
        assert_eq!(document["budget"]["candidate_runs"], json!({"limit": limit, "used": limit}));
        assert_eq!(document["budget"]["engine_runs"], json!({"limit": limit + 1, "used": limit + 1}));
        let applied = document["repairs"].as_array().unwrap().iter().filter(|repair| repair["applied"] == true);
        assert_eq!(applied.count(), repairs);
        let hand_off = &document["hand_off"];
        assert_eq!(hand_off["decided_by"], "designer");
        assert!(hand_off["why"].as_str().is_some_and(|why| !why.is_empty()) && hand_off["state"].is_object());
    }
}

#[test]
fn the_seed_is_part_of_both_sides() {
    let place = Place::new();
    for (seed, expected) in [(None, 20_260_727_u64), (Some("7"), 7), (Some("9007199254740991"), 9_007_199_254_740_991)]
    {
        let mut args = vec!["verify", "phase 2 two-way", "--authorize", "qa"];
        args.extend(seed.iter().flat_map(|seed| ["--seed", seed]));
        let document = place.json(0, &args);
        for side in ["baseline", "candidate"] {
            assert_eq!(document[side]["telemetry"]["random_seed"], expected);
        }
    }
}

#[test]
fn a_requirement_comes_from_a_file_too() {
    let place = Place::new();
    place.write("change.txt", format!("\u{feff}{HEADLINE_ZH}\r\n"));
    let document = place.json(0, &["verify", "--requirement-file", "change.txt", "--authorize", "designer"]);
    assert_eq!(document["candidate"]["telemetry"]["peak_alive_bullets"], 198);
}

#[test]
fn another_pack_is_a_folder() {
    let place = Place::new();
    let pack = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/bullet-hell");
    let document = place.json(3, &["verify", "phase 2 two-way", "--pack", pack]);
    let run = text(&document["run_id"]);
    place.run(&["authorize", run, "--actor", "qa"]).ends(0);
    assert_eq!(place.json(0, &["resume", run])["status"], "evidence_ready");
    place.run(&["verify", "phase 2 two-way", "--pack", "nowhere"]).ends(2).says("nowhere");
}
