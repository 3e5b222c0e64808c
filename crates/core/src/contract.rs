//! A loop's contract: everything that bounds it, written down before it starts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::authority::Authority;
use crate::budget::{Amounts, Budget, Resource};
use crate::json::Json;
use crate::stop::{LONGEST_CYCLE, REMEMBERED, StopRules};

/// What may happen to an effect that was started and never heard of again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Touches nothing outside; writes no intent and is simply done again.
    #[default]
    Pure,
    /// Doing it twice under one id is doing it once; repeated when lost.
    Idempotent,
    /// Must not happen twice; a person decides when it is lost.
    Once,
}

/// An effect's class and what it may cost at most.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EffectTerms {
    /// What may happen to it when it is lost.
    pub class: Class,
    /// What is reserved for it.
    #[serde(skip_serializing_if = "Amounts::is_none")]
    pub cost: Amounts,
}

impl EffectTerms {
    /// A pure effect that costs nothing.
    pub fn pure() -> Self {
        Self::default()
    }

    /// An idempotent effect with its cost.
    pub fn idempotent(cost: Amounts) -> Self {
        Self { class: Class::Idempotent, cost }
    }

    /// An effect that must not happen twice, with its cost.
    pub fn once(cost: Amounts) -> Self {
        Self { class: Class::Once, cost }
    }
}

/// When the state is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluateWhen {
    /// Before the first decision.
    #[serde(default)]
    pub first: bool,
    /// After every action.
    #[serde(default)]
    pub after_action: bool,
    /// When the policy claims to be finished.
    #[serde(default)]
    pub on_claim: bool,
}

/// What closes a loop as a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosesOn {
    /// The evaluator's acceptance alone.
    Accepted,
    /// The evaluator's acceptance and the policy's claim.
    Claimed,
}

/// Where a loop's first state comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstState {
    /// Given in the contract.
    Value(Json),
    /// A JSON pointer into the node's inputs.
    Input(String),
}

/// Everything that bounds a loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopContract {
    /// What the loop may converge on.
    pub aim: String,
    /// The state it starts from.
    pub first_state: FirstState,
    /// Terms of asking the policy.
    #[serde(default)]
    pub policy: EffectTerms,
    /// Whether a gate stands between decision and authority.
    #[serde(default)]
    pub gated: bool,
    /// Terms of each action; an action that is not named costs one action and must not happen twice.
    #[serde(default)]
    pub actions: BTreeMap<String, EffectTerms>,
    /// Terms of evaluating.
    #[serde(default)]
    pub evaluator: EffectTerms,
    /// When the state is judged.
    pub evaluates: EvaluateWhen,
    /// What closes the loop.
    pub closes_on: ClosesOn,
    /// The limits.
    pub budget: Budget,
    /// What is kept of the budget so that the policy can write a hand-off once nothing else is left; spent on that alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap_up: Option<Amounts>,
    /// When it is stopped although the budget would last.
    #[serde(default)]
    pub stop_rules: StopRules,
    /// Which effects are allowed.
    pub authority: Authority,
}

/// Why a contract cannot bound a loop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// No aim.
    #[error("the contract has no aim")]
    NoAim,
    /// Nobody is named who decides what the loop may not.
    #[error("the authority names nobody who decides what the loop may not (`decided_by`)")]
    NobodyDecides,
    /// Without a limit on attempts nothing ends a loop whose policy never finishes.
    #[error("the budget does not limit attempts")]
    UnlimitedAttempts,
    /// A limit of zero forbids the loop itself.
    #[error("the budget allows no {resource}: a limit of 0 forbids what the loop needs to start")]
    ZeroBudget {
        /// The resource.
        resource: Resource,
    },
    /// The loop never asks its evaluator, so it can never succeed.
    #[error("the contract never evaluates: set first, after_action or on_claim")]
    NeverEvaluates,
    /// Acceptance closes the loop, but the evaluator is only asked on claims or at the start.
    #[error("`accepted` closes the loop, so it has to evaluate after actions")]
    AcceptedWithoutEvaluation,
    /// A stop rule that would stop at once.
    #[error("the stop rule {rule} stops at {times}: it needs at least {least}")]
    StopsAtOnce {
        /// Its name.
        rule: &'static str,
        /// Its number.
        times: u32,
        /// The least that makes sense.
        least: u32,
    },
    /// A stop rule that looks further back than steps are remembered.
    #[error("the stop rule {rule} stops at {times}, which is never reached: it may be {most} at most")]
    NeverStops {
        /// Its name.
        rule: &'static str,
        /// Its number.
        times: u32,
        /// The most that is remembered.
        most: u32,
    },
    /// The wrap-up reserve keeps what writing a hand-off does not take.
    #[error("the wrap-up reserve keeps {resource}: it can only keep model_calls, tokens, cost_micros and wall_ms")]
    WrapUpReserve {
        /// The resource.
        resource: Resource,
    },
    /// The wrap-up reserve leaves nothing for the loop itself.
    #[error("the wrap-up reserve of {kept} {resource} leaves less than one decision needs of {limit}")]
    WrapUpTakesAll {
        /// The resource.
        resource: Resource,
        /// What is kept.
        kept: u64,
        /// The limit.
        limit: u64,
    },
    /// The budget cannot pay for a single decision or evaluation.
    #[error("one {effect} costs {cost} {resource}, more than the limit of {limit}")]
    Unaffordable {
        /// The effect.
        effect: &'static str,
        /// The resource.
        resource: Resource,
        /// Its cost.
        cost: u64,
        /// The limit.
        limit: u64,
    },
}

impl LoopContract {
    /// Says whether the contract can bound a loop.
    pub fn check(&self) -> Result<(), ContractError> {
        if self.aim.trim().is_empty() {
            return Err(ContractError::NoAim);
        }
        if self.authority.decided_by.trim().is_empty() {
            return Err(ContractError::NobodyDecides);
        }
        match self.budget.limit(Resource::Attempts) {
            None => return Err(ContractError::UnlimitedAttempts),
            Some(0) => return Err(ContractError::ZeroBudget { resource: Resource::Attempts }),
            Some(_) => {}
        }
        let evaluates = self.evaluates;
        if !(evaluates.first || evaluates.after_action || evaluates.on_claim) {
            return Err(ContractError::NeverEvaluates);
        }
        if self.closes_on == ClosesOn::Accepted && !evaluates.after_action {
            return Err(ContractError::AcceptedWithoutEvaluation);
        }
        self.check_affordable()?;
        self.check_wrap_up()?;
        self.check_stop_rules()
    }

    fn check_affordable(&self) -> Result<(), ContractError> {
        for (effect, terms) in [("decision", &self.policy), ("evaluation", &self.evaluator)] {
            for resource in Resource::ALL {
                let cost = terms.cost.get(resource);
                match self.budget.limit(resource) {
                    Some(0) if cost > 0 => return Err(ContractError::ZeroBudget { resource }),
                    Some(limit) if cost > limit => {
                        return Err(ContractError::Unaffordable { effect, resource, cost, limit });
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn check_wrap_up(&self) -> Result<(), ContractError> {
        let Some(kept) = &self.wrap_up else { return Ok(()) };
        if let Some(resource) = [Resource::Attempts, Resource::Actions, Resource::EngineRuns]
            .into_iter()
            .find(|resource| kept.get(*resource) > 0)
        {
            return Err(ContractError::WrapUpReserve { resource });
        }
        for resource in Resource::ALL {
            let (kept, decision) = (kept.get(resource), self.policy.cost.get(resource));
            match self.budget.limit(resource) {
                Some(limit) if kept > 0 && kept.saturating_add(decision.max(1)) > limit => {
                    return Err(ContractError::WrapUpTakesAll { resource, kept, limit });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_stop_rules(&self) -> Result<(), ContractError> {
        let rules = &self.stop_rules;
        let least = [
            ("stagnant_rounds", rules.stagnant_rounds, 1),
            ("same_step", rules.same_step, 2),
            ("same_cycle", rules.same_cycle, 2),
            ("same_error", rules.same_error, 2),
        ];
        for (rule, times, least) in least {
            if let Some(times) = times.filter(|times| *times < least) {
                return Err(ContractError::StopsAtOnce { rule, times, least });
            }
        }
        // The watch remembers a bounded number of steps, so a rule that needs more of them would never stop anything.
        let most =
            [("same_step", rules.same_step, REMEMBERED), ("same_cycle", rules.same_cycle, REMEMBERED / LONGEST_CYCLE)];
        for (rule, times, most) in most {
            if let Some(times) = times.filter(|times| *times > most) {
                return Err(ContractError::NeverStops { rule, times, most });
            }
        }
        Ok(())
    }

    /// The terms of an action.
    ///
    /// Every action costs at least one of `actions`, whatever the contract says of it.
    pub fn action_terms(&self, name: &str) -> EffectTerms {
        let mut terms = self.actions.get(name).cloned().unwrap_or(EffectTerms::once(Amounts::NONE));
        let actions = terms.cost.get(Resource::Actions).max(1);
        terms.cost = terms.cost.with(Resource::Actions, actions);
        terms
    }

    /// What evaluating after an action costs, if the contract does it.
    pub fn evaluation_after_action(&self) -> Option<Amounts> {
        self.evaluates.after_action.then_some(self.evaluator.cost)
    }
}
