//! Whether a fight is fair, as far as bullets alone can tell: where standing still is safe, when nobody gets out, and how
//! near bullets came.
//!
//! - [`safe_spots`]: places where a still player is never hit in the whole fight;
//! - [`walls`]: moments from which the player of the fixed path cannot escape, whatever it does;
//! - [`NearMisses`]: the nearest bullets that never touched.
//!
//! All of it is data; [`crate::render::fairness_map`] draws it.

mod field;
mod ghost;
mod spots;
mod walls;

pub use spots::{SPOT, SafeSpots, safe_spots};
pub use walls::{LOOK_AHEAD_STEPS, WALL_CELL, WARNING_STEPS, Wall, walls};

use serde::Serialize;

use crate::config::FightConfig;
use crate::fight::Fight;
use crate::misses::{NearMiss, NearMisses};

/// Everything about the fairness of one fight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fairness {
    /// Where a still player is hit first, and where never.
    pub safe_spots: SafeSpots,
    /// When the player of the fixed path cannot escape, in order of time.
    pub walls: Vec<Wall>,
    /// The bullets that came nearest to the player of the fixed path, the nearest first.
    pub near_misses: Vec<NearMiss>,
}

/// Examines one fight; of near misses the nearest `misses` are kept.
pub fn fairness(config: &FightConfig, misses: usize) -> Fairness {
    Fairness { safe_spots: safe_spots(config), walls: walls(config), near_misses: near_misses(config, misses) }
}

/// The `n` bullets that came nearest to the player of the fixed path without ever touching it, the nearest first.
pub fn near_misses(config: &FightConfig, n: usize) -> Vec<NearMiss> {
    let mut misses = NearMisses::new(config);
    let mut fight = Fight::new(config);
    while fight.step(&mut misses).is_none() {}
    misses.nearest(n)
}
