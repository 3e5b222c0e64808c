//! Whether a candidate carries what was requested, at places that exist.

use loopwright_configs::text::plain;
use loopwright_configs::{Expect, Fault, Intent, Key, Path, Text};
use serde_json::Value;

use super::Layer;
use crate::goal::Goal;
use crate::pack::Pack;

pub(super) fn faults(pack: &Pack, baseline: &Value, candidate: &Value, goal: &Goal) -> Vec<Fault> {
    let collection = &pack.manifest().target.collection;
    let mut faults = Vec::new();
    let mut missing = Vec::new();
    let named = goal.named.iter().filter_map(|id| Some(collection.item(Key::id(id)?)));
    let meant = goal.intents.iter().filter_map(|intent| item(collection, &intent.path));
    for target in named.chain(meant) {
        if pack.layout().get(baseline, &target).is_none() && !missing.contains(&target) {
            faults.push(absent(pack, baseline, &target));
            missing.push(target);
        }
    }
    for intent in &goal.intents {
        if item(collection, &intent.path).is_some_and(|target| missing.contains(&target)) {
            continue;
        }
        match unsupported(pack, intent) {
            Some(fault) => faults.push(fault),
            None => faults.extend(not_carried(pack, baseline, candidate, intent)),
        }
    }
    faults
}

/// The item of the target collection that a path leads into.
fn item(collection: &Path, path: &Path) -> Option<Path> {
    path.starts_with(collection).then(|| path.first_key().map(|key| collection.item(key.clone()))).flatten()
}

fn absent(pack: &Pack, baseline: &Value, target: &Path) -> Fault {
    let known: Vec<String> = pack
        .layout()
        .items(baseline, &pack.manifest().target.collection)
        .into_iter()
        .filter_map(|(path, _)| path.first_key().map(ToString::to_string))
        .collect();
    let known = known.join(", ");
    fault(
        target.clone(),
        None,
        Some(known.clone().into()),
        "target_exists",
        Text::new(format!("{target} does not exist; there are {known}"), format!("{target} 不存在；现有 {known}")),
    )
}

/// A requested kind that the schema does not list.
fn unsupported(pack: &Pack, intent: &Intent) -> Option<Fault> {
    let target = &pack.manifest().target;
    let Expect::Equals(value) = &intent.expect else { return None };
    let range = pack.schema().range(&intent.path)?;
    let is_kind = item(&target.collection, &intent.path).is_some_and(|item| item.join(&target.kind) == intent.path);
    if !is_kind || range.contains(value) {
        return None;
    }
    let shown = plain(value);
    Some(fault(
        intent.path.clone(),
        Some(value.clone()),
        Some(range.choices.clone().into()),
        "kind_supported",
        Text::new(format!("`{shown}` is not supported; use {range}"), format!("不支持 `{shown}`；可选 {range}")),
    ))
}

fn not_carried(pack: &Pack, baseline: &Value, candidate: &Value, intent: &Intent) -> Option<Fault> {
    let result = intent.check(pack.layout(), baseline, candidate);
    if result.passed {
        return None;
    }
    let (clause, actual, expected) = (&intent.clause, plain(&result.actual), plain(&result.expected));
    let message = Text::new(
        format!("`{clause}` was requested, but {} is {actual} where {expected} is expected", intent.path),
        format!("要求“{clause}”，但 {} 为 {actual}，应为 {expected}", intent.path),
    );
    Some(fault(intent.path.clone(), Some(result.actual), Some(result.expected), "carried", message))
}

fn fault(path: Path, actual: Option<Value>, limit: Option<Value>, rule: &str, message: Text) -> Fault {
    Fault { layer: Layer::Reference.name().to_owned(), path, actual, limit, message, rule: rule.to_owned() }
}
