//! Nodes of one batch that pay from the run's own ledger: who gets what is left does not depend on who was faster.

use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::EffectTerms;
use loopwright_core::graph::{GraphSpec, Mode, NodeKind, NodeSpec};
use loopwright_core::machine::{NodeStatus, Planned};
use loopwright_core::outcome::OutcomeKind;
use serde_json::json;

use crate::driver::{Driver, done};
use crate::people::{graph, looping, task};
use crate::reopening::at;
use crate::script::{finish, make, repair_loop, script};

const RUNS: Resource = Resource::EngineRuns;

fn runs(count: u64) -> EffectTerms {
    EffectTerms::once(Amounts::of(RUNS, count))
}

fn limited(nodes: Vec<NodeSpec>, budget: Budget, mode: Mode) -> GraphSpec {
    GraphSpec { budget, mode, ..graph(nodes, vec![], None) }
}

fn kinds(driver: &Driver) -> Vec<(String, OutcomeKind)> {
    let nodes = driver.run.graph().spec().nodes.iter();
    let kind = |name: &String| match driver.run.status(name) {
        Some(NodeStatus::Closed(closing)) => (name.clone(), closing.outcome.kind()),
        other => panic!("{name}: {other:?}"),
    };
    nodes.map(|node| kind(&node.name)).collect()
}

/// Performs what is offered, all of it together, with a bill of so many runs for each task.
fn go_on(driver: &mut Driver, bill: u64, answers: &mut dyn FnMut(&Planned) -> loopwright_core::fact::EffectResult) {
    loop {
        let due = driver.due();
        if due.is_empty() {
            return assert!(driver.run.outcome().is_some(), "it waits for nothing: {:?}", driver.run.next());
        }
        for planned in &due {
            driver.begin(planned);
        }
        for planned in &due {
            let result = if planned.path() == &at("work") { answers(planned) } else { done(json!(1)) };
            let spent = planned.reserve().with(RUNS, planned.reserve().get(RUNS).min(bill));
            driver.finish(planned, result, spent);
        }
    }
}

#[test]
fn what_is_offered_together_can_be_paid_together() {
    let nodes = || vec![task("one", runs(2)), task("two", runs(1)), task("three", runs(1))];
    for (limit, expected) in [(4, &["one", "two", "three"][..]), (3, &["one", "two"]), (2, &["one"])] {
        let budget = Budget::UNLIMITED.with(RUNS, limit);
        let mut driver = Driver::start(limited(nodes(), budget, Mode::Parallel), json!({}));
        let due = driver.due();
        assert_eq!(due.iter().map(|planned| planned.path().as_str()).collect::<Vec<_>>(), expected, "{limit}");
        due.iter().rev().for_each(|planned| driver.begin(planned));
        assert!(driver.due().is_empty(), "the rest waits for what comes back");
    }
}

#[test]
fn what_the_first_gives_back_the_next_may_have_in_both_modes() {
    use OutcomeKind::{BudgetExhausted, Success};
    for (bill, last) in [(0, Success), (1, BudgetExhausted)] {
        for mode in [Mode::Parallel, Mode::Serial] {
            let nodes = vec![task("one", runs(1)), task("two", runs(1)), task("three", runs(1))];
            let budget = Budget::UNLIMITED.with(RUNS, 2);
            let mut driver = Driver::start(limited(nodes, budget, mode), json!({}));
            go_on(&mut driver, bill, &mut script([finish()]));
            let expected = [("one", Success), ("two", Success), ("three", last)];
            assert_eq!(kinds(&driver), expected.map(|(name, kind)| (name.to_owned(), kind)), "{mode:?}");
        }
    }
}

#[test]
fn a_task_waits_for_what_a_loop_holds_in_both_modes() {
    for (needs, expected) in [(1, OutcomeKind::Success), (3, OutcomeKind::BudgetExhausted)] {
        for mode in [Mode::Parallel, Mode::Serial] {
            // The loop limits no runs itself, so all that there are are carved out for it.
            let mut contract = repair_loop(5);
            contract.actions.insert("edit_tests".into(), runs(1));
            let nodes = vec![task("before", runs(needs)), looping("work", contract)];
            let budget = Budget::UNLIMITED.with(RUNS, 2);
            let mut driver = Driver::start(limited(nodes, budget, mode), json!({}));
            go_on(&mut driver, 1, &mut script([make("good"), finish()]));
            let (before, work) = (kinds(&driver)[0].1, kinds(&driver)[1].1);
            assert_eq!((before, work), (expected, OutcomeKind::Success), "{mode:?}");
        }
    }
}

#[test]
fn where_time_is_limited_effects_that_name_none_take_turns() {
    let gate = NodeSpec { name: "check".into(), kind: NodeKind::Gate {} };
    let pure = task("pure", EffectTerms::pure());
    for nodes in [vec![task("one", runs(0)), gate.clone(), pure.clone()], vec![gate, pure, task("one", runs(0))]] {
        let budget = Budget::UNLIMITED.with(Resource::WallMs, 100);
        let mut driver = Driver::start(limited(nodes, budget, Mode::Parallel), json!({}));
        for turn in 0..3 {
            let due = driver.due();
            assert_eq!(due.len(), 1, "one at a time, since each may take all that is left");
            assert_eq!(due[0].reserve().get(Resource::WallMs), 100 - turn * 30);
            driver.begin(&due[0]);
            driver.finish(&due[0], done(json!(1)), Amounts::of(Resource::WallMs, 30));
        }
        assert!(driver.due().is_empty());
        assert!(kinds(&driver).iter().all(|(_, kind)| *kind == OutcomeKind::Success));
    }
}
