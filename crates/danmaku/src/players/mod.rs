//! Players beyond the one fixed path: whoever decides where the ship stands, and fights of many of them.
//!
//! - [`Pilot`] decides a player's position in each step; the fixed [`Trajectory`] is one;
//! - [`DodgingPlayer`] looks ahead and keeps away from bullets;
//! - [`profile_fights`] lets many seeded players fight, on any number of threads, with the same results.
//!
//! Results are raw: whoever judges them lives elsewhere.

mod dodging;
mod fights;
mod pilot;
mod random;

pub use crate::trajectory::Trajectory;
pub use dodging::{DECISION_STEPS, DodgingPlayer, HORIZON_SECONDS};
pub use fights::{PlayerKind, PlayerResult, profile_fights};
pub use pilot::{Pilot, View};
pub use random::{SplitMix64, nth};
