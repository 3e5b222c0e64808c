//! The fixed path that the player flies in an automatic run.
//!
//! It depends on the time alone, so that a baseline and a candidate meet the same player.

use crate::config::FightConfig;
use crate::number::single;

/// The player's path: a slow figure across the lower half of the arena.
#[derive(Debug, Clone, Copy)]
pub struct Trajectory {
    reach_x: f64,
    start_z: f64,
    reach_z: f64,
}

impl Trajectory {
    /// The path for one fight.
    pub fn new(config: &FightConfig) -> Self {
        let scenario = config.scenario();
        Self {
            reach_x: scenario.arena_width * 0.34,
            start_z: config.player().start_z,
            reach_z: scenario.arena_height * 0.1,
        }
    }

    /// Where the player stands (x, z) after some seconds: computed in `f64`, then rounded once to `f32`.
    pub fn at(&self, seconds: f32) -> [f32; 2] {
        let t = f64::from(seconds);
        let x = libm::sin(0.72 * t) * self.reach_x;
        let z = self.start_z + libm::sin(0.39 * t) * self.reach_z;
        [single(x), single(z)]
    }
}
