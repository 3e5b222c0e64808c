//! Facts as bytes, and the chain of digests that joins them.

use loopwright_core::fact::{Event, Fact};
use loopwright_core::json::Digest;

use crate::journal::{JournalError, RunId, Stored};

/// How deep JSON may be nested for the reader below to follow; it belongs to `serde_json`.
const READABLE_DEPTH: usize = 127;

/// How deep it may be where it comes from outside; the machine wraps such values into others and needs some room.
const ACCEPTED_DEPTH: usize = 96;

/// The stored form of a fact; nothing where its values are nested deeper than it could be read back.
pub(crate) fn encode(fact: &Fact) -> Option<Vec<u8>> {
    // A fact is plain data with string keys and finite numbers, so it always has a JSON form.
    let bytes = serde_json::to_vec(fact).unwrap_or_default();
    let outside =
        matches!(fact.event, Event::RunStarted { .. } | Event::EffectFinished { .. } | Event::Answered { .. });
    (depth(&bytes) <= if outside { ACCEPTED_DEPTH } else { READABLE_DEPTH }).then_some(bytes)
}

/// The deepest nesting in a JSON text.
fn depth(json: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let (mut in_text, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                open += 1;
                deepest = deepest.max(open);
            }
            b'}' | b']' if !in_text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
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
