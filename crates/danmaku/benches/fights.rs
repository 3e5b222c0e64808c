//! How fast whole fights run on one core: bullet-steps and fights per second, the median of several rounds.
//!
//! Then how long it takes many players to fight, on one thread and on two.
//!
//! A bullet-step is one bullet alive at the end of one step. Run with `cargo bench -p danmaku`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use danmaku::fairness::{safe_spots, walls};
use danmaku::players::{PlayerKind, PlayerResult, profile_fights};
use danmaku::{DEFAULT_SEED, DeviceProfile, FightConfig, RunOptions, Trace, run, run_observed};
use serde_json::{Value, json};

/// Players in the measurement of many players.
const PLAYERS: u32 = 256;
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
    let fights = [("baseline", baseline), ("two-way", two_way), ("densest legal", densest)];
    for (name, document) in &fights {
        measure(name, &FightConfig::from_json(document)?, &options);
    }
    for (name, document) in &fights[..2] {
        let config = FightConfig::from_json(document)?;
        measure_players(name, &config);
        measure_fairness(name, &config);
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

fn measure_fairness(name: &str, config: &FightConfig) {
    print_seconds(name, "safe spots on one thread", || drop(black_box(safe_spots(black_box(config)))));
    print_seconds(name, "walls on one thread", || drop(black_box(walls(black_box(config)))));
}

fn print_seconds(name: &str, what: &str, mut work: impl FnMut()) {
    let mut times = [(); ROUNDS].map(|()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.sort_by(f64::total_cmp);
    println!("{name:<14} {what} in {:.3} s (median of {ROUNDS} rounds)", times[ROUNDS / 2]);
}

/// Half of the players fly variations of the fixed path, the others dodge.
fn measure_players(name: &str, config: &FightConfig) {
    for threads in [1, 2] {
        let mut results = Vec::new();
        print_seconds(name, &format!("{PLAYERS} players on {threads} threads"), || {
            results = profile_fights(black_box(config), DEFAULT_SEED, PLAYERS, threads, |_| {});
        });
        if threads == 1 {
            for kind in [PlayerKind::Trajectory, PlayerKind::Dodging] {
                let of_kind: Vec<_> = results.iter().filter(|result| result.kind == kind).collect();
                let mean = |figure: fn(&PlayerResult) -> f64| {
                    of_kind.iter().map(|result| figure(result)).sum::<f64>() / f64::from(PLAYERS / 2)
                };
                println!(
                    "{name:<14} {kind:?}: {:.2} hits, {:.2} s survived, {:.0} % completed on average",
                    mean(|result| f64::from(result.hits)),
                    mean(|result| result.survival_seconds),
                    mean(|result| f64::from(u8::from(result.completed)) * 100.0),
                );
            }
        }
    }
}
