//! A whole fight from its first step to its telemetry.

use crate::config::FightConfig;
use crate::fight::Fight;
use crate::observer::Observer;
use crate::profile::DeviceProfile;
use crate::telemetry::{Frames, Telemetry};

/// The seed of a run that names none.
pub const DEFAULT_SEED: u64 = 20_260_727;

/// What a run depends on beside its config.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// Recorded in the telemetry; the patterns of contract 1.0 draw nothing from it.
    pub seed: u64,
    /// The device whose frame times are modelled; without one the FPS figures are `null` and `untimed`.
    pub profile: Option<DeviceProfile>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { seed: DEFAULT_SEED, profile: None }
    }
}

/// Runs a fight to its end.
pub fn run(config: &FightConfig, options: &RunOptions) -> Telemetry {
    run_observed(config, options, &mut ())
}

/// Runs a fight to its end while an observer watches; the telemetry is the same as without.
pub fn run_observed<O: Observer>(config: &FightConfig, options: &RunOptions, observer: &mut O) -> Telemetry {
    let mut fight = Fight::new(config);
    let mut frames = Frames::for_fight(config);
    // The duration is bounded and time passes in every step, so that this ends.
    loop {
        let ending = fight.step(observer);
        frames.record(fight.elapsed(), fight.alive());
        if let Some(ending) = ending {
            return Telemetry::of(config, &fight, ending, &frames, options.seed, options.profile.as_ref());
        }
    }
}
