//! Exit codes, documented in the README and in `--help`.

use std::process::ExitCode;

use loopwright_changes::workflow::status::Status;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Evidence is ready, a word was recorded, a question answered.
    Fine,
    /// A check failed and nothing was to be repaired.
    NotMet,
    /// Bad usage, a command that the run's state does not allow, input that cannot be read.
    Usage,
    /// A person must authorise, approve or answer first.
    Awaiting,
    /// The budget ran out.
    Exhausted,
    /// Blocked, escalated, vetoed, rejected, goal changed, or in need of clarification.
    Blocked,
    /// The world failed: an engine, a model, a disk.
    World,
    /// Our own bug.
    Bug,
    /// Interrupted; the run can be resumed.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::NotMet => 1,
            Self::Usage => 2,
            Self::Awaiting => 3,
            Self::Exhausted => 4,
            Self::Blocked => 5,
            Self::World => 6,
            Self::Bug => 70,
            Self::Interrupted => 130,
        }
    }

    /// How a program ends whose worst part would have ended with this code.
    pub(crate) fn of_code(code: u8) -> Self {
        let known = [
            Self::Fine,
            Self::NotMet,
            Self::Usage,
            Self::Awaiting,
            Self::Exhausted,
            Self::Blocked,
            Self::World,
            Self::Interrupted,
        ];
        known.into_iter().find(|exit| exit.code() == code).unwrap_or(Self::Bug)
    }

    /// How a command ends that leaves a change in some status.
    pub(crate) fn of(status: Status) -> Self {
        match status {
            Status::EvidenceReady | Status::Accepted => Self::Fine,
            Status::NotMet => Self::NotMet,
            Status::AwaitingAuthorization => Self::Awaiting,
            Status::BudgetExhausted => Self::Exhausted,
            Status::Blocked
            | Status::NeedsClarification
            | Status::RolledBack
            | Status::RevisionRequested
            | Status::Cancelled => Self::Blocked,
            Status::Failed => Self::World,
            Status::Authorized | Status::RunningBaseline | Status::RunningCandidate | Status::Repairing => {
                Self::Interrupted
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
