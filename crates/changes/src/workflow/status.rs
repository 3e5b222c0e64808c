//! Where a change stands, in the words people use; read off the run's state, never stored.

use std::fmt;

use loopwright_core::budget::Resource;
use loopwright_core::evaluation::Escalation;
use loopwright_core::machine::{NodeStatus, Run};
use loopwright_core::outcome::{Outcome, Signal};
use serde::{Deserialize, Serialize};

use super::graph::{AUTHORIZATION, BASELINE, DECISION, INTAKE, REPAIR, STUDY, VALIDATION};

/// The reason code of an intake that has to ask.
pub const NEEDS_CLARIFICATION: &str = "needs_clarification";
/// The reason code of a failed check where nothing may be repaired.
pub const NOT_MET: &str = "not_met";

/// Where a change stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A person has to allow the engine runs.
    AwaitingAuthorization,
    /// They did; nothing has run yet.
    Authorized,
    /// The baseline is running.
    RunningBaseline,
    /// A candidate is running.
    RunningCandidate,
    /// A candidate is being reviewed or repaired.
    Repairing,
    /// Every check passed; a person decides.
    EvidenceReady,
    /// A check failed and nothing was to be repaired.
    NotMet,
    /// The budget or the patience ran out.
    BudgetExhausted,
    /// Something stands in the way that no loop may decide.
    Blocked,
    /// The requirement has to be put differently.
    NeedsClarification,
    /// The world broke; the run can be resumed.
    Failed,
    /// A person ended it.
    Cancelled,
    /// A person accepted the candidate.
    Accepted,
    /// A person wants another candidate.
    RevisionRequested,
    /// A person keeps the baseline.
    RolledBack,
}

impl Status {
    /// The status's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::AwaitingAuthorization => "awaiting_authorization",
            Self::Authorized => "authorized",
            Self::RunningBaseline => "running_baseline",
            Self::RunningCandidate => "running_candidate",
            Self::Repairing => "repairing",
            Self::EvidenceReady => "evidence_ready",
            Self::NotMet => "not_met",
            Self::BudgetExhausted => "budget_exhausted",
            Self::Blocked => "blocked",
            Self::NeedsClarification => "needs_clarification",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Accepted => "accepted",
            Self::RevisionRequested => "revision_requested",
            Self::RolledBack => "rolled_back",
        }
    }

    /// Whether nothing more can happen to the run.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Cancelled | Self::Accepted | Self::RevisionRequested | Self::RolledBack)
    }

    /// Reads the status off a run.
    pub fn of(run: &Run) -> Self {
        match run.outcome() {
            Some(outcome) => Self::ended(outcome),
            None => Self::open(run),
        }
    }

    fn ended(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Success {} => Self::Accepted,
            Outcome::Rejected { .. } => Self::RolledBack,
            Outcome::GoalChanged { .. } => Self::RevisionRequested,
            Outcome::Cancelled { .. } => Self::Cancelled,
            Outcome::Failed { .. } => Self::Failed,
            Outcome::BudgetExhausted { .. } => Self::BudgetExhausted,
            Outcome::HardVetoed { .. } | Outcome::Escalated { .. } => Self::Blocked,
        }
    }

    fn open(run: &Run) -> Self {
        if run.is_cancelled() {
            return Self::Cancelled;
        }
        if let Some(NodeStatus::Running) = run.status(DECISION) {
            return Self::undecided(run);
        }
        match run.status(REPAIR) {
            Some(NodeStatus::Running) => return Self::repairing(run),
            // The study comes before the decision, and is a run of the candidate too.
            Some(NodeStatus::Closed(_)) if escalation(run).is_none() && studying(run) => {
                return Self::RunningCandidate;
            }
            Some(NodeStatus::Closed(_)) => return Self::undecided(run),
            _ => {}
        }
        match (run.status(AUTHORIZATION), run.status(BASELINE)) {
            (_, Some(NodeStatus::Closed(_))) => Self::RunningCandidate,
            (_, Some(NodeStatus::Running)) if has_begun(run) => Self::RunningBaseline,
            (Some(NodeStatus::Closed(_)), _) => Self::Authorized,
            _ => Self::AwaitingAuthorization,
        }
    }

    fn repairing(run: &Run) -> Self {
        let judged = run.loop_view(REPAIR).is_some_and(|view| view.evaluation.is_some());
        if judged { Self::Repairing } else { Self::RunningCandidate }
    }

    /// Everything is through but the decision.
    fn undecided(run: &Run) -> Self {
        if let Some(escalation) = escalation(run) {
            return match escalation.reason.as_str() {
                NEEDS_CLARIFICATION => Self::NeedsClarification,
                NOT_MET => Self::NotMet,
                _ => Self::Blocked,
            };
        }
        match run.status(REPAIR) {
            Some(NodeStatus::Closed(closing)) => match closing.outcome {
                Outcome::Success {} => Self::EvidenceReady,
                Outcome::BudgetExhausted { .. } => Self::BudgetExhausted,
                Outcome::Failed { .. } => Self::Failed,
                _ => Self::Blocked,
            },
            _ => Self::Blocked,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether an engine run was started, or has come back already.
fn has_begun(run: &Run) -> bool {
    run.open_effects().next().is_some() || run.spent().get(Resource::EngineRuns) > 0
}

/// Whether there is a study that is not through.
fn studying(run: &Run) -> bool {
    matches!(run.status(STUDY), Some(NodeStatus::Waiting | NodeStatus::Running))
}

/// What stands in the way, where a node escalated.
pub fn escalation(run: &Run) -> Option<Escalation> {
    [INTAKE, VALIDATION, BASELINE, REPAIR, STUDY].into_iter().find_map(|name| match run.status(name) {
        Some(NodeStatus::Closed(closing)) => match &closing.signal {
            Signal::Escalation { escalation } => Some(escalation.clone()),
            _ => None,
        },
        _ => None,
    })
}
