//! The embedded journal: every run's facts, a person's words and the run index in one SQLite file.
//!
//! A data directory holds `loopwright.db` (with SQLite's own `-wal` and `-shm` beside it while it is in use) and
//! `locks/`, one lock file per run. Everything SQLite knows stays in this crate: no SQL and no SQLite type leaves it,
//! and bytes are stored as they came, never interpreted.
//!
//! - `options`: what a caller may choose
//! - `folder`: the data directory and its paths
//! - `creation`: the making of a new database, all at once or not at all
//! - `connection`: opening a database that is there and refusing what is no journal
//! - `statements`: the SQL of each call, and the checks that notice damage
//! - `writer`: the one thread that owns the connection
//! - `lock`: the right to drive a run, across processes
//! - `reason`: why something failed, in words of this crate
//! - `journal`: the port's implementation, which joins these
//!
//! # What is noticed
//!
//! Each fact is stored with the SHA-256 of its bytes, and each run remembers its head (how many facts, digest of the
//! last) apart from them. [`read`](loopwright_runtime::journal::Journal::read) compares both, so a flipped bit, a
//! missing fact and a cut tail are named. Damage that SQLite itself finds names the file. Nothing is ever repaired or
//! overwritten. One thing cannot be noticed from inside the file: while facts wait in the `-wal` file after a crash,
//! SQLite takes a broken page there for the end of the log, and facts and head then both end before it.

mod connection;
mod creation;
mod folder;
mod journal;
mod lock;
mod options;
mod reason;
mod statements;
mod writer;

pub use journal::SqliteJournal;
pub use options::{Options, Synchronous};
pub use reason::Reason;
