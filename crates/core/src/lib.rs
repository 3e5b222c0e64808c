//! The pure heart of Loopwright: what bounds a loop, and the machine that keeps it inside.
//!
//! Nothing here reads a clock, a file, a socket or the environment; nothing here is random or asynchronous.

pub mod json;
