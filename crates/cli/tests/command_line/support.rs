//! What the tests share: a folder to work in, the program's answers, and texts without what differs between runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_loopwright");
/// The sentence of the worked case, in Chinese and in English.
pub(crate) const HEADLINE_ZH: &str =
    "第二阶段改为双向螺旋弹，提高密度，但同时存在的子弹不能超过 350 发，低分位 FPS 不能低于 55";
pub(crate) const HEADLINE_EN: &str =
    "make phase 2 a two-way spiral, denser, but never more than 350 bullets alive and at least 55 FPS";
/// The baseline of the embedded pack, as it stands in the pack's folder.
pub(crate) const BASELINE: &str = include_str!("../../../../packs/bullet-hell/baseline.json");
/// A change that fails its checks unless it is repaired.
pub(crate) const FAILING: [&str; 4] = ["--set", "phase_2.bidirectional=true", "--set", "phase_2.bullets_per_wave=16"];

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

    /// The data directory that the program takes by itself.
    pub(crate) fn data(&self) -> PathBuf {
        self.path(".loopwright")
    }

    pub(crate) fn evidence(&self, run: &str) -> PathBuf {
        self.data().join("evidence").join(run)
    }

    /// Writes a file, and returns its name.
    pub(crate) fn write<'a>(&self, name: &'a str, bytes: impl AsRef<[u8]>) -> &'a str {
        fs::write(self.path(name), bytes).unwrap();
        name
    }

    /// The program with some arguments, in this folder and without the caller's own settings.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null()).env("USER", "tester").env("LANG", "C");
        for name in
            ["LOOPWRIGHT_DATA_DIR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_MESSAGES", "COLUMNS"]
        {
            command.env_remove(name);
        }
        for name in ["MODELS", "MODEL", "MODEL_BASE_URL", "MODEL_API_KEY"] {
            command.env_remove(format!("LOOPWRIGHT_{name}"));
        }
        for name in ["BASE_URL", "API_KEY", "MODEL"] {
            command.env_remove(format!("OPENAI_{name}"));
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args))
    }

    /// Runs the program for its JSON document, which must come with an exit code.
    pub(crate) fn json(&self, code: i32, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--format", "json"]].concat()).ends(code);
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", ran.out))
    }

    /// Begins a change and returns its run's id.
    pub(crate) fn begin(&self, code: i32, args: &[&str]) -> String {
        text(&self.json(code, &[&["verify"], args].concat())["run_id"]).to_owned()
    }

    /// The status of a run.
    pub(crate) fn status(&self, run: &str) -> String {
        text(&self.json(0, &["show", run])["status"]).to_owned()
    }
}

impl Ran {
    pub(crate) fn of(mut command: Command) -> Self {
        let output = command.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Self { code: output.status.code(), out, err }
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// Asserts that something stands in the errors.
    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "{words:?} is not in {:?}", self.err);
        self
    }
}

/// A JSON text.
#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// The file of an evidence folder as JSON.
pub(crate) fn evidence(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}

/// The id of the run that a text for people begins with.
pub(crate) fn run_of(text: &str) -> &str {
    let heading = text.lines().find(|line| line.starts_with("run ") || line.starts_with("运行 ")).unwrap();
    heading.split(' ').nth(1).unwrap()
}

/// A text for people with fixed words for its run and its durations.
pub(crate) fn fixed(text: &str, run: &str) -> String {
    text.replace(run, "RUN").lines().map(|line| without_duration(line) + "\n").collect()
}

/// A progress line ends with how long the effect took.
fn without_duration(line: &str) -> String {
    let progress = ["  ✓ ", "  ✗ "].iter().any(|sign| line.starts_with(sign));
    match line.strip_suffix(" ms").and_then(|line| line.rsplit_once(' ')) {
        Some((rest, number)) if progress && number.parse::<u64>().is_ok() => format!("{rest} N ms"),
        _ => line.to_owned(),
    }
}

/// The files below a folder by their paths, with their bytes, in order.
pub(crate) fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let below = files_of(&entry.path());
            files.extend(below.into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            files.push((name, fs::read(entry.path()).unwrap()));
        }
    }
    files.sort();
    files
}

/// Copies a folder and everything below it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    for (path, bytes) in files_of(from) {
        let target = to.join(path);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
}

/// The worked case's first candidate, or its last, as a config of its own.
pub(crate) fn two_way(bullet_speed: f64) -> Value {
    let mut config: Value = serde_json::from_str(BASELINE).unwrap();
    let pattern = &mut config["phases"][1]["pattern"];
    pattern["bidirectional"] = true.into();
    pattern["bullets_per_wave"] = 16.into();
    pattern["bullet_speed"] = bullet_speed.into();
    config
}
