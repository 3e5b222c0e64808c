//! Many runs at once and two runs side by side: the real program, each test in a folder of its own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "this is test code")]

mod against;
mod baselines;
mod compare;
mod help;
mod resuming;
mod summary;
mod support;
