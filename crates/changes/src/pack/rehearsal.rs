//! A pack is tried before it is used: names must lead somewhere, the baseline must pass its own rules, and every
//! example must come out as it says.

use std::collections::BTreeMap;

use loopwright_configs::{Edit, Path, Scope, apply, same_value};
use serde_json::{Value, json};

use super::{Pack, PackFault};
use crate::checks::judge;
use crate::estimates;
use crate::layers::contract_faults;

pub(super) fn faults(pack: &Pack) -> Vec<PackFault> {
    let mut found = Found(Vec::new());
    names(pack, &mut found);
    baseline(pack, &mut found);
    if found.0.is_empty() {
        estimate_examples(pack, &mut found);
        check_examples(pack, &mut found);
        repair_examples(pack, &mut found);
    }
    found.0
}

struct Found(Vec<PackFault>);

impl Found {
    fn add(&mut self, file: &str, message: String) {
        self.0.push(PackFault { file: file.to_owned(), message });
    }
}

fn names(pack: &Pack, found: &mut Found) {
    let (manifest, repairs) = (pack.manifest(), pack.repairs());
    let files = &manifest.files;
    if let Some(profile) = &manifest.engine.profile
        && pack.profile(profile).is_none()
    {
        found.add("pack.toml", format!("engine.profile: {} has no profile `{profile}`", files.profiles));
    }
    if !manifest.collections.iter().any(|it| it.path == manifest.target.collection) {
        found.add(
            "pack.toml",
            format!("target.collection: `{}` is none of the collections", manifest.target.collection),
        );
    }
    if manifest.budget.kept_for_reviews > manifest.budget.model_calls {
        found.add("pack.toml", "budget.kept_for_reviews: more calls are kept than there are".to_owned());
    }
    for limit in &manifest.limits {
        if pack.layout().get(pack.baseline().value(), &limit.path).is_none() {
            found.add("pack.toml", format!("limits: the baseline has no `{}`", limit.path));
        }
    }
    repeated("rule", pack.rules().iter().map(|it| &it.id), &files.rules, found);
    repeated("estimate", pack.estimates().iter().map(|it| &it.id), &files.estimates, found);
    let checks = pack.checks().iter().chain(pack.trial_checks());
    repeated("check", checks.map(|it| &it.id), &files.checks, found);
    repeated("repair", repairs.repairs.iter().map(|it| &it.intent), &files.repairs, found);
    if !pack.estimates().iter().any(|it| it.id == repairs.target.estimate) {
        found.add(&files.repairs, format!("target.estimate: there is no estimate `{}`", repairs.target.estimate));
    }
    match repairs.repairs.iter().find(|it| it.intent == repairs.otherwise) {
        None => found.add(&files.repairs, format!("otherwise: there is no repair `{}`", repairs.otherwise)),
        Some(repair) if !repair.edits.is_empty() => {
            found.add(&files.repairs, format!("otherwise: the repair `{}` changes numbers", repairs.otherwise));
        }
        Some(_) => {}
    }
    for choice in &repairs.choices {
        if !pack.checks().iter().any(|it| it.id == choice.check) {
            found.add(&files.repairs, format!("choice: there is no check `{}`", choice.check));
        }
        if !repairs.repairs.iter().any(|it| it.intent == choice.repair) {
            found.add(&files.repairs, format!("choice: there is no repair `{}`", choice.repair));
        }
    }
    let kind = &manifest.target.kind;
    for edit in repairs.repairs.iter().flat_map(|it| &it.edits) {
        match edit.path.parse::<Path>() {
            Ok(path) if path == *kind => {
                found.add(&files.repairs, format!("a repair changes `{kind}`, but the kind of an item never changes"));
            }
            Ok(_) => {}
            Err(error) => found.add(&files.repairs, error.to_string()),
        }
    }
}

fn repeated<'a>(what: &str, ids: impl Iterator<Item = &'a String>, file: &str, found: &mut Found) {
    let mut seen = std::collections::BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            found.add(file, format!("the {what} `{id}` stands twice"));
        }
    }
}

fn baseline(pack: &Pack, found: &mut Found) {
    let file = &pack.manifest().files.baseline;
    let faults = contract_faults(pack, pack.baseline().value());
    let broken = if faults.is_empty() { estimates::faults(pack, pack.baseline().value()) } else { faults };
    for fault in broken {
        found.add(file, format!("{} (rule `{}`)", fault.message.en, fault.rule));
    }
}

/// The rehearsal's config with an example's changes.
fn changed(pack: &Pack, set: &BTreeMap<Path, Value>) -> Result<Value, String> {
    let mut config = pack.rehearsal().value().clone();
    for (path, value) in set {
        pack.layout().set(&mut config, path, value.clone()).map_err(|error| error.to_string())?;
    }
    Ok(config)
}

fn estimate_examples(pack: &Pack, found: &mut Found) {
    for estimate in pack.estimates() {
        for (number, example) in estimate.examples.iter().enumerate() {
            let computed = changed(pack, &example.set).and_then(|config| {
                let all = estimates::estimates(pack, estimate, &config).map_err(|error| error.to_string())?;
                all.into_iter()
                    .find(|one| one.path == example.at)
                    .map(|one| one.value)
                    .ok_or("no such place".to_owned())
            });
            let wanted = example.value;
            let message = match computed {
                Ok(value) if same_value(&json!(value), &json!(wanted)) => continue,
                Ok(value) => format!("it gives {value}, not {wanted}"),
                Err(message) => message,
            };
            found.add(
                &pack.manifest().files.estimates,
                format!("example {} of `{}`: {message}", number + 1, estimate.id),
            );
        }
    }
}

fn check_examples(pack: &Pack, found: &mut Found) {
    for check in pack.checks().iter().chain(pack.trial_checks()) {
        for (number, example) in check.examples.iter().enumerate() {
            let (result, _) = judge(pack, check, pack.rehearsal().value(), &example.telemetry);
            if result.status != example.status {
                let note = result.note.map(|note| format!(": {}", note.en)).unwrap_or_default();
                found.add(
                    &pack.manifest().files.checks,
                    format!(
                        "example {} of `{}` is {}, not {}{note}",
                        number + 1,
                        check.id,
                        result.status,
                        example.status
                    ),
                );
            }
        }
    }
}

fn repair_examples(pack: &Pack, found: &mut Found) {
    for repair in &pack.repairs().repairs {
        for (number, example) in repair.examples.iter().enumerate() {
            let scope = Scope::new().with("actual", example.actual).with("limit", example.limit);
            let message = match changed(pack, &example.set)
                .and_then(|config| run(pack, &repair.edits, &config, &example.at, scope))
            {
                Ok(given) if same_value(&json!(given), &json!(example.gives)) => continue,
                Ok(given) => format!("it gives {}, not {}", json!(given), json!(example.gives)),
                Err(message) => message,
            };
            found.add(
                &pack.manifest().files.repairs,
                format!("example {} of `{}`: {message}", number + 1, repair.intent),
            );
        }
    }
}

/// What edits change at an item, by path.
fn run(pack: &Pack, edits: &[Edit], config: &Value, at: &Path, scope: Scope) -> Result<BTreeMap<Path, Value>, String> {
    let scope = scope.with("config", config.clone());
    let (_, changes) = apply(pack.layout(), config, Some(at), edits, &scope).map_err(|error| error.to_string())?;
    Ok(changes.into_iter().map(|change| (change.path, change.after.unwrap_or(Value::Null))).collect())
}
