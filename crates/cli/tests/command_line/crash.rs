//! Runs that were killed, interrupted or damaged.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use loopwright_runtime::journal::{Head, Journal, RunId};
use loopwright_sqlite::{Options, SqliteJournal};
use serde_json::{Value, json};

use crate::support::{HEADLINE_EN, Place, copy_folder, text};

/// What a run came to, without what differs between two runs of the same.
fn figures(document: &Value) -> Value {
    let mut figures = json!({});
    for field in ["status", "outcome", "diff", "checks", "repairs"] {
        figures[field] = document[field].clone();
    }
    for side in ["baseline", "candidate"] {
        figures[side] = document[side].clone();
        figures[side]["telemetry"]["run_id"] = Value::Null;
    }
    figures["candidate_runs"] = document["budget"]["candidate_runs"].clone();
    figures
}

/// Starts the worked case and waits for a line that begins with something.
fn started(place: &Place, beginning: &str) -> Child {
    let mut command = place.command(&["verify", HEADLINE_EN, "--authorize", "designer"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let found = lines.any(|line| line.unwrap().starts_with(beginning));
    assert!(found, "no line begins with {beginning:?}");
    child
}

#[test]
#[cfg(unix)]
fn a_killed_run_goes_on_in_another_process() {
    let whole = Place::new();
    let expected = figures(&whole.json(0, &["verify", HEADLINE_EN, "--authorize", "designer"]));
    for beginning in ["  ✓ baseline", "  ✗ candidate 1", "    repair 1", "  ✗ candidate 2"] {
        let place = Place::new();
        let mut child = started(&place, beginning);
        child.kill().unwrap();
        child.wait().unwrap();
        let status = place.status("last");
        let open = ["running_baseline", "running_candidate", "repairing", "evidence_ready"];
        assert!(open.contains(&status.as_str()), "{status}");
        assert_eq!(figures(&place.json(0, &["resume", "last"])), expected, "killed after {beginning:?} as {status}");
    }
}

/// Copies the first facts of a run into a journal of its own, as if its process had died after them.
fn cut_after(facts: &[Vec<u8>], length: usize, run: &RunId, data: &Path) {
    let journal = SqliteJournal::open(data, &Options::default()).unwrap();
    journal.create(run, 1).unwrap();
    journal.append(run, Head::EMPTY, &facts[..length], &[]).unwrap();
}

/// Where a real kill falls is chance; here a process "dies" after every second fact, so that every kind of gap is met.
#[test]
fn a_run_goes_on_from_any_fact() {
    let whole = Place::new();
    // A small study leaves every fact in its place and the test quick.
    let document = whole.json(0, &["verify", HEADLINE_EN, "--authorize", "designer", "--profiles", "4"]);
    let (expected, run) = (figures(&document), RunId::new(text(&document["run_id"])).unwrap());
    let facts = SqliteJournal::open(&whole.data(), &Options::default()).unwrap().read(&run).unwrap().facts;
    let trace = whole.json(0, &["trace", run.as_str()]);
    let events = trace["events"].as_array().unwrap();
    let authorized = events.iter().position(|event| event["event"] == "answered").unwrap() + 1;
    let baseline_ran = |event: &Value| event["node"] == "baseline" && event["event"] == "effect_finished";
    let baseline = events.iter().position(baseline_ran).unwrap() + 1;
    for length in (1..=facts.len()).filter(|length| length % 2 == 1 || *length == baseline) {
        let place = Place::new();
        cut_after(&facts, length, &run, &place.data());
        copy_folder(&whole.data().join("artifacts"), &place.data().join("artifacts"));
        let after = &events[length - 1]["event"];
        if length == baseline {
            assert_eq!(place.status("last"), "running_baseline");
        }
        if length < authorized {
            let resumed = place.json(3, &["resume", run.as_str()]);
            assert_eq!(resumed["status"], "awaiting_authorization", "cut after fact {length}, {after}");
            place.run(&["authorize", run.as_str(), "--actor", "designer"]).ends(0);
        }
        let resumed = place.json(0, &["resume", run.as_str()]);
        assert_eq!(figures(&resumed), expected, "cut after fact {length}, {after}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_can_be_resumed() {
    let whole = Place::new();
    let expected = figures(&whole.json(0, &["verify", HEADLINE_EN, "--authorize", "designer"]));
    for beginning in ["run ", "  ✓ baseline", "  ✗ candidate 1"] {
        let place = Place::new();
        let mut command = place.command(&["verify", HEADLINE_EN, "--authorize", "designer"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().starts_with(beginning)));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        // What it still writes has to be read, or it would wait for ever.
        let rest: Vec<_> = lines.map(|line| line.unwrap()).collect();
        let code = child.wait().unwrap().code();
        // The run may have come to its end before the signal reached it.
        assert!(matches!(code, Some(0 | 130)), "{code:?}: {rest:?}");
        if code == Some(130) {
            assert!(rest.iter().any(|line| line.contains("loopwright resume")), "it says how to go on: {rest:?}");
        }
        assert_eq!(figures(&place.json(0, &["resume", "last"])), expected, "interrupted after {beginning:?}");
    }
}

/// Flips a bit in every copy of some bytes; they stand in facts, and in places that SQLite no longer uses.
fn flip(bytes: &mut [u8], needle: &[u8]) {
    let places: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(needle)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at + needle.len() / 2] ^= 1;
    }
}

/// A journal of a finished change, its log folded into its file.
fn finished() -> (Place, String) {
    let place = Place::new();
    let run = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    (place, run)
}

#[test]
fn a_damaged_journal_is_named_refused_and_left_alone() {
    type Harm = fn(&mut Vec<u8>);
    let harms: [(&str, Harm); 5] = [
        ("a page is missing", |bytes| bytes.truncate(bytes.len() - 4096)),
        ("half is missing", |bytes| bytes.truncate(bytes.len() / 2)),
        ("nothing is left", Vec::clear),
        ("a bit of a fact is flipped", |bytes| flip(bytes, b"\"source_text\":\"phase 2 two-way\"")),
        ("the header is garbled", |bytes| bytes[..16].fill(0xa5)),
    ];
    for (name, harm) in harms {
        let (place, run) = finished();
        let file = place.data().join("loopwright.db");
        let mut bytes = fs::read(&file).unwrap();
        harm(&mut bytes);
        fs::write(&file, &bytes).unwrap();
        let evidence = crate::support::files_of(&place.evidence(&run));
        let commands: [&[&str]; 6] = [
            &["show", &run],
            &["trace", &run],
            &["export", &run],
            &["resume", &run],
            &["decide", &run, "accept", "--actor", "a", "--note", "n"],
            &["cancel", &run],
        ];
        for args in commands {
            let ran = place.run(args).ends(6).says("damaged");
            assert!(ran.err.contains(&run) || ran.err.contains("loopwright.db"), "{name}: {}", ran.err);
            assert_eq!(ran.out, "", "{name}");
            assert_eq!(fs::read(&file).unwrap(), bytes, "{name}: {args:?} changed the file");
        }
        assert_eq!(crate::support::files_of(&place.evidence(&run)), evidence, "{name}");
    }
}

/// A damaged run does not hide the others, and does not stop new ones.
#[test]
fn one_damaged_run_leaves_the_others_usable() {
    let place = Place::new();
    let sound = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    let harmed = place.begin(5, &["phase 3 two-way, and a mark in its words"]);
    let file = place.data().join("loopwright.db");
    let mut bytes = fs::read(&file).unwrap();
    let needle = b"a mark in its words";
    flip(&mut bytes, needle);
    fs::write(&file, &bytes).unwrap();
    place.run(&["show", &harmed]).ends(6).says(&harmed);
    assert_eq!(place.status(&sound), "evidence_ready");
    place.run(&["runs"]).ends(0);
    place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
}
