//! What a policy may still say: outputs that cannot be used, and the hand-off that a reserve is kept for.

use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::{ContractError, EffectTerms, LoopContract};
use loopwright_core::fact::{EffectResult, Event, OrderKind};
use loopwright_core::json::Json;
use loopwright_core::machine::{Context, Order, Planned};
use loopwright_core::outcome::{Exhaustion, HandOff, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, nobody};
use crate::reopening::{amend, at, failed};
use crate::script::{finish, make, repair_loop, script};

fn unusable(class: &str) -> EffectResult {
    let message = "answer with one object".to_owned();
    EffectResult::Unusable { class: class.to_owned(), message, raw: json!("Sure! {}").into() }
}

/// A repair loop whose decisions are calls of a model.
fn asking(calls: u64) -> LoopContract {
    let mut contract = repair_loop(20);
    contract.policy = EffectTerms::idempotent(Amounts::of(Resource::ModelCalls, 1));
    contract.budget = contract.budget.with(Resource::ModelCalls, calls);
    contract
}

fn keeping(calls: u64, kept: u64) -> LoopContract {
    LoopContract { wrap_up: Some(Amounts::of(Resource::ModelCalls, kept)), ..asking(calls) }
}

fn hand_off(outcome: Option<Outcome>) -> HandOff {
    match outcome {
        Some(Outcome::BudgetExhausted { hand_off: Some(hand_off), exhaustion }) => {
            assert_eq!(exhaustion.resource(), Some(Resource::ModelCalls));
            *hand_off
        }
        other => panic!("not exhausted: {other:?}"),
    }
}

#[test]
fn an_unusable_output_costs_its_attempt_and_its_error_is_the_next_feedback() {
    let mut driver = Driver::of_loop(asking(5));
    let mut seen: Vec<(u32, Value)> = Vec::new();
    let mut answers = script([make("good"), finish()]);
    let mut world = |planned: &Planned| match planned.order() {
        Order::Decide { context } if context.attempt <= 2 => {
            seen.push((context.attempt, context.feedback.value().clone()));
            unusable("prose_around_object")
        }
        Order::Decide { context } => {
            seen.push((context.attempt, context.feedback.value().clone()));
            answers(planned)
        }
        _ => answers(planned),
    };
    assert_eq!(driver.drive(&mut world, &mut nobody), Some(Outcome::Success {}));
    let told = json!({"error": "answer with one object", "class": "prose_around_object"});
    assert_eq!(seen[1], (2, told.clone()));
    assert_eq!(seen[2], (3, told));
    assert_eq!(driver.run.spent().get(Resource::ModelCalls), 4);
    assert_eq!(driver.run.spent().get(Resource::Attempts), 4);
}

#[test]
fn unusable_outputs_end_with_the_budget_or_with_the_patience() {
    let mut never = |planned: &Planned| match planned.order() {
        Order::Decide { .. } => unusable("prose_around_object"),
        _ => script([finish()])(planned),
    };
    let mut driver = Driver::of_loop(asking(3));
    let left = hand_off(driver.drive(&mut never, &mut nobody));
    assert_eq!((left.attempts, left.spent.get(Resource::ModelCalls)), (3, 3));
    let mut contract = asking(9);
    contract.stop_rules.same_error = Some(3);
    let Some(Outcome::Escalated { escalation, .. }) = Driver::of_loop(contract).drive(&mut never, &mut nobody) else {
        panic!("the same error three times is not noticed");
    };
    assert_eq!(escalation.reason, "same_error");
}

#[test]
fn the_last_call_is_kept_for_the_hand_off_and_does_nothing_else() {
    let mut driver = Driver::of_loop(keeping(3, 1));
    let mut contexts: Vec<(OrderKind, Context)> = Vec::new();
    let mut answers = script([make("bad"), make("worse"), finish()]);
    let mut world = |planned: &Planned| {
        if let Order::Decide { context } | Order::WrapUp { context, .. } = planned.order() {
            contexts.push((planned.order().kind(), (**context).clone()));
        }
        answers(planned)
    };
    let left = hand_off(driver.drive(&mut world, &mut nobody));
    assert_eq!(left.written, Json::new(json!("over to you")));
    assert_eq!(left.state, Json::new(json!("worse")));
    assert_eq!(left.spent.get(Resource::ModelCalls), 3);
    let kinds: Vec<_> = contexts.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [OrderKind::Decide, OrderKind::Decide, OrderKind::WrapUp]);
    assert_eq!(contexts[2].1.state, left.state);
}

#[test]
fn a_hand_off_that_nobody_could_write_does_not_hold_up_the_end() {
    for broken in [unusable("empty"), failed()] {
        let mut answers = script([make("bad")]);
        let mut world = |planned: &Planned| match planned.order() {
            Order::WrapUp { exhaustion, .. } => {
                assert!(matches!(exhaustion, Exhaustion::Resource { .. }));
                broken.clone()
            }
            _ => answers(planned),
        };
        let left = hand_off(Driver::of_loop(keeping(2, 1)).drive(&mut world, &mut nobody));
        assert_eq!(left.written, Json::null());
        assert_eq!(left.why, "1 model_calls requested, 0 of 2 left");
    }
}

#[test]
fn a_lost_wrap_up_is_repeated_while_it_can_be_paid() {
    let mut driver = Driver::of_loop(keeping(3, 1));
    let mut answers = script([make("bad"), make("worse")]);
    let planned = loop {
        let planned = driver.due().remove(0);
        driver.begin(&planned);
        if planned.order().kind() == OrderKind::WrapUp {
            break planned;
        }
        driver.finish(&planned, answers(&planned), *planned.reserve());
    };
    driver.apply(planned.path(), Event::EffectLost { id: planned.id().clone() });
    // The lost call may have been billed, so nothing is left to repeat it with.
    let left = hand_off(driver.drive(&mut answers, &mut nobody));
    assert_eq!((left.written, left.spent.get(Resource::ModelCalls)), (Json::null(), 3));
}

#[test]
fn an_amended_loop_goes_on_and_does_not_keep_the_reserve_again() {
    let mut driver = Driver::of_loop(keeping(2, 1));
    let mut answers = script([make("bad"), make("good"), finish()]);
    assert_eq!(hand_off(driver.drive(&mut answers, &mut nobody)).written, Json::new(json!("over to you")));
    driver.apply(&at("loop"), amend(Resource::ModelCalls, 1));
    let left = hand_off(driver.drive(&mut answers, &mut nobody));
    assert_eq!((left.written, left.state), (Json::null(), Json::new(json!("good"))));
    driver.apply(&at("loop"), amend(Resource::ModelCalls, 1));
    assert_eq!(driver.drive(&mut answers, &mut nobody), Some(Outcome::Success {}));
    assert_eq!(driver.run.spent().get(Resource::ModelCalls), 4);
}

#[test]
fn a_reserve_has_to_be_one_and_to_leave_something() {
    let (reserve, takes_all) = (
        |resource| Err(ContractError::WrapUpReserve { resource }),
        |kept, limit| Err(ContractError::WrapUpTakesAll { resource: Resource::ModelCalls, kept, limit }),
    );
    let cases = [
        (Amounts::of(Resource::ModelCalls, 1), 2, Ok(())),
        (Amounts::of(Resource::ModelCalls, 1), 1, takes_all(1, 1)),
        (Amounts::of(Resource::ModelCalls, 2), 2, takes_all(2, 2)),
        (Amounts::of(Resource::Tokens, 500), 1, Ok(())),
        (Amounts::of(Resource::Attempts, 1), 2, reserve(Resource::Attempts)),
        (Amounts::of(Resource::Actions, 1), 2, reserve(Resource::Actions)),
        (Amounts::of(Resource::EngineRuns, 1), 2, reserve(Resource::EngineRuns)),
    ];
    for (kept, calls, expected) in cases {
        let contract = LoopContract { wrap_up: Some(kept), ..asking(calls) };
        assert_eq!(contract.check(), expected, "{kept:?} of {calls}");
    }
    let free = LoopContract { wrap_up: Some(Amounts::of(Resource::Tokens, 500)), ..asking(1) };
    assert_eq!(Budget::UNLIMITED.limit(Resource::Tokens), free.budget.limit(Resource::Tokens));
}

#[test]
fn only_an_open_effect_can_be_tried_again() {
    let mut driver = Driver::of_loop(asking(2));
    let mut answers = script([make("good"), finish()]);
    let evaluation = driver.due().remove(0);
    driver.finish(&evaluation, answers(&evaluation), Amounts::NONE);
    let planned = driver.due().remove(0);
    let tried = || Event::EffectTried { id: planned.id().clone(), note: json!({"error": "busy"}).into() };
    assert!(driver.try_apply(planned.path(), tried()).is_err());
    driver.begin(&planned);
    let open: Vec<_> = driver.run.open_effects().cloned().collect();
    driver.apply(planned.path(), tried());
    driver.apply(planned.path(), tried());
    assert_eq!(driver.run.open_effects().cloned().collect::<Vec<_>>(), open);
    driver.finish(&planned, answers(&planned), *planned.reserve());
    assert!(driver.try_apply(planned.path(), tried()).is_err());
}
