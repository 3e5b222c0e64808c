//! A journal that was tampered with is refused, and the fact is named.

use loopwright_core::fact::{Event, Fact};
use loopwright_core::json::{Digest, Json};
use loopwright_core::outcome::Signal;
use loopwright_runtime::history::{History, HistoryError};
use loopwright_runtime::journal::{Head, Journal, JournalError, MemoryJournal, RunEntry, RunId, RunLock, Stored, Word};
use loopwright_runtime::session::{Session, SessionError};

use crate::support::{STOPPED, create, finish, name, performer};
use crate::worlds::{Terms, edits, world};

/// Gives what it was told to give, as a journal whose storage does not check anything itself.
struct Tampered {
    stored: Stored,
    lock: MemoryJournal,
}

impl Journal for Tampered {
    fn create(&self, run: &RunId, at: u64) -> Result<(), JournalError> {
        self.lock.create(run, at)
    }
    fn append(&self, _: &RunId, _: Head, _: &[Vec<u8>], _: &[u64]) -> Result<Head, JournalError> {
        panic!("something is appended to a damaged journal")
    }
    fn read(&self, _: &RunId) -> Result<Stored, JournalError> {
        Ok(self.stored.clone())
    }
    fn post(&self, run: &RunId, word: &[u8]) -> Result<u64, JournalError> {
        self.lock.post(run, word)
    }
    fn words(&self, run: &RunId) -> Result<Vec<Word>, JournalError> {
        self.lock.words(run)
    }
    fn summarise(&self, run: &RunId, length: u64, summary: &[u8]) -> Result<(), JournalError> {
        self.lock.summarise(run, length, summary)
    }
    fn runs(&self) -> Result<Vec<RunEntry>, JournalError> {
        self.lock.runs()
    }
    fn lock(&self, run: &RunId) -> Result<RunLock, JournalError> {
        self.lock.lock(run)
    }
}

fn stored() -> Stored {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    finish(&journal, &mut session, &performer(world)).unwrap();
    journal.read(&name()).unwrap()
}

/// The fact that is named, or nothing where the journal is read.
fn refused(stored: Stored) -> Option<u64> {
    let lock = MemoryJournal::default();
    lock.create(&name(), 0).unwrap();
    let journal = Tampered { stored, lock };
    let read = match History::read(&journal, &name()) {
        Ok(_) => None,
        Err(HistoryError::Journal(JournalError::Damaged { run, fact, .. })) => {
            assert_eq!(run, name().to_string());
            Some(fact)
        }
        Err(other) => panic!("not damage but {other:?}"),
    };
    // Nobody goes on from what cannot be read.
    match Session::resume(&journal, STOPPED, &name()) {
        Ok(_) => assert_eq!(read, None),
        Err(SessionError::History(HistoryError::Journal(JournalError::Damaged { fact, .. }))) => {
            assert_eq!(read, Some(fact));
        }
        Err(other) => panic!("not damage but {other:?}"),
    }
    read
}

/// A fact with another time, in the form in which facts are stored.
fn edited(bytes: &[u8]) -> Vec<u8> {
    let mut fact: Fact = serde_json::from_slice(bytes).unwrap();
    fact.at_ms += 1;
    serde_json::to_vec(&fact).unwrap()
}

#[test]
fn what_was_written_is_read() {
    assert_eq!(refused(stored()), None);
}

#[test]
fn every_flipped_bit_is_named_by_its_fact() {
    let whole = stored();
    for (fact, bytes) in (1_u64..).zip(&whole.facts) {
        for at in (0..bytes.len()).step_by(31) {
            let mut stored = whole.clone();
            stored.facts[usize::try_from(fact).unwrap() - 1][at] ^= 1 << (at % 8);
            assert_eq!(refused(stored), Some(fact), "byte {at} of fact {fact}");
        }
    }
}

#[test]
fn facts_that_are_missing_moved_or_edited_are_named() {
    let whole = stored();
    let length = whole.facts.len();
    for at in 0..length {
        let fact = at as u64 + 1;
        let mut stored = whole.clone();
        stored.facts.remove(at);
        // Of a missing last fact only the head tells.
        assert_eq!(refused(stored), Some(fact), "removed");

        let mut stored = whole.clone();
        stored.facts.truncate(at);
        assert_eq!(refused(stored), Some(fact), "cut");

        let mut stored = whole.clone();
        stored.facts.insert(at, whole.facts[at].clone());
        assert_eq!(refused(stored), Some(fact + 1), "doubled");

        if fact < length as u64 {
            let mut stored = whole.clone();
            stored.facts.swap(at, at + 1);
            assert_eq!(refused(stored), Some(fact), "swapped");
        }

        let mut stored = whole.clone();
        stored.facts[at] = edited(&whole.facts[at]);
        assert_eq!(refused(stored), Some(fact), "edited");
    }
}

#[test]
fn an_edit_whose_digest_is_recomputed_shows_at_the_successor_that_was_not() {
    let whole = stored();
    let length = whole.facts.len();
    for at in 0..length - 1 {
        let mut stored = whole.clone();
        stored.facts[at] = edited(&whole.facts[at]);
        let mut next: Fact = serde_json::from_slice(&whole.facts[at + 1]).unwrap();
        next.prev = Digest::of(&stored.facts[at]);
        stored.facts[at + 1] = serde_json::to_vec(&next).unwrap();
        assert_eq!(refused(stored), Some(at as u64 + 2), "fact {} and its link", at + 1);
    }
}

#[test]
fn a_head_that_was_changed_is_noticed() {
    let whole = stored();
    let length = whole.head.length;
    let heads = [
        (Head { length, digest: Digest::of(b"other") }, length),
        (Head { length: length - 1, ..whole.head }, length),
        (Head { length: length + 2, ..whole.head }, length + 1),
        (Head::EMPTY, 1),
    ];
    for (head, fact) in heads {
        assert_eq!(refused(Stored { head, ..whole.clone() }), Some(fact), "{head:?}");
    }
}

#[test]
fn a_first_fact_that_follows_another_is_named() {
    let whole = stored();
    let mut fact: Fact = serde_json::from_slice(&whole.facts[0]).unwrap();
    fact.prev = Digest::of(b"an earlier one");
    let bytes = serde_json::to_vec(&fact).unwrap();
    let head = Head { length: 1, digest: Digest::of(&bytes) };
    assert_eq!(refused(Stored { facts: vec![bytes], head }), Some(1));
}

#[test]
fn a_chain_that_is_whole_and_tells_the_impossible_is_refused_by_the_machine() {
    let whole = stored();
    let mut facts: Vec<Fact> = whole.facts.iter().map(|bytes| serde_json::from_slice(bytes).unwrap()).collect();
    let at = facts.iter().position(|fact| matches!(fact.event, Event::EffectFinished { .. })).unwrap();
    let forged = loopwright_core::fact::EffectResult::Done { value: Json::null(), signal: Signal::Ok };
    if let Event::EffectFinished { result, .. } = &mut facts[at].event {
        *result = forged;
    }
    let mut prev = Digest::ZERO;
    let mut bytes = Vec::new();
    for fact in &mut facts {
        fact.prev = prev;
        bytes.push(serde_json::to_vec(fact).unwrap());
        prev = Digest::of(bytes.last().unwrap());
    }
    let head = Head { length: bytes.len() as u64, digest: prev };
    let lock = MemoryJournal::default();
    let journal = Tampered { stored: Stored { facts: bytes, head }, lock };
    match History::read(&journal, &name()) {
        Err(HistoryError::Illegal { fact, .. }) => assert_eq!(fact, at as u64 + 1),
        other => panic!("{other:?}"),
    }
}
