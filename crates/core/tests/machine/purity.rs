//! The core stays pure: nothing it is built from, and nothing it says, reaches outside.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every crate that core may be built from, itself left out. Whoever adds one looks at what it does first:
/// no async runtime, clock, randomness, file or network. `libc` is here because `cpufeatures` asks it, on ARM alone,
/// whether the processor computes SHA-256 itself.
#[rustfmt::skip]
const REVIEWED: [&str; 29] = [
    "block-buffer", "cfg-if", "const-oid", "cpufeatures", "crypto-common", "digest",
    "equivalent", "foldhash", "hashbrown", "hybrid-array", "indexmap", "itoa",
    "libc", "memchr", "proc-macro2", "quote", "ryu-js", "serde",
    "serde_core", "serde_derive", "serde_json", "serde_json_canonicalizer", "sha2", "syn",
    "thiserror", "thiserror-impl", "typenum", "unicode-ident", "zmij",
];

fn crates_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn core_is_built_from_reviewed_crates_only() {
    let arguments = ["tree", "-p", "loopwright-core", "-e", "normal", "--prefix", "none", "--offline", "--locked"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(crates_folder()).output().unwrap();
    assert!(output.status.success(), "cargo tree failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let found: BTreeSet<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(found.contains("loopwright-core") && found.contains("serde"), "not a tree of core:\n{tree}");
    let new: Vec<_> = found.iter().filter(|name| **name != "loopwright-core" && !REVIEWED.contains(name)).collect();
    assert!(new.is_empty(), "core is now built from {new:?}: review what they do, then add them to REVIEWED");
}

/// The Rust files of a folder of `crates`, with their comments taken out.
fn code_of(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![crates_folder().join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
                found.push((path, code.join("\n")));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} holds no code");
    found
}

/// The identifiers of some code, `a::b` as one.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).filter(|word| !word.is_empty())
}

#[test]
fn core_names_nothing_that_reaches_outside() {
    let outside = ["std::fs", "std::net", "std::env", "std::process", "std::thread", "thread::", "env!"];
    let types = ["Instant", "SystemTime", "File", "TcpStream", "Command"];
    for (path, code) in code_of("core/src") {
        for name in outside {
            assert!(!code.contains(name), "{} names {name}", path.display());
        }
        let named = words(&code).flat_map(|word| word.split("::")).find(|word| types.contains(word));
        assert_eq!(named, None, "{}", path.display());
    }
}

#[test]
fn core_and_runtime_know_no_game() {
    let game = ["bullet", "phase", "boss", "spiral", "danmaku", "fps", "player"];
    for folder in ["core/src", "runtime/src"] {
        for (path, _) in code_of(folder) {
            // Comments too: what is explained in words of a game is thought in them.
            let text = std::fs::read_to_string(&path).unwrap().to_lowercase();
            let words: BTreeSet<_> = text.split(|c: char| !c.is_ascii_alphabetic()).collect();
            let found = game.iter().find(|word| words.contains(**word) || words.contains(format!("{word}s").as_str()));
            assert_eq!(found, None, "{}", path.display());
        }
    }
}
