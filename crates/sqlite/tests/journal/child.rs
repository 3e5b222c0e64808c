//! What this program does when a test starts it again as another process.

use std::io::Read;
use std::path::Path;

use loopwright_runtime::journal::{Head, Journal};
use loopwright_sqlite::{Options, SqliteJournal};

use crate::support::{PLACE, ROLE, fact, fill, run, say, text};

/// Not a test of its own: without a role there is nothing to do.
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let place = std::env::var_os(PLACE).unwrap();
    let place = Path::new(&place);
    let existing = || SqliteJournal::open_existing(place, &Options::default()).unwrap();
    match role.as_str() {
        "hold" => hold(&existing()),
        "append" => append(&existing()),
        "fill" => fill_two(&existing()),
        "overfill" => overfill(&existing()),
        "read" => read(place),
        "open" => {
            let opened = SqliteJournal::open(place, &Options::default());
            say(&opened.map_or_else(|error| text(&error), |_| "opened".into()));
        }
        _ => panic!("no such role: {role}"),
    }
}

/// Drives a run until the parent closes the pipe.
fn hold(journal: &SqliteJournal) {
    let held = journal.lock(&run("one")).unwrap();
    say("held");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    drop(held);
}

/// Appends until it is killed, or long after that should have happened.
fn append(journal: &SqliteJournal) {
    let run = journal.runs().unwrap().pop().unwrap().run;
    let _held = journal.lock(&run).unwrap();
    let mut head = Head::EMPTY;
    while head.length < 100_000 {
        head = fill(journal, &run, head, head.length + 1);
        say(&head.length.to_string());
    }
}

fn fill_two(journal: &SqliteJournal) {
    fill(journal, &run("two"), Head::EMPTY, 60);
    say("filled");
}

/// Appends facts until it cannot, and says why.
fn overfill(journal: &SqliteJournal) {
    let mut head = journal.read(&run("one")).unwrap().head;
    while head.length < 5_000 {
        match journal.append(&run("one"), head, &[fact(head.length)], &[]) {
            Ok(next) => head = next,
            Err(error) => {
                say(&text(&error));
                assert_eq!(journal.read(&run("one")).unwrap().head, head);
                return;
            }
        }
    }
    say("never full");
}

/// Says what is read, then what becomes of writing.
fn read(place: &Path) {
    let opened = SqliteJournal::open_existing(place, &Options::default());
    let journal = match opened {
        Ok(journal) => journal,
        Err(error) => return say(&text(&error)),
    };
    let stored = journal.read(&run("one")).unwrap();
    assert_eq!(journal.runs().unwrap().len(), 1);
    say(&format!("{} facts", stored.facts.len()));
    for result in [
        journal.append(&run("one"), stored.head, &[fact(0)], &[]).map(|_| ()),
        journal.post(&run("one"), b"word").map(|_| ()),
        journal.create(&run("two"), 1),
        journal.lock(&run("one")).map(|_| ()),
    ] {
        say(&result.map_or_else(|error| text(&error), |()| "done".into()));
    }
}
