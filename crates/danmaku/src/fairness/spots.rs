//! Safe spots: where a player who never moves is never hit.
//!
//! The arena is divided into cells of about [`SPOT`] units; each stands for a player at its centre, so that a player
//! elsewhere in the cell may fare differently. The boss is shot at as ever, so that phases come and go as in any fight,
//! and the fight goes on to its end, whatever health the player would have left.
//!
//! Until its first hit a still player changes nothing about the bullets that are not aimed at it. One fight therefore
//! tells the first hit of every cell. Aimed waves of one phase fly alike at a still player, so that the first wave of
//! the phase, aimed at that very player, tells the rest. Both agree with a fight of its own for each cell, to the step.

use serde::Serialize;

use crate::config::{FightConfig, Pattern, PatternKind};
use crate::fight::{STEP_SECONDS, bounds};
use crate::number::{count, single};
use crate::observer::{Moment, Observer, Scene, Spawn};
use crate::pattern::{direction_deg, wave};

use super::ghost::haunt;

/// The side of a cell, in world units; cells are at most that large unless the arena would have more than 128 in a row.
pub const SPOT: f64 = 0.25;
/// The most cells in a row or column.
const MOST: f64 = 128.0;
/// How far single precision may carry a bullet off its line, in world units: far more than it does within the limits.
const DRIFT: f64 = 0.05;

/// The first hit of a still player, for each cell of the arena.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SafeSpots {
    columns: u32,
    /// Width and height of a cell, in world units.
    cell: [f64; 2],
    /// Half the arena's size.
    half: [f64; 2],
    /// Row by row from the top, each from the left.
    first_hits: Vec<Option<Moment>>,
}

impl SafeSpots {
    fn new(config: &FightConfig) -> Self {
        let size = [config.scenario().arena_width, config.scenario().arena_height];
        let [columns, rows] = size.map(cells);
        let cell = [size[0] / f64::from(columns), size[1] / f64::from(rows)];
        let first_hits = (0..columns * rows).map(|_| None).collect();
        Self { columns, cell, half: size.map(|length| length / 2.0), first_hits }
    }

    /// Cells in a row.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows.
    pub fn rows(&self) -> u32 {
        count(self.first_hits.len()) / self.columns
    }

    /// Width and height of a cell, in world units.
    pub fn cell(&self) -> [f64; 2] {
        self.cell
    }

    /// When a player at the centre of each cell is hit first, `None` where never: row by row from the top, each from the
    /// left.
    pub fn first_hits(&self) -> &[Option<Moment>] {
        &self.first_hits
    }

    /// Whether a player at the centre of a cell is never hit; the cells are those of [`first_hits`](Self::first_hits).
    pub fn safe(&self) -> impl Iterator<Item = bool> {
        self.first_hits.iter().map(Option::is_none)
    }

    /// The share of cells that are safe, from 0 to 1.
    pub fn safe_share(&self) -> f64 {
        f64::from(count(self.safe().filter(|safe| *safe).count())) / f64::from(count(self.first_hits.len()))
    }

    /// The centre (x, z) of a cell.
    pub fn centre(&self, column: u32, row: u32) -> [f32; 2] {
        let x = (f64::from(column) + 0.5) * self.cell[0] - self.half[0];
        let z = self.half[1] - (f64::from(row) + 0.5) * self.cell[1];
        [single(x), single(z)]
    }

    fn hit(&mut self, column: u32, row: u32, at: Moment) {
        let Ok(index) = usize::try_from(row * self.columns + column) else { return };
        let earliest = &mut self.first_hits[index];
        if earliest.is_none_or(|earlier| at.step < earlier.step) {
            *earliest = Some(at);
        }
    }

    /// The columns or rows whose centres may lie within `reach` of a coordinate, counted from the left or the top.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the places are clamped to the cells")]
    fn around(&self, axis: usize, place: f32, reach: f64) -> std::ops::Range<u32> {
        let most = if axis == 0 { self.columns() } else { self.rows() };
        let from_edge = if axis == 0 { self.half[0] + f64::from(place) } else { self.half[1] - f64::from(place) };
        let [low, high] = [from_edge - reach, from_edge + reach].map(|edge| edge / self.cell[axis].max(1e-9));
        (low - 1.0).clamp(0.0, f64::from(most)) as u32..(high + 1.0).clamp(0.0, f64::from(most)) as u32
    }
}

/// Finds the safe spots of a fight.
pub fn safe_spots(config: &FightConfig) -> SafeSpots {
    let mut watch = Watch {
        spots: SafeSpots::new(config),
        hit_radius: single(config.player().hit_radius),
        aimed: config.phases().iter().map(|phase| phase.pattern.kind == PatternKind::AimedFan).collect(),
        from_aimed: Vec::new(),
        moments: Vec::new(),
        first_waves: vec![None; config.phases().len()],
    };
    // Where this player stands is of no account: what is aimed at it is left out.
    haunt(config, [0.0, 0.0], &mut watch);
    let Watch { mut spots, moments, first_waves, .. } = watch;
    for (phase, first) in config.phases().iter().zip(first_waves) {
        if let Some(first) = first {
            aim(config, &phase.pattern, first, &moments, &mut spots);
        }
    }
    spots
}

/// Tells for each cell when the first aimed wave of a phase hits the player who stands there.
fn aim(config: &FightConfig, pattern: &Pattern, first: u32, moments: &[Moment], spots: &mut SafeSpots) {
    let boss = [single(config.boss().position_x), single(config.boss().position_z)];
    let radius = config.player().hit_radius;
    for row in 0..spots.rows() {
        for column in 0..spots.columns() {
            let player = spots.centre(column, row);
            let aim_deg = direction_deg(boss, player);
            let [dx, dz] = [0, 1].map(|axis| f64::from(player[axis]) - f64::from(boss[axis]));
            let distance = (dx * dx + dz * dz).sqrt();
            let mut soonest: Option<u32> = None;
            wave(pattern, 0, aim_deg, |shot| {
                let off = (shot.angle_deg - aim_deg).to_radians();
                // Only a bullet whose line passes near is flown; one that flies away may still start near.
                let passes = distance <= radius + DRIFT
                    || libm::cos(off) > 0.0 && distance * libm::sin(off).abs() <= radius + DRIFT;
                if passes && let Some(steps) = flight(config, pattern, boss, player, shot.velocity()) {
                    soonest = Some(soonest.map_or(steps, |earlier| earlier.min(steps)));
                }
            });
            // A bullet flies for the first time in the step that emits it; step 1 is the first moment.
            let hit = soonest.and_then(|steps| usize::try_from(first + steps - 2).ok());
            if let Some(at) = hit.and_then(|index| moments.get(index)) {
                spots.hit(column, row, *at);
            }
        }
    }
}

/// After how many steps, from 1, a bullet touches a still player; as [`Fight`](crate::Fight) computes it.
fn flight(
    config: &FightConfig,
    pattern: &Pattern,
    from: [f32; 2],
    player: [f32; 2],
    velocity: [f32; 2],
) -> Option<u32> {
    let radius = single(config.player().hit_radius);
    let [bound_x, bound_z] = bounds(config);
    let step = velocity.map(|speed| speed * STEP_SECONDS);
    let [mut x, mut z] = from;
    let mut lifetime = single(pattern.bullet_lifetime_seconds);
    let mut steps = 0;
    loop {
        steps += 1;
        x += step[0];
        z += step[1];
        lifetime -= STEP_SECONDS;
        let (dx, dz) = (x - player[0], z - player[1]);
        if dx * dx + dz * dz <= radius * radius {
            return Some(steps);
        }
        // The longest fight has 7,200 steps; a bullet that lives longer has no time to.
        if lifetime <= 0.0 || x.abs() > bound_x || z.abs() > bound_z || steps > 7300 {
            return None;
        }
    }
}

/// The observer that marks the cells that bullets touch.
struct Watch {
    spots: SafeSpots,
    hit_radius: f32,
    /// For each phase, whether it aims.
    aimed: Vec<bool>,
    /// For each bullet, whether it was aimed.
    from_aimed: Vec<bool>,
    /// Each step's moment; the first entry is step 1.
    moments: Vec<Moment>,
    /// For each phase that aims, the step of its first wave.
    first_waves: Vec<Option<u32>>,
}

impl Watch {
    fn touch(&mut self, at: Moment, x: f32, z: f32) {
        let reach = f64::from(self.hit_radius);
        for row in self.spots.around(1, z, reach) {
            for column in self.spots.around(0, x, reach) {
                let [player_x, player_z] = self.spots.centre(column, row);
                let (dx, dz) = (x - player_x, z - player_z);
                if dx * dx + dz * dz <= self.hit_radius * self.hit_radius {
                    self.spots.hit(column, row, at);
                }
            }
        }
    }
}

impl Observer for Watch {
    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        let aimed = self.aimed[spawn.phase];
        self.from_aimed.push(aimed);
        if aimed {
            self.first_waves[spawn.phase].get_or_insert(at.step);
        }
    }

    // A bullet may touch in the very step in which it expires or leaves: the fight asks for a touch first.
    fn removed(&mut self, at: Moment, removal: &crate::observer::Removal) {
        if usize::try_from(removal.bullet).is_ok_and(|bullet| !self.from_aimed[bullet]) {
            self.touch(at, removal.position[0], removal.position[1]);
        }
    }

    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        self.moments.push(at);
        for ((&bullet, &x), &z) in scene.bullets.iter().zip(scene.x).zip(scene.z) {
            if usize::try_from(bullet).is_ok_and(|bullet| !self.from_aimed[bullet]) {
                self.touch(at, x, z);
            }
        }
    }
}

/// Cells along a side of the arena.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is clamped first")]
fn cells(length: f64) -> u32 {
    (length / SPOT).ceil().clamp(1.0, MOST) as u32
}
