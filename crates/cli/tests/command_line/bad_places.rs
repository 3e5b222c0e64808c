//! Data directories that cannot be used: missing, a file, read-only, full.

use std::fs;
use std::process::Command;

use crate::support::{BASELINE, PROGRAM, Place, Ran, files_of, text};

/// A command about a run must not make a data directory where there is none: its name is a slip.
#[test]
fn a_missing_data_directory_is_not_made_by_commands_about_runs() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    let commands: [&[&str]; 8] = [
        &["runs"],
        &["show", "last"],
        &["trace", "last"],
        &["export", "last"],
        &["resume", "last"],
        &["cancel", "last"],
        &["authorize", "last", "--actor", "ann"],
        &["decide", "last", "accept", "--actor", "ann", "--note", "n"],
    ];
    for args in commands {
        for folder in ["nowhere", "empty"] {
            place.run(&[args, &["--data-dir", folder]].concat()).ends(2).says("there is no journal here");
        }
    }
    assert!(!place.path("nowhere").exists());
    assert_eq!(fs::read_dir(place.path("empty")).unwrap().count(), 0);
}

#[test]
fn a_file_is_no_data_directory() {
    let place = Place::new();
    place.write("file", "precious");
    place.run(&["verify", "phase 2 two-way", "--data-dir", "file"]).ends(6).says("it is a file");
    place.run(&["runs", "--data-dir", "file"]).ends(6).says("it is a file");
    place.run(&["verify", "phase 2 two-way", "--data-dir", "file/below"]).ends(6);
    assert_eq!(fs::read_to_string(place.path("file")).unwrap(), "precious");
}

/// Nothing can be made in `/proc`, not even by a superuser whom permissions do not bind.
#[test]
#[cfg(target_os = "linux")]
fn a_read_only_place_is_the_worlds_failure() {
    let place = Place::new();
    place.run(&["verify", "phase 2 two-way", "--data-dir", "/proc/loopwright"]).ends(6).says("/proc/loopwright");
    let run = place.begin(3, &["phase 2 two-way"]);
    place.run(&["export", &run, "--output", "/proc/loopwright"]).ends(6).says("/proc/loopwright");
    place.write("baseline.json", BASELINE);
    place.run(&["engine", "run", "baseline.json", "--output", "/proc/loopwright"]).ends(6).says("/proc/loopwright");
}

/// The program where no file may grow beyond some blocks of 512 bytes, as on a disk that is nearly full.
#[cfg(unix)]
fn limited(place: &Place, blocks: usize, args: &[&str]) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""), PROGRAM]);
    shell.args(args).current_dir(place.path("")).env("USER", "tester").env_remove("LOOPWRIGHT_DATA_DIR");
    Ran::of(shell)
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_in_six_and_keeps_what_was_stored() {
    let place = Place::new();
    let run = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    let (before, trace) = (files_of(&place.evidence(&run)), place.run(&["trace", &run]).ends(0).out);
    let mut failures = 0;
    for blocks in [1, 40, 70, 100, 130, 160, 200, 260] {
        let ran = limited(&place, blocks, &["verify", "phase 2 two-way, denser", "--authorize", "qa"]);
        match ran.code {
            Some(0) => {}
            Some(6) => {
                failures += 1;
                assert!(ran.err.starts_with("error: "), "{blocks}: {}", ran.err);
            }
            code => panic!("{blocks} blocks: {code:?}\n{}\n{}", ran.out, ran.err),
        }
        assert_eq!(place.run(&["trace", &run]).ends(0).out, trace, "{blocks} blocks");
        for folder in fs::read_dir(place.data().join("evidence")).unwrap() {
            let half = files_of(&folder.unwrap().path()).into_iter().find(|(name, _)| name.contains(".json."));
            assert_eq!(half, None, "{blocks} blocks");
        }
        place.run(&["export", &run]).ends(0);
        assert_eq!(files_of(&place.evidence(&run)), before, "{blocks} blocks");
    }
    assert!(failures > 2, "only {failures} limits were felt");
    // Whatever was begun can be shown, and what got no further than its name is no run.
    for entry in place.json(0, &["runs"])["runs"].as_array().unwrap() {
        assert_eq!(place.status(text(&entry["run_id"])), entry["status"]);
    }
    place.status("last");
    place.begin(0, &["phase 2 two-way, denser", "--authorize", "qa"]);
}
