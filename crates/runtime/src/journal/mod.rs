//! The journal port: where a run's facts, a person's words and the run index are kept.
//!
//! A journal stores bytes in order and never interprets them; the chain of digests is checked by whoever reads.

#[cfg(feature = "testing")]
pub mod contract;
#[cfg(feature = "testing")]
pub mod faulty;
mod memory;

use std::any::Any;
use std::fmt;

use loopwright_core::json::Digest;
use serde::{Deserialize, Serialize};

pub use memory::MemoryJournal;

/// Names a run; lower-case letters, digits and dashes, sortable by creation time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// Accepts 1 to 64 characters of `a-z`, `0-9` and `-`.
    pub fn new(text: impl Into<String>) -> Result<Self, JournalError> {
        let text = text.into();
        let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if text.is_empty() || text.len() > 64 || !text.chars().all(legal) {
            return Err(JournalError::IllegalRunId { text });
        }
        Ok(Self(text))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a run's facts end: how many there are and the digest of the last one's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Number of facts.
    pub length: u64,
    /// SHA-256 of the last fact's bytes, or [`Digest::ZERO`] when there is none.
    pub digest: Digest,
}

impl Head {
    /// The head of a run without facts.
    pub const EMPTY: Self = Self { length: 0, digest: Digest::ZERO };

    /// The head after more facts were appended.
    #[must_use]
    pub fn after(self, facts: &[Vec<u8>]) -> Self {
        let digest = facts.last().map_or(self.digest, |bytes| Digest::of(bytes));
        Self { length: self.length + facts.len() as u64, digest }
    }
}

/// A run's facts as they were stored, with the head that the journal remembers apart from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Bytes of each fact, in order.
    pub facts: Vec<Vec<u8>>,
    /// The remembered head; a reader compares it with the facts, so that a cut tail is noticed.
    pub head: Head,
}

/// A person's word in a run's inbox, waiting to become a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Grows with every word of the journal.
    pub id: u64,
    /// What was said, as JSON bytes.
    pub bytes: Vec<u8>,
}

/// One line of the run index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEntry {
    /// The run.
    pub run: RunId,
    /// When it was created, in milliseconds since 1970.
    pub created_at_ms: u64,
    /// Where its facts end.
    pub head: Head,
    /// The newest summary and the number of facts it was made from; stale where that is not `head.length`.
    pub summary: Option<(u64, Vec<u8>)>,
}

/// Held while a process drives a run; dropping it, or the end of the process, gives the run back.
pub type RunLock = Box<dyn Any + Send>;

/// Why a journal could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A run id with letters that are not allowed.
    #[error("{text:?} is no run id: 1 to 64 of a-z, 0-9 and '-'")]
    IllegalRunId {
        /// What was given.
        text: String,
    },
    /// The run is not in this journal.
    #[error("there is no run {run}")]
    UnknownRun {
        /// The run.
        run: RunId,
    },
    /// The run is there already.
    #[error("the run {run} exists already")]
    RunExists {
        /// The run.
        run: RunId,
    },
    /// Somebody else appended since the run was read.
    #[error("the run {run} has moved on: {found} facts where {expected} were expected")]
    Moved {
        /// The run.
        run: RunId,
        /// Facts the writer knew.
        expected: u64,
        /// Facts there are.
        found: u64,
    },
    /// Another process drives the run.
    #[error("the run {run} is being driven by another process")]
    Locked {
        /// The run.
        run: RunId,
    },
    /// What was stored is not what was written.
    #[error("the journal of {run} is damaged at fact {fact}: {reason}")]
    Damaged {
        /// The run, or a word for the whole file.
        run: String,
        /// Number of the first fact that cannot be trusted, from 1.
        fact: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The disk, the file or the database failed.
    #[error("cannot {doing} {place}")]
    Storage {
        /// What was tried, as in "cannot open …".
        doing: &'static str,
        /// The file or folder.
        place: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Where facts, words and the run index live.
///
/// Implementations are shared between threads; every call is atomic and durable when it returns.
pub trait Journal: Send + Sync {
    /// Adds a run without facts.
    fn create(&self, run: &RunId, created_at_ms: u64) -> Result<(), JournalError>;

    /// Appends facts after `expected`, and marks inbox words as taken, in one step or not at all.
    fn append(&self, run: &RunId, expected: Head, facts: &[Vec<u8>], taken: &[u64]) -> Result<Head, JournalError>;

    /// Reads all facts of a run.
    fn read(&self, run: &RunId) -> Result<Stored, JournalError>;

    /// Puts a person's word into a run's inbox and returns its id.
    fn post(&self, run: &RunId, word: &[u8]) -> Result<u64, JournalError>;

    /// The words of a run that were not taken yet, oldest first.
    fn words(&self, run: &RunId) -> Result<Vec<Word>, JournalError>;

    /// Replaces the summary of a run in the index, made from its first `length` facts.
    fn summarise(&self, run: &RunId, length: u64, summary: &[u8]) -> Result<(), JournalError>;

    /// All runs, oldest first.
    fn runs(&self) -> Result<Vec<RunEntry>, JournalError>;

    /// Takes the right to drive a run, or says that another process has it.
    fn lock(&self, run: &RunId) -> Result<RunLock, JournalError>;
}
