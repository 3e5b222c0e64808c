//! Requirements that are no requirements.

use crate::support::{Place, text};

#[test]
fn an_empty_requirement_is_bad_usage() {
    let place = Place::new();
    for blank in ["", " ", "\n\t", "\u{3000}\u{3000}"] {
        place.run(&["verify", blank]).ends(2).says("the requirement is empty");
        place.write("blank.txt", blank);
        place.run(&["verify", "--requirement-file", "blank.txt"]).ends(2).says("the requirement is empty");
    }
    assert!(!place.data().exists());
}

#[test]
fn a_book_is_no_requirement() {
    let place = Place::new();
    place.write("book.txt", "phase 2 denser. ".repeat(65_536));
    place.run(&["verify", "--requirement-file", "book.txt"]).ends(2).says("has 1048576 bytes; at most 65536 are read");
    place.write("chapter.txt", "第二阶段更密。".repeat(1000));
    place
        .run(&["verify", "--requirement-file", "chapter.txt"])
        .ends(2)
        .says("has 7000 characters; at most 4000 are read");
    let long = "phase 2 denser, ".repeat(4000);
    place.run(&["verify", &long]).ends(2).says("at most 4000 are read");
    assert!(!place.data().exists());
}

/// As long as may be, and made to be slow: many clauses, long words, no spaces, deep brackets.
#[test]
fn the_longest_requirements_are_read() {
    let place = Place::new();
    let cases = [
        "phase 2 denser, ".repeat(250),
        "双向".repeat(2000),
        "a".repeat(4000),
        "(".repeat(4000),
        "1".repeat(4000),
        "第".repeat(4000),
    ];
    for requirement in cases {
        let ran = place.run(&["verify", &requirement, "--format", "json"]);
        assert!(matches!(ran.code, Some(3 | 5)), "{:?}: {}", ran.code, ran.err);
    }
}

#[test]
fn a_requirement_file_has_to_be_one() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    place.write("latin.txt", b"phase 2 d\xe9nser");
    let cases = [
        ("nowhere.txt", "cannot read nowhere.txt"),
        ("folder", "folder is no file"),
        ("latin.txt", "byte 9 is not UTF-8"),
    ];
    for (name, words) in cases {
        place.run(&["verify", "--requirement-file", name]).ends(2).says(words);
    }
    assert!(!place.data().exists());
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let place = Place::new();
    let hostile = "phase 2 \u{1b}[31mtwo-way\u{1b}[0m\u{7}\u{8}\u{9b}2J, denser\r\u{1b}]0;owned\u{7}";
    let run = place.begin(5, &[hostile]);
    let document = place.json(0, &["show", &run]);
    assert_eq!(text(&document["goal"]["source_text"]), hostile, "the record keeps what was written");
    place.write("nul.txt", "phase 2 two-way\0, denser");
    let ran = [
        place.run(&["verify", hostile]).ends(5),
        place.run(&["show", &run]).ends(0),
        place.run(&["runs"]).ends(0),
        place.run(&["trace", &run]).ends(0),
        place.run(&["cancel", &run, "--actor", "a\u{1b}[1mnn", "--note", "\u{1b}[2J"]).ends(0),
        place.run(&["trace", &run]).ends(0),
        place.run(&["verify", "--requirement-file", "nul.txt"]).ends(3),
        place.run(&["verify", "phase 2 two-way", "--authorize", "a\u{1b}[1mnn"]).ends(0),
    ];
    for ran in ran {
        let steers = |letter: char| letter.is_control() && letter != '\n';
        assert!(!ran.out.contains(steers) && !ran.err.contains(steers), "{:?}\n{:?}", ran.out, ran.err);
    }
}
