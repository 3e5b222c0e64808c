//! Several processes and one journal: locks, a killed writer, writers side by side, too little room.

use std::process::Stdio;
use std::time::Duration;

use loopwright_sqlite::{Options, SqliteJournal};

use crate::support::{Said, child, fact, fill, open, run, text};
use loopwright_runtime::journal::{Head, Journal, JournalError};

#[test]
fn two_processes_cannot_drive_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    for name in ["one", "two"] {
        journal.create(&run(name), 1).unwrap();
    }
    let mut holder = child("hold", folder.path()).spawn().unwrap();
    let mut said = Said::by(&mut holder);
    assert_eq!(said.next().as_deref(), Some("held"));

    assert!(matches!(journal.lock(&run("one")), Err(JournalError::Locked { .. })));
    journal.lock(&run("two")).unwrap();
    // A person may speak to a run that is being driven.
    journal.post(&run("one"), b"word").unwrap();
    assert_eq!(journal.words(&run("one")).unwrap().len(), 1);

    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    let held = journal.lock(&run("one")).unwrap();
    // And the other way round: the child is the one who is refused.
    let mut refused = child("hold", folder.path()).stderr(Stdio::null()).spawn().unwrap();
    assert_eq!(Said::by(&mut refused).next(), None);
    assert!(!refused.wait().unwrap().success());
    drop(held);
    assert!(folder.path().join("locks/one.lock").exists());
}

#[test]
fn a_killed_writer_loses_nothing_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    // The journal stays closed here while the child writes, so that the child's log is all there is.
    drop(open(folder.path()));
    let names: Vec<_> = (0..5).map(|round| format!("round-{round}")).collect();
    for (round, name) in names.iter().enumerate() {
        open(folder.path()).create(&run(name), 1).unwrap();
        let mut writer = child("append", folder.path()).spawn().unwrap();
        let mut said = Said::by(&mut writer);
        for _ in 0..10 + 13 * round {
            said.next().unwrap();
        }
        writer.kill().unwrap();
        // What it had said before it died is still in the pipe.
        let acknowledged: u64 = said.last().map_or(10 + 13 * round as u64, |length| length.parse().unwrap_or(0));
        assert!(!writer.wait().unwrap().success());

        let journal = open(folder.path());
        let stored = journal.read(&run(name)).unwrap();
        let found = stored.facts.len() as u64;
        assert!(found >= acknowledged, "{found} facts of {acknowledged} acknowledged");
        assert_eq!(stored.facts, (0..found).map(fact).collect::<Vec<_>>());
        // The operating system gave the run back.
        let _held = journal.lock(&run(name)).unwrap();
        fill(&journal, &run(name), stored.head, found + 1);
    }
}

#[test]
fn processes_append_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    let names = ["one", "two"];
    for name in names {
        journal.create(&run(name), 1).unwrap();
    }
    let mut writer = child("fill", folder.path()).spawn().unwrap();
    fill(&journal, &run("one"), Head::EMPTY, 60);
    assert_eq!(Said::by(&mut writer).collect::<Vec<_>>(), ["filled"]);
    assert!(writer.wait().unwrap().success());
    for name in names {
        assert_eq!(journal.read(&run(name)).unwrap().facts, (0..60).map(fact).collect::<Vec<_>>());
    }
}

#[test]
fn a_writer_that_does_not_end_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { busy_timeout: Duration::from_millis(1), ..Options::default() };
    let journal = SqliteJournal::open(folder.path(), &options).unwrap();
    journal.create(&run("one"), 1).unwrap();
    let other = rusqlite::Connection::open(folder.path().join("loopwright.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = text(&journal.append(&run("one"), Head::EMPTY, &[fact(0)], &[]).unwrap_err());
    assert!(error.contains("cannot append to") && error.contains("another process is writing"), "{error}");
    // Reading does not wait for writers.
    assert_eq!(journal.read(&run("one")).unwrap().head, Head::EMPTY);
    other.execute_batch("ROLLBACK").unwrap();
    fill(&journal, &run("one"), Head::EMPTY, 1);
}

/// A limit on file sizes stands for a disk that the operating system refuses to write to.
#[cfg(unix)]
#[test]
fn a_refused_write_is_named_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    crate::support::filled(folder.path(), "one", 5);
    let mut shell = std::process::Command::new("sh");
    // 256 blocks of 512 bytes; without the trap the limit would kill instead of failing the write.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$@\"", "sh"]).arg(std::env::current_exe().unwrap());
    let mut limited = crate::support::again(shell, "overfill", folder.path()).spawn().unwrap();
    let error = Said::by(&mut limited).collect::<String>();
    assert!(limited.wait().unwrap().success());
    assert!(error.contains("cannot append to") && error.contains("the operating system refused"), "{error}");

    let journal = open(folder.path());
    let stored = journal.read(&run("one")).unwrap();
    assert!(stored.head.length >= 5);
    let length = stored.head.length + 3;
    fill(&journal, &run("one"), stored.head, length);
    assert_eq!(journal.read(&run("one")).unwrap().facts, (0..length).map(fact).collect::<Vec<_>>());
}
