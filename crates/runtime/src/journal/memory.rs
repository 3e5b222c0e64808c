//! A journal in memory, for tests and for embedding where nothing has to survive the process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Head, Journal, JournalError, RunEntry, RunId, RunLock, Stored, Word};

/// Keeps everything in one map; clones share it.
#[derive(Debug, Clone, Default)]
pub struct MemoryJournal(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    runs: BTreeMap<RunId, Record>,
    locked: BTreeSet<RunId>,
    next_word: u64,
}

#[derive(Debug)]
struct Record {
    order: usize,
    created_at_ms: u64,
    facts: Vec<Vec<u8>>,
    head: Head,
    words: Vec<Word>,
    summary: Option<(u64, Vec<u8>)>,
}

impl MemoryJournal {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of the map is a single insertion, so a panic elsewhere leaves it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn record(&mut self, run: &RunId) -> Result<&mut Record, JournalError> {
        self.runs.get_mut(run).ok_or_else(|| JournalError::UnknownRun { run: run.clone() })
    }
}

impl Journal for MemoryJournal {
    fn create(&self, run: &RunId, created_at_ms: u64) -> Result<(), JournalError> {
        let mut state = self.state();
        if state.runs.contains_key(run) {
            return Err(JournalError::RunExists { run: run.clone() });
        }
        let order = state.runs.len();
        let record =
            Record { order, created_at_ms, facts: Vec::new(), head: Head::EMPTY, words: Vec::new(), summary: None };
        state.runs.insert(run.clone(), record);
        Ok(())
    }

    fn append(&self, run: &RunId, expected: Head, facts: &[Vec<u8>], taken: &[u64]) -> Result<Head, JournalError> {
        let mut state = self.state();
        let record = state.record(run)?;
        if record.head != expected {
            let (expected, found) = (expected.length, record.head.length);
            return Err(JournalError::Moved { run: run.clone(), expected, found });
        }
        record.facts.extend_from_slice(facts);
        record.head = record.head.after(facts);
        record.words.retain(|word| !taken.contains(&word.id));
        Ok(record.head)
    }

    fn read(&self, run: &RunId) -> Result<Stored, JournalError> {
        let mut state = self.state();
        let record = state.record(run)?;
        Ok(Stored { facts: record.facts.clone(), head: record.head })
    }

    fn post(&self, run: &RunId, word: &[u8]) -> Result<u64, JournalError> {
        let mut state = self.state();
        let id = state.next_word + 1;
        state.record(run)?.words.push(Word { id, bytes: word.to_vec() });
        state.next_word = id;
        Ok(id)
    }

    fn words(&self, run: &RunId) -> Result<Vec<Word>, JournalError> {
        Ok(self.state().record(run)?.words.clone())
    }

    fn summarise(&self, run: &RunId, length: u64, summary: &[u8]) -> Result<(), JournalError> {
        self.state().record(run)?.summary = Some((length, summary.to_vec()));
        Ok(())
    }

    fn runs(&self) -> Result<Vec<RunEntry>, JournalError> {
        let state = self.state();
        let mut entries: Vec<_> = state.runs.iter().collect();
        entries.sort_by_key(|(_, record)| record.order);
        let entry = |(run, record): (&RunId, &Record)| RunEntry {
            run: run.clone(),
            created_at_ms: record.created_at_ms,
            head: record.head,
            summary: record.summary.clone(),
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn lock(&self, run: &RunId) -> Result<RunLock, JournalError> {
        let mut state = self.state();
        state.record(run)?;
        if !state.locked.insert(run.clone()) {
            return Err(JournalError::Locked { run: run.clone() });
        }
        Ok(Box::new(Held { journal: self.clone(), run: run.clone() }))
    }
}

struct Held {
    journal: MemoryJournal,
    run: RunId,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.journal.state().locked.remove(&self.run);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_contract() {
        crate::journal::contract::check(&super::MemoryJournal::default());
    }
}
