//! The figures of a finished run, under the contract's field names, and how each is computed.
//!
//! Seconds, rates and FPS are rounded to four decimals. `null` FPS figures mean that no frame times were modelled.

use serde::{Deserialize, Serialize};

use crate::config::{CONTRACT_VERSION, FightConfig, PatternKind};
use crate::fight::{Ending, Fight};
use crate::number::{count, published};
use crate::players::Pilot;
use crate::profile::DeviceProfile;

/// Seconds at the start that the low percentile leaves out, as players load and warm up then.
pub const WARM_UP_SECONDS: f32 = 2.0;

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Telemetry {
    /// The scenario's identifier.
    pub scenario_id: String,
    /// The contract's version.
    pub bullet_hell_contract_version: String,
    /// How the run ended.
    pub status: Status,
    /// Who steered the player.
    pub run_mode: RunMode,
    /// The seed of the run; the patterns of contract 1.0 draw nothing from it.
    pub random_seed: u64,
    /// How long the run lasted: the elapsed time at the end of the last step, which may pass the configured duration
    /// by a part of a step.
    pub duration_seconds: f64,
    /// Bullets emitted.
    pub total_bullets_spawned: u32,
    /// The most bullets alive at the end of a step.
    pub peak_alive_bullets: u32,
    /// `total_bullets_spawned` per second of `player_survival_seconds`.
    pub bullets_per_second: f64,
    /// Hits that counted; touches while invulnerable do not.
    pub player_hits: u32,
    /// The elapsed time at the end, at most the configured duration.
    pub player_survival_seconds: f64,
    /// Frames over the sum of their modelled times.
    pub average_fps: Option<f64>,
    /// 1 / the 95th percentile (nearest rank) of modelled frame times after [`WARM_UP_SECONDS`]; of all frames where
    /// the run was no longer than that.
    pub low_percentile_fps: Option<f64>,
    /// 1 / the longest modelled frame time.
    pub minimum_fps: Option<f64>,
    /// Where the FPS figures come from.
    pub fps_basis: FpsBasis,
    /// The device profile they were modelled with.
    pub device_profile: Option<String>,
    /// Always 0: the simulator has no log of exceptions.
    pub exception_log_count: u32,
    /// Steps, of which each stands for one frame.
    pub frame_count: u32,
    /// The phases that began, in order.
    pub phase_results: Vec<PhaseResult>,
}

/// The figures of one phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseResult {
    /// The phase's identifier.
    pub phase_id: String,
    /// Its pattern.
    pub pattern_type: PatternKind,
    /// When it began.
    pub started_at_seconds: f64,
    /// How long it lasted; the phases add up to the run's `duration_seconds`.
    pub duration_seconds: f64,
    /// Bullets it emitted.
    pub bullets_spawned: u32,
    /// Counted hits that landed while it lasted; the phases add up to the run's `player_hits`.
    pub player_hits: u32,
    /// The most bullets alive at the end of one of its steps, whoever emitted them.
    pub peak_alive_bullets: u32,
    /// Counted hits by bullets that it emitted, whenever they landed; the phases add up to the run's `player_hits`.
    pub hits_by_emitter: u32,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The player was still there at the end.
    Completed,
    /// The player lost all health.
    Failed,
}

/// Who steered the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunMode {
    /// The fixed trajectory.
    Auto,
    /// A person.
    Manual,
}

/// Where FPS figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FpsBasis {
    /// Modelled from the number of bullets alive.
    Modelled,
    /// There are none.
    Untimed,
}

/// The bullets alive in each frame of a run, from which frame times are modelled.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    alive: Vec<u32>,
    warm_up: usize,
}

impl Frames {
    /// Reserves room for the frames of a whole fight.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the duration is checked and short")]
    pub(crate) fn for_fight(config: &FightConfig) -> Self {
        // The sum of single-precision steps runs a little fast or slow; 1 % is more than it ever drifts.
        let frames = config.scenario().duration_seconds * 60.0 * 1.01 + 16.0;
        Self { alive: Vec::with_capacity(frames as usize), warm_up: 0 }
    }

    pub(crate) fn record(&mut self, elapsed: f32, alive: u32) {
        self.alive.push(alive);
        if elapsed <= WARM_UP_SECONDS {
            self.warm_up = self.alive.len();
        }
    }

    fn average_fps(&self, profile: &DeviceProfile) -> f64 {
        let milliseconds: f64 = self.alive.iter().map(|&alive| profile.frame_ms(alive)).sum();
        f64::from(count(self.alive.len())) * 1000.0 / milliseconds
    }

    fn low_percentile_fps(&self, profile: &DeviceProfile) -> Option<f64> {
        let settled = if self.warm_up < self.alive.len() { &self.alive[self.warm_up..] } else { &self.alive[..] };
        // More bullets never make a frame shorter, so the percentile of times is the time of the percentile.
        let rank = (settled.len() * 95).div_ceil(100);
        let mut sorted = settled.to_vec();
        sorted.sort_unstable();
        let alive = sorted.get(rank.checked_sub(1)?)?;
        Some(1000.0 / profile.frame_ms(*alive))
    }

    fn minimum_fps(&self, profile: &DeviceProfile) -> Option<f64> {
        self.alive.iter().max().map(|&alive| 1000.0 / profile.frame_ms(alive))
    }
}

impl Telemetry {
    /// The figures of a fight that has ended.
    pub(crate) fn of<P: Pilot>(
        config: &FightConfig,
        fight: &Fight<'_, P>,
        ending: Ending,
        frames: &Frames,
        seed: u64,
        profile: Option<&DeviceProfile>,
    ) -> Self {
        let end = f64::from(fight.elapsed());
        let survival = published(end).min(config.scenario().duration_seconds);
        let total_bullets_spawned = fight.phases().map(|phase| phase.spawned).sum();
        Self {
            scenario_id: config.scenario().scenario_id.clone(),
            bullet_hell_contract_version: CONTRACT_VERSION.to_owned(),
            status: match ending {
                Ending::PlayerDefeated => Status::Failed,
                Ending::TimeUp | Ending::BossDefeated => Status::Completed,
            },
            run_mode: RunMode::Auto,
            random_seed: seed,
            duration_seconds: published(end),
            total_bullets_spawned,
            peak_alive_bullets: fight.phases().map(|phase| phase.peak_alive).max().unwrap_or(0),
            bullets_per_second: published(f64::from(total_bullets_spawned) / survival),
            player_hits: fight.phases().map(|phase| phase.hits).sum(),
            player_survival_seconds: survival,
            average_fps: profile.map(|profile| published(frames.average_fps(profile))),
            low_percentile_fps: profile.and_then(|profile| frames.low_percentile_fps(profile)).map(published),
            minimum_fps: profile.and_then(|profile| frames.minimum_fps(profile)).map(published),
            fps_basis: if profile.is_some() { FpsBasis::Modelled } else { FpsBasis::Untimed },
            device_profile: profile.map(|profile| profile.name().to_owned()),
            exception_log_count: 0,
            frame_count: fight.steps(),
            phase_results: phase_results(config, fight, end),
        }
    }
}

fn phase_results<P: Pilot>(config: &FightConfig, fight: &Fight<'_, P>, end: f64) -> Vec<PhaseResult> {
    let ends = fight.phases().skip(1).map(|next| f64::from(next.started_at)).chain([end]);
    fight
        .phases()
        .zip(ends)
        .map(|(tally, ended_at)| {
            let phase = &config.phases()[tally.phase];
            let (start, end) = (published(f64::from(tally.started_at)), published(ended_at));
            PhaseResult {
                phase_id: phase.phase_id.clone(),
                pattern_type: phase.pattern.kind,
                started_at_seconds: start,
                // Of published figures, so that the published durations add up.
                duration_seconds: published(end - start),
                bullets_spawned: tally.spawned,
                player_hits: tally.hits,
                peak_alive_bullets: tally.peak_alive,
                hits_by_emitter: tally.hits_by_emitter,
            }
        })
        .collect()
}
