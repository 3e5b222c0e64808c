//! Which item caused a failing figure, and which one is repaired.

use std::collections::BTreeMap;

use loopwright_configs::text::plain;
use loopwright_configs::{Key, Path, Scope, Text};
use serde_json::json;

use super::choice::Situation;
use super::{NoRepair, Reason};
use crate::checks::CheckResult;
use crate::estimates::estimates;
use crate::pack::Check;

/// The parts of items in a failing figure; empty where the telemetry does not say.
pub(super) type Shares = BTreeMap<String, f64>;

impl Situation<'_> {
    /// The item to repair.
    pub(super) fn target(&self, check: &CheckResult) -> Result<(Path, Shares), Box<NoRepair>> {
        let rule = &self.pack.repairs().target;
        let estimate = self.pack.estimates().iter().find(|it| it.id == rule.estimate);
        let places = estimate.and_then(|it| estimates(self.pack, it, self.candidate).ok()).unwrap_or_default();
        let estimates: BTreeMap<String, f64> = places.into_iter().map(|it| (it.id, it.value)).collect();
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
        let target = Key::id(id).map(|key| collection.item(key));
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
}
