//! The path that the player flies in an automatic run, and seeded variations of it.
//!
//! The fixed path depends on the time alone, so that a baseline and a candidate meet the same player. It takes no
//! notice of the player's speeds or of the arena's edges, as the contract has it, and neither do its variations.

use std::f64::consts::TAU;
use std::ops::Range;

use crate::config::FightConfig;
use crate::number::single;
use crate::players::SplitMix64;

/// Factors on the path's width and on its height, of which a variation draws one each.
const STRETCH: Range<f64> = 0.85..1.15;

/// The player's path: a slow figure across the lower half of the arena.
#[derive(Debug, Clone, Copy)]
pub struct Trajectory {
    reach_x: f64,
    phase_x: f64,
    start_z: f64,
    reach_z: f64,
    phase_z: f64,
}

impl Trajectory {
    /// The fixed path for one fight.
    pub fn new(config: &FightConfig) -> Self {
        let scenario = config.scenario();
        Self {
            reach_x: scenario.arena_width * 0.34,
            phase_x: 0.0,
            start_z: config.player().start_z,
            reach_z: scenario.arena_height * 0.1,
            phase_z: 0.0,
        }
    }

    /// A variation: the same swing from other places. Four draws, in this order, each evenly spread: where the swing to
    /// the sides starts (0 to 2 pi), where the one up and down starts (0 to 2 pi), and a factor on the width and one on
    /// the height of the path (0.85 to 1.15 each).
    pub fn varied(config: &FightConfig, random: &mut SplitMix64) -> Self {
        let fixed = Self::new(config);
        let [phase_x, phase_z] = [(); 2].map(|()| random.between(0.0, TAU));
        let [wider, higher] = [(); 2].map(|()| random.between(STRETCH.start, STRETCH.end));
        Self { reach_x: fixed.reach_x * wider, phase_x, reach_z: fixed.reach_z * higher, phase_z, ..fixed }
    }

    /// Where the player stands (x, z) after some seconds: computed in `f64`, then rounded once to `f32`.
    pub fn at(&self, seconds: f32) -> [f32; 2] {
        let t = f64::from(seconds);
        let x = libm::sin(0.72 * t + self.phase_x) * self.reach_x;
        let z = self.start_z + libm::sin(0.39 * t + self.phase_z) * self.reach_z;
        [single(x), single(z)]
    }
}
