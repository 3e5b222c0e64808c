//! What holds of any candidate and any telemetry.

use loopwright_changes::{Goal, Proposer, RepairChoice, Status};
use loopwright_changes::{apply_repair, choose_repair, contract_faults, evaluate, validate};
use loopwright_configs::{Expect, diff};
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Value, json};

use crate::fixtures::{config, intent, pack};

const IDS: [&str; 3] = ["phase_1", "phase_2", "phase_3"];

/// The numbers of one phase, inside the contract.
fn any_pattern() -> impl Strategy<Value = (u32, u32, f64, f64)> {
    (1..=64_u32, 100..=5000_u32, (50..=1200_u32).prop_map(hundredths), (50..=1200_u32).prop_map(hundredths))
}

fn hundredths(number: u32) -> f64 {
    f64::from(number) / 100.0
}

/// Telemetry whose figures and parts may be anything, missing included.
fn any_telemetry() -> impl Strategy<Value = Value> {
    let figure = || prop_oneof![4 => (0..500_u32).prop_map(Value::from), 1 => Just(Value::Null)];
    let result = (prop::sample::select(&IDS[..]), figure(), figure())
        .prop_map(|(id, peak, hits)| json!({"phase_id": id, "peak_alive_bullets": peak, "hits_by_emitter": hits}));
    (figure(), figure(), figure(), figure(), prop::collection::vec(result, 0..4)).prop_map(
        |(peak, hits, survival, fps, results)| {
            json!({
                "status": "completed", "peak_alive_bullets": peak, "player_hits": hits, "player_survival_seconds": survival,
                "low_percentile_fps": fps, "exception_log_count": 0, "phase_results": results,
            })
        },
    )
}

fn any_expect() -> impl Strategy<Value = Expect> {
    prop_oneof![Just(Expect::Above), Just(Expect::Below), Just(Expect::Unchanged)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn a_repair_stays_with_the_named_and_inside_the_contract(
        patterns in [any_pattern(), any_pattern(), any_pattern()],
        named in subsequence(&IDS[..], 0..=3),
        asked in prop::collection::vec((0..3_usize, any_expect()), 0..3),
        telemetry in any_telemetry(),
    ) {
        let pack = &*PACK;
        let baseline = pack.baseline().value();
        let mut changes = Vec::new();
        for (id, (bullets, interval, speed, lifetime)) in IDS.iter().zip(patterns) {
            changes.push((format!("phases[{id}].pattern.bullets_per_wave"), json!(bullets)));
            changes.push((format!("phases[{id}].pattern.wave_interval_ms"), json!(interval)));
            changes.push((format!("phases[{id}].pattern.bullet_speed"), json!(speed)));
            changes.push((format!("phases[{id}].pattern.bullet_lifetime_seconds"), json!(lifetime)));
        }
        let changes: Vec<(&str, Value)> = changes.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
        let candidate = config(pack, &changes);
        let goal = Goal {
            intents: asked.into_iter().map(|(at, expect)| intent(&format!("phases[{}].pattern.bullet_speed", IDS[at]), expect, "asked")).collect(),
            named: named.iter().map(ToString::to_string).collect(),
            loosened: Vec::new(),
        };
        let judgement = evaluate(pack, &goal, baseline, &candidate, &telemetry);
        let choice = choose_repair(pack, &goal, baseline, &candidate, &judgement, &telemetry);
        prop_assert_eq!(&choice, &choose_repair(pack, &goal, baseline, &candidate, &judgement, &telemetry));
        prop_assert_eq!(judgement.accepted(), choice == RepairChoice::Nothing);
        let RepairChoice::Repair(repair) = choice else { return Ok(()) };
        let target = repair.target.first_key().unwrap().to_string();
        prop_assert!(named.contains(&target.as_str()));
        let repaired = apply_repair(pack, &candidate, &repair).unwrap();
        prop_assert!(contract_faults(pack, &repaired).is_empty());
        let made = diff(pack.layout(), &candidate, &repaired);
        prop_assert!(!made.is_empty());
        for change in &made {
            prop_assert!(change.path.starts_with(&repair.target), "{}", change.path);
            prop_assert_ne!(change.path.last_field(), Some("type"));
        }
        for (before, after) in judgement.intents.iter().zip(&evaluate(pack, &goal, baseline, &repaired, &telemetry).intents) {
            prop_assert!(before.status == Status::Failed || after.status == Status::Passed);
        }
    }

    #[test]
    fn a_persons_candidate_always_carries_what_its_difference_asks(
        pattern in any_pattern(),
        hits in 0..=20_u32,
    ) {
        let pack = &*PACK;
        let candidate = config(pack, &[
            ("phases[phase_2].pattern.bullets_per_wave", json!(pattern.0)),
            ("phases[phase_2].pattern.wave_interval_ms", json!(pattern.1)),
            ("phases[phase_2].pattern.bullet_speed", json!(pattern.2)),
            ("runtime_targets.max_player_hits", json!(hits)),
        ]);
        let goal = Goal::from_diff(pack, pack.baseline().value(), &candidate);
        let layers = validate(pack, pack.baseline().value(), &candidate, Some(&goal), Proposer::Person);
        prop_assert!(layers[1].passed && layers[3].passed, "{:?}", layers);
    }
}

static PACK: std::sync::LazyLock<loopwright_changes::Pack> = std::sync::LazyLock::new(pack);
