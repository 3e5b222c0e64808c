//! Sessions driven from outside: scripted effects, journals that fail or were tampered with, people who talk in between.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod appends;
mod chain;
mod driving;
mod faults;
mod interrupts;
mod kills;
mod parallel;
mod record;
mod support;
mod words;
mod worlds;
