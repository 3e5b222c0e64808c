//! Who decides where the player stands.

use crate::observer::Moment;
use crate::trajectory::Trajectory;

/// What a pilot sees when it decides: the bullets as they were at the end of the step before.
///
/// Bullet `i` is at `(x[i], z[i])` and moves by `(step_x[i], step_z[i])` in this step and in each that follows, as long
/// as it is alive. The waves to come are not seen.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The step that is about to be taken, and the time at its end.
    pub at: Moment,
    /// Positions to the right, in emission order.
    pub x: &'a [f32],
    /// Positions upwards.
    pub z: &'a [f32],
    /// Units per step to the right.
    pub step_x: &'a [f32],
    /// Units per step upwards.
    pub step_z: &'a [f32],
}

/// Decides where the player stands, once in each step and before the bullets move.
///
/// A pilot keeps to the rules that it wants to keep to: the fight takes its word. It allocates nothing while it flies.
pub trait Pilot {
    /// Where the player stands (x, z) in this step.
    fn fly(&mut self, view: &View<'_>) -> [f32; 2];
}

/// The path depends on the time alone.
impl Pilot for Trajectory {
    fn fly(&mut self, view: &View<'_>) -> [f32; 2] {
        self.at(view.at.seconds)
    }
}

/// A player who never moves.
impl Pilot for [f32; 2] {
    fn fly(&mut self, _view: &View<'_>) -> [f32; 2] {
        *self
    }
}
