//! The pack, its baseline with changes, telemetry with changes, and goals, shared by the tests.

use danmaku::{DeviceProfile, FightConfig, RunOptions};
use loopwright_changes::{Goal, Pack};
use loopwright_configs::{Expect, Intent, Path};
use serde_json::{Value, json};

pub(crate) fn pack() -> Pack {
    Pack::embedded().unwrap()
}

pub(crate) fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// The baseline with values put at paths.
pub(crate) fn config(pack: &Pack, changes: &[(&str, Value)]) -> Value {
    let mut config = pack.baseline().value().clone();
    for (place, value) in changes {
        pack.layout().set(&mut config, &path(place), value.clone()).unwrap();
    }
    config
}

pub(crate) fn intent(place: &str, expect: Expect, clause: &str) -> Intent {
    Intent { path: path(place), expect, clause: clause.to_owned() }
}

pub(crate) fn goal(named: &[&str], intents: Vec<Intent>) -> Goal {
    Goal { intents, named: named.iter().map(|id| (*id).to_owned()).collect(), loosened: Vec::new() }
}

/// "Phase 2: two-way spiral, denser."
pub(crate) fn two_way_denser() -> Goal {
    goal(
        &["phase_2"],
        vec![
            intent("phases[phase_2].pattern.type", Expect::Equals(json!("spiral")), "spiral"),
            intent("phases[phase_2].pattern.bidirectional", Expect::Equals(json!(true)), "two-way"),
            intent("phases[phase_2].pattern.bullets_per_wave", Expect::Above, "denser"),
        ],
    )
}

/// A run that keeps every limit, with hits and peaks by phase.
pub(crate) fn telemetry() -> Value {
    json!({
        "status": "completed", "peak_alive_bullets": 66, "player_hits": 2, "player_survival_seconds": 36.0,
        "low_percentile_fps": 60.0, "fps_basis": "modelled", "exception_log_count": 0,
        "phase_results": [
            {"phase_id": "phase_1", "peak_alive_bullets": 53, "hits_by_emitter": 0},
            {"phase_id": "phase_2", "peak_alive_bullets": 64, "hits_by_emitter": 2},
            {"phase_id": "phase_3", "peak_alive_bullets": 66, "hits_by_emitter": 0},
        ],
    })
}

/// The same run with other figures and other hits by emitter.
pub(crate) fn telemetry_with(figures: &[(&str, Value)], hits: [u64; 3]) -> Value {
    let mut telemetry = telemetry();
    for (figure, value) in figures {
        telemetry[*figure] = value.clone();
    }
    for (result, hits) in telemetry["phase_results"].as_array_mut().unwrap().iter_mut().zip(hits) {
        result["hits_by_emitter"] = json!(hits);
    }
    telemetry
}

/// A real run on the simulator, with the pack's own device profile.
pub(crate) fn run(pack: &Pack, config: &Value) -> Value {
    let profile = pack.profile(pack.manifest().engine.profile.as_deref().unwrap()).unwrap();
    let figure = |name: &str| profile.model[name].as_f64().unwrap();
    let device =
        DeviceProfile::new(&profile.name, figure("fps_cap"), figure("base_ms"), figure("ms_per_alive")).unwrap();
    let options = RunOptions { seed: pack.manifest().seed, profile: Some(device) };
    serde_json::to_value(danmaku::run(&FightConfig::from_json(config).unwrap(), &options)).unwrap()
}
