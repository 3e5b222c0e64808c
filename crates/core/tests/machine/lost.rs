//! Effects that were started and never heard of again: repeated or escalated, charged or refunded.

use loopwright_core::authority::Permission;
use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::contract::{Class, EffectTerms};
use loopwright_core::fact::{Event, Reply};
use loopwright_core::graph::{NodeKind, NodeSpec};
use loopwright_core::json::Json;
use loopwright_core::machine::{IllegalTransition, Next, Planned};
use loopwright_core::outcome::{Outcome, OutcomeKind};
use serde_json::json;

use crate::driver::{Driver, nobody};
use crate::people::graph;
use crate::reopening::{amend, at};
use crate::script::{finish, make, repair_loop, script};

/// One of everything.
fn all() -> Amounts {
    Resource::ALL.into_iter().fold(Amounts::NONE, |sum, resource| sum.with(resource, 1))
}

/// What may have been billed outside although nobody heard of it.
fn billed_outside() -> Amounts {
    Amounts::of(Resource::ModelCalls, 1).with(Resource::Tokens, 1).with(Resource::CostMicros, 1)
}

fn lose(driver: &mut Driver, planned: &Planned) {
    driver.apply(planned.path(), Event::EffectLost { id: planned.id().clone() });
}

fn task_of(class: Class) -> Driver {
    let terms = EffectTerms { class, cost: all() };
    let node = NodeSpec { name: "work".into(), kind: NodeKind::Task { terms, permission: Permission::Allowed } };
    Driver::start(graph(vec![node], vec![], None), json!({}))
}

#[test]
fn a_lost_task_is_repeated_under_its_id_or_escalated() {
    for (class, charged) in [(Class::Idempotent, billed_outside()), (Class::Once, all())] {
        let mut driver = task_of(class);
        let planned = driver.due().remove(0);
        driver.begin(&planned);
        assert_eq!(driver.run.ledger().reserved(), &all());
        lose(&mut driver, &planned);
        assert_eq!((driver.run.ledger().reserved(), driver.run.ledger().spent()), (&Amounts::NONE, &charged));
        if class == Class::Idempotent {
            assert_eq!(driver.due(), [planned], "the same effect under the same id");
            assert_eq!(driver.drive(&mut script([finish()]), &mut nobody), Some(Outcome::Success {}));
            assert_eq!(driver.run.spent(), charged.plus(&all()));
        } else {
            let Some(Outcome::Escalated { escalation, .. }) = driver.drive(&mut |_| panic!("repeated"), &mut nobody)
            else {
                panic!("not escalated")
            };
            assert_eq!((escalation.reason.as_str(), driver.run.outcome().is_some()), ("effect_lost", true));
        }
    }
}

#[test]
fn a_lost_action_is_repeated_without_asking_again_or_escalated_with_the_state_as_it_was() {
    for (class, expected) in [(Class::Idempotent, OutcomeKind::Success), (Class::Once, OutcomeKind::Escalated)] {
        let mut contract = repair_loop(3);
        contract.budget = contract.budget.with(Resource::Actions, 2).with(Resource::ModelCalls, 2);
        let cost = Amounts::of(Resource::ModelCalls, 1);
        contract.actions.insert("edit_tests".into(), EffectTerms { class, cost });
        contract.authority.actions.insert("edit_tests".into(), Permission::NeedsApproval);
        let mut driver = Driver::of_loop(contract);
        let (mut asked, mut world) = (0, script([make("good"), finish()]));
        // Goes on until the action, which was approved, is due.
        let act = loop {
            let due = driver.due();
            let ask = driver.run.asks().next().cloned();
            if let Some(ask) = ask {
                asked += 1;
                let answer = loopwright_core::fact::Answer {
                    reply: Reply::Approve { value: Json::null() },
                    actor: "ann".into(),
                    note: None,
                };
                driver.apply(&ask.id.path.clone(), Event::Answered { id: ask.id, answer });
                continue;
            }
            if asked == 1 {
                break due.into_iter().next().unwrap();
            }
            driver.finish(&due[0], world(&due[0]), *due[0].reserve());
        };
        driver.begin(&act);
        lose(&mut driver, &act);
        let view = driver.run.loop_view("loop").unwrap();
        assert_eq!(view.state.value()["retry_limit"], 0, "the state is as it was");
        let (calls, actions) =
            (view.ledger.spent().get(Resource::ModelCalls), view.ledger.spent().get(Resource::Actions));
        assert_eq!((calls, actions), (1, u64::from(class == Class::Once)), "{class:?}");
        let outcome = driver.drive(&mut world, &mut |_| panic!("asked again")).unwrap();
        assert_eq!(outcome.kind(), expected);
        if class == Class::Idempotent {
            assert_eq!(driver.facts.iter().filter(|fact| started(&fact.event) == Some(act.id().number)).count(), 2);
        }
    }
}

fn started(event: &Event) -> Option<u32> {
    if let Event::EffectStarted { id, .. } = event { Some(id.number) } else { None }
}

#[test]
fn an_effect_that_is_lost_again_and_again_is_charged_until_the_budget_ends() {
    let mut contract = repair_loop(3);
    contract.policy = EffectTerms::idempotent(Amounts::of(Resource::Tokens, 10));
    contract.evaluates.first = false;
    contract.budget = contract.budget.with(Resource::Tokens, 25);
    let mut driver = Driver::of_loop(contract);
    for _ in 0..2 {
        let decide = driver.due().remove(0);
        assert_eq!(decide.id().number, 1);
        driver.begin(&decide);
        lose(&mut driver, &decide);
    }
    assert!(driver.due().is_empty());
    assert_eq!(driver.run.outcome().unwrap().kind(), OutcomeKind::BudgetExhausted);
    let view = driver.run.loop_view("loop").unwrap();
    assert_eq!((view.ledger.spent().get(Resource::Tokens), view.attempts), (20, 0));
    driver.apply(&at("loop"), amend(Resource::Tokens, 5));
    assert_eq!(driver.due()[0].id().number, 1, "still the same effect");
}

#[test]
fn only_an_open_effect_can_be_lost() {
    let mut driver = task_of(Class::Once);
    let planned = driver.due().remove(0);
    let lost = Event::EffectLost { id: planned.id().clone() };
    let refused = |driver: &mut Driver| {
        let result = driver.try_apply(planned.path(), lost.clone());
        assert!(matches!(result, Err(IllegalTransition::Effect { expected: "open", .. })), "{result:?}");
    };
    refused(&mut driver);
    driver.begin(&planned);
    assert_eq!(driver.run.next(), Next::Open { record: vec![], perform: vec![], awaiting: vec![] });
    lose(&mut driver, &planned);
    refused(&mut driver);
}
