//! A model that answers from a file: for tests, demonstrations and work without a network.
//!
//! The file is JSON Lines, one entry a line, taken in order; blank lines and lines that begin with `#` are skipped.
//!
//! ```text
//! {"answer": {"decision": "accept"}, "usage": {"input_tokens": 900, "output_tokens": 30}}
//! {"text": "Sure! Here it is:", "when": {"prompt": "quality_reviewer"}}
//! {"error": {"class": "model_rate_limited", "message": "slow down", "retry_after_ms": 10}}
//! {"answer": {"decision": "accept"}, "repeat": true}
//! ```

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use loopwright_core::json::read_str;
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{Answer, Finish, Usage};
use crate::error::ModelError;
use crate::port::{Limits, Model, ModelIdentity};
use crate::record::CallRecord;
use crate::request::Request;

/// What stands behind a scripted model.
const PROVIDER: &str = "scripted";

/// A model that answers from a file. Which entries are used up is known to this value alone; [`Scripted::go_on_after`]
/// tells another one.
#[derive(Debug)]
pub struct Scripted {
    identity: ModelIdentity,
    entries: Vec<Entry>,
    used: Mutex<Vec<bool>>,
}

/// A script that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("the script {name} cannot be read: {source}")]
    Read {
        /// The file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line is no entry.
    #[error("the script {name}, line {line}: {message}")]
    Entry {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do.
        message: String,
    },
    /// There is nothing in it.
    #[error("the script {name} has no entries: write one JSON object a line, such as {{\"answer\": {{}}}}")]
    Empty {
        /// The file.
        name: String,
    },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    text: Option<String>,
    answer: Option<Value>,
    error: Option<Fails>,
    usage: Option<Usage>,
    #[serde(default)]
    finish: Option<String>,
    #[serde(default)]
    latency_ms: u64,
    #[serde(default)]
    when: When,
    #[serde(default)]
    repeat: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct When {
    prompt: Option<String>,
}

/// An error instead of an answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fails {
    class: String,
    #[serde(default)]
    message: String,
    status: Option<u16>,
    retry_after_ms: Option<u64>,
}

impl Scripted {
    /// Reads a script from a file.
    pub fn open(file: &Path) -> Result<Self, ScriptError> {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|source| ScriptError::Read { name: name.clone(), source })?;
        Self::from_text(&file.file_name().map_or(name, |name| name.to_string_lossy().into_owned()), &text)
    }

    /// Reads a script from a text; `name` is how it is called in errors and in the evidence.
    pub fn from_text(name: &str, text: &str) -> Result<Self, ScriptError> {
        let mut entries = Vec::new();
        for (line, text) in text.lines().enumerate() {
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let wrong = |message: String| ScriptError::Entry { name: name.to_owned(), line: line + 1, message };
            let value = read_str(text).map_err(|error| wrong(error.to_string()))?;
            let entry: Entry = serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
            let given = [entry.text.is_some(), entry.answer.is_some(), entry.error.is_some()];
            if given.into_iter().filter(|given| *given).count() != 1 {
                return Err(wrong("an entry has one of `answer`, `text` and `error`".to_owned()));
            }
            if let Some(error) = entry.error.as_ref().filter(|error| error.replay().is_none()) {
                return Err(wrong(format!("there is no error class {:?}", error.class)));
            }
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(ScriptError::Empty { name: name.to_owned() });
        }
        let used = Mutex::new(vec![false; entries.len()]);
        let identity = ModelIdentity { provider: PROVIDER.to_owned(), model: name.to_owned() };
        Ok(Self { identity, entries, used })
    }

    /// Marks as used what a run has been answered already, so that a resumed run does not hear it again.
    pub fn go_on_after<'a>(&self, records: impl IntoIterator<Item = &'a CallRecord>) {
        for record in records {
            for _ in &record.tries {
                self.next(&record.prompt.name);
            }
        }
    }

    fn next(&self, prompt: &str) -> Option<&Entry> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |entry: &Entry| entry.when.prompt.as_deref().is_none_or(|wanted| wanted == prompt);
        let at = self.entries.iter().zip(used.iter()).position(|(entry, used)| !used && fits(entry))?;
        used[at] = !self.entries[at].repeat;
        Some(&self.entries[at])
    }
}

impl Model for Scripted {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn ask(&self, request: &Request, limits: Limits<'_>) -> Result<Answer, ModelError> {
        if limits.interrupt.is_raised() {
            return Err(ModelError::Interrupted);
        }
        let Some(entry) = self.next(&request.prompt.name) else {
            let (name, prompt) = (&self.identity.model, &request.prompt.name);
            return Err(ModelError::Unscripted { message: format!("{name} has no entry left for {prompt}") });
        };
        if let Some(error) = entry.error.as_ref().and_then(Fails::replay) {
            return Err(error);
        }
        let text = match (&entry.text, &entry.answer) {
            (Some(text), _) => text.clone(),
            (None, answer) => answer.as_ref().map(ToString::to_string).unwrap_or_default(),
        };
        Ok(Answer {
            text,
            usage: entry.usage,
            finish: finish(entry.finish.as_deref()),
            model: None,
            latency_ms: entry.latency_ms,
        })
    }
}

impl Fails {
    fn replay(&self) -> Option<ModelError> {
        let retry_after = self.retry_after_ms.map(Duration::from_millis);
        ModelError::of_class(&self.class, &self.message, self.status, retry_after)
    }
}

fn finish(word: Option<&str>) -> Finish {
    match word {
        None | Some("stop") => Finish::Stop,
        Some("length") => Finish::Length,
        Some("refused" | "content_filter") => Finish::Refused,
        Some(other) => Finish::Other(other.to_owned()),
    }
}
