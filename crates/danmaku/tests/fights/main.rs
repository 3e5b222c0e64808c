//! The simulator from outside: what it refuses, the published figures, and what holds of any fight.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "published figures are compared to the last digit")]

mod any_fight;
mod fair;
mod fixtures;
mod pictures;
mod players;
mod published;
mod refusals;
