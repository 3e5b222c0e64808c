//! What several of the tests need: runs, facts, errors as text, and this test program started again as a child.

use std::error::Error;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use loopwright_runtime::journal::{Head, Journal, JournalError, RunId};
use loopwright_sqlite::{Options, SqliteJournal};

/// Set for a child: what it is to do, and where.
pub(crate) const ROLE: &str = "LOOPWRIGHT_TEST_ROLE";
pub(crate) const PLACE: &str = "LOOPWRIGHT_TEST_PLACE";

pub(crate) fn run(name: &str) -> RunId {
    RunId::new(name).unwrap()
}

pub(crate) fn open(place: &Path) -> SqliteJournal {
    SqliteJournal::open(place, &Options::default()).unwrap()
}

/// A fact of about 500 bytes that says which one it is.
pub(crate) fn fact(number: u64) -> Vec<u8> {
    format!("{{\"number\":{number},\"filler\":\"{}\"}}", "x".repeat(470)).into_bytes()
}

/// Appends facts with the numbers up to `length` (exclusive), one call each.
pub(crate) fn fill(journal: &dyn Journal, run: &RunId, mut head: Head, length: u64) -> Head {
    while head.length < length {
        head = journal.append(run, head, &[fact(head.length)], &[]).unwrap();
    }
    head
}

/// A run of some facts, closed again.
pub(crate) fn filled(place: &Path, name: &str, length: u64) {
    let journal = open(place);
    journal.create(&run(name), 1).unwrap();
    fill(&journal, &run(name), Head::EMPTY, length);
}

/// The error with its sources, as a person reads it.
pub(crate) fn text(error: &JournalError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(next) = source {
        text = format!("{text}: {next}");
        source = next.source();
    }
    text
}

/// This test program again, doing only what [`child`](mod@crate::child) has for the role.
pub(crate) fn child(role: &str, place: &Path) -> Command {
    again(Command::new(std::env::current_exe().unwrap()), role, place)
}

/// The arguments and variables of [`child`] for another way to start the program.
pub(crate) fn again(mut command: Command, role: &str, place: &Path) -> Command {
    command.args(["--exact", "child::child", "--nocapture"]).env(ROLE, role).env(PLACE, place);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

/// The lines a child prints for its parent; the test harness around it prints others.
pub(crate) struct Said(Lines<BufReader<ChildStdout>>);

impl Said {
    pub(crate) fn by(child: &mut Child) -> Self {
        Self(BufReader::new(child.stdout.take().unwrap()).lines())
    }
}

impl Iterator for Said {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0.by_ref().find_map(|line| Some(line.ok()?.strip_prefix("said ")?.to_owned()))
    }
}

/// Prints a line for the parent. The line starts fresh, since the harness may have left one open.
pub(crate) fn say(words: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    write!(out, "\nsaid {words}\n").unwrap();
    out.flush().unwrap();
}
