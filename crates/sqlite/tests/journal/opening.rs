//! What is no journal is refused with a place and a reason, and stays as it was.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use crate::support::{fact, filled, run, text};
use loopwright_core::json::Digest;
use loopwright_runtime::journal::{Head, Journal, JournalError};
use loopwright_sqlite::{Options, SqliteJournal};
use rusqlite::Connection;

fn database(place: &Path) -> std::path::PathBuf {
    place.join("loopwright.db")
}

/// Every file below a folder with the digest of its bytes; SQLite's shared index is scratch and left out.
fn contents(place: &Path) -> Vec<(String, Digest)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(place).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            found.extend(contents(&path));
        } else if !name.ends_with("-shm") {
            found.push((name, Digest::of(&fs::read(&path).unwrap())));
        }
    }
    found.sort();
    found
}

#[test]
fn what_is_no_journal_is_refused_and_kept() {
    type Case = (&'static str, fn(&Path), &'static [&'static str]);
    let cases: [Case; 8] = [
        (
            "text",
            |place| fs::write(database(place), "some notes\n".repeat(900)).unwrap(),
            &["damaged", "not a database"],
        ),
        ("short text", |place| fs::write(database(place), "notes").unwrap(), &["damaged", "not a database"]),
        ("an empty file", |place| fs::write(database(place), "").unwrap(), &["damaged", "empty"]),
        ("a folder in its place", |place| fs::create_dir(database(place)).unwrap(), &["cannot open", "not a file"]),
        (
            "another program's database",
            |place| {
                let other = Connection::open(database(place)).unwrap();
                other.execute_batch("CREATE TABLE runs (id TEXT); INSERT INTO runs VALUES ('theirs')").unwrap();
            },
            &["cannot open", "another program's database"],
        ),
        (
            "another program's database with a log",
            |place| {
                let other = Connection::open(database(place)).unwrap();
                let keep = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
                other.set_db_config(keep, true).unwrap();
                other.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
                other.execute_batch("PRAGMA application_id = 7; CREATE TABLE t (x)").unwrap();
            },
            &["cannot open", "another program's database", "0x00000007"],
        ),
        (
            "a newer format",
            |place| {
                filled(place, "one", 1);
                fs::remove_file(place.join("locks/_creation.lock")).unwrap();
                Connection::open(database(place)).unwrap().pragma_update(None, "user_version", 2).unwrap();
            },
            &["cannot open", "format 2", "reads 1", "newer version"],
        ),
        (
            "a log without its database",
            |place| fs::write(place.join("loopwright.db-wal"), "pages").unwrap(),
            &["damaged", "gone", "log"],
        ),
    ];
    for (name, make, words) in cases {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("locks")).unwrap();
        make(folder.path());
        let before = contents(folder.path());
        for open in [SqliteJournal::open, SqliteJournal::open_existing] {
            let error = text(&open(folder.path(), &Options::default()).expect_err(name));
            assert!(error.contains("loopwright.db"), "{name} has no place: {error}");
            for word in words {
                assert!(error.contains(word), "{name} lacks {word:?}: {error}");
            }
            // The guard of creation may appear, and nothing else.
            let guard = |name: &str| name.ends_with("_creation.lock");
            let after: Vec<_> = contents(folder.path()).into_iter().filter(|(name, _)| !guard(name)).collect();
            assert_eq!(after, before, "{name} was changed");
        }
    }
}

#[test]
fn a_file_is_no_data_directory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    for open in [SqliteJournal::open, SqliteJournal::open_existing] {
        let error = text(&open(&file, &Options::default()).unwrap_err());
        assert_eq!(error, format!("cannot open {}: it is a file: name a folder as the data directory", file.display()));
        let below = open(&file.join("below"), &Options::default()).unwrap_err();
        assert!(matches!(below, JournalError::Storage { .. }), "{below}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn reading_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("nowhere");
    let error = text(&SqliteJournal::open_existing(&place, &Options::default()).unwrap_err());
    assert!(error.contains("there is no journal here"), "{error}");
    assert!(!place.exists());
}

#[test]
fn many_may_make_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a", "b", "c", "d"];
    let start = Barrier::new(names.len());
    thread::scope(|scope| {
        for name in names {
            let (start, place) = (&start, folder.path());
            scope.spawn(move || {
                start.wait();
                filled(place, name, 2);
            });
        }
    });
    assert_eq!(crate::support::open(folder.path()).runs().unwrap().len(), names.len());
    assert!(!folder.path().join("loopwright.db.new").exists());
}

#[test]
fn a_leftover_of_an_interrupted_creation_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("loopwright.db.new"), "half").unwrap();
    fs::write(folder.path().join("loopwright.db.new-journal"), "half").unwrap();
    filled(folder.path(), "one", 1);
    let names: Vec<_> = contents(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert!(!names.iter().any(|name| name.contains(".new")), "{names:?}");
}

#[test]
fn a_full_file_keeps_what_it_has_and_goes_on_when_there_is_space() {
    let folder = tempfile::tempdir().unwrap();
    let small = Options { max_pages: Some(12), ..Options::default() };
    let one = run("one");
    let mut head = Head::EMPTY;
    {
        let journal = SqliteJournal::open(folder.path(), &small).unwrap();
        journal.create(&one, 1).unwrap();
        let error = loop {
            assert!(head.length < 1000, "the file never filled");
            match journal.append(&one, head, &[fact(head.length)], &[]) {
                Ok(next) => head = next,
                Err(error) => break text(&error),
            }
        };
        assert!(error.contains("cannot append to") && error.contains("the disk is full"), "{error}");
        assert!(head.length > 0);
        assert_eq!(journal.read(&one).unwrap().head, head);
    }
    let journal = crate::support::open(folder.path());
    let head = crate::support::fill(&journal, &one, head, head.length + 5);
    let stored = journal.read(&one).unwrap();
    assert_eq!(stored.head, head);
    assert_eq!(stored.facts, (0..head.length).map(fact).collect::<Vec<_>>());
}

#[test]
fn a_disk_too_full_to_begin_leaves_nothing_half_made() {
    let folder = tempfile::tempdir().unwrap();
    let tiny = Options { max_pages: Some(2), ..Options::default() };
    let error = text(&SqliteJournal::open(folder.path(), &tiny).unwrap_err());
    assert!(error.contains("cannot create") && error.contains("the disk is full"), "{error}");
    assert_eq!(contents(folder.path()).len(), 1, "only the guard of creation is left");
    filled(folder.path(), "one", 1);
}
