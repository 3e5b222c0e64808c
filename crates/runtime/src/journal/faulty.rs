//! A journal that fails when it is told to, for tests of whoever writes to one.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Head, Journal, JournalError, RunEntry, RunId, RunLock, Stored, Word};

/// How an append fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is stored.
    Refused,
    /// Everything is stored and the caller is told that it failed, as when a disk breaks after a commit.
    Unreported,
}

/// Wraps a journal, counts its appends, and lets one of them fail.
#[derive(Debug)]
pub struct FaultyJournal<J> {
    inner: J,
    appends: AtomicU64,
    failing: u64,
    fault: Fault,
}

impl<J> FaultyJournal<J> {
    /// Only counts.
    pub fn counting(inner: J) -> Self {
        Self::failing_at(inner, 0, Fault::Refused)
    }

    /// Fails the append with this number, counted from 1, and no other.
    pub fn failing_at(inner: J, failing: u64, fault: Fault) -> Self {
        Self { inner, appends: AtomicU64::new(0), failing, fault }
    }

    /// How many appends there were, the failed one included.
    pub fn appends(&self) -> u64 {
        self.appends.load(Ordering::SeqCst)
    }

    /// The wrapped journal.
    pub fn inner(&self) -> &J {
        &self.inner
    }
}

impl<J: Journal> Journal for FaultyJournal<J> {
    fn create(&self, run: &RunId, created_at_ms: u64) -> Result<(), JournalError> {
        self.inner.create(run, created_at_ms)
    }

    fn append(&self, run: &RunId, expected: Head, facts: &[Vec<u8>], taken: &[u64]) -> Result<Head, JournalError> {
        let number = self.appends.fetch_add(1, Ordering::SeqCst) + 1;
        if number != self.failing {
            return self.inner.append(run, expected, facts, taken);
        }
        if self.fault == Fault::Unreported {
            self.inner.append(run, expected, facts, taken)?;
        }
        let source = Box::new(io::Error::other(format!("append {number} was told to fail")));
        Err(JournalError::Storage { doing: "append to", place: "a faulty journal".to_owned(), source })
    }

    fn read(&self, run: &RunId) -> Result<Stored, JournalError> {
        self.inner.read(run)
    }

    fn post(&self, run: &RunId, word: &[u8]) -> Result<u64, JournalError> {
        self.inner.post(run, word)
    }

    fn words(&self, run: &RunId) -> Result<Vec<Word>, JournalError> {
        self.inner.words(run)
    }

    fn summarise(&self, run: &RunId, length: u64, summary: &[u8]) -> Result<(), JournalError> {
        self.inner.summarise(run, length, summary)
    }

    fn runs(&self) -> Result<Vec<RunEntry>, JournalError> {
        self.inner.runs()
    }

    fn lock(&self, run: &RunId) -> Result<RunLock, JournalError> {
        self.inner.lock(run)
    }
}
