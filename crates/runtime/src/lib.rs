//! Drives the pure machine: keeps its facts in a journal, performs what it plans, carries people's words to it.
//!
//! Domain code does not live here, and neither does any storage but the one in memory.

pub mod journal;
