//! Which repair a failing run calls for, on which item, and what it changes.
//!
//! The choice is the pack's and the machine's, never a model's: a reviewer may only agree with it or hand over to a
//! person.

use std::collections::BTreeMap;

use loopwright_configs::text::plain;
use loopwright_configs::{Change, Intent, Path, PlaceError, Scope, Text, apply, same_value};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checks::{CheckResult, Status};
use crate::estimates::estimates;
use crate::goal::Goal;
use crate::judgement::Judgement;
use crate::pack::{Check, Pack, RepairRule};

/// What is to be done about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "choice", rename_all = "snake_case")]
pub enum RepairChoice {
    /// Every check that could be judged is passed.
    Nothing,
    /// A repair.
    Repair(Repair),
    /// A person must decide.
    Person(NoRepair),
}

/// A repair with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repair {
    /// Its name in the pack.
    pub intent: String,
    /// The failing check it answers.
    pub check: String,
    /// The item it changes.
    pub target: Path,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Why this repair on this item.
    pub reason: Text,
}

/// Why no repair is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoRepair {
    /// The kind of reason.
    pub reason: Reason,
    /// The repair that was considered, or what the pack names when none fits.
    pub intent: String,
    /// The failing check.
    pub check: Option<String>,
    /// The item that would have been changed, or that caused the failure without being named.
    pub target: Option<Path>,
    /// The changes that are not made.
    pub changes: Vec<Change>,
    /// The request that they would undo.
    pub undone: Option<Intent>,
    /// The same for people, with the numbers.
    pub message: Text,
}

/// The kinds of reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The failure comes from an item that nobody asked to change.
    UnnamedTarget,
    /// The pack has no repair for what failed.
    NoRepairForCheck,
    /// The repair would change nothing.
    RepairWithoutEffect,
    /// The repair would undo what was asked for.
    IntentConflict,
}

/// The repair that a judgement calls for. The same input gives the same choice.
pub fn choose_repair(
    pack: &Pack,
    goal: &Goal,
    baseline: &Value,
    candidate: &Value,
    judgement: &Judgement,
    telemetry: &Value,
) -> RepairChoice {
    let (baseline, candidate) = (pack.normalised(baseline), pack.normalised(candidate));
    let Some(first) = judgement.failed().next() else { return RepairChoice::Nothing };
    let situation = Situation { pack, goal, baseline: &baseline, candidate: &candidate, telemetry };
    match situation.choose(judgement, first) {
        Ok(repair) => RepairChoice::Repair(repair),
        Err(none) => RepairChoice::Person(*none),
    }
}

/// Makes a repair's changes on the config it was computed for.
pub fn apply_repair(pack: &Pack, candidate: &Value, repair: &Repair) -> Result<Value, RepairError> {
    let mut config = pack.normalised(candidate);
    for change in &repair.changes {
        let present = pack.layout().get(&config, &change.path);
        let fits = match (present, &change.before) {
            (Some(present), Some(before)) => same_value(present, before),
            (present, before) => present.is_none() && before.is_none(),
        };
        if !fits {
            return Err(RepairError::Stale {
                path: change.path.clone(),
                expected: change.before.as_ref().map(plain).unwrap_or_default(),
                actual: present.map(plain).unwrap_or_default(),
            });
        }
        pack.layout().set(&mut config, &change.path, change.after.clone().unwrap_or(Value::Null))?;
    }
    Ok(config)
}

/// A repair does not fit the config.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepairError {
    /// The config is not the one the repair was computed for.
    #[error("{path} is {actual}, but the repair was computed for {expected}; choose it again for this config")]
    Stale {
        /// The place.
        path: Path,
        /// The value the repair was computed for.
        expected: String,
        /// The value there.
        actual: String,
    },
    /// The place does not exist.
    #[error(transparent)]
    Place(#[from] PlaceError),
}

/// What a choice is made from.
struct Situation<'a> {
    pack: &'a Pack,
    goal: &'a Goal,
    baseline: &'a Value,
    candidate: &'a Value,
    telemetry: &'a Value,
}

/// The parts of items in a failing figure; empty where the telemetry does not say.
type Shares = BTreeMap<String, f64>;

impl Situation<'_> {
    fn choose(&self, judgement: &Judgement, first: &CheckResult) -> Result<Repair, Box<NoRepair>> {
        let failed = |id: &str| judgement.checks.iter().find(|check| check.id == id && check.status == Status::Failed);
        let choices = &self.pack.repairs().choices;
        let called = choices.iter().find_map(|choice| Some((failed(&choice.check)?, self.rule(&choice.repair)?)));
        let Some((check, rule)) = called.filter(|(check, rule)| check.note.is_none() && !rule.edits.is_empty()) else {
            let check = called.map_or(first, |(check, _)| check);
            return Err(self.none(Reason::NoRepairForCheck, check, no_repair_for(check)));
        };
        let (target, shares) = self.target(check)?;
        let scope = Scope::new()
            .with("config", self.candidate.clone())
            .with("actual", check.actual.clone())
            .with("limit", self.limit(check));
        let about = |none: Box<NoRepair>| {
            Box::new(NoRepair { intent: rule.intent.clone(), target: Some(target.clone()), ..*none })
        };
        let made = apply(self.pack.layout(), self.candidate, Some(&target), &rule.edits, &scope);
        let (repaired, changes) = made.map_err(|error| {
            let message = Text::new(
                format!("{} cannot be computed: {error}", rule.title.en),
                format!("“{}”无法计算：{error}", rule.title.zh),
            );
            about(self.none(Reason::NoRepairForCheck, check, message))
        })?;
        if changes.is_empty() {
            let message = self.without_effect(rule, &target);
            return Err(about(self.none(Reason::RepairWithoutEffect, check, message)));
        }
        if let Some((intent, message)) = self.conflict(&repaired, &changes) {
            let none = about(self.none(Reason::IntentConflict, check, message));
            return Err(Box::new(NoRepair { changes, undone: Some(intent.clone()), ..*none }));
        }
        let reason = self.reason(check, &target, &shares);
        Ok(Repair { intent: rule.intent.clone(), check: check.id.clone(), target, changes, reason })
    }

    fn rule(&self, intent: &str) -> Option<&RepairRule> {
        self.pack.repairs().repairs.iter().find(|rule| rule.intent == intent)
    }

    fn check(&self, id: &str) -> Option<&Check> {
        self.pack.checks().iter().find(|check| check.id == id)
    }

    /// The limit of a failing check as a number; a result only shows it.
    fn limit(&self, result: &CheckResult) -> Value {
        let scope = Scope::new().with("config", self.candidate.clone()).with("telemetry", self.telemetry.clone());
        self.check(&result.id).and_then(|check| check.limit.eval(&scope).ok()).unwrap_or(Value::Null)
    }

    /// The item to repair.
    fn target(&self, check: &CheckResult) -> Result<(Path, Shares), Box<NoRepair>> {
        let rule = &self.pack.repairs().target;
        let estimate = self.pack.estimates().iter().find(|it| it.id == rule.estimate);
        let estimated = estimate.and_then(|it| estimates(self.pack, it, self.candidate).ok()).unwrap_or_default();
        let estimates: BTreeMap<String, f64> = estimated.into_iter().map(|it| (it.id, it.value)).collect();
        let shares = self.check(&check.id).and_then(|it| self.shares(it, &estimates)).unwrap_or_default();
        self.unnamed(check, &shares)?;
        let zeros = estimates.keys().map(|id| (id.clone(), shares.get(id).copied().unwrap_or(0.0)));
        let scope = Scope::new()
            .with("config", self.candidate.clone())
            .with("named", json!(self.goal.named))
            .with("shares", json!(zeros.collect::<BTreeMap<_, _>>()))
            .with("estimates", json!(estimates));
        match rule.select.choose(self.pack.layout(), self.candidate, &scope) {
            Ok(Some(target)) => Ok((target, shares)),
            Ok(None) => {
                let message = Text::new(
                    format!(
                        "{} failed, and the requirement asks for no change of an item that could be repaired",
                        check.title.en
                    ),
                    format!("“{}”未通过，而需求没有要求修改任何可修复的对象", check.title.zh),
                );
                Err(self.none(Reason::UnnamedTarget, check, message))
            }
            Err(error) => {
                let message =
                    Text::new(format!("no item can be chosen: {error}"), format!("无法选择修复对象：{error}"));
                Err(self.none(Reason::NoRepairForCheck, check, message))
            }
        }
    }

    /// Each item's part in a failing figure, or nothing where the telemetry leaves one open. An item that the results
    /// do not mention never came up, so it has no part.
    fn shares(&self, check: &Check, estimates: &BTreeMap<String, f64>) -> Option<Shares> {
        let attribution = check.attribution.as_ref()?;
        let results = self.pack.layout().get(self.telemetry, &attribution.results)?.as_array()?;
        let mut shares: Shares = estimates.keys().map(|id| (id.clone(), 0.0)).collect();
        for result in results {
            let id = result.get(&attribution.id)?.as_str()?;
            let scope = Scope::new()
                .with("telemetry", self.telemetry.clone())
                .with("result", result.clone())
                .with("estimate", estimates.get(id).copied().unwrap_or(0.0));
            *shares.entry(id.to_owned()).or_default() += attribution.share.number(&scope).ok()?;
        }
        Some(shares)
    }

    /// An item that nobody named must not have a larger part than every named one.
    fn unnamed(&self, check: &CheckResult, shares: &Shares) -> Result<(), Box<NoRepair>> {
        let named = |id: &String| self.goal.named.contains(id);
        let most = shares.iter().filter(|(id, _)| named(id)).map(|(_, share)| *share).fold(0.0, f64::max);
        let mut others: Vec<(&String, f64)> =
            shares.iter().filter(|(id, _)| !named(id)).map(|(id, it)| (id, *it)).collect();
        // The largest first; equal ones stay in the order of their ids.
        others.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let Some((id, share)) = others.first().filter(|(_, share)| *share > most) else { return Ok(()) };
        let collection = &self.pack.manifest().target.collection;
        let target = loopwright_configs::Key::id(id).map(|key| collection.item(key));
        let (share, most) = (plain(&json!(share)), plain(&json!(most)));
        let message = Text::new(
            format!(
                "{}: {id} caused {share}, the named ones at most {most}; nobody asked to change {id}",
                check.title.en
            ),
            format!("“{}”：{id} 造成 {share}，被点名的对象至多 {most}；没有人要求修改 {id}", check.title.zh),
        );
        Err(Box::new(NoRepair { target, ..*self.none(Reason::UnnamedTarget, check, message) }))
    }

    /// The first request that a candidate keeps now and would break after a repair, with the number that breaks it.
    fn conflict(&self, repaired: &Value, changes: &[Change]) -> Option<(&Intent, Text)> {
        let passes = |intent: &Intent, config| intent.check(self.pack.layout(), self.baseline, config).passed;
        let undone = self.goal.intents.iter().find(|it| passes(it, self.candidate) && !passes(it, repaired))?;
        let value = changes.iter().find(|change| change.path == undone.path).and_then(|change| change.after.as_ref());
        let (value, clause) = (value.map(plain).unwrap_or_default(), &undone.clause);
        Some((undone, Text::new(format!("{value} would undo `{clause}`"), format!("{value} 会违背“{clause}”"))))
    }

    fn without_effect(&self, rule: &RepairRule, target: &Path) -> Text {
        let values = rule.edits.iter().filter_map(|edit| {
            let path = edit.place(Some(target)).ok()?;
            let value = self.pack.layout().get(self.candidate, &path).map(plain)?;
            Some((self.pack.label(&path), value))
        });
        let values: Vec<_> = values.collect();
        let list = |pick: &dyn Fn(&(Text, String)) -> String| values.iter().map(pick).collect::<Vec<_>>().join(", ");
        let (en, zh) = (
            list(&|(label, value)| format!("{} stays {value}", label.en)),
            list(&|(label, value)| format!("{}仍为 {value}", label.zh)),
        );
        let item = self.pack.item_name(target).unwrap_or_default();
        Text::new(
            format!("{} would change nothing: {}, {en}", rule.title.en, item.en),
            format!("“{}”不会有任何变化：{} {zh}", rule.title.zh, item.zh),
        )
    }

    fn reason(&self, check: &CheckResult, target: &Path, shares: &Shares) -> Text {
        let id = target.first_key().map(ToString::to_string).unwrap_or_default();
        let (actual, expected) = (plain(&check.actual), plain(&check.expected));
        let part = shares.get(&id).filter(|share| **share > 0.0).map(|share| plain(&json!(share)));
        let (en, zh) = match part {
            Some(part) => (format!("; {id} has the largest part ({part})"), format!("；{id} 占比最大（{part}）")),
            None => (format!("; {id} is chosen by estimate"), format!("；按估算选择 {id}")),
        };
        Text::new(
            format!("{} is {actual}, expected {expected}{en}", check.title.en),
            format!("“{}”为 {actual}，应为 {expected}{zh}", check.title.zh),
        )
    }

    fn none(&self, reason: Reason, check: &CheckResult, message: Text) -> Box<NoRepair> {
        Box::new(NoRepair {
            reason,
            intent: self.pack.repairs().otherwise.clone(),
            check: Some(check.id.clone()),
            target: None,
            changes: Vec::new(),
            undone: None,
            message,
        })
    }
}

fn no_repair_for(check: &CheckResult) -> Text {
    match &check.note {
        Some(note) => Text::new(
            format!("{} failed: {}", check.title.en, note.en),
            format!("“{}”未通过：{}", check.title.zh, note.zh),
        ),
        None => Text::new(
            format!(
                "{} is {}, expected {}, and the pack has no repair for it",
                check.title.en,
                plain(&check.actual),
                plain(&check.expected)
            ),
            format!(
                "“{}”为 {}，应为 {}，数据包没有对应的修复",
                check.title.zh,
                plain(&check.actual),
                plain(&check.expected)
            ),
        ),
    }
}
