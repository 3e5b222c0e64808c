//! The structured goal: what a requirement asks for, as data that checks, repairs and reports work with.

use std::collections::BTreeMap;

use loopwright_configs::Intent;
use serde_json::{Map, Value, json};

use crate::vocabulary::GoalKeys;

/// A change that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalChange {
    /// The element's id.
    pub element: String,
    /// The field, by its name in the vocabulary.
    pub field: String,
    /// `up` or `down`, where a direction was said.
    pub direction: Option<&'static str>,
    /// The value that was asked for or computed from a percentage; none for the documented step of a direction.
    pub value: Option<Value>,
    /// The words it came from.
    pub clause: String,
}

/// Something that was to stay.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The place, or the pattern of places.
    pub path: String,
    /// The words it came from.
    pub clause: String,
}

/// What a requirement asks for.
#[derive(Debug, Clone)]
pub struct StructuredGoal {
    /// The requirement as it was typed.
    pub source_text: String,
    /// Changes, in the order they were said.
    pub changes: Vec<GoalChange>,
    /// What was to stay.
    pub keeps: Vec<Kept>,
    /// Limits that were named, with their values.
    pub constraints: BTreeMap<String, Value>,
    /// Every yes-or-no of the pack, and whether the requirement asks for it.
    pub flags: BTreeMap<String, bool>,
    /// Limits that are looser than the baseline's, with words that permit it.
    pub loosened: Vec<String>,
    /// Checks of candidate against baseline.
    pub intents: Vec<Intent>,
    /// The ids of the elements that were to change, in document order.
    pub named: Vec<String>,
    pub(crate) keys: GoalKeys,
}

impl StructuredGoal {
    /// The element of the first change.
    pub fn target(&self) -> Option<&str> {
        self.changes.first().map(|change| change.element.as_str())
    }

    /// The value of the pack's main choice that was asked for the target.
    pub fn requested(&self) -> Option<&Value> {
        let field = &self.keys.requested.field;
        self.of_target().find(|change| change.field == *field).and_then(|change| change.value.as_ref())
    }

    /// Whether the target was to get more of what the pack calls pressure.
    pub fn pressure(&self) -> bool {
        self.of_target()
            .any(|change| change.direction == Some("up") && self.keys.pressure.fields.contains(&change.field))
    }

    fn of_target(&self) -> impl Iterator<Item = &GoalChange> {
        self.changes.iter().filter(|change| Some(change.element.as_str()) == self.target())
    }

    /// The goal as JSON, with the pack's own key names; its schema is pack data too.
    pub fn to_json(&self) -> Value {
        let changes = self.changes.iter().map(|change| {
            let mut entry = Map::new();
            entry.insert(self.keys.element.clone(), change.element.clone().into());
            entry.insert("field".into(), change.field.clone().into());
            if let Some(direction) = change.direction {
                entry.insert("direction".into(), direction.into());
            }
            if let Some(value) = &change.value {
                entry.insert("value".into(), value.clone());
            }
            entry.insert("clause".into(), change.clause.clone().into());
            Value::Object(entry)
        });
        let keeps = self.keeps.iter().map(|kept| json!({"path": kept.path, "clause": kept.clause}));
        let mut goal = Map::new();
        goal.insert("source_text".into(), self.source_text.clone().into());
        goal.insert(self.keys.target.clone(), self.target().map_or(Value::Null, Value::from));
        goal.insert(self.keys.requested.key.clone(), self.requested().cloned().unwrap_or(Value::Null));
        goal.insert(self.keys.pressure.key.clone(), self.pressure().into());
        goal.insert("changes".into(), changes.collect());
        goal.insert("keeps".into(), keeps.collect());
        goal.insert("constraints".into(), Value::Object(self.constraints.clone().into_iter().collect()));
        for (flag, asked) in &self.flags {
            goal.insert(flag.clone(), (*asked).into());
        }
        goal.insert("loosened".into(), json!(self.loosened));
        goal.insert("intents".into(), json!(self.intents));
        Value::Object(goal)
    }
}
