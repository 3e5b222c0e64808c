//! A run as the journal tells it: facts and the state they fold to, for whoever only looks.

use loopwright_core::fact::Fact;
use loopwright_core::machine::{IllegalTransition, Run};

use crate::journal::{Head, Journal, JournalError, RunId};
use crate::record;

/// A run read back from its journal.
#[derive(Debug, Clone)]
pub struct History {
    /// Which run.
    pub id: RunId,
    /// Everything that happened.
    pub facts: Vec<Fact>,
    /// The state that follows from it.
    pub run: Run,
    /// Where the facts end.
    pub head: Head,
}

/// Why a run cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The journal cannot give it, or what it gives was tampered with.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The run was created and its first fact never arrived.
    #[error("the run {run} never started: it has no facts")]
    NeverStarted {
        /// The run.
        run: RunId,
    },
    /// A fact that the state before it does not allow.
    #[error("the journal of {run} cannot be folded at fact {fact}")]
    Illegal {
        /// The run.
        run: RunId,
        /// The fact's number.
        fact: u64,
        /// What the machine says of it.
        #[source]
        source: IllegalTransition,
    },
}

impl History {
    /// Reads a run, checks its chain, and folds it.
    pub fn read(journal: &dyn Journal, id: &RunId) -> Result<Self, HistoryError> {
        let stored = journal.read(id)?;
        let facts = record::decode(id, &stored)?;
        let illegal = |fact, source| HistoryError::Illegal { run: id.clone(), fact, source };
        let Some((first, rest)) = facts.split_first() else {
            return Err(HistoryError::NeverStarted { run: id.clone() });
        };
        let mut run = Run::start(first).map_err(|source| illegal(1, source))?;
        for fact in rest {
            run.apply(fact).map_err(|source| illegal(fact.seq, source))?;
        }
        Ok(Self { id: id.clone(), facts, run, head: stored.head })
    }
}
