//! The observer that keeps what reports draw: alive bullets per step, phase starts, hits, spawns and removals.

use serde::Serialize;

use crate::number::count;
use crate::observer::{Hit, Moment, Observer, Removal, Scene, Spawn};

/// An event and its moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Timed<T> {
    /// When it happened.
    pub at: Moment,
    /// What happened.
    pub event: T,
}

/// Everything that is needed to draw a fight again.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trace {
    /// Bullets alive at the end of each step; the first entry is step 1.
    pub alive_per_step: Vec<u32>,
    /// Where the player stood (x, z) at the end of each step.
    pub player_per_step: Vec<[f32; 2]>,
    /// The index of each phase that started.
    pub phase_starts: Vec<Timed<usize>>,
    /// The hits that counted.
    pub hits: Vec<Timed<Hit>>,
    /// All bullets, in emission order.
    pub spawns: Vec<Timed<Spawn>>,
    /// All bullets that were gone before the end, in the order of their removal.
    pub removals: Vec<Timed<Removal>>,
}

impl Observer for Trace {
    fn phase_started(&mut self, at: Moment, phase: usize) {
        self.phase_starts.push(Timed { at, event: phase });
    }

    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        self.spawns.push(Timed { at, event: *spawn });
    }

    fn removed(&mut self, at: Moment, removal: &Removal) {
        self.removals.push(Timed { at, event: *removal });
    }

    fn hit(&mut self, at: Moment, hit: &Hit) {
        self.hits.push(Timed { at, event: *hit });
    }

    fn stepped(&mut self, _at: Moment, scene: &Scene<'_>) {
        self.alive_per_step.push(count(scene.bullets.len()));
        self.player_per_step.push(scene.player);
    }
}
