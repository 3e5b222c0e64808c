//! What holds of every fight that the contract allows, and of many it does not.

use crate::fixtures::{baseline, reference_desktop};
use danmaku::config::Pattern;
use danmaku::telemetry::{Status, Telemetry};
use danmaku::{FightConfig, RunOptions, Trace, run, run_observed};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A pattern within the contract's ranges.
fn pattern() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(vec!["ring", "aimed_fan", "spiral", "petal"]);
    let numbers = (1..=64_u32, 100..=5000_u32, 0.5..=12.0, 0.5..=12.0, -180.0..=180.0, 1.0..=360.0, 2..=4_u32);
    (kinds, numbers, any::<bool>()).prop_map(|(kind, (bullets, interval, speed, life, turn, spread, layers), both)| {
        let spread: f64 = if kind == "aimed_fan" { spread / 2.0 + 0.5 } else { spread };
        json!({
            "type": kind, "bullets_per_wave": bullets, "wave_interval_ms": interval, "bullet_speed": speed,
            "bullet_lifetime_seconds": life, "rotation_per_wave_deg": turn, "spread_angle_deg": spread,
            "layer_count": layers, "bidirectional": both,
        })
    })
}

prop_compose! {
    /// A document within the contract's ranges.
    pub(crate) fn legal()(
        patterns in prop::collection::vec(pattern(), 2..=3),
        (duration, width, height) in (30.0..=60.0, 8.0..=20.0, 12.0..=28.0),
        (health, radius, start_z) in (1..=20_u32, 0.01..=1.0, -14.0..=14.0),
        (damage, interval, boss) in (1..=100_u32, 0.05..=1.0, 100..=20_000_u32),
        (boss_x, boss_z) in (-10.0..=10.0, -14.0..=14.0),
        (second, third) in (0.3..=0.95, 0.01..=0.29),
    ) -> Value {
        let mut document = baseline();
        document["scenario"]["duration_seconds"] = json!(duration);
        document["scenario"]["arena_width"] = json!(width);
        document["scenario"]["arena_height"] = json!(height);
        document["player"]["max_health"] = json!(health);
        document["player"]["hit_radius"] = json!(radius);
        document["player"]["start_z"] = json!(start_z);
        document["player"]["auto_fire_damage"] = json!(damage);
        document["player"]["auto_fire_interval_seconds"] = json!(interval);
        document["boss"]["max_health"] = json!(boss);
        document["boss"]["position_x"] = json!(boss_x);
        document["boss"]["position_z"] = json!(boss_z);
        document["phases"].as_array_mut().unwrap().truncate(patterns.len());
        for (index, (pattern, trigger)) in patterns.into_iter().zip([1.0, second, third]).enumerate() {
            document["phases"][index]["trigger"]["value"] = json!(trigger);
            document["phases"][index]["pattern"] = pattern;
        }
        document
    }
}

fn observe(document: &Value) -> (FightConfig, Telemetry, Trace) {
    let config = FightConfig::from_json(document).unwrap();
    let options = RunOptions { profile: Some(reference_desktop()), ..RunOptions::default() };
    let mut trace = Trace::default();
    let telemetry = run_observed(&config, &options, &mut trace);
    assert_eq!(telemetry, run(&config, &options), "watching changes nothing, nor does running again");
    (config, telemetry, trace)
}

fn wave_size(pattern: &Pattern) -> u32 {
    pattern.bullets_per_wave * pattern.layer_count * if pattern.bidirectional { 2 } else { 1 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_figures_of_a_legal_fight_agree(document in legal()) {
        let (config, telemetry, trace) = observe(&document);
        let phases = &telemetry.phase_results;
        let sum = |figure: fn(&danmaku::telemetry::PhaseResult) -> u32| phases.iter().map(figure).sum::<u32>();
        prop_assert_eq!(sum(|p| p.bullets_spawned), telemetry.total_bullets_spawned);
        prop_assert_eq!(sum(|p| p.player_hits), telemetry.player_hits);
        prop_assert_eq!(sum(|p| p.hits_by_emitter), telemetry.player_hits);
        prop_assert_eq!(phases.iter().map(|p| p.peak_alive_bullets).max(), Some(telemetry.peak_alive_bullets));
        prop_assert!(phases.len() <= config.phases().len());
        let lasted: f64 = phases.iter().map(|p| p.duration_seconds).sum();
        prop_assert!((lasted - telemetry.duration_seconds).abs() < 1e-6);
        prop_assert!(telemetry.player_survival_seconds <= config.scenario().duration_seconds);

        // Hits: never beyond health, and all health gone exactly where the run failed.
        let health = config.player().max_health;
        prop_assert!(telemetry.player_hits <= health);
        prop_assert_eq!(telemetry.player_hits == health, telemetry.status == Status::Failed);
        prop_assert!(trace.hits.windows(2).all(|pair| pair[1].at.seconds - pair[0].at.seconds >= 0.3499));

        // Bullets: whole waves, never more alive than spawned and not removed, never more than was reserved.
        for phase in phases {
            let index = config.phases().iter().position(|p| p.phase_id == phase.phase_id).unwrap();
            prop_assert_eq!(phase.bullets_spawned % wave_size(&config.phases()[index].pattern), 0);
        }
        prop_assert!(telemetry.peak_alive_bullets as usize <= config.alive_bound());
        let (mut spawned, mut removed) = (0, 0);
        for (index, &alive) in trace.alive_per_step.iter().enumerate() {
            spawned += trace.spawns[spawned..].iter().take_while(|s| s.at.step as usize <= index + 1).count();
            removed += trace.removals[removed..].iter().take_while(|r| r.at.step as usize <= index + 1).count();
            prop_assert_eq!(spawned - removed, alive as usize);
        }
        prop_assert_eq!(spawned, telemetry.total_bullets_spawned as usize);

        let fps = [telemetry.minimum_fps, telemetry.low_percentile_fps, telemetry.average_fps].map(Option::unwrap);
        prop_assert!(0.0 < fps[0] && fps[0] <= fps[1] && fps[1] <= 60.0 && fps[0] <= fps[2] && fps[2] <= 60.0);
    }

    #[test]
    fn a_removed_bullet_is_where_its_spawn_says(document in legal()) {
        let (_, _, trace) = observe(&document);
        for removal in &trace.removals {
            let spawn = &trace.spawns[removal.event.bullet as usize];
            prop_assert_eq!(spawn.event.bullet, removal.event.bullet);
            let steps = f64::from(removal.at.step - spawn.at.step + 1);
            for axis in 0..2 {
                let straight = f64::from(spawn.event.position[axis]) + steps * f64::from(spawn.event.step[axis]);
                prop_assert!((straight - f64::from(removal.event.position[axis])).abs() < 1e-2);
            }
        }
    }

    #[test]
    fn any_number_anywhere_is_refused_or_simulated(
        document in legal(),
        place in any::<prop::sample::Index>(),
        value in prop_oneof![
            prop::sample::select(vec![
                0.0, -0.0, -1.0, 1.0, 1e-300, 0.001, 1024.0, 1e4, -1e4, 1e6, 4_294_967_295.0, 1e38, f64::MAX, f64::MIN,
            ]),
            any::<f64>().prop_filter("JSON holds finite numbers", |number| number.is_finite()),
        ],
    ) {
        let mut numbers: Vec<String> = Vec::new();
        number_pointers(&document, String::new(), &mut numbers);
        let mut document = document;
        *document.pointer_mut(place.get(&numbers).as_str()).unwrap() = json!(value);
        if let Ok(config) = FightConfig::from_json(&document) {
            let telemetry = run(&config, &RunOptions { profile: Some(reference_desktop()), ..RunOptions::default() });
            prop_assert!(telemetry.peak_alive_bullets as usize <= config.alive_bound());
            prop_assert!(!serde_json::to_string(&telemetry).unwrap().contains("null"), "every figure is a number");
        }
    }
}

/// The JSON pointers of all numbers in a document.
fn number_pointers(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(pointer),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| number_pointers(item, format!("{pointer}/{index}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(field, value)| number_pointers(value, format!("{pointer}/{field}"), found));
        }
        _ => {}
    }
}
