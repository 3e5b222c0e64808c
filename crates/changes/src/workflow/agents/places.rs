//! Configs in lines, as prompts show them: what may be changed, what may not be loosened, what was changed.

use loopwright_configs::text::plain;
use loopwright_configs::{Change, diff};
use serde_json::Value;

use crate::goal::Proposer;
use crate::pack::{Looser, Pack};

/// Every place that a model may change, with its label, its value and its range.
pub(super) fn changeable(pack: &Pack, baseline: &Value) -> String {
    let scope = pack.manifest().scopes.of(Proposer::Model);
    let leaves = pack.layout().leaves(baseline);
    let within = leaves.into_iter().filter(|(path, _)| scope.iter().any(|pattern| path.matches(pattern)));
    let line = |(path, value): (loopwright_configs::Path, &Value)| {
        let label = pack.label(&path);
        let range = pack.schema().range(&path).map(|range| format!(", {range}")).unwrap_or_default();
        format!("- {path} ({}, {}): {}{range}", label.en, label.zh, plain(value))
    };
    within.map(line).collect::<Vec<_>>().join("\n")
}

/// Every limit that may not be loosened unasked.
pub(super) fn limits(pack: &Pack, baseline: &Value) -> String {
    let line = |limit: &crate::pack::Limit| {
        let value = pack.layout().get(baseline, &limit.path).map(plain).unwrap_or_default();
        let looser = match limit.looser {
            Looser::Higher => "a higher value is looser",
            Looser::Lower => "a lower value is looser",
            Looser::Off => "false is looser",
        };
        format!("- {}: {value}, {looser}", limit.path)
    };
    pack.manifest().limits.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The ids of what changes are aimed at.
pub(super) fn items(pack: &Pack, baseline: &Value) -> String {
    let items = pack.layout().items(baseline, &pack.manifest().target.collection);
    let ids = items.iter().filter_map(|(path, _)| path.first_key().map(ToString::to_string));
    ids.collect::<Vec<_>>().join(", ")
}

/// What a candidate changes.
pub(super) fn changes(pack: &Pack, baseline: &Value, candidate: &Value) -> String {
    listed(&diff(pack.layout(), baseline, candidate))
}

/// Changes, one a line.
pub(super) fn listed(changes: &[Change]) -> String {
    let side = |side: &Option<Value>| side.as_ref().map_or_else(|| "-".to_owned(), plain);
    let line = |change: &Change| format!("- {}: {} -> {}", change.path, side(&change.before), side(&change.after));
    if changes.is_empty() { "none".to_owned() } else { changes.iter().map(line).collect::<Vec<_>>().join("\n") }
}
