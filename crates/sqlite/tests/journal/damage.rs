//! Damage is named with its run and fact, or with the file, and nothing is overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{fact, filled, run};
use loopwright_core::json::Digest;
use loopwright_runtime::journal::{Journal, JournalError};
use loopwright_sqlite::{Options, SqliteJournal};
use rusqlite::Connection;

const FACTS: u64 = 40;

fn journal_file(place: &Path) -> PathBuf {
    place.join("loopwright.db")
}

fn damage_of(place: &Path) -> (String, u64, String) {
    let read = SqliteJournal::open_existing(place, &Options::default()).and_then(|journal| journal.read(&run("one")));
    match read.unwrap_err() {
        JournalError::Damaged { run, fact, reason } => (run, fact, reason),
        other => panic!("no damage but {other:?}"),
    }
}

#[test]
fn changed_rows_are_named() {
    let forged = format!("UPDATE facts SET bytes = x'31', digest = '{}' WHERE sequence = 40", Digest::of(b"1"));
    let cases = [
        ("DELETE FROM facts WHERE sequence = 1", 1, "missing"),
        ("DELETE FROM facts WHERE sequence = 17", 17, "missing"),
        ("DELETE FROM facts WHERE sequence >= 39", 39, "the tail is cut: 40 facts were stored and 38 are there"),
        ("DELETE FROM facts", 1, "the tail is cut"),
        ("UPDATE facts SET bytes = x'00' WHERE sequence = 5", 5, "not those that were stored"),
        ("UPDATE facts SET digest = upper(digest) WHERE sequence = 6", 6, "not those that were stored"),
        ("UPDATE facts SET sequence = -1 WHERE sequence = 3", 1, "missing"),
        ("UPDATE runs SET length = 39", 40, "there are 40 facts where 39 were stored"),
        ("UPDATE runs SET digest = 'nonsense'", 40, "unreadable"),
        (forged.as_str(), 40, "not the one remembered as the last"),
    ];
    for (change, fact, words) in cases {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path(), "one", FACTS);
        Connection::open(journal_file(folder.path())).unwrap().execute_batch(change).unwrap();
        let found = damage_of(folder.path());
        assert_eq!((found.0.as_str(), found.1), ("one", fact), "{change}: {}", found.2);
        assert!(found.2.contains(words), "{change}: {}", found.2);
    }
}

#[test]
fn a_flipped_bit_in_the_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", FACTS);
    let file = journal_file(folder.path());
    let mut bytes = fs::read(&file).unwrap();
    let wanted = fact(23);
    let at = bytes.windows(wanted.len()).position(|window| window == wanted).unwrap();
    bytes[at + 100] ^= 4;
    fs::write(&file, &bytes).unwrap();
    let (run, fact, _) = damage_of(folder.path());
    // Facts are counted from 1, and this one says that it is number 23 counted from 0.
    assert_eq!((run.as_str(), fact), ("one", 24));
    assert_eq!(fs::read(&file).unwrap(), bytes, "nothing is repaired");
}

/// Flips one bit of every 61st byte of the file, one at a time: what is read is either what was written, or an error.
#[test]
fn no_flipped_bit_changes_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", 12);
    let file = journal_file(folder.path());
    let whole = fs::read(&file).unwrap();
    let written: Vec<_> = (0..12).map(fact).collect();
    let mut noticed = 0;
    for at in (0..whole.len()).step_by(61) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, &bytes).unwrap();
        let opened = SqliteJournal::open_existing(folder.path(), &Options::default());
        match opened.and_then(|journal| journal.read(&run("one"))) {
            Ok(stored) => assert_eq!(stored.facts, written, "byte {at}"),
            Err(JournalError::Damaged { .. } | JournalError::UnknownRun { .. } | JournalError::Storage { .. }) => {
                noticed += 1;
            }
            Err(other) => panic!("byte {at}: {other:?}"),
        }
    }
    assert!(noticed > 100, "only {noticed} were noticed");
}

#[test]
fn a_cut_or_garbled_file_is_named() {
    type Case = (&'static str, fn(&mut Vec<u8>));
    let cases: [Case; 5] = [
        ("half", |bytes| bytes.truncate(bytes.len() / 2)),
        ("the last page", |bytes| bytes.truncate(bytes.len() - 4096)),
        ("all but a header", |bytes| bytes.truncate(100)),
        ("garbage in the pages", |bytes| bytes[4096..].fill(0xa5)),
        ("garbage in the header", |bytes| bytes[..64].fill(0xa5)),
    ];
    for (name, harm) in cases {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path(), "one", FACTS);
        let file = journal_file(folder.path());
        let mut bytes = fs::read(&file).unwrap();
        harm(&mut bytes);
        fs::write(&file, &bytes).unwrap();
        let (place, fact, reason) = damage_of(folder.path());
        assert_eq!((place, fact), (file.display().to_string(), 1), "{name}: {reason}");
        assert_eq!(fs::read(&file).unwrap(), bytes, "{name}: nothing is repaired");
    }
}

/// The missing rest of a page reads as zeros, so what shows is the fact whose bytes were there.
#[test]
fn a_cut_inside_a_page_is_named_by_its_fact() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", FACTS);
    let file = journal_file(folder.path());
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 100);
    fs::write(&file, &bytes).unwrap();
    let (run, fact, reason) = damage_of(folder.path());
    assert_eq!((run.as_str(), reason.as_str()), ("one", "its bytes are not those that were stored"));
    assert!((1..=FACTS).contains(&fact));
    assert_eq!(fs::read(&file).unwrap(), bytes, "nothing is repaired");
}

#[test]
fn a_database_without_its_tables_is_named_without_its_sql() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", 1);
    let connection = Connection::open(journal_file(folder.path())).unwrap();
    connection.execute_batch("DROP TABLE words; DROP TABLE facts; DROP TABLE runs").unwrap();
    drop(connection);
    let (_, _, reason) = damage_of(folder.path());
    assert!(reason.contains("tables") && !reason.contains("SELECT"), "{reason}");
}
