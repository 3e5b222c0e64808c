//! From a judgement to a repair or to the reason why there is none.

use loopwright_configs::text::plain;
use loopwright_configs::{Change, Intent, Scope, Text, apply};
use serde_json::Value;

use super::{NoRepair, Reason, Repair, words};
use crate::checks::{CheckResult, Status};
use crate::goal::Goal;
use crate::judgement::Judgement;
use crate::pack::{Check, Pack, RepairRule};

/// What a choice is made from.
pub(super) struct Situation<'a> {
    pub(super) pack: &'a Pack,
    pub(super) goal: &'a Goal,
    pub(super) baseline: &'a Value,
    pub(super) candidate: &'a Value,
    pub(super) telemetry: &'a Value,
}

impl Situation<'_> {
    pub(super) fn choose(&self, judgement: &Judgement, first: &CheckResult) -> Result<Repair, Box<NoRepair>> {
        let failed = |id: &str| judgement.checks.iter().find(|check| check.id == id && check.status == Status::Failed);
        let choices = &self.pack.repairs().choices;
        let called = choices.iter().find_map(|choice| Some((failed(&choice.check)?, self.rule(&choice.repair)?)));
        let Some((check, rule)) = called.filter(|(check, rule)| check.note.is_none() && !rule.edits.is_empty()) else {
            let check = called.map_or(first, |(check, _)| check);
            return Err(self.none(Reason::NoRepairForCheck, check, words::no_repair_for(check)));
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
            let message = words::without_effect(self, rule, &target);
            return Err(about(self.none(Reason::RepairWithoutEffect, check, message)));
        }
        if let Some((intent, message)) = self.conflict(&repaired, &changes) {
            let none = about(self.none(Reason::IntentConflict, check, message));
            return Err(Box::new(NoRepair { changes, undone: Some(intent.clone()), ..*none }));
        }
        let reason = words::reason(check, &target, &shares);
        Ok(Repair { intent: rule.intent.clone(), check: check.id.clone(), target, changes, reason })
    }

    /// The first request that a candidate keeps now and would break after a repair, with the number that breaks it.
    fn conflict(&self, repaired: &Value, changes: &[Change]) -> Option<(&Intent, Text)> {
        let passes = |intent: &Intent, config| intent.check(self.pack.layout(), self.baseline, config).passed;
        let undone = self.goal.intents.iter().find(|it| passes(it, self.candidate) && !passes(it, repaired))?;
        let value = changes.iter().find(|change| change.path == undone.path).and_then(|change| change.after.as_ref());
        let (value, clause) = (value.map(plain).unwrap_or_default(), &undone.clause);
        Some((undone, Text::new(format!("{value} would undo `{clause}`"), format!("{value} 会违背“{clause}”"))))
    }

    fn rule(&self, intent: &str) -> Option<&RepairRule> {
        self.pack.repairs().repairs.iter().find(|rule| rule.intent == intent)
    }

    pub(super) fn check(&self, id: &str) -> Option<&Check> {
        self.pack.checks().iter().find(|check| check.id == id)
    }

    /// The limit of a failing check as a number; a result only shows it.
    fn limit(&self, result: &CheckResult) -> Value {
        let scope = Scope::new().with("config", self.candidate.clone()).with("telemetry", self.telemetry.clone());
        self.check(&result.id).and_then(|check| check.limit.eval(&scope).ok()).unwrap_or(Value::Null)
    }

    pub(super) fn none(&self, reason: Reason, check: &CheckResult, message: Text) -> Box<NoRepair> {
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
