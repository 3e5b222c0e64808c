//! The Bullet Hell 1.0 contract as types, and the one way to make a [`FightConfig`].
//!
//! The contract's ranges are data of whoever owns the contract, checked by its schema. Here live only the shape of the
//! document and the wide limits that keep a simulation finite (see the private module `limits`).

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::limits;

/// The only contract version this simulator runs.
pub const CONTRACT_VERSION: &str = "1.0";

/// A fight the simulator can run: read from the contract's JSON, and known to need bounded time and memory.
#[derive(Debug, Clone, PartialEq)]
pub struct FightConfig {
    document: Document,
    alive_bound: usize,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    pub(crate) bullet_hell_contract_version: String,
    pub(crate) source: String,
    pub(crate) scenario: Scenario,
    pub(crate) player: Player,
    pub(crate) boss: Boss,
    pub(crate) phases: Vec<Phase>,
    pub(crate) constraints: Constraints,
    pub(crate) runtime_targets: RuntimeTargets,
}

/// Where and how long the fight goes on.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Identifier, repeated in telemetry.
    pub scenario_id: String,
    /// Name for people.
    pub display_name: String,
    /// Length of the fight, in seconds.
    pub duration_seconds: f64,
    /// Width of the arena (x), in world units.
    pub arena_width: f64,
    /// Height of the arena (z), in world units.
    pub arena_height: f64,
}

/// The player's ship.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Hits it can take.
    #[serde(deserialize_with = "whole")]
    pub max_health: u32,
    /// Units per second; the fixed trajectory does not use it.
    pub move_speed: f64,
    /// Factor on `move_speed` while focused; the fixed trajectory does not use it.
    pub focus_speed_multiplier: f64,
    /// Distance from its centre at which a bullet hits.
    pub hit_radius: f64,
    /// Start, to the right; the fixed trajectory swings around 0 instead.
    pub start_x: f64,
    /// Start, upwards; the fixed trajectory swings around it.
    pub start_z: f64,
    /// Damage of one shot at the boss.
    #[serde(deserialize_with = "whole")]
    pub auto_fire_damage: u32,
    /// Seconds between two shots.
    pub auto_fire_interval_seconds: f64,
}

/// The boss, which stands still.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boss {
    /// Identifier.
    pub boss_id: String,
    /// Name for people.
    pub display_name: String,
    /// Health at the start.
    #[serde(deserialize_with = "whole")]
    pub max_health: u32,
    /// Position to the right.
    pub position_x: f64,
    /// Position upwards.
    pub position_z: f64,
}

/// One phase of the fight.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Identifier, unique within the fight.
    pub phase_id: String,
    /// Name for people.
    pub display_name: String,
    /// When the phase begins.
    pub trigger: Trigger,
    /// What the boss fires meanwhile.
    pub pattern: Pattern,
}

/// When a phase begins.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// The kind of trigger.
    #[serde(rename = "type")]
    pub kind: TriggerKind,
    /// The share of the boss's health at or below which the phase begins.
    pub value: f64,
}

/// The kinds of trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerKind {
    /// The boss has at most this share of its health.
    BossHpBelow,
}

/// The waves of one phase.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The shape of a wave.
    #[serde(rename = "type")]
    pub kind: PatternKind,
    /// Bullets of one layer in one direction.
    #[serde(deserialize_with = "whole")]
    pub bullets_per_wave: u32,
    /// Milliseconds between waves.
    #[serde(deserialize_with = "whole")]
    pub wave_interval_ms: u32,
    /// Units per second.
    pub bullet_speed: f64,
    /// Seconds until a bullet vanishes by itself.
    pub bullet_lifetime_seconds: f64,
    /// Degrees that each wave turns beyond the one before.
    pub rotation_per_wave_deg: f64,
    /// Degrees covered by one wave.
    pub spread_angle_deg: f64,
    /// Layers of one wave.
    #[serde(deserialize_with = "whole")]
    pub layer_count: u32,
    /// Whether each wave is also fired turning the other way.
    #[serde(default)]
    pub bidirectional: bool,
}

/// The shapes of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternKind {
    /// Evenly spread around the boss.
    Ring,
    /// A fan around the direction to the player.
    AimedFan,
    /// A ring that turns from wave to wave.
    Spiral,
    /// A ring whose angles swell and whose outer layers fly faster.
    Petal,
}

/// What a design must keep to; carried, not judged, by the simulator.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    /// Bullets alive at once.
    #[serde(deserialize_with = "whole")]
    pub max_alive_bullets: u32,
    /// Frames per second.
    pub min_fps: f64,
    /// Hits the player may take.
    #[serde(deserialize_with = "whole")]
    pub max_player_hits: u32,
}

/// What a run must reach; carried, not judged, by the simulator.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuntimeTargets {
    /// Bullets alive at once.
    #[serde(deserialize_with = "whole")]
    pub max_alive_bullets: u32,
    /// Hits the player may take.
    #[serde(deserialize_with = "whole")]
    pub max_player_hits: u32,
    /// Seconds the player must survive.
    pub min_survival_seconds: f64,
    /// Frames per second.
    pub min_fps: f64,
    /// Whether every phase must be seen.
    #[serde(default = "yes")]
    pub require_all_phases: bool,
}

/// Why a document is no fight the simulator can run.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The document does not have the contract's shape.
    #[error("{path}: {source}; write it as the Bullet Hell {CONTRACT_VERSION} contract says")]
    Shape {
        /// The innermost part that could not be read.
        path: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The document follows another version of the contract.
    #[error("bullet_hell_contract_version: {found:?} is not supported; use {CONTRACT_VERSION:?}")]
    Version {
        /// The version it names.
        found: String,
    },
    /// A value lies outside what the simulator can compute with.
    #[error("{path}: {actual} cannot be simulated; use a value from {low} to {high}")]
    OutOfBounds {
        /// Path of the value.
        path: String,
        /// The value.
        actual: f64,
        /// The least value that works.
        low: f64,
        /// The greatest value that works.
        high: f64,
    },
    /// Two phases have the same identifier.
    #[error("{path}: {phase_id:?} is used by an earlier phase; give every phase its own")]
    DuplicatePhase {
        /// Path of the second one.
        path: String,
        /// The identifier.
        phase_id: String,
    },
    /// The waves could put too many bullets into the arena at once.
    #[error(
        "phases: up to {bound} bullets could be alive at once, more than the {limit} that can be simulated; use fewer bullets or layers, longer intervals or shorter lifetimes"
    )]
    TooManyBullets {
        /// How many there could be.
        bound: u64,
        /// How many are simulated.
        limit: u64,
    },
}

impl FightConfig {
    /// Reads a fight from the contract's JSON and checks that it can be simulated.
    ///
    /// Unknown fields are refused everywhere; whole numbers may be written as `36.0`.
    pub fn from_json(value: &Value) -> Result<Self, ConfigError> {
        let document =
            Document::deserialize(value).map_err(|source| ConfigError::Shape { path: locate(value), source })?;
        let alive_bound = limits::check(&document)?;
        Ok(Self { document, alive_bound })
    }

    /// Who wrote the document.
    pub fn source(&self) -> &str {
        &self.document.source
    }

    /// Where and how long the fight goes on.
    pub fn scenario(&self) -> &Scenario {
        &self.document.scenario
    }

    /// The player's ship.
    pub fn player(&self) -> &Player {
        &self.document.player
    }

    /// The boss.
    pub fn boss(&self) -> &Boss {
        &self.document.boss
    }

    /// The phases, at least one.
    pub fn phases(&self) -> &[Phase] {
        &self.document.phases
    }

    /// What the design must keep to.
    pub fn constraints(&self) -> &Constraints {
        &self.document.constraints
    }

    /// What a run must reach.
    pub fn runtime_targets(&self) -> &RuntimeTargets {
        &self.document.runtime_targets
    }

    /// A number of bullets that the fight never has alive at once, whatever happens in it.
    pub fn alive_bound(&self) -> usize {
        self.alive_bound
    }
}

fn yes() -> bool {
    true
}

/// Reads a whole number, also where it is written as `36.0`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked first")]
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = f64::deserialize(deserializer)?;
    if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
        Ok(number as u32)
    } else {
        Err(D::Error::custom(format_args!("{number} is not a whole number from 0 to {}", u32::MAX)))
    }
}

/// The innermost part of a document that cannot be read, for the error's path.
fn locate(document: &Value) -> String {
    fn unreadable<T: DeserializeOwned>(part: Option<&Value>) -> bool {
        part.is_some_and(|part| T::deserialize(part).is_err())
    }
    let sections = [
        ("scenario", unreadable::<Scenario>(document.get("scenario"))),
        ("player", unreadable::<Player>(document.get("player"))),
        ("boss", unreadable::<Boss>(document.get("boss"))),
        ("constraints", unreadable::<Constraints>(document.get("constraints"))),
        ("runtime_targets", unreadable::<RuntimeTargets>(document.get("runtime_targets"))),
    ];
    if let Some((name, _)) = sections.iter().find(|(_, bad)| *bad) {
        return (*name).to_owned();
    }
    let phases = document.get("phases").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (index, phase) in phases.iter().enumerate() {
        if unreadable::<Trigger>(phase.get("trigger")) {
            return format!("phases[{index}].trigger");
        }
        if unreadable::<Pattern>(phase.get("pattern")) {
            return format!("phases[{index}].pattern");
        }
        if unreadable::<Phase>(Some(phase)) {
            return format!("phases[{index}]");
        }
    }
    "the document".to_owned()
}
