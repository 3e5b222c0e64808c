//! Each layer finds its own faults, with path, actual value, limit and a message in both languages.

use loopwright_changes::{Goal, Layer, Proposer, validate};
use loopwright_configs::{Expect, Fault};
use serde_json::{Value, json};

use crate::fixtures::{config, goal, intent, pack, path, two_way_denser};

/// The faults of one layer, as `path | actual | limit | rule`, while the layers before it pass.
fn found(layer: Layer, candidate: &Value, goal: Option<&Goal>, proposer: Proposer) -> Vec<String> {
    let pack = pack();
    let results = validate(&pack, pack.baseline().value(), candidate, goal, proposer);
    let names: Vec<&str> = results.iter().map(|result| result.layer.name()).collect();
    assert_eq!(names, ["schema", "reference", "rule_engine", "safety_gate"]);
    let result = results.into_iter().find(|result| result.layer == layer).unwrap();
    assert_eq!(result.passed, result.errors.is_empty() && !result.skipped);
    let plain = |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), Value::to_string);
    let line = |fault: &Fault| {
        assert_eq!(fault.layer, layer.name());
        assert!(!fault.message.en.is_empty() && fault.message.en != fault.message.zh, "{fault:?}");
        assert!(!fault.message.en.contains('{') && !fault.message.zh.contains('{'), "{fault:?}");
        format!("{} | {} | {} | {}", fault.path, plain(&fault.actual), plain(&fault.limit), fault.rule)
    };
    result.errors.iter().map(line).collect()
}

#[test]
fn a_good_candidate_passes_all_four() {
    let pack = pack();
    let candidate = config(
        &pack,
        &[
            ("phases[phase_2].pattern.bidirectional", json!(true)),
            ("phases[phase_2].pattern.bullets_per_wave", json!(16.0)),
        ],
    );
    for proposer in [Proposer::Intake, Proposer::Model, Proposer::Person] {
        let results = validate(&pack, pack.baseline().value(), &candidate, Some(&two_way_denser()), proposer);
        assert!(results.iter().all(|result| result.passed && !result.skipped), "{results:?}");
    }
}

#[test]
fn a_candidate_outside_its_contract_goes_no_further() {
    let pack = pack();
    let candidate =
        config(&pack, &[("phases[phase_2].pattern.bullets_per_wave", json!(200)), ("boss.colour", json!("red"))]);
    let results = validate(&pack, pack.baseline().value(), &candidate, Some(&two_way_denser()), Proposer::Intake);
    assert!(!results[0].passed && !results[0].skipped && results[0].errors.len() == 2);
    assert!(results[1..].iter().all(|result| result.skipped && !result.passed && result.errors.is_empty()));
}

#[test]
fn the_schema_layer_also_asks_what_the_schema_cannot_say() {
    let pack = pack();
    let schema = |changes: &[(&str, Value)]| found(Layer::Schema, &config(&pack, changes), None, Proposer::Person);
    assert_eq!(
        schema(&[("phases[phase_2].phase_id", json!("phase_1"))]),
        [
            r#"phases[#0].phase_id | "phase_1" | "unique" | phase_ids_unique"#,
            r#"phases[#1].phase_id | "phase_1" | "unique" | phase_ids_unique"#
        ]
    );
    assert_eq!(
        schema(&[("phases[phase_2].trigger.value", json!(0.34))]),
        [r#"phases[phase_3].trigger.value | 0.34 | "<0.34" | triggers_descend"#]
    );
    assert_eq!(
        schema(&[("constraints.max_alive_bullets", json!(220))]),
        ["runtime_targets.max_alive_bullets | 350 | 220 | target_within_constraint"]
    );
    assert_eq!(
        schema(&[("runtime_targets.min_survival_seconds", json!(40))]),
        ["runtime_targets.min_survival_seconds | 40 | 36 | survival_within_duration"]
    );
}

#[test]
fn the_reference_layer_compares_with_the_request() {
    let pack = pack();
    let reference = |goal: &Goal| found(Layer::Reference, pack.baseline().value(), Some(goal), Proposer::Intake);
    let speed = |id: &str| format!("phases[{id}].pattern.bullet_speed");
    assert_eq!(
        reference(&goal(&["phase_9"], vec![intent(&speed("phase_9"), Expect::Above, "faster")])),
        [r#"phases[phase_9] | - | "phase_1, phase_2, phase_3" | target_exists"#]
    );
    assert_eq!(
        reference(&goal(
            &["phase_1"],
            vec![intent("phases[phase_1].pattern.type", Expect::Equals(json!("star")), "star")]
        )),
        [r#"phases[phase_1].pattern.type | "star" | ["ring","aimed_fan","spiral","petal"] | kind_supported"#]
    );
    assert_eq!(
        reference(&two_way_denser()),
        [
            "phases[phase_2].pattern.bidirectional | false | true | carried",
            r#"phases[phase_2].pattern.bullets_per_wave | 12 | "> 12" | carried"#
        ]
    );
    assert!(
        reference(&goal(&["phase_2"], vec![intent(&speed("phase_2"), Expect::Unchanged, "keep the speed")])).is_empty()
    );
    assert!(found(Layer::Reference, pack.baseline().value(), None, Proposer::Person).is_empty());
}

#[test]
fn the_rule_engine_estimates_peaks_against_constraints() {
    let pack = pack();
    let dense = config(
        &pack,
        &[("phases[phase_2].pattern.bullets_per_wave", json!(50)), ("phases[phase_3].pattern.layer_count", json!(4))],
    );
    assert_eq!(
        found(Layer::RuleEngine, &dense, None, Proposer::Intake),
        [r#"phases[phase_2].pattern | 400 | "<= 350" | peak_alive_bullets"#]
    );
    // The constraint counts, not the target.
    let tight = config(&pack, &[("runtime_targets.max_alive_bullets", json!(80))]);
    assert!(found(Layer::RuleEngine, &tight, None, Proposer::Intake).is_empty());
    let tight = config(
        &pack,
        &[("runtime_targets.max_alive_bullets", json!(80)), ("constraints.max_alive_bullets", json!(80))],
    );
    assert_eq!(found(Layer::RuleEngine, &tight, None, Proposer::Intake).len(), 2);
}

#[test]
fn the_safety_gate_keeps_ids() {
    let pack = pack();
    let gate = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut candidate = pack.baseline().value().clone();
        change(candidate["phases"].as_array_mut().unwrap());
        found(Layer::SafetyGate, &candidate, None, Proposer::Person)
    };
    assert_eq!(gate(&|phases| drop(phases.remove(2))), [r#"phases[phase_3] | - | "phase_3" | id_removed"#]);
    assert_eq!(
        gate(&|phases| phases[1]["phase_id"] = json!("middle")),
        [r#"phases[phase_2] | "middle" | "phase_2" | id_renamed"#]
    );
    let swap = |phases: &mut Vec<Value>| {
        let triggers = [phases[0]["trigger"].clone(), phases[1]["trigger"].clone()];
        phases.swap(0, 1);
        for (phase, trigger) in phases.iter_mut().zip(triggers) {
            phase["trigger"] = trigger;
        }
    };
    assert_eq!(gate(&swap), [r#"phases | "phase_2, phase_1, phase_3" | "phase_1, phase_2, phase_3" | id_order"#]);
    // A phase can only be added to a baseline of two.
    let mut short = pack.baseline().value().clone();
    short["phases"].as_array_mut().unwrap().pop();
    let results = validate(&pack, &short, pack.baseline().value(), None, Proposer::Person);
    let rules: Vec<&str> = results[3].errors.iter().map(|fault| fault.rule.as_str()).collect();
    assert_eq!(rules, ["id_added"]);
    assert!(results[3].errors[0].message.en.contains("phase `phase_3` was added"));
}

#[test]
fn the_safety_gate_keeps_to_the_proposers_scope() {
    let pack = pack();
    let candidate =
        config(&pack, &[("boss.max_health", json!(4000)), ("phases[phase_2].pattern.bullet_speed", json!(4))]);
    for proposer in [Proposer::Intake, Proposer::Model] {
        let faults = found(Layer::SafetyGate, &candidate, None, proposer);
        assert_eq!(
            faults,
            [r#"boss.max_health | 4000 | "phases[*].pattern.*, constraints.*, runtime_targets.*" | write_scope"#]
        );
    }
    assert!(found(Layer::SafetyGate, &candidate, None, Proposer::Person).is_empty());
    let named = config(&pack, &[("phases[phase_2].display_name", json!("other")), ("source", json!("me"))]);
    assert_eq!(found(Layer::SafetyGate, &named, None, Proposer::Person).len(), 2);
    // A default that is written out is no change.
    let mut short = pack.baseline().value().clone();
    short["phases"][0]["pattern"].as_object_mut().unwrap().shift_remove("bidirectional");
    assert!(found(Layer::SafetyGate, &short, None, Proposer::Intake).is_empty());
}

#[test]
fn limits_are_loosened_only_by_words() {
    let pack = pack();
    let loose = config(&pack, &[("constraints.max_player_hits", json!(9)), ("constraints.min_fps", json!(60))]);
    assert_eq!(
        found(Layer::SafetyGate, &loose, Some(&Goal::default()), Proposer::Intake),
        ["constraints.max_player_hits | 9 | 3 | limit_loosened"]
    );
    let said = Goal { loosened: vec![path("constraints.max_player_hits")], ..Goal::default() };
    assert!(found(Layer::SafetyGate, &loose, Some(&said), Proposer::Intake).is_empty());
    assert!(found(Layer::SafetyGate, &loose, None, Proposer::Person).is_empty());
    let off = config(
        &pack,
        &[("runtime_targets.require_all_phases", json!(false)), ("runtime_targets.min_survival_seconds", json!(20))],
    );
    assert_eq!(found(Layer::SafetyGate, &off, None, Proposer::Model).len(), 2);
    let mut gone = pack.baseline().value().clone();
    gone["runtime_targets"].as_object_mut().unwrap().shift_remove("require_all_phases");
    assert!(found(Layer::SafetyGate, &gone, None, Proposer::Model).is_empty());
}

#[test]
fn a_persons_candidate_asks_for_its_own_differences() {
    let pack = pack();
    let candidate = config(
        &pack,
        &[
            ("phases[phase_3].pattern.bullet_speed", json!(4.6)),
            ("phases[phase_3].pattern.bidirectional", json!(true)),
            ("phases[phase_1].pattern.wave_interval_ms", json!(1000)),
            ("runtime_targets.max_player_hits", json!(5)),
            ("boss.max_health", json!(3600.0)),
        ],
    );
    let goal = Goal::from_diff(&pack, pack.baseline().value(), &candidate);
    assert_eq!(goal.named, ["phase_1", "phase_3"]);
    assert_eq!(goal.loosened, [path("runtime_targets.max_player_hits")]);
    let intents: Vec<(String, &Expect)> = goal.intents.iter().map(|it| (it.path.to_string(), &it.expect)).collect();
    assert_eq!(
        intents,
        [
            ("phases[phase_1].pattern.wave_interval_ms".to_owned(), &Expect::Below),
            ("phases[phase_3].pattern.bullet_speed".to_owned(), &Expect::Above),
            ("phases[phase_3].pattern.bidirectional".to_owned(), &Expect::Equals(json!(true))),
            ("runtime_targets.max_player_hits".to_owned(), &Expect::Above),
        ]
    );
    assert_eq!(goal.intents[1].clause, "bullet_speed 4 -> 4.6");
    assert!(
        validate(&pack, pack.baseline().value(), &candidate, Some(&goal), Proposer::Person).iter().all(|it| it.passed)
    );
}
