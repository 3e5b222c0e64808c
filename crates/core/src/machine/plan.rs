//! Planning an effect: authority, approval, ledger. A [`Planned`] can be made nowhere else.
//!
//! Whatever a model proposes reaches the world only as a `Planned`, so what is refused here does not happen.

use crate::authority::Permission;
use crate::budget::{Amounts, Ledger, Resource, Shortage};
use crate::contract::{Class, EffectTerms, LoopContract};
use crate::evaluation::Escalation;
use crate::fact::{Ask, AskAbout, OrderKind};
use crate::graph::NodeKind;
use crate::ids::{AskId, EffectId, NodePath};
use crate::json::{Digest, Json};
use crate::outcome::Exhaustion;

use super::looping::{LoopState, Step};
use super::node::{Body, Node};
use super::order::{Context, Order};
use super::run::Run;

/// An effect that may be performed now.
#[derive(Debug, PartialEq, Eq)]
pub struct Planned {
    id: EffectId,
    order: Order,
    class: Class,
    reserve: Amounts,
    contract: Digest,
}

impl Planned {
    /// Which effect.
    pub fn id(&self) -> &EffectId {
        &self.id
    }

    /// The node that wants it.
    pub fn path(&self) -> &NodePath {
        &self.id.path
    }

    /// What to do.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// What may happen when it is lost.
    pub fn class(&self) -> Class {
        self.class
    }

    /// What it may cost; the performer keeps to it, in time too where `wall_ms` is named.
    pub fn reserve(&self) -> &Amounts {
        &self.reserve
    }

    /// SHA-256 of what bounds the node.
    pub fn contract(&self) -> Digest {
        self.contract
    }
}

/// Why an effect may not be performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The authority does not allow it.
    Authority(Escalation),
    /// A person has to approve it first.
    Approval(Box<Ask>),
    /// It cannot be paid.
    Shortage(Shortage),
    /// The node wants no effect now.
    NothingDue,
}

/// An order with its terms, before anybody has agreed to it.
struct Wanted {
    order: Order,
    terms: EffectTerms,
    permission: Permission,
    /// What has to be affordable besides the effect itself, if anything follows from it.
    followed_by: Option<Amounts>,
    /// What has to stay for the loop's wrap-up.
    kept: Amounts,
    /// The context of the wrap-up that is planned instead where the effect cannot be paid beside what is kept.
    instead: Option<Box<Context>>,
}

impl Wanted {
    fn alone(order: Order, terms: EffectTerms, permission: Permission) -> Self {
        Self { order, terms, permission, followed_by: None, kept: Amounts::NONE, instead: None }
    }
}

/// Plans the effect that a node wants now.
pub(super) fn plan(run: &Run, position: usize) -> Result<Planned, Refusal> {
    let spec = &run.graph().spec().nodes[position];
    let node = run.node(position);
    let path = run.path(position);
    let (wanted, ledger, decided_by) = match (&spec.kind, &node.body) {
        (NodeKind::Loop { contract }, Body::Loop(state)) => {
            let wanted = wanted_by_loop(contract, state).ok_or(Refusal::NothingDue)?;
            (wanted, &state.ledger, contract.authority.decided_by.as_str())
        }
        (NodeKind::Task { terms, permission }, Body::Single(None)) => {
            let order = Order::Task { inputs: node.inputs.clone() };
            (Wanted::alone(order, terms.clone(), *permission), run.ledger(), "operator")
        }
        (NodeKind::Gate {}, Body::Single(None)) => {
            let order = Order::Check { inputs: node.inputs.clone() };
            (Wanted::alone(order, EffectTerms::pure(), Permission::Allowed), run.ledger(), "operator")
        }
        _ => return Err(Refusal::NothingDue),
    };
    let number = node.effects + 1;
    permit(&wanted, node, number, &path, decided_by)?;
    let followed_by = wanted.followed_by.map_or(Amounts::NONE, |cost| with_some_time(cost, ledger));
    let afterwards = followed_by.plus(&wanted.kept);
    let reserve = with_time(wanted.terms.cost, &afterwards, ledger);
    let planned = |order, class, reserve| Planned {
        id: EffectId { path: path.clone(), number },
        order,
        class,
        reserve,
        contract: run.graph().contract_digest(position),
    };
    match (ledger.affords(&reserve.plus(&afterwards)), wanted.instead) {
        (Ok(()), _) => Ok(planned(wanted.order, wanted.terms.class, reserve)),
        (Err(shortage), Some(context)) => {
            // What is kept was never for this effect, so it is neither asked for nor left.
            let kept = wanted.kept.get(shortage.resource);
            let (left, requested) = (shortage.left.saturating_sub(kept), shortage.requested.saturating_sub(kept));
            let shortage = Shortage { left, requested, ..shortage };
            let reserve = with_time(wanted.kept, &Amounts::NONE, ledger);
            ledger.affords(&reserve).map_err(|_| Refusal::Shortage(shortage))?;
            let exhaustion = Exhaustion::Resource { shortage };
            Ok(planned(Order::WrapUp { context, exhaustion }, Class::Idempotent, reserve))
        }
        (Err(shortage), None) => Err(Refusal::Shortage(shortage)),
    }
}

fn permit(wanted: &Wanted, node: &Node, number: u32, path: &NodePath, decided_by: &str) -> Result<(), Refusal> {
    match wanted.permission {
        Permission::Allowed => Ok(()),
        Permission::NeedsApproval if node.approved || node.granted == Some(number) => Ok(()),
        Permission::NeedsApproval => {
            let about = AskAbout::Approval { order: wanted.order.kind(), subject: subject(&wanted.order) };
            let id = AskId { path: path.clone(), number: node.asks + 1 };
            Err(Refusal::Approval(Box::new(Ask { id, about, decided_by: decided_by.to_owned() })))
        }
        Permission::Refused => Err(Refusal::Authority(Escalation {
            reason: "out_of_scope".to_owned(),
            message: format!("{} is outside the authority", describe(&wanted.order)),
            required_authority: decided_by.to_owned(),
            proposal: Some(subject(&wanted.order)),
        })),
    }
}

fn wanted_by_loop(contract: &LoopContract, state: &LoopState) -> Option<Wanted> {
    let context = || state.context(contract);
    let authority = &contract.authority;
    let kept = state.kept(contract);
    let wanted = |order, terms, permission, followed_by| {
        let instead = (!kept.is_none()).then(context);
        Some(Wanted { order, terms, permission, followed_by, kept, instead })
    };
    match &state.step {
        Step::Decide => {
            let mut terms = contract.policy.clone();
            // Claiming an accepted state needs only the decision's own cost.
            let claim_only = state.accepted() && state.ledger.left(Resource::Attempts) == Some(0);
            terms.cost = terms.cost.with(Resource::Attempts, u64::from(!claim_only));
            wanted(Order::Decide { context: context() }, terms, authority.decisions, None)
        }
        Step::Gate { decision } => {
            let order = Order::Gate { context: context(), decision: decision.clone() };
            wanted(order, EffectTerms::pure(), Permission::Allowed, None)
        }
        Step::Act { action } => {
            let order = Order::Act { context: context(), action: action.clone() };
            let (terms, permission) = (contract.action_terms(&action.name), authority.of_action(&action.name));
            wanted(order, terms, permission, contract.evaluation_after_action())
        }
        Step::Evaluate { claimed } => {
            let order = Order::Evaluate { context: context(), claimed: *claimed };
            wanted(order, contract.evaluator.clone(), authority.evaluations, None)
        }
        Step::WrapUp { exhaustion, .. } => {
            let order = Order::WrapUp { context: context(), exhaustion: exhaustion.clone() };
            let terms = EffectTerms::idempotent(contract.wrap_up.unwrap_or_default());
            Some(Wanted::alone(order, terms, authority.decisions))
        }
        Step::Question { .. } | Step::Exhausted { .. } | Step::Escalated { .. } | Step::Succeeded => None,
    }
}

/// Where time is limited and the terms name none, an effect may take all that is left but what is needed after it.
fn with_time(cost: Amounts, followed_by: &Amounts, ledger: &Ledger) -> Amounts {
    match ledger.left(Resource::WallMs) {
        Some(left) if cost.get(Resource::WallMs) == 0 => {
            let free = left.saturating_sub(followed_by.get(Resource::WallMs));
            cost.with(Resource::WallMs, free.max(1))
        }
        _ => cost,
    }
}

/// Where time is limited, nothing takes none.
fn with_some_time(cost: Amounts, ledger: &Ledger) -> Amounts {
    let limited = ledger.limits().limit(Resource::WallMs).is_some();
    if limited { cost.with(Resource::WallMs, cost.get(Resource::WallMs).max(1)) } else { cost }
}

/// What a person is shown of an order, and what is kept of a refused one.
fn subject(order: &Order) -> Json {
    let value = match order {
        Order::Act { action, .. } => serde_json::to_value(action),
        Order::Gate { decision, .. } => serde_json::to_value(decision),
        Order::Decide { context } | Order::Evaluate { context, .. } | Order::WrapUp { context, .. } => {
            serde_json::to_value(&context.state)
        }
        Order::Task { inputs } | Order::Check { inputs } => return inputs.clone(),
    };
    Json::new(value.unwrap_or_default())
}

fn describe(order: &Order) -> String {
    match order {
        Order::Act { action, .. } => format!("the action {:?}", action.name),
        other => match other.kind() {
            OrderKind::Decide | OrderKind::WrapUp => "asking the policy".to_owned(),
            OrderKind::Evaluate => "evaluating".to_owned(),
            OrderKind::Gate | OrderKind::Check => "the gate".to_owned(),
            OrderKind::Act | OrderKind::Task => "the task".to_owned(),
        },
    }
}
