//! What a picture of one step shows, taken from the simulator's own state while the fight runs.

use crate::fight::STEP_SECONDS;
use crate::number::{count, single};
use crate::observer::{Hit, Moment, Observer, Scene, Spawn};

/// Seconds after a hit during which the player is shown as hit.
const FLASH_SECONDS: f32 = 0.35;

/// One bullet of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dot {
    pub(super) position: [f32; 2],
    pub(super) phase: usize,
    pub(super) layer: u32,
}

/// The scene at the end of one step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Snapshot {
    /// The time that was asked for.
    pub(super) asked: f64,
    pub(super) at: Moment,
    pub(super) phase: usize,
    pub(super) player: [f32; 2],
    pub(super) player_health: u32,
    pub(super) boss_health: u32,
    /// Hits so far.
    pub(super) hits: u32,
    /// Whether a hit counted a moment ago.
    pub(super) just_hit: bool,
    /// The bullets alive, in emission order.
    pub(super) bullets: Vec<Dot>,
}

/// The observer that keeps the scene at some times.
#[derive(Debug)]
pub(super) struct Photographer {
    /// The times still to come with their place among those asked for, the latest first.
    pending: Vec<(f64, usize)>,
    /// The scene at each time asked for, where the fight lasted so long.
    taken: Vec<Option<Snapshot>>,
    /// Phase and layer of each bullet, by its number.
    kinds: Vec<(usize, u32)>,
    hits: u32,
    last_hit: f32,
}

impl Photographer {
    pub(super) fn new(times: &[f64]) -> Self {
        let mut pending: Vec<(f64, usize)> = times.iter().copied().enumerate().map(|(i, time)| (time, i)).collect();
        pending.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let taken = vec![None; times.len()];
        Self { pending, taken, kinds: Vec::new(), hits: 0, last_hit: f32::NEG_INFINITY }
    }

    /// One entry for each time asked for, in that order.
    pub(super) fn finish(self) -> Vec<Option<Snapshot>> {
        self.taken
    }
}

impl Observer for Photographer {
    fn spawned(&mut self, _at: Moment, spawn: &Spawn) {
        self.kinds.push((spawn.phase, spawn.layer));
    }

    fn hit(&mut self, at: Moment, _hit: &Hit) {
        self.hits += 1;
        self.last_hit = at.seconds;
    }

    /// A time belongs to the first step that ends no earlier than half a step before it.
    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        while let Some(&(asked, place)) = self.pending.last() {
            if asked > f64::from(at.seconds + STEP_SECONDS / 2.0) {
                return;
            }
            self.pending.pop();
            // A time before the start, or no number, belongs to no step.
            if asked < 0.0 || asked.is_nan() {
                continue;
            }
            let bullet = |i: usize| {
                let (phase, layer) = usize::try_from(scene.bullets[i]).map_or((0, 0), |number| self.kinds[number]);
                Dot { position: [scene.x[i], scene.z[i]], phase, layer }
            };
            self.taken[place] = Some(Snapshot {
                asked,
                at,
                phase: scene.phase,
                player: scene.player,
                player_health: scene.player_health,
                boss_health: scene.boss_health,
                hits: self.hits,
                just_hit: at.seconds - self.last_hit < FLASH_SECONDS,
                bullets: (0..scene.bullets.len()).map(bullet).collect(),
            });
        }
    }
}

/// `frames` times spread evenly over a fight of some seconds, each in the middle of its share.
pub(super) fn evenly(frames: u32, seconds: f64) -> Vec<f64> {
    (0..frames).map(|frame| (f64::from(frame) + 0.5) * seconds / f64::from(frames)).collect()
}

/// The number of bullets in a snapshot.
pub(super) fn alive(snapshot: &Snapshot) -> u32 {
    count(snapshot.bullets.len())
}

/// A time in seconds with its decimals, as the pictures write it.
pub(super) fn seconds(time: f64, decimals: usize) -> String {
    format!("{time:.decimals$} S")
}

/// The share of the boss's health that is left, from 0 to 1.
pub(super) fn share(left: u32, of: u32) -> f32 {
    single(f64::from(left) / f64::from(of.max(1)))
}
