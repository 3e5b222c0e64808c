//! Walls: moments from which the player of the fixed path is hit whatever it does, although it is warned.
//!
//! Take the player where the fixed path has it at the end of some step. From there it may fly anywhere in the arena, in
//! any direction, at up to `move_speed`, and it knows every bullet to come. A wall stands where it is nevertheless hit
//! within [`LOOK_AHEAD_STEPS`]: no gap as wide as its hit circle exists that it can reach in time. Who reacts too late is
//! hit without any wall; therefore at least [`WARNING_STEPS`] must lie between the moment and the last way out.
//!
//! The set of places that it can have reached unhit is followed over cells of about [`WALL_CELL`] units, and every doubt
//! is decided in favour of the player: a cell is closed only where one bullet's hit covers all of it, the set grows by
//! whole cells, and where the player is slow only every second or third step is looked at. So **a wall that is reported
//! is one for certain, while one whose gaps are only a little narrower than the hit circle may go unreported**. A hit
//! circle smaller than a cell's diagonal (a radius below 0.071) covers no cell and therefore never meets a wall.
//!
//! The bullets are those of a player who is never hit, so that none is missing. Aimed waves are aimed at the fixed path,
//! as they would be until the player leaves it. Invulnerability is left out: a wall is a wall, even where it costs
//! nothing.

use serde::Serialize;

use super::field::Field;
use super::ghost::haunt;
use crate::config::FightConfig;
use crate::fight::STEP_SECONDS;
use crate::number::{count, single};
use crate::observer::{Moment, Observer, Removal, Scene, Spawn};
use crate::trace::Trace;
use crate::trajectory::Trajectory;

/// How far ahead is looked: 120 steps, which are two seconds; a slow ring takes that long to press a player to the edge.
pub const LOOK_AHEAD_STEPS: usize = 120;
/// How long before the last way out closes the player must already be without escape: 30 steps, half a second.
pub const WARNING_STEPS: usize = 30;
/// Steps between the moments that are tried: 0.1 s. Where one is a wall, those just before it are tried too.
const STARTS_EVERY: usize = 6;
/// The side of a cell, in world units; larger where the arena would have more than 384 in a row or column.
pub const WALL_CELL: f64 = 0.1;
const MOST: f64 = 384.0;
/// What single precision may add to a distance, in world units: that too is decided for the player.
const ROUNDING: f64 = 1e-4;

/// A wall: from some moment on there is no escape. The next one can only begin once this one has closed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wall {
    /// The first moment from which there is none, since the wall before.
    pub from: Moment,
    /// When the last way out closes for a player who knew it at `from`.
    pub closed: Moment,
    /// Where the fixed path has the player at `from` (x, z).
    pub player: [f32; 2],
    /// Where the last way out closes (x, z), to the accuracy of a cell.
    pub place: [f32; 2],
    /// Index of the phase at `closed`.
    pub phase: usize,
    /// Index of the phase that emitted the bullet nearest to `place` then.
    pub emitted_by: usize,
}

/// Finds the walls of a fight, in order of time.
pub fn walls(config: &FightConfig) -> Vec<Wall> {
    let field = Field::new(config.scenario(), WALL_CELL, MOST);
    let radius = single(config.player().hit_radius - ROUNDING);
    let mut watch =
        Watch { field, radius, closed: Vec::new(), moments: Vec::new(), phases: Vec::new(), trace: Trace::default() };
    haunt(config, Trajectory::new(config), &mut watch);
    let pace = Pace::new(config, &field);
    let mut escape = Escape::new(&field);
    let mut trapped = |start: usize| {
        escape.run(&watch, &pace, start).filter(|trap| trap.index - start >= WARNING_STEPS).map(|trap| (start, trap))
    };
    let mut walls = Vec::new();
    let (mut start, mut earliest) = (0, 0);
    while start < watch.moments.len() {
        if trapped(start).is_none() {
            start += STARTS_EVERY;
            continue;
        }
        // Who is trapped now has mostly been so for a few steps.
        let first = (start.saturating_sub(STARTS_EVERY - 1).max(earliest)..=start).find_map(&mut trapped);
        let Some((from, Trap { index, place })) = first else { break };
        let (closed, phase) = (watch.moments[index], watch.phases[index]);
        let emitted_by = nearest_emitter(&watch.trace, closed.step, place).unwrap_or(phase);
        let player = watch.trace.player_per_step[from];
        walls.push(Wall { from: watch.moments[from], closed, player, place, phase, emitted_by });
        earliest = index + 1;
        start = earliest;
    }
    walls
}

/// How the set of places grows.
struct Pace {
    /// Steps of one look.
    steps: usize,
    /// How often the set spreads by one cell in each look.
    spreads: u32,
    /// For each look, from the first, how many columns the player can have flown to either side, by the rows that it has
    /// flown up or down.
    reach: Vec<Vec<u32>>,
}

impl Pace {
    fn new(config: &FightConfig, field: &Field) -> Self {
        let speed = config.player().move_speed.max(config.player().move_speed * config.player().focus_speed_multiplier);
        let per_step = speed * f64::from(STEP_SECONDS);
        let [width, height] = field.cell.map(f64::from);
        let cell = width.min(height);
        // More than three steps would let bullets fly past unseen.
        let steps = if per_step * 3.0 <= cell {
            3
        } else if per_step * 2.0 <= cell {
            2
        } else {
            1
        };
        let spreads = whole(per_step * f64::from(steps) / cell).max(1);
        // A player may start and end anywhere within a cell.
        let slack = width.hypot(height);
        let looks = count(LOOK_AHEAD_STEPS) / steps;
        let reach = (1..=looks).map(|look| {
            let radius = f64::from(look * steps) * per_step + slack;
            let rows = (0..=field.rows).map(|row| f64::from(row) * height).take_while(|up| *up <= radius);
            rows.map(|up| whole((radius * radius - up * up).max(0.0).sqrt() / width)).collect()
        });
        Self { steps: usize::try_from(steps).unwrap_or(1), spreads, reach: reach.collect() }
    }
}

/// The last way out of a start.
#[derive(Debug, Clone, Copy)]
struct Trap {
    /// The step, from 0, at whose end no place is left.
    index: usize,
    place: [f32; 2],
}

/// The sets of places that a player can have reached, kept for reuse.
struct Escape {
    set: Vec<u64>,
    wider: Vec<u64>,
    /// The set of the look before.
    last: Vec<u64>,
}

impl Escape {
    fn new(field: &Field) -> Self {
        Self { set: vec![0; field.len()], wider: vec![0; field.len()], last: vec![0; field.len()] }
    }

    /// Follows a player from where the fixed path has it; answers where it is trapped, if it is.
    fn run(&mut self, watch: &Watch, pace: &Pace, start: usize) -> Option<Trap> {
        let field = &watch.field;
        let origin = field.cell_at(watch.trace.player_per_step[start]);
        self.set.fill(0);
        self.wider.fill(0);
        field.insert(&mut self.set, origin);
        for (look, reach) in pace.reach.iter().enumerate() {
            let index = start + (look + 1) * pace.steps;
            let closed = watch.closed.get(index * field.len()..(index + 1) * field.len())?;
            // Rows that hold any place before and after this look.
            let rows = field.rows_around(origin, count(reach.len()));
            self.last.clone_from(&self.set);
            for _ in 0..pace.spreads {
                field.spread(&self.set, &mut self.wider, rows.clone());
                std::mem::swap(&mut self.set, &mut self.wider);
            }
            if !field.cut(&mut self.set, closed, origin, reach, rows) {
                return Some(Trap { index, place: field.place_of(&self.last)? });
            }
        }
        None
    }
}

/// The observer that closes cells, and keeps what is said about walls.
struct Watch {
    field: Field,
    radius: f32,
    /// The closed cells at the end of each step, one set after another.
    closed: Vec<u64>,
    moments: Vec<Moment>,
    phases: Vec<usize>,
    trace: Trace,
}

impl Observer for Watch {
    fn spawned(&mut self, at: Moment, spawn: &Spawn) {
        self.trace.spawned(at, spawn);
    }

    fn removed(&mut self, at: Moment, removal: &Removal) {
        self.trace.removed(at, removal);
    }

    fn stepped(&mut self, at: Moment, scene: &Scene<'_>) {
        self.trace.stepped(at, scene);
        self.moments.push(at);
        self.phases.push(scene.phase);
        let from = self.closed.len();
        self.closed.resize(from + self.field.len(), 0);
        for (&x, &z) in scene.x.iter().zip(scene.z) {
            self.field.cover(&mut self.closed[from..], [x, z], self.radius);
        }
    }
}

/// The phase that emitted the bullet nearest to a place at the end of a step.
fn nearest_emitter(trace: &Trace, step: u32, place: [f32; 2]) -> Option<usize> {
    let mut gone = vec![u32::MAX; trace.spawns.len()];
    for removal in &trace.removals {
        gone[usize::try_from(removal.event.bullet).ok()?] = removal.at.step;
    }
    let alive = trace.spawns.iter().zip(gone).filter(|(spawn, gone)| spawn.at.step <= step && step < *gone);
    let away = alive.map(|(spawn, _)| {
        let steps = single(f64::from(step - spawn.at.step + 1));
        let [dx, dz] = [0, 1].map(|axis| spawn.event.position[axis] + steps * spawn.event.step[axis] - place[axis]);
        (dx * dx + dz * dz, spawn.event.phase)
    });
    away.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, phase)| phase)
}

/// The least whole number that is not below a small positive one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float to integer cast saturates")]
fn whole(number: f64) -> u32 {
    number.ceil() as u32
}
