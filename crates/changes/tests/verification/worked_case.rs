//! The published case from its candidate to its last run, on the simulator: 3.6 -> 3.06 -> 2.6.

use loopwright_changes::{Goal, Judgement, Pack, Proposer, Reason, RepairChoice, Status};
use loopwright_changes::{apply_repair, choose_repair, evaluate, validate};
use loopwright_configs::Expect;
use serde_json::{Value, json};

use crate::fixtures::{config, goal, intent, pack, run, two_way_denser};

fn failed(judgement: &Judgement) -> Vec<&str> {
    judgement.failed().map(|check| check.id.as_str()).collect()
}

#[test]
fn two_repairs_lead_to_the_published_figures() {
    let pack = pack();
    let baseline = pack.baseline().value();
    let goal = two_way_denser();
    let mut candidate = config(
        &pack,
        &[
            ("phases[phase_2].pattern.bidirectional", json!(true)),
            ("phases[phase_2].pattern.bullets_per_wave", json!(16)),
        ],
    );
    let mut speeds = Vec::new();
    let mut scores = Vec::new();
    let last = loop {
        let layers = validate(&pack, baseline, &candidate, Some(&goal), Proposer::Intake);
        assert!(layers.iter().all(|layer| layer.passed), "{layers:?}");
        let telemetry = run(&pack, &candidate);
        let judgement = evaluate(&pack, &goal, baseline, &candidate, &telemetry);
        speeds.push(candidate["phases"][1]["pattern"]["bullet_speed"].clone());
        scores.push(judgement.score.clone());
        match choose_repair(&pack, &goal, baseline, &candidate, &judgement, &telemetry) {
            RepairChoice::Nothing => break (judgement, telemetry),
            RepairChoice::Repair(repair) => {
                assert_eq!((repair.intent.as_str(), repair.check.as_str()), ("REDUCE_BULLET_SPEED", "player_hits"));
                assert!(failed(&judgement).contains(&"survival_time"));
                candidate = apply_repair(&pack, &candidate, &repair).unwrap();
            }
            RepairChoice::Person(none) => panic!("{none:?}"),
        }
        assert!(speeds.len() < 3, "no more than three runs");
    };
    assert_eq!(speeds, [json!(3.6), json!(3.06), json!(2.6)]);
    let (judgement, telemetry) = last;
    assert!(judgement.accepted());
    assert_eq!(judgement.score, [7, 0]);
    assert_eq!((&telemetry["peak_alive_bullets"], &telemetry["player_hits"]), (&json!(198), &json!(0)));
    assert!(scores.iter().all(|score| *score <= judgement.score));
}

#[test]
fn the_baseline_itself_passes() {
    let pack = pack();
    let baseline = pack.baseline().value();
    let judgement = evaluate(&pack, &goal(&[], vec![]), baseline, baseline, &run(&pack, baseline));
    assert!(judgement.accepted(), "{:?}", failed(&judgement));
}

/// The last choice for a candidate whose repairs are made as long as there are any.
fn ends(pack: &Pack, goal: &Goal, changes: &[(&str, Value)]) -> (Value, RepairChoice) {
    let baseline = pack.baseline().value();
    let mut candidate = config(pack, changes);
    for _ in 0..8 {
        let telemetry = run(pack, &candidate);
        let judgement = evaluate(pack, goal, baseline, &candidate, &telemetry);
        assert!(judgement.intents.iter().all(|check| check.status == Status::Passed));
        match choose_repair(pack, goal, baseline, &candidate, &judgement, &telemetry) {
            RepairChoice::Repair(repair) => candidate = apply_repair(pack, &candidate, &repair).unwrap(),
            end => return (candidate, end),
        }
    }
    panic!("eight repairs and no end");
}

#[test]
fn what_was_asked_survives_and_nobody_else_is_touched() {
    let pack = pack();
    let faster = goal(
        &["phase_3"],
        vec![
            intent("phases[phase_3].pattern.bidirectional", Expect::Equals(json!(true)), "two-way"),
            intent("phases[phase_3].pattern.bullet_speed", Expect::Above, "faster"),
        ],
    );
    let changes =
        [("phases[phase_3].pattern.bidirectional", json!(true)), ("phases[phase_3].pattern.bullet_speed", json!(4.6))];
    let (candidate, end) = ends(&pack, &faster, &changes);
    let RepairChoice::Person(none) = end else { panic!("{end:?}") };
    assert_eq!((none.reason, none.message.en.as_str()), (Reason::IntentConflict, "3.91 would undo `faster`"));
    assert_eq!(candidate, config(&pack, &changes));

    let fan = goal(
        &["phase_1"],
        vec![
            intent("phases[phase_1].pattern.type", Expect::Equals(json!("aimed_fan")), "an aimed fan"),
            intent("phases[phase_1].pattern.spread_angle_deg", Expect::Equals(json!(60)), "60 degrees"),
        ],
    );
    let changes =
        [("phases[phase_1].pattern.type", json!("aimed_fan")), ("phases[phase_1].pattern.spread_angle_deg", json!(60))];
    let (candidate, end) = ends(&pack, &fan, &changes);
    assert_eq!(end, RepairChoice::Nothing);
    // Only the fan itself became slower: 3 -> 2.55.
    let slower = [changes.as_slice(), &[("phases[phase_1].pattern.bullet_speed", json!(2.55))]].concat();
    assert_eq!(candidate, config(&pack, &slower));
}
