//! Drives the pure machine: keeps its facts in a journal, performs what it plans, carries people's words to it.
//!
//! Domain code does not live here, and neither does any database.
//!
//! - [`journal`] and [`artifacts`] are the ports for storage, [`perform`] the port for effects.
//! - [`history`] reads a run back and checks its chain; [`session`] drives one; [`word`] is what people say to it.

pub mod artifacts;
pub mod clock;
pub mod history;
pub mod journal;
pub mod perform;
mod record;
pub mod session;
pub mod word;
