//! The command line from outside: the real program, each test in a folder and a data directory of its own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "this is test code")]

mod bad_configs;
mod bad_places;
mod bad_words;
mod crash;
mod evidence;
mod exit_codes;
mod help;
mod json_documents;
mod languages;
mod locks;
mod run_commands;
mod shown;
mod support;
mod verify;
