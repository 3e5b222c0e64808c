//! How a bounded retry ends.

use loopwright_core::budget::Resource;
use loopwright_core::contract::ContractError;
use loopwright_core::evaluation::{Escalation, Evaluation, Verdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::graph::{Graph, GraphError};
use loopwright_core::machine::Order;
use loopwright_core::outcome::{Exhaustion, HandOff, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, nobody};
use crate::retry_limit::{AIM, contract, edit, policy, world};

fn state(driver: &Driver) -> Value {
    driver.run.loop_view("loop").unwrap().state.value().clone()
}

fn attempts_made(driver: &Driver) -> u32 {
    driver.run.loop_view("loop").unwrap().attempts
}

fn exhausted(outcome: Option<Outcome>) -> (Exhaustion, HandOff) {
    match outcome {
        Some(Outcome::BudgetExhausted { exhaustion, hand_off: Some(hand_off) }) => (exhaustion, *hand_off),
        other => panic!("not exhausted: {other:?}"),
    }
}

fn escalated(outcome: Option<Outcome>) -> Escalation {
    match outcome {
        Some(Outcome::Escalated { escalation, .. }) => escalation,
        other => panic!("not escalated: {other:?}"),
    }
}

#[test]
fn three_attempts_reach_success_in_two() {
    let mut driver = Driver::of_loop(contract(3));
    let mut verdicts = Vec::new();
    let outcome = driver.drive(&mut world(3, policy, |verdict| verdicts.push(verdict)), &mut nobody);
    assert_eq!(outcome, Some(Outcome::Success {}));
    assert_eq!(attempts_made(&driver), 2);
    assert_eq!(verdicts, [Verdict::Continue, Verdict::Success]);
    assert_eq!(state(&driver), json!({"retry_limit": 3, "validation_added": true}));
}

#[test]
fn one_attempt_is_not_enough_and_says_who_must_decide() {
    let mut driver = Driver::of_loop(contract(1));
    let (exhaustion, hand_off) = exhausted(driver.drive(&mut world(3, policy, |_| ()), &mut nobody));
    assert_eq!(exhaustion.resource(), Some(Resource::Attempts));
    assert_eq!(attempts_made(&driver), 1);
    assert_eq!(state(&driver), json!({"retry_limit": 5, "validation_added": false}));
    assert_eq!((hand_off.aim.as_str(), hand_off.decided_by.as_str()), (AIM, "tech lead"));
    assert_eq!((hand_off.attempts, hand_off.state.value()), (1, &state(&driver)));
    assert_eq!(hand_off.evaluation.unwrap().verdict, Verdict::Continue);
}

#[test]
fn a_tighter_evaluator_is_never_satisfied() {
    let mut driver = Driver::of_loop(contract(3));
    let (_, hand_off) = exhausted(driver.drive(&mut world(2, policy, |_| ()), &mut nobody));
    assert_eq!(hand_off.state.value()["retry_limit"], 3);
}

#[test]
fn a_goal_change_is_escalated_untouched() {
    let mut driver = Driver::of_loop(contract(3));
    let proposal = json!({"aim": "no retries at all"});
    let answer = json!({"type": "propose_goal_change", "proposal": proposal});
    let outcome = driver.drive(&mut world(3, move |_| answer.clone(), |_| panic!("evaluated")), &mut nobody);
    let escalation = escalated(outcome);
    assert_eq!(escalation.reason, "goal_change_proposed");
    assert_eq!(escalation.required_authority, "tech lead");
    assert_eq!(escalation.proposal.unwrap().value(), &proposal);
    assert_eq!(state(&driver), json!({"retry_limit": 0, "validation_added": false}));
}

#[test]
fn an_action_out_of_scope_is_escalated_and_not_performed() {
    let mut driver = Driver::of_loop(contract(3));
    let action = json!({"name": "edit_deployment", "args": {"replicas": 0}});
    let answer = json!({"type": "act", "action": action});
    let outcome = driver.drive(&mut world(3, move |_| answer.clone(), |_| panic!("evaluated")), &mut nobody);
    let escalation = escalated(outcome);
    assert_eq!((escalation.reason.as_str(), escalation.proposal.unwrap().value()), ("out_of_scope", &action));
    assert_eq!(driver.rounds, [["loop:decide"]]);
    assert_eq!(state(&driver)["retry_limit"], 0);
}

#[test]
fn an_escalating_evaluator_keeps_the_changed_state() {
    let mut driver = Driver::of_loop(contract(3));
    let mut inner = world(3, policy, |_| ());
    let outcome = driver.drive(
        &mut |planned| match planned.order() {
            Order::Evaluate { .. } => {
                EffectResult::Evaluated { evaluation: Evaluation::new(Verdict::Escalate, json!("ask security")) }
            }
            _ => inner(planned),
        },
        &mut nobody,
    );
    assert_eq!(escalated(outcome).reason, "evaluator");
    assert_eq!(state(&driver), json!({"retry_limit": 5, "validation_added": false}));
}

#[test]
fn a_malformed_decision_costs_its_attempt_and_is_told() {
    let mut driver = Driver::of_loop(contract(2));
    let mut feedback = Vec::new();
    let outcome = driver.drive(
        &mut world(
            3,
            |context| {
                feedback.push(context.feedback.value().clone());
                json!({"type": "finish", "run_shell_command": "x"})
            },
            |_| (),
        ),
        &mut nobody,
    );
    exhausted(outcome);
    assert_eq!(feedback[0], Value::Null);
    assert!(feedback[1]["error"].as_str().unwrap().contains("unknown field `run_shell_command`"));
    assert_eq!(attempts_made(&driver), 2);
}

#[test]
fn contracts_that_bound_nothing_are_refused_when_built() {
    let build = |change: &dyn Fn(&mut loopwright_core::contract::LoopContract)| {
        let mut broken = contract(3);
        change(&mut broken);
        match Graph::of_loop("loop", broken) {
            Err(GraphError::Contract { source, .. }) => source,
            other => panic!("not refused: {other:?}"),
        }
    };
    let zero = |contract: &mut loopwright_core::contract::LoopContract| contract.budget = crate::driver::attempts(0);
    assert_eq!(build(&zero), ContractError::ZeroBudget { resource: Resource::Attempts });
    assert_eq!(build(&|contract| contract.aim = " ".into()), ContractError::NoAim);
    assert_eq!(build(&|contract| contract.authority.decided_by.clear()), ContractError::NobodyDecides);
    assert_eq!(
        build(&|contract| contract.budget = loopwright_core::budget::Budget::UNLIMITED),
        ContractError::UnlimitedAttempts
    );
    assert_eq!(build(&|contract| contract.evaluates.after_action = false), ContractError::NeverEvaluates);
    assert_eq!(
        build(&|contract| {
            contract.evaluates.after_action = false;
            contract.evaluates.first = true;
        }),
        ContractError::AcceptedWithoutEvaluation
    );
    assert_eq!(
        build(&|contract| contract.stop_rules.same_step = Some(1)),
        ContractError::StopsAtOnce { rule: "same_step", times: 1, least: 2 }
    );
}

#[test]
fn a_turn_is_policy_action_evaluation() {
    let mut driver = Driver::of_loop(contract(3));
    driver.drive(&mut world(3, |context| edit(2, context.attempt > 1), |_| ()), &mut nobody);
    let turn = ["loop:decide", "loop:act", "loop:evaluate"];
    let expected: Vec<_> = turn.iter().cycle().take(6).map(|word| vec![(*word).to_owned()]).collect();
    assert_eq!(driver.rounds, expected);
}
