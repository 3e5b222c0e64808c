//! The intake against the bullet-hell pack, as its callers use it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a test that fails")]

mod examples;
mod hostile;
mod packs;
mod readings;
mod support;
