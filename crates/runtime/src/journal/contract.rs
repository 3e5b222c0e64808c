//! What every journal must do, as one suite: an implementation's test calls [`check`] with a fresh journal.

#![expect(clippy::unwrap_used, reason = "this is test code, compiled only for tests")]

use super::{Head, Journal, JournalError, RunId};

/// Runs the whole suite; panics with the broken rule.
pub fn check(journal: &dyn Journal) {
    appends_in_order(journal);
    words_wait_until_taken(journal);
    one_driver_at_a_time(journal);
    the_index_lists_runs(journal);
    unknown_runs_are_named(journal);
}

fn run(name: &str) -> RunId {
    RunId::new(name).unwrap()
}

fn appends_in_order(journal: &dyn Journal) {
    let run = run("appends");
    journal.create(&run, 1).unwrap();
    assert!(matches!(journal.create(&run, 1), Err(JournalError::RunExists { .. })));
    let first = journal.append(&run, Head::EMPTY, &[b"one".to_vec(), b"two".to_vec()], &[]).unwrap();
    assert_eq!(first, Head::EMPTY.after(&[b"one".to_vec(), b"two".to_vec()]));
    let stale = journal.append(&run, Head::EMPTY, &[b"lost".to_vec()], &[]);
    assert!(matches!(stale, Err(JournalError::Moved { expected: 0, found: 2, .. })));
    let second = journal.append(&run, first, &[vec![0, 255]], &[]).unwrap();
    let stored = journal.read(&run).unwrap();
    assert_eq!(stored.facts, vec![b"one".to_vec(), b"two".to_vec(), vec![0, 255]]);
    assert_eq!(stored.head, second);
}

fn words_wait_until_taken(journal: &dyn Journal) {
    let run = run("words");
    journal.create(&run, 2).unwrap();
    let yes = journal.post(&run, b"yes").unwrap();
    let no = journal.post(&run, b"no").unwrap();
    assert!(no > yes);
    // A refused append takes no word.
    let moved = Head { length: 7, ..Head::EMPTY };
    assert!(journal.append(&run, moved, &[b"fact".to_vec()], &[yes]).is_err());
    assert_eq!(journal.words(&run).unwrap().len(), 2);
    journal.append(&run, Head::EMPTY, &[b"fact".to_vec()], &[yes]).unwrap();
    let left = journal.words(&run).unwrap();
    assert_eq!(left.iter().map(|word| (word.id, word.bytes.as_slice())).collect::<Vec<_>>(), [(no, b"no".as_slice())]);
}

fn one_driver_at_a_time(journal: &dyn Journal) {
    let run = run("locks");
    journal.create(&run, 3).unwrap();
    let held = journal.lock(&run).unwrap();
    assert!(matches!(journal.lock(&run), Err(JournalError::Locked { .. })));
    drop(held);
    journal.lock(&run).unwrap();
}

fn the_index_lists_runs(journal: &dyn Journal) {
    let run = run("index");
    journal.create(&run, 4).unwrap();
    let head = journal.append(&run, Head::EMPTY, &[b"fact".to_vec()], &[]).unwrap();
    journal.summarise(&run, 1, b"first").unwrap();
    journal.summarise(&run, 1, b"second").unwrap();
    let entries = journal.runs().unwrap();
    let entry = entries.iter().find(|entry| entry.run == run).unwrap();
    assert_eq!((entry.created_at_ms, entry.head), (4, head));
    assert_eq!(entry.summary, Some((1, b"second".to_vec())));
    let order: Vec<_> = entries.iter().map(|entry| entry.created_at_ms).collect();
    assert!(order.is_sorted(), "runs are listed oldest first: {order:?}");
}

fn unknown_runs_are_named(journal: &dyn Journal) {
    let run = run("nowhere");
    assert!(matches!(journal.read(&run), Err(JournalError::UnknownRun { .. })));
    assert!(matches!(journal.post(&run, b"word"), Err(JournalError::UnknownRun { .. })));
    assert!(matches!(journal.append(&run, Head::EMPTY, &[], &[]), Err(JournalError::UnknownRun { .. })));
    assert!(matches!(journal.lock(&run), Err(JournalError::UnknownRun { .. })));
}
