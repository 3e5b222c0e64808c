//! What the crate promises, seen from outside.

mod browser;
mod model;
mod page;
mod support;
mod texts;
mod words;
