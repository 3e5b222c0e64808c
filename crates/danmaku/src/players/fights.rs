//! Many players, one fight each: the raw results from which others make distributions.

use std::ops::Range;
use std::sync::mpsc::{Sender, channel};

use serde::Serialize;

use super::dodging::DodgingPlayer;
use super::pilot::Pilot;
use super::random::{SplitMix64, nth};
use crate::config::FightConfig;
use crate::fight::{Ending, Fight};
use crate::misses::NearMisses;
use crate::number::published;
use crate::trajectory::Trajectory;

/// How a player decides where to fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// A seeded variation of the fixed path.
    Trajectory,
    /// A player who looks ahead and dodges.
    Dodging,
}

/// One player's fight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlayerResult {
    /// The player's number, from 0. The same number and seed mean the same player in every fight.
    pub index: u32,
    /// Even numbers fly variations of the fixed path, odd ones dodge.
    pub kind: PlayerKind,
    /// The player's own seed.
    pub seed: u64,
    /// Hits that counted.
    pub hits: u32,
    /// Seconds until the fight was over, at most the configured duration; four decimals.
    pub survival_seconds: f64,
    /// Whether the player had health left when the time was up or the boss defeated.
    pub completed: bool,
    /// The smallest distance from the hit circle to a bullet that never touched, in world units, with four decimals;
    /// `None` where no bullet was seen.
    pub nearest_miss: Option<f64>,
}

/// Lets players `0..n` of a seed fight, and answers their results in that order.
///
/// The results depend on the config, the seed and the player's number alone: neither on the number of threads (at least
/// one is used, and at most one for each player) nor on `n`. `progress` hears, on the calling thread, how many fights
/// are over: every number from 1 to `n` once, in order.
pub fn profile_fights(
    config: &FightConfig,
    seed: u64,
    n: u32,
    threads: usize,
    mut progress: impl FnMut(u32),
) -> Vec<PlayerResult> {
    let threads = u32::try_from(threads).unwrap_or(u32::MAX).clamp(1, n.max(1));
    let (each, more) = (n / threads, n % threads);
    std::thread::scope(|scope| {
        let (over, fights_over) = channel();
        let mut next = 0;
        let mut workers = Vec::new();
        for thread in 0..threads {
            let players = next..next + each + u32::from(thread < more);
            next = players.end;
            let over = over.clone();
            workers.push(scope.spawn(move || chunk(config, seed, players, &over)));
        }
        drop(over);
        for (done, ()) in (1..).zip(fights_over) {
            progress(done);
        }
        let mut results = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(chunk) => results.extend(chunk),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

fn chunk(config: &FightConfig, seed: u64, players: Range<u32>, over: &Sender<()>) -> Vec<PlayerResult> {
    players
        .map(|index| {
            let result = fight(config, index, nth(seed, index));
            // Nobody listens any more only where the caller is unwinding.
            let _ = over.send(());
            result
        })
        .collect()
}

fn fight(config: &FightConfig, index: u32, seed: u64) -> PlayerResult {
    let (kind, (hits, survival_seconds, completed, nearest_miss)) = if index.is_multiple_of(2) {
        let path = Trajectory::varied(config, &mut SplitMix64::new(seed));
        (PlayerKind::Trajectory, outcome(config, path))
    } else {
        (PlayerKind::Dodging, outcome(config, DodgingPlayer::new(config, seed)))
    };
    PlayerResult { index, kind, seed, hits, survival_seconds, completed, nearest_miss }
}

fn outcome<P: Pilot>(config: &FightConfig, pilot: P) -> (u32, f64, bool, Option<f64>) {
    let mut misses = NearMisses::new(config);
    let mut fight = Fight::with_pilot(config, pilot);
    let ending = loop {
        if let Some(ending) = fight.step(&mut misses) {
            break ending;
        }
    };
    let hits = fight.phases().map(|phase| phase.hits).sum();
    let survival = published(f64::from(fight.elapsed()).min(config.scenario().duration_seconds));
    let nearest = misses.smallest_distance().map(published);
    (hits, survival, ending != Ending::PlayerDefeated, nearest)
}
