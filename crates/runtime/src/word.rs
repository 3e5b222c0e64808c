//! What a person says to a run: put into its inbox by anybody, turned into a fact by whoever drives it.

use loopwright_core::budget::Amounts;
use loopwright_core::fact::{Answer, Event};
use loopwright_core::ids::{AskId, NodePath};
use loopwright_core::machine::{IllegalTransition, Run};
use serde::{Deserialize, Serialize};

use crate::history::{History, HistoryError};
use crate::journal::{Journal, RunId};

/// A person's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Word {
    /// An answer to a question.
    Answer {
        /// Which question.
        id: AskId,
        /// The answer.
        answer: Answer,
    },
    /// End the run.
    Cancel {
        /// Who.
        actor: String,
        /// Why.
        note: Option<String>,
    },
    /// Raise a node's budget.
    Amend {
        /// Which node.
        path: NodePath,
        /// By how much.
        budget: Amounts,
        /// Who.
        actor: String,
        /// Why.
        note: Option<String>,
    },
    /// Try a failed node again.
    Retry {
        /// Which node.
        path: NodePath,
        /// Who.
        actor: Option<String>,
    },
}

/// Why a word was not taken.
#[derive(Debug, thiserror::Error)]
pub enum WordError {
    /// The run cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The run's state does not allow it.
    #[error("the run does not allow this now")]
    NotNow(#[from] IllegalTransition),
}

impl Word {
    /// The fact that the word becomes, and the node it belongs to.
    pub(crate) fn into_event(self) -> (NodePath, Event) {
        match self {
            Self::Answer { id, answer } => (id.path.clone(), Event::Answered { id, answer }),
            Self::Cancel { actor, note } => (NodePath::root(), Event::Cancelled { actor, note }),
            Self::Amend { path, budget, actor, note } => (path, Event::Amended { budget, actor, note }),
            Self::Retry { path, actor } => (path, Event::Retried { actor }),
        }
    }

    /// Says whether a run would take the word as it stands.
    pub fn check(&self, run: &Run) -> Result<(), IllegalTransition> {
        let (path, event) = self.clone().into_event();
        crate::session::try_event(run, path, event)
    }
}

/// Puts a word into a run's inbox, if the run's state allows it now.
pub fn post(journal: &dyn Journal, history: &History, word: &Word) -> Result<u64, WordError> {
    post_to(journal, &history.id, &history.run, word)
}

/// The same for whoever holds the run's state already and need not read it back.
pub fn post_to(journal: &dyn Journal, id: &RunId, run: &Run, word: &Word) -> Result<u64, WordError> {
    word.check(run)?;
    // A word is plain data with string keys, so it always has a JSON form.
    let bytes = serde_json::to_vec(word).unwrap_or_default();
    Ok(journal.post(id, &bytes).map_err(HistoryError::from)?)
}
