//! The flagship pack at work: its files, the layers, the checks, the repairs, and the published case on the simulator.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what the tests share may fail as the tests themselves do")]

mod agents;
mod fixtures;
mod invariants;
mod judgement;
mod layers;
mod pack;
mod repairs;
mod words;
mod worked_case;
