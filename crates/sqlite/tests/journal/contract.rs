//! The journal keeps the port's contract, also when it is opened again and shared between threads.

use std::thread;

use crate::support::{fact, fill, open, run};
use loopwright_runtime::journal::{Head, Journal, contract};
use loopwright_sqlite::{Options, SqliteJournal, Synchronous};

#[test]
fn keeps_the_contract() {
    for synchronous in [Synchronous::Full, Synchronous::Normal] {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { synchronous, ..Options::default() };
        contract::check(&SqliteJournal::open(folder.path(), &options).unwrap());
    }
}

#[test]
fn everything_is_there_after_opening_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("made/on the way?#%41");
    let (head, word) = {
        let journal = open(&place);
        journal.create(&run("one"), 7).unwrap();
        let taken = journal.post(&run("one"), b"taken").unwrap();
        let word = journal.post(&run("one"), b"waiting").unwrap();
        let head = journal.append(&run("one"), Head::EMPTY, &[fact(0), Vec::new()], &[taken]).unwrap();
        journal.summarise(&run("one"), 1, b"summary").unwrap();
        (head, word)
    };
    for journal in [open(&place), SqliteJournal::open_existing(&place, &Options::default()).unwrap()] {
        let stored = journal.read(&run("one")).unwrap();
        assert_eq!((stored.facts, stored.head), (vec![fact(0), Vec::new()], head));
        let words: Vec<_> = journal.words(&run("one")).unwrap().into_iter().map(|word| word.id).collect();
        assert_eq!(words, [word]);
        let entries = journal.runs().unwrap();
        assert_eq!(entries[0].summary, Some((1, b"summary".to_vec())));
    }
}

#[test]
fn a_word_is_taken_by_its_own_run_only() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    journal.create(&run("one"), 1).unwrap();
    journal.create(&run("two"), 1).unwrap();
    let word = journal.post(&run("one"), b"word").unwrap();
    journal.append(&run("two"), Head::EMPTY, &[fact(0)], &[word]).unwrap();
    assert_eq!(journal.words(&run("one")).unwrap().len(), 1);
}

#[test]
fn threads_share_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    thread::scope(|scope| {
        for name in ["one", "two", "three"] {
            let journal = &journal;
            scope.spawn(move || {
                journal.create(&run(name), 1).unwrap();
                fill(journal, &run(name), Head::EMPTY, 30);
            });
        }
    });
    for entry in journal.runs().unwrap() {
        assert_eq!(journal.read(&entry.run).unwrap().facts.len(), 30);
    }
}
