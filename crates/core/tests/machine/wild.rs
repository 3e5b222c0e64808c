//! Random graphs, and a world and people who answer anything; all of it decided by one number.

use loopwright_core::authority::{Authority, Permission};
use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::{Class, ClosesOn, EffectTerms, EvaluateWhen, FirstState, LoopContract};
use loopwright_core::evaluation::{Escalation, Evaluation, GateVerdict, Verdict};
use loopwright_core::fact::{Ask, AskAbout, EffectResult, OrderKind, Reply};
use loopwright_core::graph::{EdgeSpec, Graph, GraphSpec, Mode, NodeKind, NodeSpec, Relation};
use loopwright_core::machine::Planned;
use loopwright_core::outcome::{Failure, OutcomeKind, Signal};
use loopwright_core::stop::StopRules;
use serde_json::{Value, json};

/// A sequence of numbers that looks random and is always the same (`SplitMix64`).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Dice that depend on a seed and on what they are thrown for.
    pub(crate) fn for_subject(seed: u64, subject: &str) -> Self {
        Self(subject.bytes().fold(seed, |state, byte| state.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)))
    }

    pub(crate) fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.throw() % bound as u64).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn up_to(&mut self, most: u64) -> u64 {
        self.throw() % (most + 1)
    }
}

/// A random graph that can run.
pub(crate) fn graph(dice: &mut Dice) -> GraphSpec {
    loop {
        let spec = any_graph(dice);
        if Graph::build(spec.clone()).is_ok() {
            return spec;
        }
    }
}

fn any_graph(dice: &mut Dice) -> GraphSpec {
    let count = 1 + dice.below(5);
    let mut nodes: Vec<_> = (0..count).map(|at| NodeSpec { name: format!("n{at}"), kind: any_node(dice) }).collect();
    let governor = dice.chance(50).then(|| nodes[count - 1].name.clone());
    if governor.is_some() && dice.chance(70) {
        nodes[count - 1].kind = person();
    }
    let mut edges = Vec::new();
    for to in 1..count {
        for from in 0..to {
            if dice.chance(45) {
                edges.push(any_edge(dice, &nodes[from], &nodes[to]));
            }
        }
    }
    let budget = any_budget(dice, 30);
    let mode = dice.pick(&[Mode::Serial, Mode::Parallel]);
    GraphSpec { name: "wild".into(), nodes, edges, governor, budget, mode }
}

fn any_edge(dice: &mut Dice, from: &NodeSpec, to: &NodeSpec) -> EdgeSpec {
    let relation = if matches!(from.kind, NodeKind::Human { .. }) && dice.chance(60) {
        Relation::Approval
    } else {
        dice.pick(&[Relation::Dependency, Relation::DataFlow, Relation::Handoff, Relation::Veto])
    };
    let kinds = [OutcomeKind::BudgetExhausted, OutcomeKind::Escalated, OutcomeKind::Failed];
    let mut receives = vec![OutcomeKind::Success];
    receives.extend(kinds.into_iter().filter(|_| dice.chance(25)));
    if receives.len() > 1 && dice.chance(30) {
        receives.remove(0);
    }
    EdgeSpec::new(&from.name, relation, &to.name).receiving(&receives)
}

fn person() -> NodeKind {
    NodeKind::Human { question: json!("may it?").into(), decided_by: "owner".into() }
}

fn any_node(dice: &mut Dice) -> NodeKind {
    match dice.below(10) {
        0..5 => NodeKind::Loop { contract: Box::new(any_contract(dice)) },
        5 => NodeKind::Gate {},
        6 => person(),
        _ => NodeKind::Task { terms: any_terms(dice), permission: any_permission(dice) },
    }
}

fn any_permission(dice: &mut Dice) -> Permission {
    match dice.below(12) {
        0 => Permission::Refused,
        1..3 => Permission::NeedsApproval,
        _ => Permission::Allowed,
    }
}

fn any_terms(dice: &mut Dice) -> EffectTerms {
    let class = dice.pick(&[Class::Pure, Class::Idempotent, Class::Once]);
    let costly = [Resource::ModelCalls, Resource::EngineRuns, Resource::Tokens, Resource::WallMs];
    let mut cost = Amounts::NONE;
    for resource in costly {
        if dice.chance(20) {
            cost = cost.with(resource, dice.up_to(3));
        }
    }
    EffectTerms { class, cost }
}

fn any_budget(dice: &mut Dice, percent: usize) -> Budget {
    let mut budget = Budget::UNLIMITED;
    for resource in Resource::ALL {
        if dice.chance(percent) {
            budget = budget.with(resource, 1 + dice.up_to(14));
        }
    }
    budget
}

fn any_contract(dice: &mut Dice) -> LoopContract {
    let mut authority = Authority::allowing([], "lead");
    for action in ["a0", "a1", "a2"] {
        authority.actions.insert(action.into(), any_permission(dice));
    }
    if dice.chance(15) {
        authority.decisions = any_permission(dice);
        authority.evaluations = any_permission(dice);
    }
    let rule = |dice: &mut Dice| dice.chance(20).then(|| 2 + u32::try_from(dice.below(3)).unwrap());
    LoopContract {
        aim: "anything".into(),
        first_state: if dice.chance(90) {
            FirstState::Value(json!(0).into())
        } else {
            FirstState::Input("/values/n0".into())
        },
        policy: any_terms(dice),
        gated: dice.chance(30),
        actions: ["a0", "a1"].map(|name| (name.to_owned(), any_terms(dice))).into(),
        evaluator: any_terms(dice),
        evaluates: EvaluateWhen { first: dice.chance(40), after_action: dice.chance(70), on_claim: dice.chance(60) },
        closes_on: dice.pick(&[ClosesOn::Accepted, ClosesOn::Claimed]),
        budget: any_budget(dice, 20).with(Resource::Attempts, 1 + dice.up_to(5)),
        wrap_up: dice.chance(30).then(|| {
            let kept = dice.pick(&[Resource::ModelCalls, Resource::Tokens, Resource::WallMs]);
            Amounts::of(kept, 1 + dice.up_to(2))
        }),
        stop_rules: StopRules {
            stagnant_rounds: rule(dice),
            same_step: rule(dice),
            same_cycle: rule(dice),
            same_error: rule(dice),
            without_effect: dice.chance(10),
        },
        authority,
    }
}

/// What an effect brings and what it costs: the same for the same seed and effect, whenever it is performed.
///
/// Honest bills keep to their reservation.
pub(crate) fn perform(seed: u64, planned: &Planned, governor: bool, honest: bool) -> (EffectResult, Amounts) {
    let mut dice = Dice::for_subject(seed, &planned.id().to_string());
    let mut spent = Amounts::NONE;
    for resource in Resource::ALL {
        // How long something may take depends on what else goes on, so how long it takes must not depend on that.
        let most = planned.reserve().get(resource);
        let bill = if resource == Resource::WallMs { dice.up_to(1).min(most) } else { dice.up_to(most) };
        let extra = if !honest && dice.chance(3) { dice.up_to(9) } else { 0 };
        spent = spent.with(resource, bill + extra);
    }
    if dice.chance(5) {
        let (class, message) = ("world".to_owned(), "it broke".to_owned());
        return (EffectResult::Failed { failure: Failure { class, message, detail: json!(null).into() } }, spent);
    }
    (any_result(&mut dice, planned.order().kind(), governor), spent)
}

fn any_result(dice: &mut Dice, kind: OrderKind, governor: bool) -> EffectResult {
    match kind {
        OrderKind::Decide | OrderKind::WrapUp if dice.chance(15) => {
            let (class, message) = ("prose".to_owned(), "one object, please".to_owned());
            EffectResult::Unusable { class, message, raw: json!("hm").into() }
        }
        OrderKind::Decide => EffectResult::Decided { answer: any_answer(dice).into() },
        OrderKind::WrapUp => EffectResult::WrappedUp { written: json!("over to you").into() },
        OrderKind::Gate => EffectResult::Gated {
            verdict: match dice.below(6) {
                0 => GateVerdict::Escalate { escalation: escalation() },
                1 | 2 => GateVerdict::Refuse { feedback: json!("no").into() },
                _ => GateVerdict::Pass {},
            },
        },
        OrderKind::Act => EffectResult::Acted {
            state: json!(dice.below(4)).into(),
            observation: json!(dice.below(2)).into(),
            error: dice.chance(15).then(|| "slipped".to_owned()),
        },
        OrderKind::Evaluate => {
            let verdicts =
                [Verdict::Continue, Verdict::Continue, Verdict::Success, Verdict::Success, Verdict::Escalate];
            let mut evaluation = Evaluation::new(dice.pick(&verdicts), json!({"hint": dice.below(3)}));
            evaluation.score = (0..dice.below(3)).map(|_| i64::try_from(dice.below(3)).unwrap()).collect();
            EffectResult::Evaluated { evaluation }
        }
        OrderKind::Task | OrderKind::Check => {
            let value = if governor {
                dice.pick(&[json!({"type": "approve"}), json!({"type": "reject"}), json!("hm")])
            } else {
                json!(dice.below(9))
            };
            let signal = match dice.below(15) {
                0 => Signal::HardVeto { message: "never".into() },
                1 => Signal::Escalation { escalation: escalation() },
                2 => Signal::SoftObjection { message: "hm".into() },
                _ => Signal::Ok,
            };
            EffectResult::Done { value: value.into(), signal }
        }
    }
}

fn any_answer(dice: &mut Dice) -> Value {
    match dice.below(20) {
        0 => json!({"type": "propose_goal_change", "proposal": {"aim": "less"}}),
        1 => json!({"type": "ask_human", "question": "which?"}),
        2 => json!({"type": "finish", "run_shell_command": "rm"}),
        3 => json!([null, {"type": "act"}]),
        4..8 => json!({"type": "finish"}),
        _ => {
            let names = ["a0", "a0", "a1", "a1", "a1", "a2", "a3"];
            json!({"type": "act", "action": {"name": dice.pick(&names), "args": dice.below(2)}})
        }
    }
}

fn escalation() -> Escalation {
    Escalation {
        reason: "unsure".into(),
        message: "somebody has to look".into(),
        required_authority: "lead".into(),
        proposal: None,
    }
}

/// What a person says: the same for the same seed and question.
pub(crate) fn reply(seed: u64, ask: &Ask) -> Reply {
    let mut dice = Dice::for_subject(seed, &ask.id.to_string());
    let approve = Reply::Approve { value: json!(null).into() };
    let change = Reply::ChangeGoal { proposal: json!("less").into() };
    match &ask.about {
        AskAbout::Question { .. } => Reply::Say { text: "the first".into() },
        AskAbout::Governor { may_approve: false, .. } => dice.pick(&[Reply::Reject {}, change]),
        AskAbout::Governor { .. } => dice.pick(&[approve.clone(), approve, Reply::Reject {}, change]),
        AskAbout::Node { .. } | AskAbout::Approval { .. } => {
            if dice.chance(80) {
                approve
            } else {
                Reply::Reject {}
            }
        }
    }
}

/// What a person may not say.
pub(crate) fn wrong_reply(ask: &Ask) -> Reply {
    match &ask.about {
        AskAbout::Question { .. } => Reply::Reject {},
        AskAbout::Governor { may_approve: false, .. } => Reply::Approve { value: json!(null).into() },
        _ => Reply::Say { text: "hm".into() },
    }
}
