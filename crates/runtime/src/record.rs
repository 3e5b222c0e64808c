//! Facts as bytes, and the chain of digests that joins them.

use loopwright_core::fact::Fact;
use loopwright_core::json::Digest;

use crate::journal::{JournalError, RunId, Stored};

/// The stored form of a fact.
pub(crate) fn encode(fact: &Fact) -> Vec<u8> {
    // A fact is plain data with string keys and finite numbers, so it always has a JSON form.
    serde_json::to_vec(fact).unwrap_or_default()
}

/// Reads facts back, checking every link of the chain and the remembered head.
pub(crate) fn decode(run: &RunId, stored: &Stored) -> Result<Vec<Fact>, JournalError> {
    let damaged = |fact: u64, reason: String| JournalError::Damaged { run: run.to_string(), fact, reason };
    let mut facts = Vec::with_capacity(stored.facts.len());
    let mut prev = Digest::ZERO;
    for (seq, bytes) in (1..).zip(&stored.facts) {
        let fact: Fact = serde_json::from_slice(bytes).map_err(|error| damaged(seq, format!("unreadable: {error}")))?;
        if fact.seq != seq {
            return Err(damaged(seq, format!("it is numbered {}", fact.seq)));
        }
        if fact.prev != prev {
            return Err(damaged(seq, "it does not follow the fact before it".to_owned()));
        }
        prev = Digest::of(bytes);
        facts.push(fact);
    }
    let length = facts.len() as u64;
    if length != stored.head.length || prev != stored.head.digest {
        let reason = format!("{length} facts where the head remembers {}", stored.head.length);
        return Err(damaged(length.min(stored.head.length) + 1, reason));
    }
    Ok(facts)
}
