//! Authority: which effects are allowed, need approval, or are refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What authority says of one kind of effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// May be performed.
    #[default]
    Allowed,
    /// May be performed once a person has approved it, or an approval edge brings their approval.
    NeedsApproval,
    /// May not be performed.
    Refused,
}

/// A loop's authority over every kind of effect; fixed for the loop's life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Authority {
    /// Permission for each action by name; an action that is not named is refused.
    pub actions: BTreeMap<String, Permission>,
    /// Permission for asking the policy.
    #[serde(default)]
    pub decisions: Permission,
    /// Permission for evaluating, engine runs included.
    #[serde(default)]
    pub evaluations: Permission,
    /// Who decides what this loop may not.
    pub decided_by: String,
}

impl Authority {
    /// Allows the named actions, decisions and evaluations, and refuses everything else.
    pub fn allowing<'a>(actions: impl IntoIterator<Item = &'a str>, decided_by: &str) -> Self {
        Self {
            actions: actions.into_iter().map(|name| (name.to_owned(), Permission::Allowed)).collect(),
            decisions: Permission::Allowed,
            evaluations: Permission::Allowed,
            decided_by: decided_by.to_owned(),
        }
    }

    /// What is said of an action.
    pub fn of_action(&self, name: &str) -> Permission {
        self.actions.get(name).copied().unwrap_or(Permission::Refused)
    }
}
