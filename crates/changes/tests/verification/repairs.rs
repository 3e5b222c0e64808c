//! Which repair is chosen, on which phase, and when a person is asked instead.

use loopwright_changes::{Goal, Pack};
use loopwright_changes::{NoRepair, Reason, Repair, RepairChoice, apply_repair, choose_repair, evaluate};
use loopwright_configs::Expect;
use serde_json::{Value, json};

use crate::fixtures::{config, goal, intent, pack, path, telemetry, telemetry_with};

fn choose(pack: &Pack, goal: &Goal, candidate: &Value, telemetry: &Value) -> RepairChoice {
    let baseline = pack.baseline().value();
    let judgement = evaluate(pack, goal, baseline, candidate, telemetry);
    let choice = choose_repair(pack, goal, baseline, candidate, &judgement, telemetry);
    assert_eq!(choice, choose_repair(pack, goal, baseline, candidate, &judgement, telemetry), "the same every time");
    choice
}

fn repair(choice: RepairChoice) -> Repair {
    match choice {
        RepairChoice::Repair(repair) => repair,
        other => panic!("no repair but {other:?}"),
    }
}

fn person(choice: RepairChoice) -> NoRepair {
    match choice {
        RepairChoice::Person(none) => none,
        other => panic!("no person but {other:?}"),
    }
}

#[test]
fn the_first_failing_check_decides() {
    let pack = pack();
    let peak = ("peak_alive_bullets", json!(400));
    let fps = ("low_percentile_fps", json!(50));
    let hits = ("player_hits", json!(5));
    let survival = ("player_survival_seconds", json!(20));
    let ended = ("status", json!("failed"));
    let cases = [
        (
            vec![peak.clone(), fps.clone(), hits.clone(), survival.clone()],
            "REDUCE_BULLETS_PER_WAVE",
            "bullets_per_wave",
            json!(9),
        ),
        (vec![fps.clone(), hits.clone(), survival.clone()], "INCREASE_WAVE_INTERVAL", "wave_interval_ms", json!(840)),
        (vec![ended.clone(), hits.clone(), survival.clone()], "REDUCE_BULLET_SPEED", "bullet_speed", json!(3.06)),
        (vec![ended, survival], "REDUCE_BULLET_LIFETIME", "bullet_lifetime_seconds", json!(4.42)),
    ];
    for (figures, name, field, after) in cases {
        let telemetry = telemetry_with(&figures, [0, 5, 0]);
        let made = repair(choose(
            &pack,
            &goal(&["phase_1", "phase_2", "phase_3"], vec![]),
            pack.baseline().value(),
            &telemetry,
        ));
        // The peaks of the three phases are 53, 64 and 66, the hits are phase 2's.
        let target =
            if name == "REDUCE_BULLETS_PER_WAVE" || name == "INCREASE_WAVE_INTERVAL" { "phase_3" } else { "phase_2" };
        assert_eq!((made.intent.as_str(), made.target.to_string()), (name, format!("phases[{target}]")));
        assert_eq!(made.changes.len(), 1);
        assert_eq!(made.changes[0].path.to_string(), format!("phases[{target}].pattern.{field}"));
        if target == "phase_2" {
            assert_eq!(made.changes[0].after, Some(after));
        }
    }
}

#[test]
fn the_phase_with_most_of_the_figure_is_repaired() {
    // Named phases, hits by emitter, and the phase that is repaired or blamed.
    type Case = (&'static [&'static str], [u64; 3], Result<&'static str, &'static str>);
    let cases: &[Case] = &[
        (&["phase_2"], [0, 5, 0], Ok("phase_2")),
        (&["phase_2", "phase_3"], [0, 2, 3], Ok("phase_3")),
        (&["phase_1", "phase_2", "phase_3"], [3, 1, 1], Ok("phase_1")),
        // An equal part of an unnamed phase is not most of it.
        (&["phase_2"], [2, 2, 1], Ok("phase_2")),
        // An unnamed phase with the largest part is never touched, and neither is a named one in its stead.
        (&["phase_1"], [1, 4, 0], Err("phase_2")),
        (&["phase_3"], [2, 2, 1], Err("phase_1")),
        (&["phase_1", "phase_3"], [2, 3, 0], Err("phase_2")),
        // A tie among the named: the largest estimate (80, 96, 96), then the earlier.
        (&["phase_1", "phase_2"], [2, 2, 0], Ok("phase_2")),
        (&["phase_3", "phase_2"], [0, 2, 2], Ok("phase_2")),
        // No part for anyone: the same.
        (&["phase_1", "phase_3"], [0, 0, 0], Ok("phase_3")),
    ];
    let pack = pack();
    for (named, hits, expected) in cases {
        let telemetry = telemetry_with(&[("player_hits", json!(5))], *hits);
        let choice = choose(&pack, &goal(named, vec![]), pack.baseline().value(), &telemetry);
        match expected {
            Ok(target) => {
                assert_eq!(repair(choice).target.to_string(), format!("phases[{target}]"), "{named:?} {hits:?}");
            }
            Err(target) => {
                let none = person(choice);
                assert_eq!((none.reason, none.intent.as_str()), (Reason::UnnamedTarget, "REQUEST_HUMAN"));
                assert_eq!(none.target, Some(path(&format!("phases[{target}]"))), "{named:?} {hits:?}");
                assert!(none.message.en.contains(target) && none.message.zh.contains(target));
                assert!(none.changes.is_empty());
            }
        }
    }
}

#[test]
fn without_attribution_the_estimate_decides() {
    let pack = pack();
    let mut silent = telemetry_with(&[("player_hits", json!(5))], [0, 0, 5]);
    for result in silent["phase_results"].as_array_mut().unwrap() {
        result.as_object_mut().unwrap().shift_remove("hits_by_emitter");
    }
    let chosen = |named: &[&str], telemetry: &Value| {
        repair(choose(&pack, &goal(named, vec![]), pack.baseline().value(), telemetry)).target.to_string()
    };
    assert_eq!(chosen(&["phase_1", "phase_2"], &silent), "phases[phase_2]");
    assert_eq!(chosen(&["phase_1"], &silent), "phases[phase_1]");
    // One phase that does not say leaves all of it open.
    silent["phase_results"][2]["hits_by_emitter"] = json!(5);
    assert_eq!(chosen(&["phase_1"], &silent), "phases[phase_1]");
    // A phase that was never reached has no part.
    let mut short = telemetry_with(&[("player_hits", json!(5))], [1, 4, 0]);
    short["phase_results"].as_array_mut().unwrap().pop();
    assert_eq!(chosen(&["phase_2", "phase_3"], &short), "phases[phase_2]");
}

#[test]
fn a_peak_belongs_to_the_phase_that_can_have_it() {
    let pack = pack();
    let dense = config(&pack, &[("phases[phase_2].pattern.bullets_per_wave", json!(40))]);
    // What phase 2 left in the air also counts in phase 3's peak, which is higher by a wave.
    let mut telemetry = telemetry_with(&[("peak_alive_bullets", json!(360))], [0, 0, 0]);
    telemetry["phase_results"][1]["peak_alive_bullets"] = json!(320);
    telemetry["phase_results"][2]["peak_alive_bullets"] = json!(360);
    let made = repair(choose(&pack, &goal(&["phase_2"], vec![]), &dense, &telemetry));
    assert_eq!(made.target, path("phases[phase_2]"));
    assert_eq!(made.changes[0].after, Some(json!(34)));
}

#[test]
fn nobody_named_means_a_person() {
    let pack = pack();
    for hits in [[0, 0, 0], [0, 5, 0]] {
        let telemetry = telemetry_with(&[("player_hits", json!(5))], hits);
        let none = person(choose(&pack, &goal(&[], vec![]), pack.baseline().value(), &telemetry));
        assert_eq!(none.reason, Reason::UnnamedTarget);
    }
}

#[test]
fn what_has_no_repair_goes_to_a_person() {
    let pack = pack();
    let all = goal(&["phase_1", "phase_2", "phase_3"], vec![]);
    for (figures, check) in [
        (vec![("status", json!("failed"))], "normal_completion"),
        (vec![("exception_log_count", json!(1))], "exception_logs"),
        (vec![("phase_results", json!([]))], "phase_coverage"),
        (vec![("player_hits", Value::Null)], "player_hits"),
        (vec![("peak_alive_bullets", json!("many"))], "peak_alive_bullets"),
    ] {
        let mut odd = telemetry();
        for (figure, value) in figures {
            odd[figure] = value;
        }
        let none = person(choose(&pack, &all, pack.baseline().value(), &odd));
        assert_eq!(
            (none.reason, none.check.as_deref(), none.intent.as_str()),
            (Reason::NoRepairForCheck, Some(check), "REQUEST_HUMAN")
        );
        assert!(!none.message.en.is_empty() && none.message.en != none.message.zh);
    }
    assert_eq!(choose(&pack, &all, pack.baseline().value(), &telemetry()), RepairChoice::Nothing);
    let untimed = telemetry_with(&[("fps_basis", json!("untimed")), ("low_percentile_fps", Value::Null)], [0, 2, 0]);
    assert_eq!(choose(&pack, &all, pack.baseline().value(), &untimed), RepairChoice::Nothing);
}

#[test]
fn a_repair_at_its_end_is_without_effect() {
    let pack = pack();
    let slow = config(&pack, &[("phases[phase_2].pattern.bullet_speed", json!(0.5))]);
    let telemetry = telemetry_with(&[("player_hits", json!(5))], [0, 5, 0]);
    let none = person(choose(&pack, &goal(&["phase_2"], vec![]), &slow, &telemetry));
    assert_eq!((none.reason, none.intent.as_str()), (Reason::RepairWithoutEffect, "REDUCE_BULLET_SPEED"));
    assert_eq!(none.message.en, "slower bullets would change nothing: phase_2, bullet speed stays 0.5");
    assert_eq!(none.message.zh, "“降低弹速”不会有任何变化：阶段 phase_2 弹速仍为 0.5");
}

#[test]
fn a_repair_never_undoes_what_was_asked() {
    let pack = pack();
    let candidate = config(
        &pack,
        &[("phases[phase_3].pattern.bidirectional", json!(true)), ("phases[phase_3].pattern.bullet_speed", json!(4.6))],
    );
    let asked = goal(
        &["phase_3"],
        vec![
            intent("phases[phase_3].pattern.bidirectional", Expect::Equals(json!(true)), "two-way"),
            intent("phases[phase_3].pattern.bullet_speed", Expect::Above, "faster"),
        ],
    );
    let telemetry = telemetry_with(&[("player_hits", json!(5))], [0, 1, 4]);
    let none = person(choose(&pack, &asked, &candidate, &telemetry));
    assert_eq!((none.reason, none.intent.as_str()), (Reason::IntentConflict, "REDUCE_BULLET_SPEED"));
    assert_eq!(none.message.en, "3.91 would undo `faster`");
    assert_eq!((none.changes[0].before.clone(), none.changes[0].after.clone()), (Some(json!(4.6)), Some(json!(3.91))));
    assert_eq!(none.undone.unwrap().clause, "faster");
    assert_eq!(none.target, Some(path("phases[phase_3]")));

    // Faster by more leaves room for one repair: 6 -> 5.1 is still above 4.
    let faster = config(
        &pack,
        &[("phases[phase_3].pattern.bidirectional", json!(true)), ("phases[phase_3].pattern.bullet_speed", json!(6))],
    );
    assert_eq!(repair(choose(&pack, &asked, &faster, &telemetry)).changes[0].after, Some(json!(5.1)));

    // "Keep the speed" and an exact value are kept as well.
    for expect in [Expect::Unchanged, Expect::Equals(json!(4))] {
        let kept = goal(&["phase_3"], vec![intent("phases[phase_3].pattern.bullet_speed", expect, "speed stays")]);
        let none = person(choose(&pack, &kept, pack.baseline().value(), &telemetry));
        assert_eq!((none.reason, none.message.en.as_str()), (Reason::IntentConflict, "3.4 would undo `speed stays`"));
    }
}

#[test]
fn a_repair_fits_only_the_config_it_was_computed_for() {
    let pack = pack();
    let telemetry = telemetry_with(&[("player_hits", json!(5))], [0, 5, 0]);
    let made = repair(choose(&pack, &goal(&["phase_2"], vec![]), pack.baseline().value(), &telemetry));
    let repaired = apply_repair(&pack, pack.baseline().value(), &made).unwrap();
    let changes = loopwright_configs::diff(pack.layout(), pack.baseline().value(), &repaired);
    assert_eq!(changes, made.changes);
    let error = apply_repair(&pack, &repaired, &made).unwrap_err().to_string();
    assert!(
        error.starts_with("phases[phase_2].pattern.bullet_speed is 3.06, but the repair was computed for 3.6"),
        "{error}"
    );
    // Choices are facts of a run: they are written and read back as they are.
    let choice = RepairChoice::Repair(made);
    assert_eq!(serde_json::from_value::<RepairChoice>(serde_json::to_value(&choice).unwrap()).unwrap(), choice);
}
