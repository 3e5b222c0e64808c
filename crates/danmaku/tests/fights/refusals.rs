//! Documents that the simulator refuses, each with the place and what to do about it.

use crate::fixtures::baseline;
use danmaku::FightConfig;
use serde_json::{Value, json};

/// The baseline with one value replaced or added; `null` takes it away.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = baseline();
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let object = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        object.remove(field);
    } else {
        object.insert(field.to_owned(), value);
    }
    document
}

fn refusal(document: &Value) -> String {
    FightConfig::from_json(document).unwrap_err().to_string()
}

#[test]
fn a_wrong_shape_names_its_place() {
    for (pointer, value, place, word) in [
        ("/extra", json!(1), "the document", "unknown field `extra`"),
        ("/source", json!(null), "the document", "missing field `source`"),
        ("/scenario/music", json!("loud"), "scenario", "unknown field `music`"),
        ("/player/max_health", json!(4.5), "player", "4.5 is not a whole number"),
        ("/player/max_health", json!(-1), "player", "-1 is not a whole number"),
        ("/boss/max_health", json!(1e12), "boss", "is not a whole number"),
        ("/boss/position_x", json!("left"), "boss", "invalid type"),
        ("/constraints/min_fps", json!(null), "constraints", "missing field `min_fps`"),
        ("/runtime_targets/require_all_phases", json!(1), "runtime_targets", "invalid type"),
        ("/phases/1/pattern/type", json!("star"), "phases[1].pattern", "unknown variant `star`"),
        ("/phases/2/trigger/type", json!("timer"), "phases[2].trigger", "unknown variant `timer`"),
        ("/phases/0/colour", json!("red"), "phases[0]", "unknown field `colour`"),
    ] {
        let message = refusal(&with(pointer, value));
        assert!(message.starts_with(&format!("{place}: ")) && message.contains(word), "{pointer}: {message}");
    }
    for document in [json!(null), json!([]), json!("fight"), json!({"phases": {}})] {
        assert!(refusal(&document).starts_with("the document: "));
    }
}

#[test]
fn values_that_cannot_be_simulated_are_named() {
    for (pointer, value, start) in [
        ("/bullet_hell_contract_version", json!("2.0"), "bullet_hell_contract_version: \"2.0\""),
        ("/scenario/duration_seconds", json!(1e9), "scenario.duration_seconds: 1000000000"),
        ("/scenario/duration_seconds", json!(0), "scenario.duration_seconds: 0"),
        ("/scenario/arena_width", json!(1e300), "scenario.arena_width: 1"),
        ("/player/max_health", json!(0), "player.max_health: 0"),
        ("/player/hit_radius", json!(-0.1), "player.hit_radius: -0.1"),
        ("/player/start_z", json!(-1e5), "player.start_z: -100000"),
        ("/boss/max_health", json!(0), "boss.max_health: 0"),
        ("/phases", json!([]), "phases (their number): 0"),
        ("/phases/1/phase_id", json!("phase_1"), "phases[1].phase_id: \"phase_1\""),
        ("/phases/0/trigger/value", json!(-1), "phases[0].trigger.value: -1"),
        ("/phases/0/pattern/bullets_per_wave", json!(4_000_000_000_u32), "phases[0].pattern.bullets_per_wave: 4"),
        ("/phases/0/pattern/wave_interval_ms", json!(0), "phases[0].pattern.wave_interval_ms: 0"),
        ("/phases/1/pattern/bullet_speed", json!(1e308), "phases[1].pattern.bullet_speed: 1"),
        ("/phases/2/pattern/layer_count", json!(0), "phases[2].pattern.layer_count: 0"),
    ] {
        let message = refusal(&with(pointer, value));
        assert!(message.starts_with(start), "{pointer}: {message}");
    }
}

#[test]
fn more_bullets_than_fit_are_refused_before_the_first_step() {
    let mut document = baseline();
    document["phases"][0]["pattern"]["bullets_per_wave"] = json!(1024);
    document["phases"][0]["pattern"]["wave_interval_ms"] = json!(1);
    let message = refusal(&document);
    assert!(message.contains("more than the 262144 that can be simulated"), "{message}");
}

#[test]
fn whole_numbers_and_defaults_are_read() {
    let mut document = with("/phases/0/pattern/bullets_per_wave", json!(16.0));
    document["phases"][0]["pattern"].as_object_mut().unwrap().remove("bidirectional");
    document["runtime_targets"].as_object_mut().unwrap().remove("require_all_phases");
    document["scenario"]["duration_seconds"] = json!(36.0);
    let config = FightConfig::from_json(&document).unwrap();
    assert_eq!(config, FightConfig::from_json(&baseline()).unwrap());
    assert!(config.runtime_targets().require_all_phases);
}
