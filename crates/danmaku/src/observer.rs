//! What may be watched while a fight runs: replays, heat maps and traces are observers.
//!
//! An observer sees and never steers. Every method does nothing by default, and `()` watches nothing at no cost. In one
//! step the calls come in this order: `phase_started`, `spawned`, `removed`, `hit`, `stepped`.
//!
//! Bullets fly straight: `spawn.position + k * spawn.step` after `k` steps, up to single-precision rounding, until
//! their removal. Spawns and removals alone therefore redraw a whole fight.

use serde::Serialize;

/// When something happened.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moment {
    /// The step, from 1; 0 is the moment before the first step.
    pub step: u32,
    /// Seconds since the start, as the fight counts them.
    pub seconds: f32,
}

/// A bullet left the boss.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spawn {
    /// Its number in emission order, from 0.
    pub bullet: u32,
    /// Index of the phase that emitted it.
    pub phase: usize,
    /// The wave within that stay in the phase, from 0.
    pub wave: u32,
    /// 0, or 1 for the second direction of a bidirectional pattern.
    pub direction: u32,
    /// The layer, from 0.
    pub layer: u32,
    /// Where it starts (x, z); it moves for the first time in the same step.
    pub position: [f32; 2],
    /// Units per second (x, z).
    pub velocity: [f32; 2],
    /// Units per step (x, z).
    pub step: [f32; 2],
    /// Seconds it has to live.
    pub lifetime: f32,
}

/// Why a bullet is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It touched the player, whether or not that counted as a hit.
    Touched,
    /// Its lifetime was over.
    Expired,
    /// It left the arena.
    Outside,
}

/// A bullet is gone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Removal {
    /// Its number in emission order.
    pub bullet: u32,
    /// Where it was (x, z).
    pub position: [f32; 2],
    /// Why it is gone.
    pub cause: Cause,
}

/// A hit that counted: it cost the player one health.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hit {
    /// The bullet it is attributed to: the first in emission order among those that touched in this step.
    pub bullet: u32,
    /// Index of the phase during which it landed.
    pub landed_in: usize,
    /// Index of the phase that emitted the bullet.
    pub emitted_by: usize,
    /// Where the player stood (x, z).
    pub player: [f32; 2],
    /// Health left.
    pub health: u32,
}

/// The scene at the end of a step.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Index of the phase.
    pub phase: usize,
    /// Where the player stands (x, z).
    pub player: [f32; 2],
    /// The player's health.
    pub player_health: u32,
    /// The boss's health.
    pub boss_health: u32,
    /// The bullets alive, in emission order: their numbers,
    pub bullets: &'a [u32],
    /// their positions to the right,
    pub x: &'a [f32],
    /// and their positions upwards.
    pub z: &'a [f32],
}

/// Watches a fight.
pub trait Observer {
    /// A phase started; the first one at step 0.
    fn phase_started(&mut self, at: Moment, phase: usize) {
        let _ = (at, phase);
    }
    /// A bullet left the boss.
    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        let _ = (at, spawn);
    }
    /// A bullet is gone.
    fn removed(&mut self, at: Moment, removal: &Removal) {
        let _ = (at, removal);
    }
    /// A hit counted.
    fn hit(&mut self, at: Moment, hit: &Hit) {
        let _ = (at, hit);
    }
    /// A step is over.
    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        let _ = (at, scene);
    }
}

/// Watches nothing.
impl Observer for () {}

/// Two observers of one fight; the first is told first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn phase_started(&mut self, at: Moment, phase: usize) {
        self.0.phase_started(at, phase);
        self.1.phase_started(at, phase);
    }
    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        self.0.spawned(at, spawn);
        self.1.spawned(at, spawn);
    }
    fn removed(&mut self, at: Moment, removal: &Removal) {
        self.0.removed(at, removal);
        self.1.removed(at, removal);
    }
    fn hit(&mut self, at: Moment, hit: &Hit) {
        self.0.hit(at, hit);
        self.1.hit(at, hit);
    }
    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        self.0.stepped(at, scene);
        self.1.stepped(at, scene);
    }
}

/// An observer that someone else keeps.
impl<O: Observer + ?Sized> Observer for &mut O {
    fn phase_started(&mut self, at: Moment, phase: usize) {
        (**self).phase_started(at, phase);
    }
    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        (**self).spawned(at, spawn);
    }
    fn removed(&mut self, at: Moment, removal: &Removal) {
        (**self).removed(at, removal);
    }
    fn hit(&mut self, at: Moment, hit: &Hit) {
        (**self).hit(at, hit);
    }
    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        (**self).stepped(at, scene);
    }
}
