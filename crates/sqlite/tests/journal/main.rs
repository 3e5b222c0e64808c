//! The SQLite journal from outside: one program, so that it can start itself again as another process.

#![expect(clippy::unwrap_used, clippy::panic, reason = "this is test code")]

mod child;
mod contract;
mod damage;
mod opening;
mod processes;
#[cfg(unix)]
mod reading;
mod sessions;
mod support;
