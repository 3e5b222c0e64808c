//! How fast whole fights run on one core: bullet-steps and fights per second, the median of several rounds.
//!
//! A bullet-step is one bullet alive at the end of one step. Run with `cargo bench -p danmaku`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use danmaku::{DeviceProfile, FightConfig, RunOptions, Trace, run, run_observed};
use serde_json::{Value, json};

const ROUNDS: usize = 9;
const SECONDS_PER_ROUND: f64 = 0.3;

fn main() -> Result<(), Box<dyn Error>> {
    let baseline: Value = serde_json::from_str(include_str!("../../../packs/bullet-hell/baseline.json"))?;
    let mut two_way = baseline.clone();
    two_way["phases"][1]["pattern"]["bidirectional"] = json!(true);
    two_way["phases"][1]["pattern"]["bullets_per_wave"] = json!(16);
    two_way["phases"][1]["pattern"]["bullet_speed"] = json!(2.6);
    let mut densest = two_way.clone();
    densest["player"]["hit_radius"] = json!(1e-6);
    for phase in 0..3 {
        let pattern = &mut densest["phases"][phase]["pattern"];
        pattern["bidirectional"] = json!(true);
        pattern["bullets_per_wave"] = json!(64);
        pattern["wave_interval_ms"] = json!(100);
        pattern["bullet_speed"] = json!(0.5);
        pattern["bullet_lifetime_seconds"] = json!(12);
        pattern["layer_count"] = json!(4);
    }
    let profile = Some(DeviceProfile::new("reference-desktop", 60.0, 14.19, 0.01444)?);
    let options = RunOptions { profile, ..RunOptions::default() };
    for (name, document) in [("baseline", baseline), ("two-way", two_way), ("densest legal", densest)] {
        measure(name, &FightConfig::from_json(&document)?, &options);
    }
    Ok(())
}

fn measure(name: &str, config: &FightConfig, options: &RunOptions) {
    let mut trace = Trace::default();
    let telemetry = run_observed(config, options, &mut trace);
    let bullet_steps: f64 = trace.alive_per_step.iter().map(|&alive| f64::from(alive)).sum();
    let mut rates = [0.0; ROUNDS];
    for rate in &mut rates {
        let (start, mut fights) = (Instant::now(), 0.0);
        while start.elapsed().as_secs_f64() < SECONDS_PER_ROUND {
            black_box(run(black_box(config), options));
            fights += 1.0;
        }
        *rate = fights / start.elapsed().as_secs_f64();
    }
    rates.sort_by(f64::total_cmp);
    let median = rates[ROUNDS / 2];
    let (spawned, peak) = (telemetry.total_bullets_spawned, telemetry.peak_alive_bullets);
    println!(
        "{name:<14} {median:>9.1} fights/s {:>9.1} million bullet-steps/s  (median of {ROUNDS} rounds, {:.1} to {:.1} fights/s; {spawned} bullets, peak {peak})",
        median * bullet_steps / 1e6,
        rates[0],
        rates[ROUNDS - 1],
    );
}
