//! Whether only what the proposer may change differs from the baseline: ids, scope, limits.

use loopwright_configs::fault::brief;
use loopwright_configs::text::plain;
use loopwright_configs::{Change, Fault, Path, Segment, Text, diff};
use serde_json::Value;

use super::Layer;
use crate::goal::{Goal, Proposer};
use crate::pack::{Collection, Pack};

pub(super) fn faults(
    pack: &Pack,
    baseline: &Value,
    candidate: &Value,
    goal: Option<&Goal>,
    proposer: Proposer,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for collection in &pack.manifest().collections {
        for place in pack.layout().expand(baseline, &collection.path) {
            ids(pack, collection, &place, baseline, candidate, &mut faults);
        }
    }
    let scope = pack.manifest().scopes.of(proposer);
    for change in diff(pack.layout(), baseline, candidate) {
        // An item that comes or goes was reported with the ids.
        if matches!(change.path.segments().last(), Some(Segment::Item(_))) {
            continue;
        }
        if !scope.iter().any(|pattern| change.path.matches(pattern)) {
            faults.push(outside(&change, scope));
        } else if proposer == Proposer::Model && !requested(pack, goal, &change.path) {
            faults.push(unrequested(&change, goal));
        } else if proposer != Proposer::Person
            && pack.loosens(&change.path, baseline, candidate)
            && !goal.is_some_and(|goal| goal.loosened.contains(&change.path))
        {
            faults.push(loosened(&change));
        }
    }
    faults
}

/// The ids of a collection must be the same, in the same order; each way to break that has its own words.
fn ids(
    pack: &Pack,
    collection: &Collection,
    place: &Path,
    baseline: &Value,
    candidate: &Value,
    faults: &mut Vec<Fault>,
) {
    let keys = |doc| -> Vec<Path> { pack.layout().items(doc, place).into_iter().map(|(path, _)| path).collect() };
    let (before, after) = (keys(baseline), keys(candidate));
    let id = |path: &Path| path.first_key().map(ToString::to_string).unwrap_or_default();
    let noun = &collection.noun;
    let mut report =
        |path: &Path, actual: Option<String>, limit: Option<String>, rule: &str, en: String, zh: String| {
            faults.push(Fault {
                layer: Layer::SafetyGate.name().to_owned(),
                path: path.clone(),
                actual: actual.map(Value::from),
                limit: limit.map(Value::from),
                message: Text::new(en, zh),
                rule: rule.to_owned(),
            });
        };
    let gone: Vec<&Path> = before.iter().filter(|path| !after.contains(path)).collect();
    let new: Vec<&Path> = after.iter().filter(|path| !before.contains(path)).collect();
    let renamed = |path: &Path| {
        let position = before.iter().position(|one| one == path)?;
        after.get(position).filter(|other| new.contains(other))
    };
    for path in &gone {
        let old = id(path);
        if let Some(other) = renamed(path) {
            let other = id(other);
            let en = format!("{} `{old}` was renamed to `{other}`; ids are fixed", noun.en);
            let zh = format!("{} `{old}` 被改名为 `{other}`；编号不可更改", noun.zh);
            report(path, Some(other), Some(old), "id_renamed", en, zh);
        } else {
            let en = format!("{} `{old}` was removed; every {} of the baseline must stay", noun.en, noun.en);
            let zh = format!("{} `{old}` 被删除；基线中的{}必须保留", noun.zh, noun.zh);
            report(path, None, Some(old), "id_removed", en, zh);
        }
    }
    for path in new.iter().filter(|path| !gone.iter().any(|old| renamed(old) == Some(path))) {
        let other = id(path);
        let en = format!("{} `{other}` was added; the baseline has none of that id", noun.en);
        let zh = format!("新增了{} `{other}`；基线中没有该编号", noun.zh);
        report(path, Some(other), None, "id_added", en, zh);
    }
    if gone.is_empty() && new.is_empty() && before != after {
        let list = |paths: &[Path]| paths.iter().map(id).collect::<Vec<_>>().join(", ");
        let (was, is) = (list(&before), list(&after));
        let en = format!("the order is {is}, but it must stay {was}");
        let zh = format!("{}顺序为 {is}，必须保持 {was}", noun.zh);
        report(place, Some(is), Some(was), "id_order", en, zh);
    }
}

fn outside(change: &Change, scope: &[Path]) -> Fault {
    let allowed = scope.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    fault(
        change,
        Some(allowed.clone().into()),
        "write_scope",
        Text::new(
            format!("{} may not be changed here; what may be changed is {allowed}", change.path),
            format!("此处不允许修改 {}；可修改范围：{allowed}", change.path),
        ),
    )
}

/// Whether a model may touch the item that a place belongs to: only what the requirement asks to change.
fn requested(pack: &Pack, goal: Option<&Goal>, path: &Path) -> bool {
    let target = &pack.manifest().target.collection;
    let Some(key) = path.starts_with(target).then(|| path.first_key()).flatten() else { return true };
    goal.is_none_or(|goal| goal.named.contains(&key.to_string()))
}

fn unrequested(change: &Change, goal: Option<&Goal>) -> Fault {
    let named = goal.map(|goal| goal.named.join(", ")).unwrap_or_default();
    let (en, zh) = if named.is_empty() { ("none", "无") } else { (named.as_str(), named.as_str()) };
    fault(
        change,
        Some(named.clone().into()),
        "unrequested",
        Text::new(
            format!("{} was changed, which the requirement does not ask for; it names {en}", change.path),
            format!("{} 被修改，但需求并未要求；需求涉及：{zh}", change.path),
        ),
    )
}

fn loosened(change: &Change) -> Fault {
    let shown = |value: &Option<Value>| value.as_ref().map(plain).unwrap_or_default();
    let (before, after) = (shown(&change.before), shown(&change.after));
    fault(
        change,
        change.before.clone(),
        "limit_loosened",
        Text::new(
            format!("{} was loosened from {before} to {after}, which the requirement does not say", change.path),
            format!("{} 从 {before} 放宽到 {after}，但需求并未要求放宽", change.path),
        ),
    )
}

fn fault(change: &Change, limit: Option<Value>, rule: &str, message: Text) -> Fault {
    Fault {
        layer: Layer::SafetyGate.name().to_owned(),
        path: change.path.clone(),
        actual: change.after.as_ref().map(brief),
        limit,
        message,
        rule: rule.to_owned(),
    }
}
