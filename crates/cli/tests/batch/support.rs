//! What the tests share: a folder to work in and the program's answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder of its own for one test; the program runs inside it.
pub(crate) struct Place(TempDir);

/// What one call of the program came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn data(&self, name: &str) -> PathBuf {
        self.path(".loopwright").join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a JSONL file: a document a line.
    pub(crate) fn items(&self, name: &str, items: &[Value]) {
        let lines: Vec<_> = items.iter().map(Value::to_string).collect();
        self.write(name, lines.join("\n"));
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null()).env("USER", "tester").env("LANG", "C");
        for name in
            ["LOOPWRIGHT_DATA_DIR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_MESSAGES", "COLUMNS"]
        {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, code: i32, args: &[&str]) -> Ran {
        let output = self.command(args).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let ran = Ran { code: output.status.code(), out, err };
        assert_eq!(ran.code, Some(code), "{args:?}\n{}\n{}", ran.out, ran.err);
        ran
    }

    /// Runs the program for its JSON document; nothing else is said then.
    pub(crate) fn json(&self, code: i32, args: &[&str]) -> Value {
        let ran = self.run(code, &[args, &["--format", "json"]].concat());
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", ran.out))
    }

    /// Verifies a batch in somebody's name.
    pub(crate) fn batch(&self, code: i32, input: &str, more: &[&str]) -> Value {
        self.json(code, &[&["verify-all", input, "--authorize", "qa"], more].concat())
    }

    /// The ids of all runs.
    pub(crate) fn runs(&self) -> Vec<String> {
        let runs = self.json(0, &["runs"]);
        runs["runs"].as_array().unwrap().iter().map(|run| text(&run["run_id"]).to_owned()).collect()
    }
}

/// An item that sets values.
pub(crate) fn set(name: &str, settings: &[&str]) -> Value {
    json!({"name": name, "set": settings})
}

/// An item whose checks pass.
pub(crate) fn fine(name: &str) -> Value {
    set(name, &["phase_3.bullet_speed=4.2"])
}

/// An item that fails a check where nothing is repaired.
pub(crate) fn failing(name: &str) -> Value {
    set(name, &["phase_2.bidirectional=true", "phase_2.bullets_per_wave=16"])
}

#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// A field of every item, by the item's place.
pub(crate) fn of_items(document: &Value, field: &str) -> Vec<Value> {
    document["items"].as_array().unwrap().iter().map(|item| item[field].clone()).collect()
}

pub(crate) fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
