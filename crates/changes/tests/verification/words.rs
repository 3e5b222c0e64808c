//! No word of the flagship pack's game stands in the code of this crate.

use std::path::Path;

const WORDS: [&str; 22] = [
    "bullet", "bullets", "phase", "phases", "boss", "spiral", "ring", "petal", "fan", "fps", "hit", "hits", "wave",
    "waves", "player", "players", "danmaku", "hell", "arena", "survival", "health", "speed",
];

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The words of a text: `max_alive_bullets` and `PhaseResult` are taken apart.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in text.chars() {
        let last = words.last().and_then(|word| word.chars().last());
        if !letter.is_alphabetic() || (letter.is_uppercase() && last.is_some_and(char::is_lowercase)) {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words.last_mut().unwrap().push(letter);
        }
    }
    words.iter().map(|word| word.to_lowercase()).filter(|word| !word.is_empty()).collect()
}

#[test]
fn the_code_knows_no_game() {
    assert_eq!(words("max_alive_bullets: PhaseResult"), ["max", "alive", "bullets", "phase", "result"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("build.rs"), root.join("Cargo.toml")];
    sources(&root.join("src"), &mut files);
    assert!(files.len() > 12);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        // The tests run the pack on its simulator; that is no part of the crate.
        let text = text.replace("danmaku.workspace = true", "");
        for (number, line) in text.lines().enumerate() {
            for word in words(line) {
                assert!(!WORDS.contains(&word.as_str()), "{}:{}: {word}: {line}", file.display(), number + 1);
            }
        }
    }
}
