//! Budgets and the ledger: what may be spent, what is reserved, what was spent.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A thing that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Turns of a loop: one decision and what follows from it.
    Attempts,
    /// Calls of a model.
    ModelCalls,
    /// Actions performed.
    Actions,
    /// Runs of an engine.
    EngineRuns,
    /// Tokens, in and out.
    Tokens,
    /// Money, in millionths of the price list's currency.
    CostMicros,
    /// Durations of effects, in milliseconds; waiting for people is not counted.
    WallMs,
}

impl Resource {
    /// All resources, in the order in which shortages are looked for.
    pub const ALL: [Self; 7] = [
        Self::Attempts,
        Self::ModelCalls,
        Self::Actions,
        Self::EngineRuns,
        Self::Tokens,
        Self::CostMicros,
        Self::WallMs,
    ];

    /// The resource's name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::ModelCalls => "model_calls",
            Self::Actions => "actions",
            Self::EngineRuns => "engine_runs",
            Self::Tokens => "tokens",
            Self::CostMicros => "cost_micros",
            Self::WallMs => "wall_ms",
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An amount of each resource; what is not named is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Resource, u64>", into = "BTreeMap<Resource, u64>")]
pub struct Amounts([u64; 7]);

impl Amounts {
    /// Nothing of anything.
    pub const NONE: Self = Self([0; 7]);

    /// An amount of one resource.
    pub fn of(resource: Resource, amount: u64) -> Self {
        Self::NONE.with(resource, amount)
    }

    /// The same amounts with one of them replaced.
    #[must_use]
    pub fn with(mut self, resource: Resource, amount: u64) -> Self {
        self.0[resource as usize] = amount;
        self
    }

    /// The amount of one resource.
    pub fn get(&self, resource: Resource) -> u64 {
        self.0[resource as usize]
    }

    /// Both together; saturates instead of overflowing.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// What is left of this after the other; never below zero.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.zip(other, u64::saturating_sub)
    }

    /// Whether nothing is named.
    pub fn is_none(&self) -> bool {
        self.0.iter().all(|amount| *amount == 0)
    }

    fn zip(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut result = *self;
        for (mine, theirs) in result.0.iter_mut().zip(other.0) {
            *mine = combine(*mine, theirs);
        }
        result
    }
}

impl From<BTreeMap<Resource, u64>> for Amounts {
    fn from(named: BTreeMap<Resource, u64>) -> Self {
        named.into_iter().fold(Self::NONE, |amounts, (resource, amount)| amounts.with(resource, amount))
    }
}

impl From<Amounts> for BTreeMap<Resource, u64> {
    fn from(amounts: Amounts) -> Self {
        let named = Resource::ALL.into_iter().map(|resource| (resource, amounts.get(resource)));
        named.filter(|(_, amount)| *amount > 0).collect()
    }
}

/// Limits; a resource that is not named is not limited here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Resource, u64>", into = "BTreeMap<Resource, u64>")]
pub struct Budget([Option<u64>; 7]);

impl Budget {
    /// No limit on anything.
    pub const UNLIMITED: Self = Self([None; 7]);

    /// The same limits with one of them set.
    #[must_use]
    pub fn with(mut self, resource: Resource, limit: u64) -> Self {
        self.0[resource as usize] = Some(limit);
        self
    }

    /// The limit of one resource, if there is one.
    pub fn limit(&self, resource: Resource) -> Option<u64> {
        self.0[resource as usize]
    }

    /// The limits raised by some amounts; what is not limited stays so.
    #[must_use]
    pub fn raised(mut self, by: &Amounts) -> Self {
        for resource in Resource::ALL {
            if let Some(limit) = &mut self.0[resource as usize] {
                *limit = limit.saturating_add(by.get(resource));
            }
        }
        self
    }
}

impl From<BTreeMap<Resource, u64>> for Budget {
    fn from(named: BTreeMap<Resource, u64>) -> Self {
        named.into_iter().fold(Self::UNLIMITED, |budget, (resource, limit)| budget.with(resource, limit))
    }
}

impl From<Budget> for BTreeMap<Resource, u64> {
    fn from(budget: Budget) -> Self {
        Resource::ALL.into_iter().filter_map(|resource| Some((resource, budget.limit(resource)?))).collect()
    }
}

/// A request that the ledger could not grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{requested} {resource} requested, {left} of {limit} left")]
pub struct Shortage {
    /// What ran out.
    pub resource: Resource,
    /// Its limit.
    pub limit: u64,
    /// What is neither spent nor reserved.
    pub left: u64,
    /// What was asked for.
    pub requested: u64,
}

/// A bill that was larger than its reservation or than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overrun {
    /// What was overspent.
    pub resource: Resource,
    /// What had been reserved for it.
    pub reserved: u64,
    /// What it cost.
    pub spent: u64,
}

/// What may be spent, what is promised to open effects and children, and what is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledger {
    limits: Budget,
    reserved: Amounts,
    spent: Amounts,
}

impl Ledger {
    /// An untouched ledger.
    pub fn new(limits: Budget) -> Self {
        Self { limits, reserved: Amounts::NONE, spent: Amounts::NONE }
    }

    /// The limits.
    pub fn limits(&self) -> &Budget {
        &self.limits
    }

    /// What was spent.
    pub fn spent(&self) -> &Amounts {
        &self.spent
    }

    /// What is reserved and not settled.
    pub fn reserved(&self) -> &Amounts {
        &self.reserved
    }

    /// What is neither spent nor reserved; nothing where there is no limit.
    pub fn left(&self, resource: Resource) -> Option<u64> {
        let committed = self.spent.get(resource).saturating_add(self.reserved.get(resource));
        Some(self.limits.limit(resource)?.saturating_sub(committed))
    }

    /// What is left of everything that is limited.
    pub fn remaining(&self) -> Budget {
        Resource::ALL
            .into_iter()
            .filter_map(|resource| Some((resource, self.left(resource)?)))
            .fold(Budget::UNLIMITED, |budget, (resource, left)| budget.with(resource, left))
    }

    /// Whether some amounts could be reserved now.
    pub fn affords(&self, amounts: &Amounts) -> Result<(), Shortage> {
        for resource in Resource::ALL {
            let requested = amounts.get(resource);
            if let (Some(limit), Some(left)) = (self.limits.limit(resource), self.left(resource))
                && requested > left
            {
                return Err(Shortage { resource, limit, left, requested });
            }
        }
        Ok(())
    }

    /// Reserves some amounts, all or nothing.
    pub fn reserve(&mut self, amounts: &Amounts) -> Result<(), Shortage> {
        self.affords(amounts)?;
        self.reserved = self.reserved.plus(amounts);
        Ok(())
    }

    /// Turns a reservation into what was really spent, and says where the bill was larger.
    ///
    /// Durations are only held against the limit, since nothing runs for exactly as long as was allowed.
    pub fn settle(&mut self, reserved: &Amounts, spent: &Amounts) -> Option<Overrun> {
        self.reserved = self.reserved.minus(reserved);
        self.spent = self.spent.plus(spent);
        Resource::ALL.into_iter().find_map(|resource| {
            let (promised, bill) = (reserved.get(resource), spent.get(resource));
            let limit = self.limits.limit(resource)?;
            let over = if resource == Resource::WallMs { self.spent.get(resource) > limit } else { bill > promised };
            over.then_some(Overrun { resource, reserved: promised, spent: bill })
        })
    }

    /// Takes a child's settlement back and reserves anew what it was given, as far as nobody else has it by now.
    ///
    /// Returns what is reserved for the child: at least what it has spent.
    pub(crate) fn unsettle(&mut self, given: &Amounts, spent: &Amounts) -> Amounts {
        self.spent = self.spent.minus(spent);
        let again = Resource::ALL.into_iter().fold(*given, |again, resource| match self.left(resource) {
            Some(left) => again.with(resource, given.get(resource).min(left).max(spent.get(resource))),
            None => again,
        });
        self.hold(&again);
        again
    }

    /// Reserves what is granted from elsewhere at the same time, so that it cannot fall short.
    pub(crate) fn hold(&mut self, amounts: &Amounts) {
        self.reserved = self.reserved.plus(amounts);
    }

    /// Lowers the limits by what is no longer there.
    pub(crate) fn lower(&mut self, by: &Amounts) {
        for (limit, gone) in self.limits.0.iter_mut().zip(by.0) {
            *limit = limit.map(|limit| limit.saturating_sub(gone));
        }
    }

    /// Raises the limits.
    pub fn raise(&mut self, by: &Amounts) {
        self.limits = self.limits.raised(by);
    }

    /// The budget a child gets: its own limits, and nothing beyond what is left here.
    #[must_use]
    pub fn carve(&self, wanted: &Budget) -> Budget {
        Resource::ALL.into_iter().fold(Budget::UNLIMITED, |carved, resource| {
            match (wanted.limit(resource), self.left(resource)) {
                (Some(limit), Some(left)) => carved.with(resource, limit.min(left)),
                (Some(limit), None) | (None, Some(limit)) => carved.with(resource, limit),
                (None, None) => carved,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_reservation_is_all_or_nothing() {
        let limits = Budget::UNLIMITED.with(Resource::Attempts, 2).with(Resource::EngineRuns, 1);
        let mut ledger = Ledger::new(limits);
        let both = Amounts::of(Resource::Attempts, 1).with(Resource::EngineRuns, 1);
        ledger.reserve(&both).unwrap();
        let shortage = ledger.reserve(&both).unwrap_err();
        assert_eq!(shortage, Shortage { resource: Resource::EngineRuns, limit: 1, left: 0, requested: 1 });
        assert_eq!(ledger.reserved(), &both);
        assert_eq!(ledger.settle(&both, &Amounts::of(Resource::Attempts, 1)), None);
        assert_eq!(ledger.left(Resource::EngineRuns), Some(1));
        assert_eq!(ledger.left(Resource::Tokens), None);
    }

    #[test]
    fn a_larger_bill_is_an_overrun() {
        let mut ledger = Ledger::new(Budget::UNLIMITED.with(Resource::Tokens, 100));
        let promised = Amounts::of(Resource::Tokens, 10);
        ledger.reserve(&promised).unwrap();
        let overrun = ledger.settle(&promised, &Amounts::of(Resource::Tokens, 11)).unwrap();
        assert_eq!(overrun, Overrun { resource: Resource::Tokens, reserved: 10, spent: 11 });
    }

    #[test]
    fn a_child_gets_no_more_than_is_left() {
        let mut parent = Ledger::new(Budget::UNLIMITED.with(Resource::Actions, 5));
        parent.reserve(&Amounts::of(Resource::Actions, 3)).unwrap();
        let wanted = Budget::UNLIMITED.with(Resource::Actions, 4).with(Resource::Attempts, 9);
        let carved = parent.carve(&wanted);
        assert_eq!((carved.limit(Resource::Actions), carved.limit(Resource::Attempts)), (Some(2), Some(9)));
        assert_eq!(parent.carve(&Budget::UNLIMITED).limit(Resource::Actions), Some(2));
    }

    proptest! {
        #[test]
        fn nothing_is_spent_past_a_limit_when_bills_keep_to_their_reservation(
            limit in 0u64..50,
            steps in proptest::collection::vec((0u64..20, 0u64..20), 0..40),
        ) {
            let mut ledger = Ledger::new(Budget::UNLIMITED.with(Resource::Tokens, limit));
            for (asked, bill) in steps {
                let asked = Amounts::of(Resource::Tokens, asked);
                if ledger.reserve(&asked).is_ok() {
                    let bill = Amounts::of(Resource::Tokens, bill.min(asked.get(Resource::Tokens)));
                    prop_assert_eq!(ledger.settle(&asked, &bill), None);
                }
                prop_assert!(ledger.spent().get(Resource::Tokens) <= limit);
                prop_assert!(ledger.reserved().is_none());
            }
        }
    }
}
