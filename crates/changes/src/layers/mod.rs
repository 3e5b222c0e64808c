//! The four layers between a candidate and an engine, each reporting its own errors.

mod reference;
mod rule_engine;
mod safety_gate;
mod schema;

use loopwright_configs::{ExprError, Fault, Path, Text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::goal::{Goal, Proposer};
use crate::pack::Pack;

pub use schema::contract_faults;

/// A layer, in the order they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The contract: the schema and the rules it cannot say.
    Schema,
    /// The candidate carries what was requested, at places that exist.
    Reference,
    /// Estimates keep their limits.
    RuleEngine,
    /// Only what the proposer may change differs from the baseline.
    SafetyGate,
}

impl Layer {
    /// The layer's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Reference => "reference",
            Self::RuleEngine => "rule_engine",
            Self::SafetyGate => "safety_gate",
        }
    }
}

/// What one layer says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerResult {
    /// The layer.
    pub layer: Layer,
    /// Whether it found nothing wrong; never true for a skipped one.
    pub passed: bool,
    /// All it found.
    pub errors: Vec<Fault>,
    /// Whether it was not asked because the candidate does not follow its contract.
    pub skipped: bool,
}

/// Asks all four layers about a candidate. The later ones are skipped where the first finds something.
///
/// The baseline must follow the contract. Without a goal the reference layer has nothing to compare with and passes.
pub fn validate(
    pack: &Pack,
    baseline: &Value,
    candidate: &Value,
    goal: Option<&Goal>,
    proposer: Proposer,
) -> Vec<LayerResult> {
    let faults = contract_faults(pack, candidate);
    let skipped = !faults.is_empty();
    let (baseline, candidate) = (pack.normalised(baseline), pack.normalised(candidate));
    let result = |layer, ask: &dyn Fn() -> Vec<Fault>| {
        let errors = if skipped { Vec::new() } else { ask() };
        LayerResult { layer, passed: !skipped && errors.is_empty(), errors, skipped }
    };
    let first = LayerResult { layer: Layer::Schema, passed: !skipped, errors: faults, skipped: false };
    vec![
        first,
        result(Layer::Reference, &|| {
            goal.map(|goal| reference::faults(pack, &baseline, &candidate, goal)).unwrap_or_default()
        }),
        result(Layer::RuleEngine, &|| rule_engine::faults(pack, &candidate)),
        result(Layer::SafetyGate, &|| safety_gate::faults(pack, &baseline, &candidate, goal, proposer)),
    ]
}

/// A formula of the pack that has no value for this config: a fault, since nothing may run unjudged.
pub(crate) fn broken_formula(layer: Layer, rule: &str, error: &ExprError) -> Fault {
    Fault {
        layer: layer.name().to_owned(),
        path: Path::root(),
        actual: None,
        limit: None,
        message: Text::new(
            format!("the pack's rule `{rule}` cannot be computed: {error}"),
            format!("数据包的规则 `{rule}` 无法计算：{error}"),
        ),
        rule: rule.to_owned(),
    }
}
