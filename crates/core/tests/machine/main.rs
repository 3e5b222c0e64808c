//! The machine, exercised through its public face: facts in, next steps out.

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
mod stop_rules;
mod wild;
