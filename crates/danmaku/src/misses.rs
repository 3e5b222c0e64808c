//! How near each bullet came to the player without ever touching it.
//!
//! Distances are looked at once in a step, at its end: between two steps a bullet may come nearer by a part of the way
//! that it and the player fly in one step.

use serde::Serialize;

use crate::config::FightConfig;
use crate::number::single;
use crate::observer::{Cause, Moment, Observer, Removal, Scene, Spawn};

/// A bullet that came near and never touched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NearMiss {
    /// The bullet's number in emission order.
    pub bullet: u32,
    /// Index of the phase that emitted it.
    pub phase: usize,
    /// When it was nearest.
    pub at: Moment,
    /// Where it was then (x, z).
    pub position: [f32; 2],
    /// Where the player was then (x, z).
    pub player: [f32; 2],
    /// From the edge of the hit circle to the bullet, in world units.
    pub distance: f64,
}

/// The observer that keeps the nearest moment of every bullet.
#[derive(Debug, Clone)]
pub struct NearMisses {
    hit_radius: f64,
    /// By bullet number; the square of the distance from centre to bullet, infinite before its first step and after a
    /// touch.
    squared: Vec<f32>,
    closest: Vec<Closest>,
}

#[derive(Debug, Clone, Copy)]
struct Closest {
    phase: usize,
    at: Moment,
    position: [f32; 2],
    player: [f32; 2],
}

impl NearMisses {
    /// Watches one fight.
    pub fn new(config: &FightConfig) -> Self {
        Self { hit_radius: config.player().hit_radius, squared: Vec::new(), closest: Vec::new() }
    }

    /// The smallest distance of any bullet that never touched, from the hit circle, in world units.
    pub fn smallest_distance(&self) -> Option<f64> {
        let smallest = self.squared.iter().copied().fold(f32::INFINITY, f32::min);
        smallest.is_finite().then(|| self.distance(smallest))
    }

    /// The `n` bullets that came nearest, the nearest first; of equals the one emitted first.
    pub fn nearest(&self, n: usize) -> Vec<NearMiss> {
        let mut misses: Vec<(f32, u32)> =
            self.squared.iter().copied().zip(0..).filter(|(squared, _)| squared.is_finite()).collect();
        misses.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        misses.truncate(n);
        let miss = |(squared, bullet): (f32, u32)| {
            let index = usize::try_from(bullet).ok()?;
            let Closest { phase, at, position, player } = *self.closest.get(index)?;
            Some(NearMiss { bullet, phase, at, position, player, distance: self.distance(squared) })
        };
        misses.into_iter().filter_map(miss).collect()
    }

    fn distance(&self, squared: f32) -> f64 {
        f64::from(squared).sqrt() - f64::from(single(self.hit_radius))
    }
}

impl Observer for NearMisses {
    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        self.squared.push(f32::INFINITY);
        self.closest.push(Closest { phase: spawn.phase, at, position: spawn.position, player: spawn.position });
    }

    fn removed(&mut self, _at: Moment, removal: &Removal) {
        if removal.cause == Cause::Touched
            && let Ok(index) = usize::try_from(removal.bullet)
        {
            self.squared[index] = f32::INFINITY;
        }
    }

    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        let [player_x, player_z] = scene.player;
        for ((&bullet, &x), &z) in scene.bullets.iter().zip(scene.x).zip(scene.z) {
            let (dx, dz) = (x - player_x, z - player_z);
            let squared = dx * dx + dz * dz;
            let Ok(index) = usize::try_from(bullet) else { continue };
            if squared < self.squared[index] {
                self.squared[index] = squared;
                let closest = &mut self.closest[index];
                (closest.at, closest.position, closest.player) = (at, [x, z], scene.player);
            }
        }
    }
}
