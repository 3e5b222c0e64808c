//! Loops that close on a claim, what a claim costs, and what is paid before anything starts.

use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::contract::EffectTerms;
use loopwright_core::evaluation::{Escalation, GateVerdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::machine::{Order, Planned};
use loopwright_core::outcome::{Exhaustion, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, nobody};
use crate::script::{finish, make, repair_loop, script, tool_agent};

/// The kinds of effects that were performed, in order.
fn performed(driver: &Driver) -> Vec<&str> {
    driver.rounds.iter().flatten().map(|word| word.strip_prefix("loop:").unwrap()).collect()
}

fn spent(driver: &Driver, resource: Resource) -> u64 {
    driver.run.loop_view("loop").unwrap().ledger.spent().get(resource)
}

fn exhausted_of(outcome: Option<Outcome>) -> Resource {
    match outcome {
        Some(Outcome::BudgetExhausted { exhaustion, hand_off: Some(_) }) => exhaustion.resource().unwrap(),
        other => panic!("not exhausted: {other:?}"),
    }
}

#[test]
fn a_repair_loop_closes_when_an_accepted_state_is_claimed() {
    let mut driver = Driver::of_loop(repair_loop(5));
    let outcome = driver.drive(&mut script([make("bad"), make("good"), finish()]), &mut nobody);
    assert_eq!(outcome, Some(Outcome::Success {}));
    let turn = ["decide", "act", "evaluate"];
    assert_eq!(performed(&driver), [&["evaluate"][..], &turn, &turn, &["decide"]].concat());
    assert_eq!(spent(&driver, Resource::Attempts), 3);
}

#[test]
fn a_tool_agent_is_judged_on_its_claim_and_on_the_state_as_it_is() {
    let mut driver = Driver::of_loop(tool_agent(9));
    let answers = [make("good"), make("bad"), finish(), finish(), make("good"), finish()];
    let outcome = driver.drive(&mut script(answers), &mut nobody);
    assert_eq!(outcome, Some(Outcome::Success {}));
    let expected = [
        &["decide", "act", "decide", "act"][..],
        &["decide", "evaluate"],
        // The state has not changed, so the second claim is refused without asking again.
        &["decide"],
        &["decide", "act", "decide", "evaluate"],
    ];
    assert_eq!(performed(&driver), expected.concat());
}

#[test]
fn a_refused_claim_costs_its_attempt_and_is_told() {
    let mut driver = Driver::of_loop(repair_loop(2));
    let mut told = Vec::new();
    let mut inner = script([finish()]);
    let outcome = driver.drive(
        &mut |planned| {
            if let Order::Decide { context } = planned.order() {
                told.push(context.feedback.value().clone());
            }
            inner(planned)
        },
        &mut nobody,
    );
    assert_eq!(exhausted_of(outcome), Resource::Attempts);
    assert_eq!(spent(&driver, Resource::Attempts), 2);
    let first = json!({"retry_limit": 0, "validation_added": false});
    assert_eq!(told[0], json!({"judged": first}));
    assert_eq!(told[1], json!({"error": "the claim is refused", "evaluation": {"judged": first}}));
}

#[test]
fn without_an_attempt_left_only_the_claim_of_an_accepted_state_is_heard() {
    let cases = [
        (make("good"), finish(), "success"),
        (make("good"), make("better"), "budget_exhausted"),
        (make("good"), json!({"type": "ask_human", "question": "more?"}), "budget_exhausted"),
        (make("good"), json!({"type": "propose_goal_change", "proposal": 1}), "budget_exhausted"),
        (make("good"), json!("nonsense"), "budget_exhausted"),
        (make("bad"), finish(), "budget_exhausted"),
    ];
    for (first, second, expected) in cases {
        let mut driver = Driver::of_loop(repair_loop(1));
        let outcome = driver.drive(&mut script([first.clone(), second.clone()]), &mut nobody).unwrap();
        assert_eq!(outcome.kind().name(), expected, "{first} then {second}");
        assert_eq!(spent(&driver, Resource::Attempts), 1);
        assert_eq!(performed(&driver).iter().filter(|kind| **kind == "act").count(), 1, "{second} is not performed");
        assert_eq!(driver.run.asks().count(), 0);
    }
}

#[test]
fn a_gate_stands_before_an_unpaid_claim_too() {
    let escalation = Escalation {
        reason: "odd".into(),
        message: "look at it".into(),
        required_authority: "lead".into(),
        proposal: None,
    };
    let refuse = GateVerdict::Refuse { feedback: json!("not yet").into() };
    let cases = [
        (GateVerdict::Pass {}, "success"),
        (refuse, "budget_exhausted"),
        (GateVerdict::Escalate { escalation }, "escalated"),
    ];
    for (verdict, expected) in cases {
        let mut contract = repair_loop(1);
        contract.gated = true;
        let mut driver = Driver::of_loop(contract);
        let mut inner = script([make("good"), finish()]);
        let outcome = driver.drive(
            &mut |planned| match planned.order() {
                Order::Gate { decision, .. } if serde_json::to_value(decision).unwrap() == finish() => {
                    EffectResult::Gated { verdict: verdict.clone() }
                }
                _ => inner(planned),
            },
            &mut nobody,
        );
        assert_eq!(outcome.unwrap().kind().name(), expected);
        assert_eq!(performed(&driver).iter().filter(|kind| **kind == "gate").count(), 2, "asked once for each");
    }
}

#[test]
fn a_gate_that_refuses_tells_why_and_costs_the_attempt() {
    let mut contract = repair_loop(3);
    contract.gated = true;
    let mut driver = Driver::of_loop(contract);
    let mut told = Value::Null;
    let mut inner = script([make("good")]);
    let outcome = driver.drive(
        &mut |planned| match planned.order() {
            Order::Gate { .. } => {
                EffectResult::Gated { verdict: GateVerdict::Refuse { feedback: json!("too bold").into() } }
            }
            Order::Decide { context } => {
                told = context.feedback.value().clone();
                inner(planned)
            }
            _ => inner(planned),
        },
        &mut nobody,
    );
    assert_eq!(exhausted_of(outcome), Resource::Attempts);
    assert_eq!(told, json!("too bold"));
    assert!(!performed(&driver).contains(&"act"));
}

#[test]
fn an_action_starts_only_if_its_evaluation_can_be_paid_too() {
    let one_run = Amounts::of(Resource::EngineRuns, 1);
    for (limit, acts) in [(2, false), (3, true)] {
        let mut contract = repair_loop(3);
        contract.evaluator = EffectTerms::idempotent(one_run);
        contract.actions.insert("edit_tests".into(), EffectTerms::once(one_run));
        contract.budget = contract.budget.with(Resource::EngineRuns, limit);
        let mut driver = Driver::of_loop(contract);
        let outcome = driver.drive(&mut script([make("good"), finish()]), &mut nobody);
        assert_eq!(performed(&driver).contains(&"act"), acts, "{limit} runs");
        if acts {
            assert_eq!(outcome, Some(Outcome::Success {}));
        } else {
            assert_eq!(exhausted_of(outcome), Resource::EngineRuns);
            assert_eq!(spent(&driver, Resource::EngineRuns), 1);
        }
    }
}

#[test]
fn every_action_counts_whatever_its_terms_say() {
    let mut contract = repair_loop(9);
    contract.budget = contract.budget.with(Resource::Actions, 2);
    let mut driver = Driver::of_loop(contract);
    let outcome = driver.drive(&mut script([make("bad")]), &mut nobody);
    assert_eq!(exhausted_of(outcome), Resource::Actions);
    assert_eq!(spent(&driver, Resource::Actions), 2);
}

#[test]
fn a_larger_bill_is_recorded_and_closes_the_loop_even_when_accepted() {
    for kind in ["decide", "act", "evaluate"] {
        let mut contract = repair_loop(3);
        contract.evaluates.first = false;
        contract.closes_on = loopwright_core::contract::ClosesOn::Accepted;
        contract.budget = contract.budget.with(Resource::Tokens, 100);
        let mut driver = Driver::of_loop(contract);
        let mut world = script([make("good")]);
        let outcome = loop {
            let due = driver.due();
            let [planned] = due.as_slice() else { break driver.run.outcome().cloned() };
            let bill = if format!("{:?}", planned.order().kind()).to_lowercase() == kind { 7 } else { 0 };
            driver.begin(planned);
            let result = world(planned);
            driver.finish(planned, result, Amounts::of(Resource::Tokens, bill));
        };
        let Some(Outcome::BudgetExhausted { exhaustion: Exhaustion::Overrun { overrun }, hand_off }) = outcome else {
            panic!("{kind}: {outcome:?}")
        };
        assert_eq!((overrun.resource, overrun.reserved, overrun.spent), (Resource::Tokens, 0, 7));
        assert_eq!(hand_off.unwrap().spent.get(Resource::Tokens), 7);
    }
}

#[test]
fn a_larger_bill_does_not_undo_an_escalation() {
    let mut contract = repair_loop(3);
    contract.evaluates.first = false;
    contract.budget = contract.budget.with(Resource::Tokens, 100);
    let mut driver = Driver::of_loop(contract);
    let planned = only(driver.due());
    let answer = json!({"type": "propose_goal_change", "proposal": {"aim": "less"}});
    driver.finish(&planned, EffectResult::Decided { answer: answer.into() }, Amounts::of(Resource::Tokens, 7));
    assert!(driver.due().is_empty());
    let Some(Outcome::Escalated { hand_off: Some(hand_off), .. }) = driver.run.outcome() else {
        panic!("{:?}", driver.run.outcome())
    };
    assert_eq!(hand_off.spent.get(Resource::Tokens), 7, "the bill is kept all the same");
}

#[test]
fn where_time_is_limited_an_action_leaves_time_for_its_evaluation() {
    // The terms' own time of action and evaluation, and what the action may then take of 1000 ms.
    let cases = [(0, 0, 999), (0, 100, 900), (300, 100, 300)];
    for (action, evaluation, expected) in cases {
        let wall = |ms| EffectTerms { cost: Amounts::of(Resource::WallMs, ms), ..EffectTerms::pure() };
        let mut contract = repair_loop(3);
        contract.evaluates.first = false;
        contract.budget = contract.budget.with(Resource::WallMs, 1_000);
        contract.actions.insert("edit_tests".into(), wall(action));
        contract.evaluator = wall(evaluation);
        let mut driver = Driver::of_loop(contract);
        let decide = only(driver.due());
        assert_eq!(decide.reserve().get(Resource::WallMs), 1_000, "a decision may take all there is");
        driver.finish(&decide, EffectResult::Decided { answer: make("good").into() }, Amounts::NONE);
        assert_eq!(only(driver.due()).reserve().get(Resource::WallMs), expected, "{action} and {evaluation}");
    }
}

#[test]
fn no_time_left_is_exhaustion() {
    let mut contract = repair_loop(3);
    contract.budget = contract.budget.with(Resource::WallMs, 50);
    let mut driver = Driver::of_loop(contract);
    // The driver bills every reservation whole, so the first evaluation takes all the time there is.
    let outcome = driver.drive(&mut script([make("good")]), &mut nobody);
    assert_eq!(exhausted_of(outcome), Resource::WallMs);
    assert_eq!(performed(&driver), ["evaluate"]);
}

fn only(mut due: Vec<Planned>) -> Planned {
    assert_eq!(due.len(), 1, "{due:?}");
    due.remove(0)
}
