//! The published table, its per-phase figures and the published case of two repairs, to the last bullet.

use crate::fixtures::{baseline, config, reference_desktop, two_way_spiral};
use danmaku::telemetry::{FpsBasis, Status, Telemetry};
use danmaku::{DEFAULT_SEED, RunOptions, Trace, run, run_observed};

fn fight(document: &serde_json::Value) -> Telemetry {
    run(&config(document), &RunOptions { seed: DEFAULT_SEED, profile: Some(reference_desktop()) })
}

/// Spawned, peak alive, hits landed and hits by emitter of each phase.
fn per_phase(telemetry: &Telemetry) -> Vec<[u32; 4]> {
    let phases = telemetry.phase_results.iter();
    phases.map(|p| [p.bullets_spawned, p.peak_alive_bullets, p.player_hits, p.hits_by_emitter]).collect()
}

#[test]
fn the_baseline_row() {
    let telemetry = fight(&baseline());
    assert_eq!(telemetry.total_bullets_spawned, 592);
    assert_eq!(telemetry.peak_alive_bullets, 66);
    assert_eq!(telemetry.player_hits, 2);
    assert_eq!(telemetry.player_survival_seconds, 36.0);
    assert_eq!(telemetry.status, Status::Completed);
    assert_eq!(per_phase(&telemetry), [[176, 53, 0, 0], [240, 64, 1, 2], [176, 66, 1, 0]]);
    let starts: Vec<f64> = telemetry.phase_results.iter().map(|phase| phase.started_at_seconds).collect();
    assert_eq!(starts, [0.0, 12.6833, 26.5664]);
    let ids: Vec<&str> = telemetry.phase_results.iter().map(|phase| phase.phase_id.as_str()).collect();
    assert_eq!(ids, ["phase_1", "phase_2", "phase_3"]);
}

#[test]
fn the_two_way_row() {
    let telemetry = fight(&two_way_spiral(2.6));
    assert_eq!(telemetry.total_bullets_spawned, 992);
    assert_eq!(telemetry.peak_alive_bullets, 198);
    assert_eq!(telemetry.player_hits, 0);
    assert_eq!(telemetry.player_survival_seconds, 36.0);
    assert_eq!(telemetry.status, Status::Completed);
    assert_eq!(per_phase(&telemetry), [[176, 53, 0, 0], [640, 198, 0, 0], [176, 184, 0, 0]]);
    let starts: Vec<f64> = telemetry.phase_results.iter().map(|phase| phase.started_at_seconds).collect();
    assert_eq!(starts, [0.0, 12.6833, 26.5664]);
    assert_eq!(telemetry.fps_basis, FpsBasis::Modelled);
    assert_eq!(telemetry.device_profile.as_deref(), Some("reference-desktop"));
    assert_eq!(telemetry.minimum_fps, Some(58.6541));
    assert_eq!(telemetry.low_percentile_fps, Some(59.1551));
    assert_eq!(telemetry.average_fps, Some(59.9049));
}

#[test]
fn the_published_repairs_fail_twice_and_then_pass() {
    for (speed, status, hits, survival) in
        [(3.6, Status::Failed, 5, 29.6831), (3.06, Status::Failed, 5, 26.0164), (2.6, Status::Completed, 0, 36.0)]
    {
        let telemetry = fight(&two_way_spiral(speed));
        let figures = (telemetry.status, telemetry.player_hits, telemetry.player_survival_seconds);
        assert_eq!(figures, (status, hits, survival), "speed {speed}");
    }
}

#[test]
fn the_second_hit_lands_in_a_phase_that_did_not_emit_it() {
    let mut trace = Trace::default();
    let telemetry = run_observed(&config(&baseline()), &RunOptions::default(), &mut trace);
    let hits: Vec<_> = trace.hits.iter().map(|hit| (hit.at.step, hit.event.landed_in, hit.event.emitted_by)).collect();
    assert_eq!(hits, [(1059, 1, 1), (1661, 2, 1)]);
    assert_eq!(trace.spawns.len(), 592);
    assert_eq!(trace.alive_per_step.iter().max(), Some(&66));
    assert_eq!(trace.alive_per_step.len(), telemetry.frame_count as usize);
    assert_eq!(trace.phase_starts.iter().map(|start| start.event).collect::<Vec<_>>(), [0, 1, 2]);
    let last = *trace.alive_per_step.last().unwrap() as usize;
    assert_eq!(trace.spawns.len() - trace.removals.len(), last, "spawned and not removed are alive");
}

#[test]
fn the_document_of_a_run_is_fixed() {
    let text = serde_json::to_string_pretty(&fight(&baseline())).unwrap();
    assert_eq!(text, include_str!("baseline_telemetry.json").trim_end());
    let again: Telemetry = serde_json::from_str(&text).unwrap();
    assert_eq!(again, fight(&baseline()));
}

#[test]
fn without_a_profile_nothing_is_timed() {
    let telemetry = run(&config(&baseline()), &RunOptions { seed: 7, profile: None });
    assert_eq!(telemetry.fps_basis, FpsBasis::Untimed);
    assert_eq!((telemetry.average_fps, telemetry.low_percentile_fps, telemetry.minimum_fps), (None, None, None));
    assert_eq!(telemetry.random_seed, 7);
}
