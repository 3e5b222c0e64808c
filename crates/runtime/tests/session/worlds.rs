//! The contracts, the graph and the effects of the tests.

use loopwright_core::authority::{Authority, Permission};
use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::{ClosesOn, EffectTerms, EvaluateWhen, FirstState, LoopContract};
use loopwright_core::evaluation::{Evaluation, GateVerdict, Verdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::graph::{EdgeSpec, Graph, GraphSpec, Mode, NodeKind, NodeSpec, Relation};
use loopwright_core::machine::{Order, Planned};
use loopwright_core::outcome::Signal;
use loopwright_core::stop::StopRules;
use serde_json::{Value, json};

/// The terms of a loop's policy, action and evaluator.
#[derive(Clone)]
pub(crate) struct Terms {
    pub(crate) policy: EffectTerms,
    pub(crate) action: EffectTerms,
    pub(crate) evaluator: EffectTerms,
}

pub(crate) fn idempotent() -> EffectTerms {
    EffectTerms::idempotent(Amounts::NONE)
}

pub(crate) fn once() -> EffectTerms {
    EffectTerms::once(Amounts::NONE)
}

impl Terms {
    pub(crate) fn all(terms: &EffectTerms) -> Self {
        Self { policy: terms.clone(), action: terms.clone(), evaluator: terms.clone() }
    }

    /// A policy that is a rule set, and an action and an evaluator that are not.
    pub(crate) fn pure_policy() -> Self {
        Self { policy: EffectTerms::pure(), ..Self::all(&idempotent()) }
    }
}

/// A loop whose state counts its edits, and that is accepted at three of them.
pub(crate) fn contract(terms: &Terms, attempts: u64) -> LoopContract {
    LoopContract {
        aim: "three edits".into(),
        first_state: FirstState::Value(json!({"edits": 0}).into()),
        policy: terms.policy.clone(),
        gated: true,
        actions: [("edit".to_owned(), terms.action.clone())].into(),
        evaluator: terms.evaluator.clone(),
        evaluates: EvaluateWhen { first: false, after_action: true, on_claim: false },
        closes_on: ClosesOn::Accepted,
        budget: Budget::UNLIMITED.with(Resource::Attempts, attempts),
        wrap_up: None,
        stop_rules: StopRules::default(),
        authority: Authority::allowing(["edit"], "tech lead"),
    }
}

pub(crate) fn edits(terms: &Terms, attempts: u64) -> Graph {
    Graph::of_loop("loop", contract(terms, attempts)).unwrap()
}

/// `build` (loop) -> { `tests` (task), `review` (gate) } -> `sign_off` (human) -> `release` (task that needs the
/// approval)
pub(crate) fn delivery(mode: Mode, terms: &EffectTerms) -> GraphSpec {
    let node = |name: &str, kind| NodeSpec { name: name.into(), kind };
    let task = |permission| NodeKind::Task { terms: terms.clone(), permission };
    GraphSpec {
        name: "delivery".into(),
        nodes: vec![
            node("build", NodeKind::Loop { contract: Box::new(contract(&Terms::all(terms), 5)) }),
            node("tests", task(Permission::Allowed)),
            node("review", NodeKind::Gate {}),
            node("sign_off", NodeKind::Human { question: json!("release?").into(), decided_by: "owner".into() }),
            node("release", task(Permission::NeedsApproval)),
        ],
        edges: vec![
            EdgeSpec::new("build", Relation::DataFlow, "tests"),
            EdgeSpec::new("build", Relation::Veto, "review"),
            EdgeSpec::new("tests", Relation::Dependency, "sign_off"),
            EdgeSpec::new("review", Relation::Dependency, "sign_off"),
            EdgeSpec::new("sign_off", Relation::Approval, "release"),
        ],
        governor: None,
        budget: Budget::UNLIMITED,
        mode,
    }
}

/// Two loops that start as one batch, and a task after both.
pub(crate) fn two_loops(mode: Mode, terms: &Terms) -> Graph {
    let node = |name: &str, kind| NodeSpec { name: name.into(), kind };
    let counting = || NodeKind::Loop { contract: Box::new(contract(terms, 5)) };
    let task = NodeKind::Task { terms: terms.action.clone(), permission: Permission::Allowed };
    Graph::build(GraphSpec {
        name: "two-loops".into(),
        nodes: vec![node("left", counting()), node("right", counting()), node("after", task)],
        edges: vec![
            EdgeSpec::new("left", Relation::DataFlow, "after"),
            EdgeSpec::new("right", Relation::DataFlow, "after"),
        ],
        governor: None,
        budget: Budget::UNLIMITED,
        mode,
    })
    .unwrap()
}

/// Tasks that start as one batch.
pub(crate) fn batch(names: &[&str], terms: &EffectTerms) -> Graph {
    let kind = NodeKind::Task { terms: terms.clone(), permission: Permission::Allowed };
    let node = |name: &&str| NodeSpec { name: (*name).into(), kind: kind.clone() };
    Graph::build(GraphSpec {
        name: "batch".into(),
        nodes: names.iter().map(node).collect(),
        edges: Vec::new(),
        governor: None,
        budget: Budget::UNLIMITED,
        mode: Mode::Parallel,
    })
    .unwrap()
}

pub(crate) fn done(value: Value) -> EffectResult {
    EffectResult::Done { value: value.into(), signal: Signal::Ok }
}

/// What every effect brings; a function of its order alone, so that repeating one changes nothing.
pub(crate) fn world(planned: &Planned) -> EffectResult {
    match planned.order() {
        Order::Decide { context } => {
            let so_far = context.state.get("edits").and_then(Value::as_u64).unwrap_or_default();
            let action = json!({"name": "edit", "args": {"edits": so_far + 1}});
            EffectResult::Decided { answer: json!({"type": "act", "action": action}).into() }
        }
        Order::Gate { .. } => EffectResult::Gated { verdict: GateVerdict::Pass {} },
        Order::Act { action, .. } => {
            EffectResult::Acted { state: action.args.clone(), observation: json!("edited").into(), error: None }
        }
        Order::Evaluate { context, .. } => {
            let enough = context.state.get("edits") == Some(&json!(3));
            let verdict = if enough { Verdict::Success } else { Verdict::Continue };
            EffectResult::Evaluated { evaluation: Evaluation::new(verdict, context.state.value().clone()) }
        }
        Order::WrapUp { .. } => EffectResult::WrappedUp { written: json!("over to you").into() },
        Order::Task { inputs } | Order::Check { inputs } => {
            done(json!({"node": planned.path(), "given": inputs.get("values")}))
        }
    }
}
