//! Change packs and the verification of a change.
//!
//! A pack is data: what a config may hold, what may be changed by whom, how a run is judged, what may be tried when a
//! check fails. This crate reads packs and answers questions about a baseline, a candidate and an engine's telemetry.
//! It knows no word of any game: all names come from the pack, and a test greps for the flagship pack's.
//!
//! Everything but the loading of a pack's folder and the [`workflow`] is pure: the same input gives the same answer.

pub mod batch;
pub mod checks;
pub mod estimates;
pub mod goal;
pub mod intents;
pub mod judgement;
pub mod layers;
pub mod pack;
pub mod repairs;
pub mod score;
pub mod settings;
pub mod workflow;

pub use checks::{CheckResult, Status};
pub use goal::{Goal, Proposer};
pub use judgement::{Judgement, evaluate};
pub use layers::{Layer, LayerResult, contract_faults, validate};
pub use pack::{Pack, PackError, PackFault, PackFiles};
pub use repairs::{NoRepair, Reason, Repair, RepairChoice, apply_repair, choose_repair};
