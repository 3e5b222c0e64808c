//! An exact animated replay: what stood where in every step, for one side or two.
//!
//! A scene is drawn from lists of things that move straight, not from sampled frames, so that any step can be asked
//! for and the answer is the engine's own. Lists that are long are kept as one array per column.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::{Role, Tone};

/// A replay of one side, or of two beside each other in step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// What is replayed.
    pub caption: Text,
    /// The length of a step in seconds.
    pub step_seconds: f64,
    /// How many steps there are; the first is 0, the last `steps - 1`.
    pub steps: u32,
    /// The step shown before anyone presses play, and in print.
    #[serde(default)]
    pub still: u32,
    /// The part of the plane that is shown.
    pub field: Field,
    /// The sides, from the left.
    pub sides: Vec<Side>,
}

/// A rectangle of the plane, in the scene's own units. Y grows upwards.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The left edge.
    pub left: f32,
    /// The lower edge.
    pub bottom: f32,
    /// How wide it is.
    pub width: f32,
    /// How high it is.
    pub height: f32,
}

/// One side of a replay.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Which side it is.
    pub role: Role,
    /// Its name.
    pub label: Text,
    /// How many steps this side lasted, where it ended before the scene does; its last step then stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Things that move on paths of their own.
    #[serde(default)]
    pub actors: Vec<Actor>,
    /// The kinds of particles, which `Particles::group` counts into.
    pub groups: Vec<Group>,
    /// Things that move straight.
    pub particles: Particles,
    /// Figures per step. Where one has the id `alive`, it counts the particles that are there.
    #[serde(default)]
    pub counters: Vec<Counter>,
    /// Labelled ranges, in seconds; the role is this side's.
    #[serde(default)]
    pub bands: Vec<super::Band>,
    /// Moments.
    #[serde(default)]
    pub marks: Vec<SideMark>,
}

/// Something that moves on a path of its own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    /// Its name, written beside it.
    pub label: Text,
    /// How large it is, in the scene's units.
    pub radius: f32,
    /// Where it is in each step; the last place holds for all later steps.
    pub x: Vec<f32>,
    /// As `x`.
    pub y: Vec<f32>,
}

/// A kind of particle.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its name.
    pub label: Text,
    /// How large each one is, in the scene's units.
    pub radius: f32,
}

/// Things that move straight, one array per column, all of the same length.
///
/// Particle `i` is there in every step `s` with `spawn[i] <= s < end[i]`, at `x[i] + dx[i] * (s - spawn[i])`, and
/// likewise for y.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Particles {
    /// The first step in which it is there.
    pub spawn: Vec<u32>,
    /// Where it is in its first step.
    pub x: Vec<f32>,
    /// As `x`.
    pub y: Vec<f32>,
    /// How far it moves in a step.
    pub dx: Vec<f32>,
    /// As `dx`.
    pub dy: Vec<f32>,
    /// The first step in which it is gone.
    pub end: Vec<u32>,
    /// Which of the side's groups it belongs to.
    pub group: Vec<u16>,
}

/// A figure per step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Its name for programs.
    pub id: String,
    /// Its name for people.
    pub label: Text,
    /// The figure in each step; the last one holds for all later steps.
    pub values: Vec<f64>,
}

/// A moment of one side.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideMark {
    /// When, in seconds.
    pub at: f64,
    /// What happened.
    pub label: Text,
    /// How it is to be taken.
    #[serde(default)]
    pub tone: Tone,
    /// Where, in the scene's units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<[f32; 2]>,
}

impl Particles {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.spawn.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.spawn.is_empty()
    }

    /// How many are there in a step.
    pub fn alive(&self, step: u32) -> usize {
        self.spawn.iter().zip(&self.end).filter(|(spawn, end)| **spawn <= step && step < **end).count()
    }
}

impl Scene {
    /// The last step that a side has of its own.
    pub fn last_step(&self, side: &Side) -> u32 {
        side.steps.map_or(self.steps, |steps| steps.min(self.steps)).saturating_sub(1)
    }
}
