//! What the simulator relies on: numbers that single precision holds, and a bounded amount of time and memory.
//!
//! These limits are wider than the contract's ranges. They are no design rules; a fight that keeps to the contract
//! always passes them.

use crate::config::{CONTRACT_VERSION, ConfigError, Document, Pattern};
use crate::number::count;

/// The longest fight, in seconds.
const MAX_DURATION: f64 = 120.0;
/// The most phases.
const MAX_PHASES: u32 = 16;
/// The most bullets that may be alive at once; the contract's ranges allow less than 190,000.
const MAX_ALIVE: u64 = 1 << 18;
/// Lengths, positions, speeds and times stay below this, so that products of them stay finite in `f32`.
const MAX_QUANTITY: f64 = 1e4;
/// Fixed steps of one second.
const STEPS_PER_SECOND: f64 = 60.0;

/// Checks a document, and answers a number of bullets that it never has alive at once.
pub(crate) fn check(document: &Document) -> Result<usize, ConfigError> {
    if document.bullet_hell_contract_version != CONTRACT_VERSION {
        return Err(ConfigError::Version { found: document.bullet_hell_contract_version.clone() });
    }
    check_scene(document)?;
    let phases = f64::from(count(document.phases.len()));
    within("phases (their number)", phases, 1.0, f64::from(MAX_PHASES))?;
    for (index, phase) in document.phases.iter().enumerate() {
        let path = format!("phases[{index}]");
        if document.phases[..index].iter().any(|earlier| earlier.phase_id == phase.phase_id) {
            let path = format!("{path}.phase_id");
            return Err(ConfigError::DuplicatePhase { path, phase_id: phase.phase_id.clone() });
        }
        within(&format!("{path}.trigger.value"), phase.trigger.value, 0.0, MAX_QUANTITY)?;
        check_pattern(&format!("{path}.pattern"), &phase.pattern)?;
    }
    let duration = document.scenario.duration_seconds;
    let bound: u64 = document.phases.iter().map(|phase| alive_bound(&phase.pattern, duration)).sum();
    match usize::try_from(bound) {
        Ok(bound_in_memory) if bound <= MAX_ALIVE => Ok(bound_in_memory),
        _ => Err(ConfigError::TooManyBullets { bound, limit: MAX_ALIVE }),
    }
}

fn check_scene(document: &Document) -> Result<(), ConfigError> {
    let Document { scenario, player, boss, constraints, runtime_targets, .. } = document;
    let far = MAX_QUANTITY;
    let rows = [
        ("scenario.duration_seconds", scenario.duration_seconds, 1.0 / STEPS_PER_SECOND, MAX_DURATION),
        ("scenario.arena_width", scenario.arena_width, 0.0, far),
        ("scenario.arena_height", scenario.arena_height, 0.0, far),
        ("player.max_health", f64::from(player.max_health), 1.0, f64::from(u32::MAX)),
        ("player.move_speed", player.move_speed, 0.0, far),
        ("player.focus_speed_multiplier", player.focus_speed_multiplier, 0.0, far),
        ("player.hit_radius", player.hit_radius, 0.0, far),
        ("player.start_x", player.start_x, -far, far),
        ("player.start_z", player.start_z, -far, far),
        ("player.auto_fire_interval_seconds", player.auto_fire_interval_seconds, 0.0, far),
        ("boss.max_health", f64::from(boss.max_health), 1.0, f64::from(u32::MAX)),
        ("boss.position_x", boss.position_x, -far, far),
        ("boss.position_z", boss.position_z, -far, far),
        ("constraints.min_fps", constraints.min_fps, 0.0, far),
        ("runtime_targets.min_fps", runtime_targets.min_fps, 0.0, far),
        ("runtime_targets.min_survival_seconds", runtime_targets.min_survival_seconds, 0.0, far),
    ];
    rows.into_iter().try_for_each(|(path, actual, low, high)| within(path, actual, low, high))
}

fn check_pattern(path: &str, pattern: &Pattern) -> Result<(), ConfigError> {
    let far = MAX_QUANTITY;
    let rows = [
        ("bullets_per_wave", f64::from(pattern.bullets_per_wave), 1.0, 1024.0),
        ("wave_interval_ms", f64::from(pattern.wave_interval_ms), 1.0, 1e6),
        ("bullet_speed", pattern.bullet_speed, 0.0, far),
        ("bullet_lifetime_seconds", pattern.bullet_lifetime_seconds, 0.0, far),
        ("rotation_per_wave_deg", pattern.rotation_per_wave_deg, -far, far),
        ("spread_angle_deg", pattern.spread_angle_deg, 0.0, far),
        ("layer_count", f64::from(pattern.layer_count), 1.0, 16.0),
    ];
    rows.into_iter().try_for_each(|(field, actual, low, high)| within(&format!("{path}.{field}"), actual, low, high))
}

/// Whether a value is in its range; NaN is in none.
fn within(path: &str, actual: f64, low: f64, high: f64) -> Result<(), ConfigError> {
    if (low..=high).contains(&actual) {
        Ok(())
    } else {
        Err(ConfigError::OutOfBounds { path: path.to_owned(), actual, low, high })
    }
}

/// The most bullets of one phase that can be alive at once: the waves that fit into one lifetime, and one on either
/// side because single precision may shift a wave or an ending by a step.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the values are checked and small")]
fn alive_bound(pattern: &Pattern, duration: f64) -> u64 {
    let alive_steps = pattern.bullet_lifetime_seconds.min(duration) * STEPS_PER_SECOND + 2.0;
    let steps_between_waves = (f64::from(pattern.wave_interval_ms) * STEPS_PER_SECOND / 1000.0).floor().max(1.0);
    let waves = (alive_steps / steps_between_waves).ceil() as u64 + 2;
    let directions = if pattern.bidirectional { 2 } else { 1 };
    waves * u64::from(pattern.bullets_per_wave) * u64::from(pattern.layer_count) * directions
}
