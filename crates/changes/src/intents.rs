//! What was asked for, as checks of candidate against baseline.

use loopwright_configs::Text;
use serde_json::Value;

use crate::checks::{CheckResult, Status};
use crate::goal::Goal;
use crate::pack::Pack;

/// One check for each intent of a goal, in its order.
pub fn results(pack: &Pack, goal: &Goal, baseline: &Value, candidate: &Value) -> Vec<CheckResult> {
    let check = |intent: &loopwright_configs::Intent| {
        let result = intent.check(pack.layout(), baseline, candidate);
        let (label, clause) = (pack.label(&intent.path), Text::same(&intent.clause));
        let item = pack.item_name(&intent.path);
        let template = if item.is_some() {
            Text::new("{item}, {label}: {clause}", "{item} {label}：{clause}")
        } else {
            Text::new("{label}: {clause}", "{label}：{clause}")
        };
        let values = [("item", item.unwrap_or_default()), ("label", label), ("clause", clause)];
        CheckResult {
            id: format!("intent:{}", intent.path),
            title: template.fill(&values),
            expected: result.expected,
            actual: result.actual,
            unit: pack.field(&intent.path).and_then(|field| field.unit.clone()),
            counter: None,
            basis: None,
            status: if result.passed { Status::Passed } else { Status::Failed },
            evidence: intent.path.to_string(),
            note: None,
        }
    };
    goal.intents.iter().map(check).collect()
}
