//! What a policy may answer: act, finish, ask a human, propose a goal change. Nothing else.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::Json;

/// A typed thing that the authority can allow or refuse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Which action.
    pub name: String,
    /// Its arguments, as its performer defines them.
    #[serde(default)]
    pub args: Json,
}

/// A policy's proposal for a turn.
///
/// Every variant is a struct, since only then a tagged variant refuses unknown fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Decision {
    /// Perform an action.
    Act {
        /// The action.
        action: Action,
    },
    /// Claim that the aim is reached.
    Finish {
        /// What the claim rests on, for the gate and for people; the evaluator does not take its word.
        #[serde(default, skip_serializing_if = "Json::is_null")]
        claim: Json,
    },
    /// Ask a person.
    AskHuman {
        /// The question.
        question: String,
    },
    /// Propose what no loop may decide: another aim or another authority.
    ProposeGoalChange {
        /// The proposal.
        proposal: Json,
    },
}

impl Decision {
    /// Reads a policy's answer; the error text is meant as feedback for the policy.
    pub fn parse(answer: &Value) -> Result<Self, String> {
        Self::deserialize(answer).map_err(|error| format!("not a decision: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_four_decisions_are_read() {
        let good = [
            json!({"type": "act", "action": {"name": "edit_tests"}}),
            json!({"type": "act", "action": {"name": "edit_tests", "args": {"n": 3}}}),
            json!({"type": "finish"}),
            json!({"type": "finish", "claim": {"evidence": ["check:a"]}}),
            json!({"type": "ask_human", "question": "which?"}),
            json!({"type": "propose_goal_change", "proposal": {"aim": "less"}}),
        ];
        for answer in good {
            let decision = Decision::parse(&answer).unwrap();
            assert_eq!(Decision::parse(&serde_json::to_value(&decision).unwrap()).unwrap(), decision);
        }
        let bad = [
            json!({"type": "finish", "run_shell_command": "x"}),
            json!({"type": "act", "action": {"name": "a", "sudo": true}}),
            json!({"type": "act"}),
            json!({"type": "ask_human", "question": 7}),
            json!({"type": "run_shell_command", "command": "x"}),
            json!({"action": {"name": "a"}}),
            json!([]),
            json!("finish"),
        ];
        for answer in bad {
            assert!(Decision::parse(&answer).unwrap_err().starts_with("not a decision: "), "{answer}");
        }
    }
}
