//! What people say to a change, as words for the run's inbox.

use std::fmt;

use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::fact::{Answer, Ask, Reply};
use loopwright_core::ids::NodePath;
use loopwright_core::machine::{NodeStatus, Run};
use loopwright_core::outcome::OutcomeKind;
use loopwright_runtime::word::Word;
use serde_json::json;

use super::graph::{AUTHORIZATION, DECISION, INTAKE, REPAIR, SCOPE, STUDY};
use super::status::Status;

/// What a person may decide once everything is through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Take the candidate.
    Accept,
    /// Ask for another one.
    Revise,
    /// Keep the baseline.
    Rollback,
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accept => "accept",
            Self::Revise => "revise",
            Self::Rollback => "rollback",
        })
    }
}

/// A word that the change's status does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the run is {status}: it cannot be {word}")]
pub struct NotNow {
    /// Where the change stands.
    pub status: Status,
    /// What was to be done with it, in the past tense.
    pub word: &'static str,
}

/// A yes to the engine runs.
pub fn authorize(run: &Run, actor: &str, note: Option<String>) -> Result<Word, NotNow> {
    let ask = asked(run, AUTHORIZATION).ok_or(NotNow { status: Status::of(run), word: "authorized" })?;
    let runs = match &ask.about {
        loopwright_core::fact::AskAbout::Node { question, .. } => question.get("runs").cloned(),
        _ => None,
    };
    let value = json!({"scope": SCOPE, "runs_granted": runs});
    Ok(answer(ask, Reply::Approve { value: value.into() }, actor, note))
}

/// A decision on a change that is through.
pub fn decide(run: &Run, verb: Verb, actor: &str, note: Option<String>) -> Result<Word, NotNow> {
    let status = Status::of(run);
    let (word, reply) = match verb {
        Verb::Accept => ("accepted", Reply::Approve { value: json!({"baseline_overwritten": false}).into() }),
        Verb::Revise => ("revised", Reply::ChangeGoal { proposal: json!({"note": note}).into() }),
        Verb::Rollback => ("rolled back", Reply::Reject {}),
    };
    let ask = asked(run, DECISION).ok_or(NotNow { status, word })?;
    if verb == Verb::Accept && status != Status::EvidenceReady {
        return Err(NotNow { status, word });
    }
    Ok(answer(ask, reply, actor, note))
}

/// An end to a change that has not ended.
pub fn cancel(run: &Run, actor: &str, note: Option<String>) -> Result<Word, NotNow> {
    match run.outcome() {
        None if !run.is_cancelled() => Ok(Word::Cancel { actor: actor.to_owned(), note }),
        _ => Err(NotNow { status: Status::of(run), word: "cancelled" }),
    }
}

/// A larger budget for the loop that ran out, or that is under way.
///
/// Each call of a model and each engine run needs a turn of the loop, so attempts grow with them. Trials that were
/// studied already have to be studied anew for the next candidate, so the run as a whole gets one engine run for that.
pub fn amend(run: &Run, by: &Amounts, actor: &str, note: Option<&str>) -> Result<Vec<Word>, NotNow> {
    let exhausted = |name: &&str| match run.status(name) {
        Some(NodeStatus::Closed(closing)) => closing.outcome.kind() == OutcomeKind::BudgetExhausted,
        _ => false,
    };
    let running = |name: &&str| run.status(name) == Some(NodeStatus::Running);
    let not_now = NotNow { status: Status::of(run), word: "amended" };
    if run.is_cancelled() {
        return Err(not_now);
    }
    let loops = [INTAKE, REPAIR];
    let node = loops.into_iter().find(exhausted).or_else(|| loops.into_iter().find(running)).ok_or(not_now)?;
    let turns = by.get(Resource::ModelCalls).max(by.get(Resource::EngineRuns)).max(by.get(Resource::Attempts));
    let (actor, note) = (actor.to_owned(), note.map(str::to_owned));
    let amend = |path, budget| Word::Amend { path, budget, actor: actor.clone(), note: note.clone() };
    let mut words = vec![amend(NodePath::root().child(node), by.with(Resource::Attempts, turns))];
    if matches!(run.status(STUDY), Some(NodeStatus::Closed(_))) {
        words.push(amend(NodePath::root(), Amounts::of(Resource::EngineRuns, 1)));
    }
    Ok(words)
}

/// A second try for every node that failed with the world.
pub fn retry(run: &Run, actor: Option<&str>) -> Vec<Word> {
    let failed = |name: &str| match run.status(name) {
        Some(NodeStatus::Closed(closing)) => closing.outcome.kind() == OutcomeKind::Failed,
        _ => false,
    };
    let names = run.graph().spec().nodes.iter().map(|node| node.name.as_str()).filter(|name| failed(name));
    names.map(|name| Word::Retry { path: NodePath::root().child(name), actor: actor.map(str::to_owned) }).collect()
}

fn asked<'a>(run: &'a Run, node: &str) -> Option<&'a Ask> {
    // A run that a person ended keeps the questions that were never answered.
    let open = run.outcome().is_none() && !run.is_cancelled();
    run.asks().find(|ask| open && ask.id.path.as_str() == node)
}

fn answer(ask: &Ask, reply: Reply, actor: &str, note: Option<String>) -> Word {
    Word::Answer { id: ask.id.clone(), answer: Answer { reply, actor: actor.to_owned(), note } }
}
