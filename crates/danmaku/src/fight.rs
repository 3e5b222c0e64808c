//! The fight itself: one fixed step of 1/60 s after another, in the contract's order.
//!
//! State is single precision wherever a published player of the contract holds it so: elapsed time, time to the next
//! wave, time of the next shot, bullet positions and remaining lifetimes. Elapsed time is the repeated `f32` sum of
//! 1/60. After [`Fight::new`] nothing allocates: every list has its final capacity.

use crate::bullets::{Bullets, EXPIRED, Surroundings, TOUCHED};
use crate::config::FightConfig;
use crate::number::{count, single};
use crate::observer::{Cause, Hit, Moment, Observer, Removal, Scene, Spawn};
use crate::pattern::{direction_deg, wave};
use crate::players::{Pilot, View};
use crate::trajectory::Trajectory;

/// Seconds of one step.
pub const STEP_SECONDS: f32 = 1.0 / 60.0;
/// Seconds after a counted hit during which no other counts.
const INVULNERABLE_SECONDS: f32 = 0.35;
/// The share of the arena's width and height, from its centre, within which bullets stay alive.
pub(crate) const REACH: f64 = 0.65;

/// How a fight ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The player has no health left.
    PlayerDefeated,
    /// The fight's duration is over.
    TimeUp,
    /// The boss has no health left.
    BossDefeated,
}

/// What happened in one phase so far.
#[derive(Debug, Clone, PartialEq)]
pub struct PhaseTally {
    /// Index of the phase in the config.
    pub phase: usize,
    /// When it began, in seconds.
    pub started_at: f32,
    /// Bullets it emitted.
    pub spawned: u32,
    /// Counted hits that landed while it lasted, whoever emitted the bullet.
    pub hits: u32,
    /// Counted hits by bullets it emitted, whenever they landed.
    pub hits_by_emitter: u32,
    /// The most bullets alive at the end of one of its steps, whoever emitted them.
    pub peak_alive: u32,
    first_bullet: u32,
}

/// A running fight; the contract's own player flies the fixed trajectory.
#[derive(Debug)]
pub struct Fight<'c, P = Trajectory> {
    config: &'c FightConfig,
    pilot: P,
    hit_radius_squared: f32,
    bounds: [f32; 2],
    boss_position: [f32; 2],
    fire_interval: f32,

    step: u32,
    elapsed: f32,
    next_shot: f32,
    until_next_wave: f32,
    invulnerable_until: f32,
    wave: u32,
    spawned: u32,
    player_health: u32,
    boss_health: u32,
    bullets: Bullets,
    phases: Vec<PhaseTally>,
    current: PhaseTally,
    ending: Option<Ending>,
}

impl<'c> Fight<'c> {
    /// The contract's fight before its first step. Reserves all the memory it will ever use.
    pub fn new(config: &'c FightConfig) -> Self {
        Self::with_pilot(config, Trajectory::new(config))
    }
}

impl<'c, P: Pilot> Fight<'c, P> {
    /// A fight that another player fights, before its first step. Reserves all the memory it will ever use.
    pub fn with_pilot(config: &'c FightConfig, pilot: P) -> Self {
        let (player, boss) = (config.player(), config.boss());
        let hit_radius = single(player.hit_radius);
        let phase = phase_at(config, boss.max_health).unwrap_or(0);
        Self {
            config,
            pilot,
            hit_radius_squared: hit_radius * hit_radius,
            bounds: bounds(config),
            boss_position: [single(boss.position_x), single(boss.position_z)],
            fire_interval: single(player.auto_fire_interval_seconds),
            step: 0,
            elapsed: 0.0,
            next_shot: 0.0,
            until_next_wave: 0.0,
            invulnerable_until: 0.0,
            wave: 0,
            spawned: 0,
            player_health: player.max_health,
            boss_health: boss.max_health,
            bullets: Bullets::with_capacity(config.alive_bound()),
            phases: Vec::with_capacity(config.phases().len()),
            current: PhaseTally::new(phase, 0.0, 0),
            ending: None,
        }
    }

    /// A fight whose player no bullet touches.
    pub(crate) fn of_a_ghost(config: &'c FightConfig, pilot: P) -> Self {
        // No square is below zero.
        Self { hit_radius_squared: -1.0, ..Self::with_pilot(config, pilot) }
    }

    /// Runs one step; answers how the fight ended once it has. A step after the end changes nothing.
    pub fn step<O: Observer>(&mut self, observer: &mut O) -> Option<Ending> {
        if self.ending.is_some() {
            return self.ending;
        }
        if self.step == 0 {
            observer.phase_started(Moment { step: 0, seconds: 0.0 }, self.current.phase);
        }
        self.step += 1;
        self.elapsed += STEP_SECONDS;
        let at = Moment { step: self.step, seconds: self.elapsed };
        let ([x, z], [step_x, step_z]) = (self.bullets.positions(), self.bullets.steps());
        let player = self.pilot.fly(&View { at, x, z, step_x, step_z });

        self.shoot(at, observer);
        self.until_next_wave -= STEP_SECONDS;
        if self.until_next_wave <= 0.0 {
            self.emit_wave(at, player, observer);
        }
        if let Some(bullet) = self.move_bullets(at, player, observer) {
            self.take_hit(at, player, bullet, observer);
        }

        self.current.peak_alive = self.current.peak_alive.max(self.alive());
        let [x, z] = self.bullets.positions();
        let scene = Scene {
            phase: self.current.phase,
            player,
            player_health: self.player_health,
            boss_health: self.boss_health,
            bullets: self.bullets.serials(),
            x,
            z,
        };
        observer.stepped(at, &scene);
        self.ending = self.judge();
        self.ending
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u32 {
        self.step
    }

    /// Seconds since the start: the repeated sum of steps, in single precision.
    pub fn elapsed(&self) -> f32 {
        self.elapsed
    }

    /// Bullets alive now.
    pub fn alive(&self) -> u32 {
        count(self.bullets.len())
    }

    /// The phases so far in order, the current one last. A phase that was skipped is not among them.
    pub fn phases(&self) -> impl Iterator<Item = &PhaseTally> {
        self.phases.iter().chain([&self.current])
    }

    /// The player's shot, if it is due, and the change of phase that may follow.
    fn shoot<O: Observer>(&mut self, at: Moment, observer: &mut O) {
        if self.elapsed < self.next_shot {
            return;
        }
        self.boss_health = self.boss_health.saturating_sub(self.config.player().auto_fire_damage);
        self.next_shot = self.elapsed + self.fire_interval;
        let phase = phase_at(self.config, self.boss_health).unwrap_or(self.current.phase);
        if phase != self.current.phase {
            let next = PhaseTally::new(phase, self.elapsed, self.spawned);
            self.phases.push(std::mem::replace(&mut self.current, next));
            self.wave = 0;
            self.until_next_wave = 0.0;
            observer.phase_started(at, phase);
        }
    }

    fn emit_wave<O: Observer>(&mut self, at: Moment, player: [f32; 2], observer: &mut O) {
        let (config, phase) = (self.config, self.current.phase);
        let pattern = &config.phases()[phase].pattern;
        let lifetime = single(pattern.bullet_lifetime_seconds);
        let position = self.boss_position;
        wave(pattern, self.wave, direction_deg(position, player), |shot| {
            let velocity = shot.velocity();
            let step = velocity.map(|speed| speed * STEP_SECONDS);
            self.bullets.push(self.spawned, position, step, lifetime);
            let (bullet, wave, direction, layer) = (self.spawned, self.wave, shot.direction, shot.layer);
            observer.spawned(at, &Spawn { bullet, phase, wave, direction, layer, position, velocity, step, lifetime });
            self.spawned += 1;
            self.current.spawned += 1;
        });
        self.wave += 1;
        self.until_next_wave = single(f64::from(pattern.wave_interval_ms) / 1000.0);
    }

    /// Moves all bullets and removes those that are gone; answers the first in emission order that touched the player.
    fn move_bullets<O: Observer>(&mut self, at: Moment, player: [f32; 2], observer: &mut O) -> Option<u32> {
        let around =
            Surroundings { dt: STEP_SECONDS, player, hit_radius_squared: self.hit_radius_squared, bounds: self.bounds };
        let mut touched = None;
        if self.bullets.advance(&around) {
            self.bullets.remove_gone(|bullet, position, fate| {
                let cause = if fate & TOUCHED != 0 {
                    touched.get_or_insert(bullet);
                    Cause::Touched
                } else if fate & EXPIRED != 0 {
                    Cause::Expired
                } else {
                    Cause::Outside
                };
                observer.removed(at, &Removal { bullet, position, cause });
            });
        }
        touched
    }

    /// Counts the hit of a bullet, unless the player is still invulnerable.
    fn take_hit<O: Observer>(&mut self, at: Moment, player: [f32; 2], bullet: u32, observer: &mut O) {
        if self.elapsed < self.invulnerable_until {
            return;
        }
        self.player_health -= 1;
        self.invulnerable_until = self.elapsed + INVULNERABLE_SECONDS;
        self.current.hits += 1;
        let emitter = self.emitter_of(bullet);
        emitter.hits_by_emitter += 1;
        let emitted_by = emitter.phase;
        let (landed_in, health) = (self.current.phase, self.player_health);
        observer.hit(at, &Hit { bullet, landed_in, emitted_by, player, health });
    }

    /// The phase that emitted a bullet. Bullets are numbered in emission order, so each phase has one range of numbers.
    fn emitter_of(&mut self, bullet: u32) -> &mut PhaseTally {
        match self.phases.iter_mut().rev().find(|phase| phase.first_bullet <= bullet) {
            Some(earlier) if bullet < self.current.first_bullet => earlier,
            _ => &mut self.current,
        }
    }

    fn judge(&self) -> Option<Ending> {
        if self.player_health == 0 {
            Some(Ending::PlayerDefeated)
        } else if f64::from(self.elapsed) >= self.config.scenario().duration_seconds {
            Some(Ending::TimeUp)
        } else if self.boss_health == 0 {
            Some(Ending::BossDefeated)
        } else {
            None
        }
    }
}

impl PhaseTally {
    fn new(phase: usize, started_at: f32, first_bullet: u32) -> Self {
        Self { phase, started_at, spawned: 0, hits: 0, hits_by_emitter: 0, peak_alive: 0, first_bullet }
    }
}

/// How far from the arena's centre bullets stay alive, to the sides and up and down.
pub(crate) fn bounds(config: &FightConfig) -> [f32; 2] {
    let scenario = config.scenario();
    [single(REACH * scenario.arena_width), single(REACH * scenario.arena_height)]
}

/// The last phase whose trigger the boss's health has reached, if any.
fn phase_at(config: &FightConfig, boss_health: u32) -> Option<usize> {
    let share = f64::from(boss_health) / f64::from(config.boss().max_health);
    config.phases().iter().rposition(|phase| phase.trigger.value >= share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn baseline() -> Value {
        serde_json::from_str(include_str!("../../../packs/bullet-hell/baseline.json")).unwrap()
    }

    fn fight_out(document: &Value) -> (Ending, u32, Vec<PhaseTally>) {
        let config = FightConfig::from_json(document).unwrap();
        let mut fight = Fight::new(&config);
        let reserved = (fight.bullets.capacities(), fight.phases.capacity());
        loop {
            let ending = fight.step(&mut ());
            assert_eq!((fight.bullets.capacities(), fight.phases.capacity()), reserved, "step {}", fight.steps());
            if let Some(ending) = ending {
                return (ending, fight.steps(), fight.phases().cloned().collect());
            }
        }
    }

    #[test]
    fn nothing_is_reallocated_even_by_the_densest_waves() {
        let mut document = baseline();
        document["scenario"]["arena_width"] = json!(10_000);
        document["scenario"]["arena_height"] = json!(10_000);
        document["player"]["hit_radius"] = json!(0);
        for phase in 0..3 {
            let pattern = &mut document["phases"][phase]["pattern"];
            pattern["bullets_per_wave"] = json!(64);
            pattern["layer_count"] = json!(4);
            pattern["bidirectional"] = json!(true);
            pattern["wave_interval_ms"] = json!(100);
            pattern["bullet_lifetime_seconds"] = json!(12);
        }
        let (ending, _, phases) = fight_out(&document);
        assert_eq!(ending, Ending::TimeUp);
        assert!(phases.iter().all(|phase| phase.peak_alive > 50_000), "{phases:?}");
    }

    #[test]
    fn each_ending_is_reached() {
        let mut weak_boss = baseline();
        weak_boss["boss"]["max_health"] = json!(100);
        assert_eq!(fight_out(&weak_boss).0, Ending::BossDefeated);

        // A player as large as the arena is hit at once, and again each time invulnerability is over.
        let mut large_player = baseline();
        large_player["player"]["hit_radius"] = json!(100);
        large_player["phases"][0]["pattern"]["wave_interval_ms"] = json!(1);
        let (ending, steps, phases) = fight_out(&large_player);
        assert_eq!((ending, phases[0].hits, phases[0].peak_alive), (Ending::PlayerDefeated, 5, 0));
        // 0.35 s are 21 steps, or 22 where the single-precision sum falls just short of it.
        assert!((1 + 4 * 21..=1 + 4 * 22).contains(&steps), "{steps}");

        let mut short = baseline();
        short["scenario"]["duration_seconds"] = json!(1);
        assert_eq!(fight_out(&short).0, Ending::TimeUp);
    }

    #[test]
    fn a_large_shot_skips_a_phase_and_no_trigger_means_the_first() {
        let mut document = baseline();
        document["phases"][0]["trigger"]["value"] = json!(0.9);
        document["player"]["auto_fire_damage"] = json!(3000);
        document["player"]["auto_fire_interval_seconds"] = json!(1);
        document["scenario"]["duration_seconds"] = json!(0.5);
        let (_, _, phases) = fight_out(&document);
        let seen: Vec<_> = phases.iter().map(|phase| (phase.phase, phase.spawned)).collect();
        assert_eq!(seen, [(0, 0), (2, 16)]);
    }

    #[test]
    fn a_bullet_belongs_to_the_phase_whose_range_holds_its_number() {
        let config = FightConfig::from_json(&baseline()).unwrap();
        let mut fight = Fight::new(&config);
        // The middle phase ended before its first wave, so that its range is empty.
        fight.phases = vec![PhaseTally::new(0, 0.0, 0), PhaseTally::new(1, 1.0, 10)];
        fight.current = PhaseTally::new(2, 1.0, 10);
        for (bullet, phase) in [(0, 0), (9, 0), (10, 2), (11, 2)] {
            assert_eq!(fight.emitter_of(bullet).phase, phase, "bullet {bullet}");
        }
        fight.current.first_bullet = 20;
        for (bullet, phase) in [(9, 0), (10, 1), (19, 1), (20, 2)] {
            assert_eq!(fight.emitter_of(bullet).phase, phase, "bullet {bullet}");
        }
    }

    #[test]
    fn of_several_touches_in_a_step_the_earliest_emitted_counts() {
        let mut document = baseline();
        document["player"]["hit_radius"] = json!(100);
        let config = FightConfig::from_json(&document).unwrap();
        let mut trace = crate::Trace::default();
        Fight::new(&config).step(&mut trace);
        assert_eq!(trace.removals.len(), 16, "the whole wave touches");
        assert_eq!(trace.hits.iter().map(|hit| hit.event.bullet).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn a_step_after_the_end_changes_nothing() {
        let mut document = baseline();
        document["scenario"]["duration_seconds"] = json!(0.1);
        let config = FightConfig::from_json(&document).unwrap();
        let mut fight = Fight::new(&config);
        while fight.step(&mut ()).is_none() {}
        let steps = fight.steps();
        assert_eq!((fight.step(&mut ()), fight.steps()), (Some(Ending::TimeUp), steps));
    }
}
