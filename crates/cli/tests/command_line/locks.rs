//! Two processes and one run: only one may drive it, and a word said meanwhile is not lost.

use std::process::Stdio;

use loopwright_runtime::journal::{Journal, RunId};
use loopwright_sqlite::{Options, SqliteJournal};

use crate::support::Place;

#[test]
fn two_processes_cannot_drive_one_run() {
    let place = Place::new();
    let run = place.begin(3, &["phase 2 two-way"]);
    place.run(&["authorize", &run, "--actor", "ann"]).ends(0);
    let journal = SqliteJournal::open(&place.data(), &Options::default()).unwrap();
    let lock = journal.lock(&RunId::new(run.as_str()).unwrap()).unwrap();
    let facts = place.run(&["trace", &run]).ends(0).out;
    place.run(&["resume", &run]).ends(2).says("another process");
    assert_eq!(place.run(&["trace", &run]).ends(0).out, facts);
    // Other runs, and readers, are not held up.
    place.begin(0, &["phase 2 two-way", "--authorize", "ann"]);
    assert_eq!(place.status(&run), "authorized");
    drop(lock);
    place.run(&["resume", &run]).ends(0);
    assert_eq!(place.status(&run), "evidence_ready");
}

/// The first of them makes the data directory; none of them may trip over its making.
#[test]
fn changes_begun_at_once_do_not_hinder_each_other() {
    let place = Place::new();
    let begin =
        || place.command(&["verify", "phase 2 two-way", "--authorize", "ann"]).stdout(Stdio::null()).spawn().unwrap();
    let children: Vec<_> = (0..4).map(|_| begin()).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let runs = place.json(0, &["runs"]);
    let runs = runs["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|run| run["status"] == "evidence_ready"), "{runs:?}");
}

#[test]
fn a_word_waits_for_whoever_drives_the_run() {
    let place = Place::new();
    let run = place.begin(3, &["phase 2 two-way"]);
    let journal = SqliteJournal::open(&place.data(), &Options::default()).unwrap();
    let lock = journal.lock(&RunId::new(run.as_str()).unwrap()).unwrap();
    place.run(&["authorize", &run, "--actor", "ann"]).ends(0).says("another process drives");
    assert_eq!(place.status(&run), "awaiting_authorization", "the word is in the inbox, not in the run");
    drop(lock);
    let document = place.json(0, &["resume", &run]);
    assert_eq!(document["status"], "evidence_ready");
    assert_eq!(document["authorization"]["actor"], "ann");
}

#[test]
fn of_two_words_the_first_counts() {
    let place = Place::new();
    let run = place.begin(3, &["phase 2 two-way"]);
    let journal = SqliteJournal::open(&place.data(), &Options::default()).unwrap();
    let lock = journal.lock(&RunId::new(run.as_str()).unwrap()).unwrap();
    place.run(&["cancel", &run, "--actor", "ann"]).ends(0);
    place.run(&["authorize", &run, "--actor", "bob"]).ends(0);
    drop(lock);
    let document = place.json(5, &["resume", &run]);
    assert_eq!(document["status"], "cancelled");
    assert_eq!(document["budget"]["engine_runs"]["used"], 0);
}
