//! Effects that start, come back, or are lost.

use std::sync::Arc;

use crate::budget::{Amounts, Resource};
use crate::contract::Class;
use crate::fact::{EffectResult, OrderKind};
use crate::graph::NodeKind;
use crate::ids::EffectId;
use crate::json::{Digest, Json};
use crate::outcome::{Exhaustion, Outcome};

use super::close::Closing;
use super::error::IllegalTransition;
use super::node::{Body, OpenEffect};
use super::order::Order;
use super::plan::Planned;
use super::run::Run;
use super::schedule::NodeStep;

impl Run {
    pub(super) fn start_effect(
        &mut self,
        id: &EffectId,
        order: OrderKind,
        digest: Digest,
        reserve: &Amounts,
    ) -> Result<(), IllegalTransition> {
        let (position, planned) = self.due_effect(id)?;
        let wrong = |expected| Err(IllegalTransition::Effect { id: id.clone(), expected });
        if planned.class() == Class::Pure {
            return wrong("one that writes an intent");
        }
        if planned.order().kind() != order || planned.order().digest() != digest || planned.reserve() != reserve {
            return wrong("the one that is due");
        }
        self.open_effect(position, &planned)
    }

    /// The effect that is due under an id, planned anew from the state.
    fn due_effect(&self, id: &EffectId) -> Result<(usize, Planned), IllegalTransition> {
        let wrong = |expected| IllegalTransition::Effect { id: id.clone(), expected };
        let position = self.locate(&id.path).map_err(|_| wrong("an effect of a node"))?;
        if self.is_cancelled() || !self.active().contains(&position) {
            return Err(wrong("due"));
        }
        // A node that is about to close or to ask wants no effect, even where one could be planned.
        let step = if self.carves(position) {
            Some(self.node_step(position))
        } else {
            self.steps().into_iter().find(|(at, _)| *at == position).map(|(_, step)| step)
        };
        match step {
            Some(NodeStep::Perform(planned)) if planned.id() == id => Ok((position, planned)),
            _ => Err(wrong("due")),
        }
    }

    fn open_effect(&mut self, position: usize, planned: &Planned) -> Result<(), IllegalTransition> {
        let (id, reserve) = (planned.id().clone(), *planned.reserve());
        let node = &mut self.nodes[position];
        let ledger = match &mut node.body {
            Body::Loop(state) => &mut state.ledger,
            _ => &mut self.ledger,
        };
        if ledger.reserve(&reserve).is_err() {
            return Err(IllegalTransition::Effect { id, expected: "affordable" });
        }
        if let (Order::WrapUp { exhaustion, .. }, Body::Loop(state)) = (planned.order(), &mut node.body) {
            state.wraps_up(exhaustion.clone());
        }
        node.effects = id.number;
        node.granted = None;
        node.open = Some(OpenEffect { id, kind: planned.order().kind(), class: planned.class(), reserve });
        Ok(())
    }

    pub(super) fn finish_effect(
        &mut self,
        id: &EffectId,
        result: &EffectResult,
        spent: &Amounts,
    ) -> Result<(), IllegalTransition> {
        let wrong = |expected| IllegalTransition::Effect { id: id.clone(), expected };
        let position = self.locate(&id.path).map_err(|_| wrong("an effect of a node"))?;
        let kind = match &self.nodes[position].open {
            Some(open) if open.id == *id => open.kind,
            Some(_) => return Err(wrong("the open one")),
            None => {
                let (position, planned) = self.due_effect(id)?;
                if planned.class() != Class::Pure {
                    return Err(wrong("started"));
                }
                check_kind(id, planned.order().kind(), result)?;
                self.open_effect(position, &planned)?;
                planned.order().kind()
            }
        };
        check_kind(id, kind, result)?;
        let Some(open) = self.nodes[position].open.take() else { return Err(wrong("open")) };
        // Attempts and actions are counted here and nowhere else; what the world broke counts as none.
        let broke = matches!(result, EffectResult::Failed { .. });
        let counted = |resource| if broke { 0 } else { open.reserve.get(resource) };
        let bill = spent
            .with(Resource::Attempts, counted(Resource::Attempts))
            .with(Resource::Actions, counted(Resource::Actions));
        let graph = Arc::clone(&self.graph);
        let node = &mut self.nodes[position];
        match (&graph.spec().nodes[position].kind, &mut node.body) {
            (NodeKind::Loop { contract }, Body::Loop(state)) => {
                let paid = open.reserve.get(Resource::Attempts) > 0;
                let overrun = state.ledger.settle(&open.reserve, &bill);
                match result {
                    _ if open.kind == OrderKind::WrapUp => state.wrapped_up(written(result)),
                    EffectResult::Decided { answer } => state.decided(contract, answer, paid),
                    EffectResult::Unusable { class, message, .. } => state.unusable(contract, class, message, paid),
                    EffectResult::Gated { verdict } => state.gated(contract, verdict.clone()),
                    EffectResult::Acted { state: after, observation, error } => {
                        state.acted(contract, after.clone(), observation.clone(), error.as_deref());
                    }
                    EffectResult::Evaluated { evaluation } => state.evaluated(contract, evaluation.clone()),
                    EffectResult::Failed { failure } => node.ended = Some(Closing::failed(failure.clone())),
                    EffectResult::WrappedUp { .. } | EffectResult::Done { .. } => {}
                }
                if let Some(overrun) = overrun {
                    state.overran(overrun);
                }
            }
            (_, body) => {
                let overrun = self.ledger.settle(&open.reserve, &bill);
                match result {
                    EffectResult::Failed { failure } => node.ended = Some(Closing::failed(failure.clone())),
                    EffectResult::Done { value, signal } => *body = Body::Single(Some((value.clone(), signal.clone()))),
                    _ => {}
                }
                if let Some(overrun) = overrun {
                    let exhaustion = Exhaustion::Overrun { overrun };
                    let outcome = Outcome::BudgetExhausted { exhaustion, hand_off: None };
                    node.ended = Some(Closing::of(outcome, Json::null()));
                }
            }
        }
        Ok(())
    }

    /// A try of an effect that is under way; nothing changes by it.
    pub(super) fn try_effect(&self, id: &EffectId) -> Result<(), IllegalTransition> {
        let open = self.nodes.iter().any(|node| node.open.as_ref().is_some_and(|open| open.id == *id));
        if open { Ok(()) } else { Err(IllegalTransition::Effect { id: id.clone(), expected: "open" }) }
    }

    pub(super) fn lose_effect(&mut self, id: &EffectId) -> Result<(), IllegalTransition> {
        let wrong = |expected| IllegalTransition::Effect { id: id.clone(), expected };
        let position = self.locate(&id.path).map_err(|_| wrong("an effect of a node"))?;
        let graph = Arc::clone(&self.graph);
        let node = &mut self.nodes[position];
        let Some(open) = node.open.take_if(|open| open.id == *id) else { return Err(wrong("open")) };
        let once = open.class == Class::Once;
        // What may have been billed outside is charged; what only happened here is given back.
        let outside = [Resource::ModelCalls, Resource::Tokens, Resource::CostMicros];
        let charged = Resource::ALL.into_iter().filter(|resource| once || outside.contains(resource));
        let charge = charged.fold(Amounts::NONE, |sum, resource| sum.with(resource, open.reserve.get(resource)));
        if let (NodeKind::Loop { contract }, Body::Loop(state)) = (&graph.spec().nodes[position].kind, &mut node.body) {
            state.ledger.settle(&open.reserve, &charge);
            if once {
                state.lost(contract);
            }
        } else {
            self.ledger.settle(&open.reserve, &charge);
            if once {
                node.ended = Some(Closing::lost(id));
            }
        }
        if !once {
            // The same id again: whoever performs an idempotent effect recognises it.
            node.effects -= 1;
            node.granted = Some(id.number);
        }
        Ok(())
    }
}

/// What came of a wrap-up: a loop that ends is not held up by a policy that cannot say why.
fn written(result: &EffectResult) -> Json {
    match result {
        EffectResult::WrappedUp { written } => written.clone(),
        _ => Json::null(),
    }
}

fn check_kind(id: &EffectId, kind: OrderKind, result: &EffectResult) -> Result<(), IllegalTransition> {
    let fits = matches!(
        (kind, result),
        (_, EffectResult::Failed { .. })
            | (OrderKind::Decide, EffectResult::Decided { .. })
            | (OrderKind::Decide | OrderKind::WrapUp, EffectResult::Unusable { .. })
            | (OrderKind::WrapUp, EffectResult::WrappedUp { .. })
            | (OrderKind::Gate, EffectResult::Gated { .. })
            | (OrderKind::Act, EffectResult::Acted { .. })
            | (OrderKind::Evaluate, EffectResult::Evaluated { .. })
            | (OrderKind::Task | OrderKind::Check, EffectResult::Done { .. })
    );
    if fits { Ok(()) } else { Err(IllegalTransition::Effect { id: id.clone(), expected: "answered by such a result" }) }
}
