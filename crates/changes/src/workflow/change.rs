//! What can be done with a change: begin it, go on with it, say something to it, list what there is.
//!
//! The command line, and whatever else offers these, holds no logic of its own: it calls this.

use loopwright_configs::Change;
use loopwright_configs::text::plain;
use loopwright_core::budget::Resource;
use loopwright_runtime::clock::Clock;
use loopwright_runtime::history::{History, HistoryError};
use loopwright_runtime::journal::{Journal, JournalError, RunEntry, RunId};
use loopwright_runtime::session::{Session, SessionError};
use loopwright_runtime::word::{self, Word, WordError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::brief::{Brief, Inputs};
use super::graph::{self, Parts};
use super::status::Status;
use super::view::View;
use crate::goal::Proposer;

/// Why a change could not be begun or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The graph cannot bound what was asked for.
    #[error("the budget of the change cannot bound it")]
    Graph(#[from] loopwright_core::graph::GraphError),
    /// Nothing may cost more than a limit that no price can be held against.
    #[error("the cost is limited, but {model} has no price")]
    UnknownPrice {
        /// The model's name in the settings.
        model: String,
    },
    /// A limit that does not pay for one call.
    #[error("one call of the {agent} may take {cost} {resource}, more than the limit of {limit}")]
    CallUnaffordable {
        /// Who asks.
        agent: &'static str,
        /// What is limited.
        resource: Resource,
        /// What a call may take.
        cost: u64,
        /// The limit.
        limit: u64,
    },
    /// The session stopped.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The run cannot be read back.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A word was not taken.
    #[error(transparent)]
    Word(#[from] WordError),
}

/// What became of a person's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It is a fact of the run.
    Taken,
    /// It waits in the inbox; the process that drives the run will take it.
    Waiting,
    /// Somebody else was faster; it had no effect.
    TooLate,
}

/// A line of the list of changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Where it stands.
    pub status: Status,
    /// What it is about: the requirement, or who brought a candidate.
    pub title: String,
}

/// Begins a change.
pub fn begin<'a>(
    journal: &'a dyn Journal,
    clock: &'a dyn Clock,
    id: RunId,
    brief: &Brief,
    inputs: &Inputs,
) -> Result<Session<'a>, ChangeError> {
    check_calls(brief)?;
    let graph = graph::build(brief.budget, Parts { intake: brief.proposer != Proposer::Person, trials: brief.trials })?;
    Ok(Session::create(journal, clock, id, &graph, inputs.to_json(), brief.to_json())?)
}

/// Refuses limits that no call could keep to, before anything starts.
fn check_calls(brief: &Brief) -> Result<(), ChangeError> {
    let (budget, Some(model)) = (&brief.budget, &brief.model) else { return Ok(()) };
    if budget.cost_micros.is_some() && model.price.is_none() {
        return Err(ChangeError::UnknownPrice { model: model.name.clone() });
    }
    let Some(calls) = &budget.calls else { return Ok(()) };
    let reviewer = ("quality reviewer", &calls.review);
    let agents = [(brief.proposer != Proposer::Person).then_some(("requirement agent", &calls.intake)), Some(reviewer)];
    let limits = [(Resource::Tokens, budget.tokens), (Resource::CostMicros, budget.cost_micros)];
    for (agent, call) in agents.into_iter().flatten() {
        for (resource, limit) in limits {
            let cost = call.get(resource);
            if let Some(limit) = limit.filter(|limit| cost > *limit) {
                return Err(ChangeError::CallUnaffordable { agent, resource, cost, limit });
            }
        }
    }
    Ok(())
}

/// Says something to a change: into the inbox first, and from there into the run unless another process drives it.
pub fn say(journal: &dyn Journal, clock: &dyn Clock, history: &History, word: &Word) -> Result<Heard, ChangeError> {
    word::post(journal, history, word)?;
    let mut session = match Session::resume(journal, clock, &history.id) {
        Err(SessionError::Journal(JournalError::Locked { .. })) => return Ok(Heard::Waiting),
        session => session?,
    };
    session.listen(&mut ())?;
    if session.refused().iter().any(|(refused, _)| refused == word) {
        return Ok(Heard::TooLate);
    }
    Ok(Heard::Taken)
}

/// Puts a change's line into the index.
pub fn summarise(journal: &dyn Journal, history: &History) -> Result<Option<Summary>, ChangeError> {
    let Some(summary) = summary(history) else { return Ok(None) };
    let bytes = serde_json::to_vec(&summary).unwrap_or_default();
    journal.summarise(&history.id, history.head.length, &bytes)?;
    Ok(Some(summary))
}

/// A change's line, from the index where it is fresh, from its facts where it is not.
pub fn line(journal: &dyn Journal, entry: &RunEntry) -> Result<Option<Summary>, ChangeError> {
    let fresh = entry.summary.as_ref().filter(|(length, _)| *length == entry.head.length);
    if let Some(summary) = fresh.and_then(|(_, bytes)| serde_json::from_slice(bytes).ok()) {
        return Ok(Some(summary));
    }
    Ok(summary(&History::read(journal, &entry.run)?))
}

fn summary(history: &History) -> Option<Summary> {
    let view = View::of(history)?;
    let title = view.brief.requirement.clone().unwrap_or_else(|| candidate_in_words(&view));
    Some(Summary { status: view.status, title })
}

/// What a person's own candidate changes, since nobody has put it into a sentence.
fn candidate_in_words(view: &View<'_>) -> String {
    let side = |side: &Option<Value>| side.as_ref().map(plain).unwrap_or_default();
    let word = |change: &Change| {
        let place = view.brief.names.place(&change.path);
        format!("{} {} -> {}", place.get(view.brief.lang), side(&change.before), side(&change.after))
    };
    let changes: Vec<_> = view.diff().iter().map(word).collect();
    if changes.is_empty() { "(candidate)".to_owned() } else { changes.join(", ") }
}
