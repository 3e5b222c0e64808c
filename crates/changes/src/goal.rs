//! What a change is meant to do, as far as its verification needs to know.

use loopwright_configs::text::plain;
use loopwright_configs::{Change, Expect, Intent, Key, Path, diff};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pack::Pack;

/// Who proposes a candidate; it decides what may differ from the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposer {
    /// The rule-based reading of a requirement.
    Intake,
    /// A model.
    Model,
    /// A person's own candidate.
    Person,
}

/// The checked part of a requirement.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// What was asked of which place, what was to stay included.
    #[serde(default)]
    pub intents: Vec<Intent>,
    /// Ids of the items that were asked to change; an item that was asked to stay is not among them.
    #[serde(default)]
    pub named: Vec<String>,
    /// Limits that the requirement loosens in words.
    #[serde(default)]
    pub loosened: Vec<Path>,
}

impl Goal {
    /// The goal of a person's own candidate: what differs is what was asked.
    ///
    /// Each number that differs asks for its direction, everything else for its new value. A value that is gone asks
    /// for nothing, since the layers judge that.
    pub fn from_diff(pack: &Pack, baseline: &Value, candidate: &Value) -> Self {
        let (baseline, candidate) = (pack.normalised(baseline), pack.normalised(candidate));
        let mut goal = Self::default();
        for change in diff(pack.layout(), &baseline, &candidate) {
            if change.path.starts_with(&pack.manifest().target.collection)
                && let Some(key @ Key::Id(_)) = change.path.first_key()
            {
                let id = key.to_string();
                if !goal.named.contains(&id) {
                    goal.named.push(id);
                }
            }
            if pack.loosens(&change.path, &baseline, &candidate) {
                goal.loosened.push(change.path.clone());
            }
            if let Some(expect) = expect(&change) {
                let clause = clause(&change);
                goal.intents.push(Intent { path: change.path, expect, clause });
            }
        }
        goal
    }
}

fn expect(change: &Change) -> Option<Expect> {
    let after = change.after.as_ref()?;
    Some(match (change.before.as_ref().and_then(Value::as_f64), after.as_f64()) {
        (Some(before), Some(after)) if after > before => Expect::Above,
        (Some(before), Some(after)) if after < before => Expect::Below,
        _ => Expect::Equals(after.clone()),
    })
}

/// The words of a change that nobody put into words.
fn clause(change: &Change) -> String {
    let shown = |value: &Option<Value>| value.as_ref().map_or_else(|| "-".to_owned(), plain);
    let name = change.path.last_field().map_or_else(|| change.path.to_string(), str::to_owned);
    format!("{name} {} -> {}", shown(&change.before), shown(&change.after))
}
