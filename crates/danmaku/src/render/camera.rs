//! The camera: which part of the world a stage of some pixels shows.
//!
//! It depends on the arena's size alone, so that pictures of a baseline and a candidate lie exactly on each other.

use crate::config::Scenario;
use crate::fight::REACH;
use crate::number::single;

/// From the world (x to the right, z upwards, the arena's centre at 0) to pixels of a stage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camera {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Pixels per world unit.
    pub(super) scale: f32,
    /// Half the arena's size, in world units.
    pub(super) arena: [f32; 2],
    /// Half the size of the region in which bullets live, in world units.
    pub(super) region: [f32; 2],
}

impl Camera {
    /// Shows the whole region in which bullets live, as large as the stage allows.
    pub(super) fn new(scenario: &Scenario, width: u32, height: u32) -> Self {
        let size = [scenario.arena_width, scenario.arena_height];
        let region = size.map(|length| single((length * REACH).max(0.5)));
        let scale = (pixels(width) / (2.0 * region[0])).min(pixels(height) / (2.0 * region[1]));
        Self { width, height, scale, arena: size.map(|length| single(length / 2.0)), region }
    }

    /// Where a point of the world lies on the stage, in pixels from its upper left corner.
    pub(super) fn place(&self, [x, z]: [f32; 2]) -> [f32; 2] {
        [pixels(self.width) / 2.0 + x * self.scale, pixels(self.height) / 2.0 - z * self.scale]
    }

    /// The rectangle (left, top, width, height) around the centre whose half size is given in world units.
    pub(super) fn rectangle(&self, half: [f32; 2]) -> [f32; 4] {
        let [left, top] = self.place([-half[0], half[1]]);
        [left, top, 2.0 * half[0] * self.scale, 2.0 * half[1] * self.scale]
    }

    /// A length that is drawn the larger the larger the stage is; `length` is in pixels of a stage 520 high.
    pub(super) fn relative(&self, length: f32) -> f32 {
        length * pixels(self.width.min(self.height)) / 520.0
    }
}

/// A number of pixels as a coordinate.
pub(super) fn pixels(count: u32) -> f32 {
    single(f64::from(count))
}
