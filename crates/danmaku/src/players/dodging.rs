//! A player who looks ahead, keeps away from bullets, and otherwise follows a path of its own.
//!
//! Players differ in skill: each looks a time ahead that is drawn from [`HORIZON_SECONDS`] and decides anew after a
//! number of steps drawn from [`DECISION_STEPS`], both evenly spread; in between it holds its course. When it decides, it
//! compares seventeen ways to go on: to stand still, or one of eight directions at full or at focused speed. A way that
//! would leave the arena ends at its edge instead. For each way the closest approach to every bullet that can come near
//! is computed exactly, with bullets and player flying straight.
//!
//! - A way that meets a bullet is worth the less the sooner it does, and always less than one that meets none.
//! - A way that meets none is worth its smallest distance to any bullet, up to [`COMFORT`]: further away is no better.
//! - From that the distance between its end and the player's own path is taken, at [`PULL`] per unit: who is safe returns.
//!
//! Where ways are worth the same, the order in which they are compared decides, and that is drawn anew each time.
//! It sees the bullets alive and no wave to come, and it does not know that it is invulnerable after a hit.

use std::ops::{Range, RangeInclusive};

use super::pilot::{Pilot, View};
use super::random::SplitMix64;
use crate::config::FightConfig;
use crate::fight::STEP_SECONDS;
use crate::number::single;
use crate::trajectory::Trajectory;

/// How far ahead players look, in seconds.
pub const HORIZON_SECONDS: Range<f64> = 0.25..0.75;
/// Steps between two decisions of players: 0.15 to 0.35 s, as long as people take to react.
pub const DECISION_STEPS: RangeInclusive<u32> = 9..=21;
/// The distance between its hit circle and a bullet beyond which it is at ease, in world units.
const COMFORT: f32 = 0.6;
/// What a unit of distance to its own path is worth, in units of distance to the nearest bullet.
const PULL: f32 = 0.04;
/// Half the square root of two: the parts of a diagonal.
const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
const DIRECTIONS: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [DIAGONAL, DIAGONAL],
    [0.0, 1.0],
    [-DIAGONAL, DIAGONAL],
    [-1.0, 0.0],
    [-DIAGONAL, -DIAGONAL],
    [0.0, -1.0],
    [DIAGONAL, -DIAGONAL],
];
/// Ways to go on: each direction at two speeds, and to stand still.
const WAYS: usize = 2 * DIRECTIONS.len() + 1;

/// A player who dodges.
#[derive(Debug, Clone)]
pub struct DodgingPlayer {
    path: Trajectory,
    random: SplitMix64,
    /// Seconds.
    horizon: f32,
    decision_steps: u32,
    /// Half the arena's size.
    arena: [f32; 2],
    hit_radius: f32,
    /// Units per second: full, and focused.
    speeds: [f32; 2],
    position: [f32; 2],
    /// Units per second.
    velocity: [f32; 2],
    near: Near,
}

/// The bullets that can come near within the horizon, relative to the player.
#[derive(Debug, Clone)]
struct Near {
    x: Vec<f32>,
    z: Vec<f32>,
    /// Units per second.
    velocity_x: Vec<f32>,
    velocity_z: Vec<f32>,
}

impl DodgingPlayer {
    /// The dodging player of a seed, at the start that the config names or at the arena's edge nearest to it.
    pub fn new(config: &FightConfig, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let path = Trajectory::varied(config, &mut random);
        let horizon = single(random.between(HORIZON_SECONDS.start, HORIZON_SECONDS.end));
        let steps = u64::from(DECISION_STEPS.end() - DECISION_STEPS.start() + 1);
        let decision_steps = DECISION_STEPS.start() + u32::try_from(random.next_u64() % steps).unwrap_or(0);
        let (scenario, player) = (config.scenario(), config.player());
        let arena = [single(scenario.arena_width / 2.0), single(scenario.arena_height / 2.0)];
        let full = single(player.move_speed);
        let focused = single(player.move_speed * player.focus_speed_multiplier);
        Self {
            path,
            random,
            horizon,
            decision_steps,
            arena,
            hit_radius: single(player.hit_radius),
            speeds: [full, focused],
            position: inside(arena, [single(player.start_x), single(player.start_z)]),
            velocity: [0.0; 2],
            near: Near::with_capacity(config.alive_bound()),
        }
    }

    fn decide(&mut self, view: &View<'_>) {
        let reach = self.hit_radius + COMFORT;
        let horizon = self.horizon;
        self.near.look(view, self.position, horizon, reach, self.speeds[0].max(self.speeds[1]));
        let goal = self.path.at(view.at.seconds + horizon);
        // Which way is compared first is drawn; the others follow in turn.
        let first = self.random.next_u64();
        let mut best = (f32::NEG_INFINITY, [0.0; 2]);
        for turn in 0..WAYS {
            let way = (turn + usize::try_from(first % 17).unwrap_or(0)) % WAYS;
            let velocity = match way.checked_sub(1) {
                None => [0.0; 2],
                Some(way) => DIRECTIONS[way % 8].map(|part| part * self.speeds[way / 8]),
            };
            let end = inside(self.arena, advance(self.position, velocity, horizon));
            let velocity = [0, 1].map(|axis| (end[axis] - self.position[axis]) / horizon);
            let [x, z] = [end[0] - goal[0], end[1] - goal[1]];
            let worth = self.near.worth(velocity, horizon, self.hit_radius) - PULL * (x * x + z * z).sqrt();
            if worth > best.0 {
                best = (worth, velocity);
            }
        }
        self.velocity = best.1;
    }
}

impl Pilot for DodgingPlayer {
    fn fly(&mut self, view: &View<'_>) -> [f32; 2] {
        if (view.at.step - 1).is_multiple_of(self.decision_steps) {
            self.decide(view);
        }
        self.position = inside(self.arena, advance(self.position, self.velocity, STEP_SECONDS));
        self.position
    }
}

impl Near {
    fn with_capacity(capacity: usize) -> Self {
        let list = || Vec::with_capacity(capacity);
        Self { x: list(), z: list(), velocity_x: list(), velocity_z: list() }
    }

    /// Keeps the bullets that can come, until the horizon, within `reach` of a player who flies at most at `speed`.
    fn look(&mut self, view: &View<'_>, player: [f32; 2], horizon: f32, reach: f32, speed: f32) {
        self.x.clear();
        self.z.clear();
        self.velocity_x.clear();
        self.velocity_z.clear();
        let around = reach + speed * horizon;
        let n = view.x.len();
        let (x, z, step_x, step_z) = (&view.x[..n], &view.z[..n], &view.step_x[..n], &view.step_z[..n]);
        for i in 0..n {
            let [from_x, from_z] = [x[i] - player[0], z[i] - player[1]];
            let [velocity_x, velocity_z] = [step_x[i] / STEP_SECONDS, step_z[i] / STEP_SECONDS];
            let [to_x, to_z] = [from_x + velocity_x * horizon, from_z + velocity_z * horizon];
            let apart = |from: f32, to: f32| from.min(to) > around || from.max(to) < -around;
            if !apart(from_x, to_x) && !apart(from_z, to_z) {
                self.x.push(from_x);
                self.z.push(from_z);
                self.velocity_x.push(velocity_x);
                self.velocity_z.push(velocity_z);
            }
        }
    }

    /// What flying with some velocity is worth: below 0 where it meets a bullet, else the distance it keeps.
    fn worth(&self, velocity: [f32; 2], horizon: f32, hit_radius: f32) -> f32 {
        let n = self.x.len();
        let (x, z) = (&self.x[..n], &self.z[..n]);
        let (velocity_x, velocity_z) = (&self.velocity_x[..n], &self.velocity_z[..n]);
        let touch = hit_radius * hit_radius;
        let (mut closest, mut soonest) = (f32::INFINITY, f32::INFINITY);
        for i in 0..n {
            let toward = [velocity_x[i] - velocity[0], velocity_z[i] - velocity[1]];
            // The moment of the closest approach; at rest relative to each other, every moment is.
            let speed = (toward[0] * toward[0] + toward[1] * toward[1]).max(1e-12);
            let moment = (-(x[i] * toward[0] + z[i] * toward[1]) / speed).clamp(0.0, horizon);
            let [dx, dz] = [x[i] + toward[0] * moment, z[i] + toward[1] * moment];
            let squared = dx * dx + dz * dz;
            closest = closest.min(squared);
            soonest = soonest.min(if squared <= touch { moment } else { f32::INFINITY });
        }
        if soonest < f32::INFINITY {
            // From -20 to -10: no pull towards the path outweighs a hit.
            -20.0 + 10.0 * soonest / horizon
        } else {
            (closest.sqrt() - hit_radius).min(COMFORT)
        }
    }
}

fn advance(from: [f32; 2], velocity: [f32; 2], seconds: f32) -> [f32; 2] {
    [from[0] + velocity[0] * seconds, from[1] + velocity[1] * seconds]
}

/// The point of the arena nearest to a point.
fn inside(arena: [f32; 2], [x, z]: [f32; 2]) -> [f32; 2] {
    [x.clamp(-arena[0], arena[0]), z.clamp(-arena[1], arena[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Moment;

    const STILL: f32 = 0.0;

    fn near(bullets: &[[f32; 4]]) -> Near {
        let mut near = Near::with_capacity(bullets.len());
        let column = |at: usize| bullets.iter().map(|bullet| bullet[at]).collect::<Vec<f32>>();
        let (x, z) = (column(0), column(1));
        let (step_x, step_z): (Vec<f32>, Vec<f32>) = (
            column(2).iter().map(|v| v * STEP_SECONDS).collect(),
            column(3).iter().map(|v| v * STEP_SECONDS).collect(),
        );
        let at = Moment { step: 1, seconds: STEP_SECONDS };
        near.look(&View { at, x: &x, z: &z, step_x: &step_x, step_z: &step_z }, [0.0, 0.0], 0.75, 1.0, 2.0);
        near
    }

    #[test]
    fn only_bullets_that_can_come_near_are_kept() {
        // Within 0.75 s the player reaches 1.5 units, and 1 unit around that counts.
        for (bullet, kept) in [
            ([0.0, 2.4, STILL, STILL], true),
            ([0.0, 2.6, STILL, STILL], false),
            ([0.0, 5.0, 0.0, -4.0], true),
            ([0.0, 5.0, 0.0, 4.0], false),
            ([-9.0, 0.0, 20.0, 0.0], true),
        ] {
            assert_eq!(near(&[bullet]).x.len(), usize::from(kept), "{bullet:?}");
        }
    }

    #[test]
    fn a_later_hit_is_worth_more_and_no_hit_more_still() {
        let soon = near(&[[0.0, 1.0, 0.0, -4.0]]).worth([0.0; 2], 0.75, 0.25);
        let later = near(&[[0.0, 2.0, 0.0, -4.0]]).worth([0.0; 2], 0.75, 0.25);
        let close = near(&[[0.5, 1.0, 0.0, -4.0]]).worth([0.0; 2], 0.75, 0.25);
        let none = near(&[]).worth([0.0; 2], 0.75, 0.25);
        assert!(soon < later && later < -1.0 && -1.0 < close && close < none, "{soon} {later} {close} {none}");
        assert!((close - 0.25).abs() < 1e-5 && (none - COMFORT).abs() < 1e-6);
        // Flying along with a bullet keeps the distance.
        assert!((near(&[[0.5, 0.0, 0.0, -1.0]]).worth([0.0, -1.0], 0.75, 0.25) - 0.25).abs() < 1e-5);
    }
}
