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
    for (seq, bytes) in (1..).zip(&stored.facts) {
        let fact: Fact = serde_json::from_slice(bytes).map_err(|error| damaged(seq, format!("unreadable: {error}")))?;
        if fact.seq != seq {
            return Err(damaged(seq, format!("it is numbered {}", fact.seq)));
        }
        facts.push(fact);
    }
    let length = facts.len() as u64;
    if length != stored.head.length {
        let reason = format!("{length} facts where the head remembers {}", stored.head.length);
        return Err(damaged(length.min(stored.head.length) + 1, reason));
    }
    // The head vouches for the last fact and every fact for the one before it, so that going backwards
    // the first mismatch is at the fact that was changed and not at a neighbour.
    let mut vouched = stored.head.digest;
    for (fact, bytes) in facts.iter().zip(&stored.facts).rev() {
        if Digest::of(bytes) != vouched {
            return Err(damaged(fact.seq, "its bytes are not those that were stored".to_owned()));
        }
        vouched = fact.prev;
    }
    if vouched != Digest::ZERO {
        return Err(damaged(1, "it follows a fact that is not there".to_owned()));
    }
    Ok(facts)
}
