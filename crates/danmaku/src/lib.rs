//! A deterministic, headless simulator of one boss fight under the Bullet Hell 1.0 contract.
//!
//! ```text
//! FightConfig --> Fight::step ... step --> Telemetry
//!                     |
//!                     +--> Observer (spawns, removals, hits, phases, steps)
//! ```
//!
//! The same config and options give bit-identical telemetry on every run and platform. The crate reads no files and no
//! clock, its randomness is that of the seeds it is given, and it knows nothing of whoever runs it or judges its figures.
//!
//! - [`config`]: the contract's types, and what the simulator needs of their values;
//! - [`pattern`], [`trajectory`]: what the boss fires and where the player stands;
//! - [`fight`]: the fixed step; [`observer`], [`trace`]: what may be watched while it runs;
//! - [`players`]: players beyond the fixed path, and many of them; [`misses`]: how near bullets came;
//! - [`fairness`]: safe spots and walls; [`render`]: pictures of all this;
//! - [`profile`], [`telemetry`]: modelled frame times and the figures of a finished run.

mod bullets;
pub mod config;
pub mod fairness;
pub mod fight;
mod limits;
pub mod misses;
mod number;
pub mod observer;
pub mod pattern;
pub mod players;
pub mod profile;
pub mod render;
mod run;
pub mod telemetry;
pub mod trace;
pub mod trajectory;

pub use config::{ConfigError, FightConfig};
pub use fight::{Ending, Fight};
pub use observer::Observer;
pub use profile::{DeviceProfile, ProfileError};
pub use run::{DEFAULT_SEED, RunOptions, run, run_observed};
pub use telemetry::Telemetry;
pub use trace::Trace;

/// The simulator's version: results of one version can be compared bit by bit.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
