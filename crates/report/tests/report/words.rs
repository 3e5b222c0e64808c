//! The crate knows kinds of evidence and no game: the words of games never appear in its sources.

use std::path::{Path, PathBuf};
use std::{fs, io};

const GAME_WORDS: [&str; 22] = [
    "arena", "boss", "bosses", "bullet", "bullets", "danmaku", "enemies", "enemy", "fps", "game", "games", "hit",
    "hits", "phase", "phases", "player", "players", "spiral", "spirals", "wave", "waves", "weapon",
];
const GAME_CHARACTERS: [&str; 6] = ["弹", "敌", "玩家", "游戏", "阶段", "首领"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files(&path, found)? } else { found.push(path) }
    }
    Ok(())
}

/// The words of a text, with `camelCase` and `snake_case` names taken apart.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for character in text.chars() {
        let starts = character.is_ascii_uppercase() && before.is_ascii_lowercase();
        if starts || !character.is_ascii_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_ascii_alphabetic()) {
            word.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    words
}

#[test]
fn names_are_taken_apart() {
    assert_eq!(
        words("hitTest boss_health FPS").into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>(),
        ["hit", "test", "boss", "health", "fps"]
    );
}

#[test]
fn no_word_of_a_game_appears() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "examples"] {
        files(&root.join(folder), &mut found).unwrap();
    }
    assert!(found.len() > 20, "the sources were not found");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let word = words(line).into_iter().find(|word| GAME_WORDS.contains(&word.as_str()));
            let character = GAME_CHARACTERS.iter().find(|character| line.contains(**character));
            assert!(word.is_none() && character.is_none(), "{}:{}: {line}", path.display(), number + 1);
        }
    }
}
