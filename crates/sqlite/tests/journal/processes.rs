//! Several processes and one journal: locks, a killed writer, writers side by side, too little room.

#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use loopwright_sqlite::{Options, SqliteJournal};

#[cfg(unix)]
use crate::support::again;
use crate::support::{Said, child, fact, fill, filled, open, run, text};
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

/// A child whose files may not grow past a number of blocks, which stands for a disk that cannot be written to.
#[cfg(unix)]
fn with_small_files(blocks: u32, role: &str, place: &Path) -> Command {
    let mut shell = Command::new("sh");
    // Without the trap the limit would kill instead of failing the write.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    shell.args(["-c", &script, "sh"]).arg(std::env::current_exe().unwrap());
    again(shell, role, place)
}

#[cfg(unix)]
#[test]
fn a_refused_write_is_named_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", 5);
    let mut limited = with_small_files(256, "overfill", folder.path()).spawn().unwrap();
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

/// Not even SQLite's shared index has room here, so that nothing but reading is left.
#[cfg(unix)]
#[test]
fn a_journal_on_a_full_disk_is_read() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", 5);
    let said = |role| {
        let mut limited = with_small_files(8, role, folder.path()).spawn().unwrap();
        let said: Vec<_> = Said::by(&mut limited).collect();
        assert!(limited.wait().unwrap().success());
        said
    };
    let read = said("read");
    assert_eq!(read[0], "5 facts");
    assert!(read[1].contains("cannot append to") && read[1].contains("read-only or full"), "{read:?}");
    let refused = said("open").concat();
    assert!(refused.contains("cannot open") && refused.contains("the disk is full"), "{refused}");
    // With room again, all is as before.
    let journal = open(folder.path());
    let head = journal.read(&run("one")).unwrap().head;
    fill(&journal, &run("one"), head, 7);
}
