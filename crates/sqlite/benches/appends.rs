//! Measures appends of one fact of about 500 bytes, each a transaction of its own, and reading them back.
//!
//! Run with `cargo bench -p loopwright-sqlite`; the database is made below `TMPDIR`, so name the disk to measure there.

#![expect(clippy::unwrap_used, reason = "a benchmark may stop at the first failure")]

use std::time::Instant;

use loopwright_runtime::journal::{Head, Journal, RunId};
use loopwright_sqlite::{Options, SqliteJournal, Synchronous};

const APPENDS: u32 = 5_000;

fn main() {
    let fact = format!("{{\"filler\":\"{}\"}}", "x".repeat(487)).into_bytes();
    for synchronous in [Synchronous::Full, Synchronous::Normal] {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { synchronous, ..Options::default() };
        let started = Instant::now();
        let journal = SqliteJournal::open(folder.path(), &options).unwrap();
        let opening = started.elapsed();
        let run = RunId::new("bench").unwrap();
        journal.create(&run, 0).unwrap();

        let started = Instant::now();
        let mut head = Head::EMPTY;
        for _ in 0..APPENDS {
            head = journal.append(&run, head, std::slice::from_ref(&fact), &[]).unwrap();
        }
        let appending = started.elapsed();

        let started = Instant::now();
        let stored = journal.read(&run).unwrap();
        let reading = started.elapsed();
        assert_eq!(stored.head, head);

        println!(
            "{synchronous:?}: {:.0} appends/s ({:.1?} each, {} bytes), {:.0} facts/s read, {opening:.1?} to create",
            f64::from(APPENDS) / appending.as_secs_f64(),
            appending / APPENDS,
            fact.len(),
            f64::from(APPENDS) / reading.as_secs_f64(),
        );
    }
}
