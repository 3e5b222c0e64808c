//! Evidence made visible: a typed model of what a run has to show, and its renderings.
//!
//! The [`model`] knows kinds of evidence (facts, tables, limits, series, pictures, scenes, distributions, timelines)
//! and nothing about what they mean. Whoever ran something fills it, with every text in both languages; the
//! renderings turn it into a self-contained page ([`html`]), a comment under a change ([`markdown`]), a test report
//! ([`junit`]) or workflow commands ([`annotations`]). Nothing here reads a file, a clock or the network, and equal
//! models give equal bytes.

pub mod annotations;
mod difference;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod model;
pub mod numbers;
pub mod statistics;
mod words;

pub use loopwright_configs::{Lang, Text};
pub use model::{Block, Report};
