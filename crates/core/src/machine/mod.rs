//! The machine: a run's state as a fold of facts, and what may happen next.
//!
//! ```text
//!            facts                     Next
//!   journal ───────► apply ─► Run ─► next ─► record   (facts that follow by themselves)
//!      ▲                                     perform  (effects that may start now)
//!      │                                     awaiting (people who were asked)
//!      └──────────── host ◄──────────────────┘
//! ```
//!
//! [`Run::apply`] is the only way state changes, and every fact is checked against what the state allows.
//! [`Run::next`] is a function of the state alone, so a replayed run goes on exactly as the live one would.

mod close;
mod effects;
mod error;
mod looping;
mod node;
mod order;
mod people;
mod plan;
mod reopen;
mod run;
mod schedule;

pub use close::Closing;
pub use error::IllegalTransition;
pub use looping::LoopView;
pub use order::{Context, Order};
pub use plan::{Planned, Refusal};
pub use run::{Next, NodeStatus, Run};
