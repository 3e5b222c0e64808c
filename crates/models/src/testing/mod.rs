//! A fake model server, and the suite that every model passes, for tests of whoever asks a model.

#![expect(
    clippy::missing_panics_doc,
    clippy::expect_used,
    reason = "what is only for tests stops at the first surprise"
)]

pub mod contract;
pub mod reply;
pub mod server;
