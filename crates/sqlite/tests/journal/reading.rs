//! A data directory that this user may read and not write.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use loopwright_runtime::journal::{Head, Journal};

use crate::support::{Said, again, fill, filled, open, run};

/// Starts this program as a user whom permissions bind, which the administrator is not, and collects what it says.
fn unprivileged(role: &str, place: &Path) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    let command = if fs::metadata(home.path()).unwrap().uid() == 0 {
        fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
        // The other user may have no way to where the program was built.
        let copy = home.path().join("program");
        copy_to(&program, &copy);
        let mut command = Command::new(copy);
        command.uid(65_534).gid(65_534);
        command
    } else {
        Command::new(program)
    };
    let mut child = again(command, role, place).spawn().unwrap();
    let said = Said::by(&mut child).collect();
    assert!(child.wait().unwrap().success());
    said
}

/// Copies with another process: closing a database file here would drop this process's locks on it, and a program
/// file that was open here for writing might be inherited by a child of another test, and then cannot be started.
fn copy_to(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
}

/// Makes a folder and all that is in it readable by everybody and writable by nobody, or gives it back.
fn set_writable(place: &Path, writable: bool) {
    let mode = if writable { "u+w" } else { "a-w,a+rX" };
    assert!(Command::new("chmod").args(["-R", mode]).arg(place).status().unwrap().success());
}

fn assert_reads_only(said: &[String], facts: u64) {
    assert_eq!(said.first(), Some(&format!("{facts} facts")), "{said:?}");
    assert_eq!(said.len(), 5, "{said:?}");
    for refusal in &said[1..] {
        assert!(
            refusal.starts_with("cannot ") && refusal.contains("read-only or full: make both writable"),
            "{refusal}"
        );
    }
}

#[test]
fn a_read_only_journal_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("what?is#%41this");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    filled(&place, "one", 9);
    set_writable(&place, false);
    assert_reads_only(&unprivileged("read", &place), 9);
    let refused = unprivileged("open", &place).concat();
    assert!(refused.starts_with("cannot ") && refused.contains("loopwright.db"), "{refused}");
    assert!(refused.contains("read-only"), "{refused}");
    set_writable(&place, true);
}

#[test]
fn a_read_only_file_in_a_writable_folder_is_read() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path(), "one", 9);
    fs::set_permissions(folder.path().join("loopwright.db"), Permissions::from_mode(0o444)).unwrap();
    for path in [folder.path().to_path_buf(), folder.path().join("locks")] {
        fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
    }
    let said = unprivileged("read", folder.path());
    assert_eq!(said[0], "9 facts");
    assert!(said[1..4].iter().all(|refusal| refusal.contains("read-only or full: make both writable")), "{said:?}");
    let refused = unprivileged("open", folder.path()).concat();
    assert!(refused.starts_with("cannot write to") && refused.contains("read-only"), "{refused}");
}

#[test]
fn a_read_only_journal_is_read_while_its_owner_writes() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(folder.path());
    journal.create(&run("one"), 1).unwrap();
    let head = fill(&journal, &run("one"), Head::EMPTY, 9);
    set_writable(folder.path(), false);
    assert_reads_only(&unprivileged("read", folder.path()), 9);
    // The files were open before and stay writable for this process.
    fill(&journal, &run("one"), head, 12);
    assert_reads_only(&unprivileged("read", folder.path()), 12);
    set_writable(folder.path(), true);
}

#[test]
fn a_log_that_was_left_is_read_or_named_but_never_ignored() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let live = folder.path().join("live");
    let journal = open(&live);
    journal.create(&run("one"), 1).unwrap();
    fill(&journal, &run("one"), Head::EMPTY, 9);
    // Copies of a journal in use are what a killed process leaves.
    for (name, index_is_there) in [("with", true), ("without", false)] {
        let left = folder.path().join(name);
        copy_to(&live, &left);
        if !index_is_there {
            fs::remove_file(left.join("loopwright.db-shm")).unwrap();
        }
        set_writable(&left, false);
        let said = unprivileged("read", &left);
        if index_is_there {
            assert_reads_only(&said, 9);
        } else {
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].contains("the log of an interrupted process waits"), "{said:?}");
        }
        set_writable(&left, true);
        assert_eq!(open(&left).read(&run("one")).unwrap().facts.len(), 9);
    }
}

#[test]
fn a_folder_that_cannot_be_written_takes_no_new_journal() {
    let folder = tempfile::tempdir().unwrap();
    set_writable(folder.path(), false);
    for place in [folder.path().to_path_buf(), folder.path().join("below")] {
        let said = unprivileged("open", &place).concat();
        assert!(said.starts_with("cannot create the folder") && said.contains("read-only"), "{said}");
    }
    set_writable(folder.path(), true);
}
