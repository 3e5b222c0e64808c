//! Engines: whatever runs a configuration and returns telemetry.
//!
//! - [`runner`] is the port; [`embedded`] runs the built-in simulator.
//! - [`remembered`] runs a baseline once and cites it afterwards.
//! - [`artifact`] and [`study`] are what an engine can bring beside its figures.
//! - [`telemetry`] turns an engine's raw figures into the normalised copy that checks read.
//!
//! Judging telemetry does not belong here, and neither does deciding whether an engine may run.

pub mod artifact;
pub mod embedded;
pub mod remembered;
pub mod runner;
#[cfg(feature = "testing")]
pub mod scripted;
pub mod study;
pub mod telemetry;
