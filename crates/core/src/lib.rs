//! The pure heart of Loopwright: what bounds a loop, and the machine that keeps it inside.
//!
//! Nothing here reads a clock, a file, a socket or the environment; nothing here is random or asynchronous.
//!
//! - [`contract`] and [`graph`] say what may happen, [`fact`] what did, [`machine`] what may happen next.
//! - [`budget`], [`authority`], [`stop`], [`decision`], [`evaluation`] and [`outcome`] are the words they use.
//! - [`json`] is how values cross the core.

pub mod authority;
pub mod budget;
pub mod contract;
pub mod decision;
pub mod evaluation;
pub mod fact;
pub mod graph;
pub mod ids;
pub mod json;
pub mod machine;
pub mod outcome;
pub mod stop;
