//! Several processes and one journal: locks, a killed writer, writers side by side, too little room.

#[expect(dead_code, reason = "each test program uses its part of the support")]
mod support;

use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use loopwright_runtime::journal::{Head, Journal, JournalError};
use loopwright_sqlite::{Options, SqliteJournal};
use support::{PLACE, ROLE, Said, child as start, fact, fill, open, run, say, text};

/// Not a test of its own: what this program does when another test starts it again with a role.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let place = std::env::var_os(PLACE).unwrap();
    let journal = SqliteJournal::open_existing(Path::new(&place), &Options::default()).unwrap();
    match role.split_once(' ') {
        // Drives a run until the parent closes the pipe.
        Some(("hold", name)) => {
            let held = journal.lock(&run(name)).unwrap();
            say("held");
            std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
            drop(held);
        }
        // Appends until it is killed, or long after that should have happened.
        Some(("append", name)) => {
            let _held = journal.lock(&run(name)).unwrap();
            let mut head = Head::EMPTY;
            while head.length < 100_000 {
                head = fill(&journal, &run(name), head, head.length + 1);
                say(&head.length.to_string());
            }
        }
        Some(("fill", name)) => {
            fill(&journal, &run(name), Head::EMPTY, 60);
            say("filled");
        }
        // Appends facts until it cannot, and says why.
        Some(("overfill", name)) => {
            let mut head = journal.read(&run(name)).unwrap().head;
            while head.length < 5_000 {
                match journal.append(&run(name), head, &[fact(head.length)], &[]) {
                    Ok(next) => head = next,
                    Err(error) => {
                        say(&text(&error));
                        assert_eq!(journal.read(&run(name)).unwrap().head, head);
                        return;
                    }
                }
            }
            say("never full");
        }
        _ => panic!("no such role: {role}"),
    }
}

#[test]
fn two_processes_cannot_drive_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    for name in ["one", "two"] {
        journal.create(&run(name), 1).unwrap();
    }
    let mut holder = start("hold one", folder.path()).spawn().unwrap();
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
    let mut refused = start("hold one", folder.path()).stderr(Stdio::null()).spawn().unwrap();
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
        let mut writer = start(&format!("append {name}"), folder.path()).spawn().unwrap();
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
    let names = ["one", "two", "three"];
    for name in names {
        journal.create(&run(name), 1).unwrap();
    }
    let writers: Vec<_> =
        names[1..].iter().map(|name| start(&format!("fill {name}"), folder.path()).spawn().unwrap()).collect();
    fill(&journal, &run("one"), Head::EMPTY, 60);
    for mut writer in writers {
        assert_eq!(Said::by(&mut writer).next().as_deref(), Some("filled"));
        assert!(writer.wait().unwrap().success());
    }
    for name in names {
        assert_eq!(journal.read(&run(name)).unwrap().facts, (0..60).map(fact).collect::<Vec<_>>());
    }
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;
    use crate::support::again;

    /// A limit on file sizes stands for a disk that the operating system refuses to write to.
    #[test]
    fn a_refused_write_is_named_and_harms_nothing() {
        let folder = tempfile::tempdir().unwrap();
        support::filled(folder.path(), "one", 5);
        let mut shell = Command::new("sh");
        // 256 blocks of 512 bytes; without the trap the limit would kill instead of failing the write.
        shell.args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$@\"", "sh"]).arg(std::env::current_exe().unwrap());
        let mut limited = again(shell, "overfill one", folder.path()).spawn().unwrap();
        let error = Said::by(&mut limited).next().unwrap();
        assert!(limited.wait().unwrap().success());
        assert!(error.contains("cannot append to") && error.contains("the operating system refused"), "{error}");

        let journal = open(folder.path());
        let stored = journal.read(&run("one")).unwrap();
        assert!(stored.head.length >= 5);
        let length = stored.head.length + 3;
        fill(&journal, &run("one"), stored.head, length);
        assert_eq!(journal.read(&run("one")).unwrap().facts, (0..length).map(fact).collect::<Vec<_>>());
    }

}
