//! The exit codes that no other subject covers: bad usage, and answers that nobody can take.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::support::{Place, Ran};

#[test]
fn bad_usage_is_two_and_changes_nothing() {
    let cases: [&[&str]; 27] = [
        &[],
        &["frobnicate"],
        &["verify"],
        &["verify", "phase 2 faster", "phase 3 faster"],
        &["verify", "--nope"],
        &["verify", "phase 2 faster", "--requirement-file", "x"],
        &["verify", "phase 2 faster", "--candidate", "x"],
        &["verify", "phase 2 faster", "--set", "phase_2.layer_count=2"],
        &["verify", "--requirement-file", "x", "--candidate", "y"],
        &["verify", "--requirement-file", "x", "--set", "phase_2.layer_count=2"],
        &["verify", "phase 2 faster", "--seed", "-1"],
        &["verify", "phase 2 faster", "--seed=-1"],
        &["verify", "phase 2 faster", "--seed", "9007199254740992"],
        &["verify", "phase 2 faster", "--seed", "1.5"],
        &["verify", "phase 2 faster", "--max-runs", "0"],
        &["verify", "phase 2 faster", "--max-runs", "101"],
        &["verify", "phase 2 faster", "--max-runs", "three"],
        &["verify", "phase 2 faster", "--policy", "oracle"],
        &["verify", "phase 2 faster", "--format", "xml"],
        &["verify", "phase 2 faster", "--lang", "fr"],
        &["verify", "--set", "nonsense"],
        &["verify", "--set", "phase_9.layer_count=2"],
        &["verify", "--set", "=2"],
        &["decide", "last", "maybe", "--actor", "a", "--note", "n"],
        &["decide", "last", "accept", "--actor", "a"],
        &["authorize", "last"],
        &["engine", "run"],
    ];
    for args in cases {
        let place = Place::new();
        let ran = place.run(args).ends(2);
        assert_eq!(ran.out, "", "{args:?}");
        assert!(!ran.err.is_empty(), "{args:?}");
        assert!(!place.data().exists(), "{args:?} left something behind");
    }
}

/// A reader that has seen enough (`| head -1`) is no error, and no reason for noise.
#[test]
fn a_reader_may_go_away() {
    let place = Place::new();
    let run = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    for args in [
        vec!["trace", "--format", "json", &run],
        vec!["show", &run],
        vec!["verify", "phase 2 two-way", "--authorize", "qa"],
    ] {
        let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let mut noise = String::new();
        child.stderr.take().unwrap().read_to_string(&mut noise).unwrap();
        assert_eq!((child.wait().unwrap().code(), noise.as_str()), (Some(0), ""), "{args:?}");
    }
    // Nobody read what the last change came to, but it has come to it.
    assert_eq!(place.status("last"), "evidence_ready");
}

/// An answer that is cut off must not pass for a whole one.
#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_cannot_be_written_is_told() {
    let place = Place::new();
    let run = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    for args in
        [vec!["show", &run], vec!["runs"], vec!["trace", &run], vec!["verify", "phase 2 two-way", "--authorize", "qa"]]
    {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut child = place.command(&args).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(6), "{args:?}");
        assert_eq!(err.matches("cannot write the answer").count(), 1, "{args:?}: {err}");
    }
    assert_eq!(place.status("last"), "evidence_ready");
}

#[test]
fn colours_are_for_terminals() {
    let place = Place::new();
    let run = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    let show = |name: &str, value: &str| {
        let mut command = place.command(&["show", &run]);
        command.env(name, value);
        Ran::of(command).ends(0).out
    };
    let plain = place.run(&["show", &run]).ends(0).out;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert_eq!(show("NO_COLOR", "1"), plain);
    assert!(show("CLICOLOR_FORCE", "1").contains('\u{1b}'), "somebody who insists gets colours");
    let mut both = place.command(&["show", &run]);
    both.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert_eq!(Ran::of(both).ends(0).out, plain);
}
