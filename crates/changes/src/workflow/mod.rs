//! The verification of one change: a graph given to the machine, and everything that reads its run.
//!
//! - [`brief`] says what is verified, [`graph`] what bounds it, [`perform`] carries out what the machine plans.
//! - [`status`] reads where a change stands, [`words`] makes what people say into words for the inbox.
//! - [`view`] gathers a run's facts; [`document`] and [`evidence`] are projections of it, [`compare`] sets two of them
//!   side by side.

pub mod agents;
pub mod brief;
pub mod change;
pub mod compare;
pub mod document;
mod engine_runs;
pub mod evidence;
pub mod graph;
mod intake;
mod notes;
pub mod perform;
pub mod reading;
pub mod report;
mod review;
pub mod rules;
pub mod state;
pub mod status;
pub mod study;
mod validation;
pub mod view;
pub mod words;
