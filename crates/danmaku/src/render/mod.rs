//! Pictures of a fight, drawn from the simulator's own state: captures, heat maps and filmstrips as PNG.
//!
//! ```text
//! Observer -> Snapshot / Heat -> stage (arena, boss, player, bullets) + panel (HUD) -> canvas -> PNG
//! ```
//!
//! The same fight gives the same bytes: drawing uses no system font, no clock and no randomness, and tiny-skia is built
//! without its SIMD paths, whose approximations differ between processors. Nothing here changes or judges a fight.

mod camera;
mod canvas;
mod capture;
mod fairness;
mod filmstrip;
mod heat;
mod letters;
mod palette;
mod panel;
mod png;
mod snapshot;
mod stage;

pub use capture::{Capture, Captures, HEIGHT, WIDTH, captures};
pub use fairness::fairness_map;
pub use filmstrip::filmstrip;
pub use heat::{Heat, heat_map};

/// Why no picture could be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The picture would have no pixels, or more than memory can hold.
    #[error("a picture of {width} x {height} pixels cannot be drawn; ask for fewer or more frames")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
}
