//! `--help` of the commands about several runs, word for word.

use crate::support::Place;

#[test]
fn the_commands_have_help() {
    let place = Place::new();
    for (name, command) in [("help_verify_all", "verify-all"), ("help_compare", "compare")] {
        let ran = place.run(0, &[command, "--help"]);
        assert_eq!(ran.err, "");
        // clap pads empty lines of long help; editors would not keep that.
        let text: Vec<_> = ran.out.lines().map(str::trim_end).collect();
        insta::assert_snapshot!(name, text.join("\n"));
    }
}
