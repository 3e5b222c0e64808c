//! The verdict on one run of a candidate.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checks::{CheckResult, Status, judge};
use crate::goal::Goal;
use crate::pack::Pack;
use crate::{intents, score};

/// Everything that a run's telemetry and a candidate's config say about a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether the candidate does what was asked; shown first.
    pub intents: Vec<CheckResult>,
    /// Whether the run keeps its limits, in the pack's order.
    pub checks: Vec<CheckResult>,
    /// See [`score::score`]; over `checks` alone.
    pub score: Vec<i64>,
}

impl Judgement {
    /// Whether everything that could be judged is passed.
    pub fn accepted(&self) -> bool {
        self.failed().next().is_none()
    }

    /// All that failed, intents first.
    pub fn failed(&self) -> impl Iterator<Item = &CheckResult> {
        self.intents.iter().chain(&self.checks).filter(|check| check.status == Status::Failed)
    }
}

/// Judges a run. Baseline and candidate are configs that passed the layers.
pub fn evaluate(pack: &Pack, goal: &Goal, baseline: &Value, candidate: &Value, telemetry: &Value) -> Judgement {
    let (baseline, candidate) = (pack.normalised(baseline), pack.normalised(candidate));
    let judged: Vec<_> = pack.checks().iter().map(|check| judge(pack, check, &candidate, telemetry)).collect();
    Judgement {
        intents: intents::results(pack, goal, &baseline, &candidate),
        score: score::score(&judged),
        checks: judged.into_iter().map(|(check, _)| check).collect(),
    }
}
