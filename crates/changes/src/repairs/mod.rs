//! Which repair a failing run calls for, on which item, and what it changes.
//!
//! The choice is the pack's and the machine's, never a model's: a reviewer may only agree with it or hand over to a
//! person.

mod attribution;
mod choice;
mod words;

use loopwright_configs::text::plain;
use loopwright_configs::{Change, Intent, Path, PlaceError, Text, same_value};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::goal::Goal;
use crate::judgement::Judgement;
use crate::pack::Pack;
use choice::Situation;

/// What is to be done about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum RepairChoice {
    /// Every check that could be judged is passed.
    Nothing,
    /// A repair.
    Repair(Repair),
    /// A person must decide.
    Person(NoRepair),
}

/// A repair with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repair {
    /// Its name in the pack.
    pub intent: String,
    /// The failing check it answers.
    pub check: String,
    /// The item it changes.
    pub target: Path,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Why this repair on this item.
    pub reason: Text,
}

/// Why no repair is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoRepair {
    /// The kind of reason.
    pub reason: Reason,
    /// The repair that was considered, or what the pack names when none fits.
    pub intent: String,
    /// The failing check.
    pub check: Option<String>,
    /// The item that would have been changed, or that caused the failure without being named.
    pub target: Option<Path>,
    /// The changes that are not made.
    pub changes: Vec<Change>,
    /// The request that they would undo.
    pub undone: Option<Intent>,
    /// The same for people, with the numbers.
    pub message: Text,
}

/// The kinds of reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The failure comes from an item that nobody asked to change.
    UnnamedTarget,
    /// The pack has no repair for what failed.
    NoRepairForCheck,
    /// The repair would change nothing.
    RepairWithoutEffect,
    /// The repair would undo what was asked for.
    IntentConflict,
}

/// The repair that a judgement calls for. The same input gives the same choice.
pub fn choose_repair(
    pack: &Pack,
    goal: &Goal,
    baseline: &Value,
    candidate: &Value,
    judgement: &Judgement,
    telemetry: &Value,
) -> RepairChoice {
    let (baseline, candidate) = (pack.normalised(baseline), pack.normalised(candidate));
    let Some(first) = judgement.failed().next() else { return RepairChoice::Nothing };
    let situation = Situation { pack, goal, baseline: &baseline, candidate: &candidate, telemetry };
    match situation.choose(judgement, first) {
        Ok(repair) => RepairChoice::Repair(repair),
        Err(none) => RepairChoice::Person(*none),
    }
}

/// Makes a repair's changes on the config it was computed for.
pub fn apply_repair(pack: &Pack, candidate: &Value, repair: &Repair) -> Result<Value, RepairError> {
    let mut config = pack.normalised(candidate);
    for change in &repair.changes {
        let present = pack.layout().get(&config, &change.path);
        let fits = match (present, &change.before) {
            (Some(present), Some(before)) => same_value(present, before),
            (present, before) => present.is_none() && before.is_none(),
        };
        if !fits {
            return Err(RepairError::Stale {
                path: change.path.clone(),
                expected: change.before.as_ref().map(plain).unwrap_or_default(),
                actual: present.map(plain).unwrap_or_default(),
            });
        }
        pack.layout().set(&mut config, &change.path, change.after.clone().unwrap_or(Value::Null))?;
    }
    Ok(config)
}

/// A repair does not fit the config.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepairError {
    /// The config is not the one the repair was computed for.
    #[error("{path} is {actual}, but the repair was computed for {expected}; choose it again for this config")]
    Stale {
        /// The place.
        path: Path,
        /// The value the repair was computed for.
        expected: String,
        /// The value there.
        actual: String,
    },
    /// The place does not exist.
    #[error(transparent)]
    Place(#[from] PlaceError),
}
