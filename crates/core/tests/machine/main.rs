//! The machine, exercised through its public face: facts in, next steps out.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is how a failure is told")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests about purity and about stored journals read files; core itself may not"
)]

mod bounded_loop;
mod claims;
mod driver;
mod facts;
mod golden;
mod graphs;
mod host;
mod hostile;
mod lost;
mod people;
mod purity;
mod reopening;
mod retry_limit;
mod script;
mod sharing;
mod stop_rules;
mod wild;
mod wrapping_up;
