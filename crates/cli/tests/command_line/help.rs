//! `--help` and `--version`, word for word.

use crate::support::Place;

#[test]
fn every_command_has_help() {
    let place = Place::new();
    let commands: [(&str, &[&str]); 12] = [
        ("help", &["--help"]),
        ("help_verify", &["verify", "--help"]),
        ("help_authorize", &["authorize", "--help"]),
        ("help_resume", &["resume", "--help"]),
        ("help_cancel", &["cancel", "--help"]),
        ("help_decide", &["decide", "--help"]),
        ("help_runs", &["runs", "--help"]),
        ("help_show", &["show", "--help"]),
        ("help_trace", &["trace", "--help"]),
        ("help_export", &["export", "--help"]),
        ("help_engine", &["engine", "--help"]),
        ("help_engine_run", &["engine", "run", "--help"]),
    ];
    for (name, args) in commands {
        let ran = place.run(args).ends(0);
        assert_eq!(ran.err, "");
        // clap pads empty lines of long help; editors would not keep that.
        let text: Vec<_> = ran.out.lines().map(str::trim_end).collect();
        insta::assert_snapshot!(name, text.join("\n"));
    }
    assert!(!place.data().exists());
}

/// The codes of the help are those of the issue; the README's table is compared with the help elsewhere.
#[test]
fn the_help_names_every_exit_code() {
    let help = Place::new().run(&["--help"]).ends(0).out;
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    let codes: Vec<_> = codes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "5", "6", "70", "130"]);
}

#[test]
fn the_version_is_the_packages() {
    let ran = Place::new().run(&["--version"]).ends(0);
    assert_eq!(ran.out, concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\n"));
}
