//! What the crate promises, seen from outside.

#![expect(clippy::expect_used, reason = "what the tests share may fail as the tests themselves do")]

mod browser;
mod model;
mod page;
mod support;
mod texts;
mod words;
