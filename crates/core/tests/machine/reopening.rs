//! What ended and goes on: amended budgets, retries after failures; and what never goes on: cancelled runs.

use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::contract::{Class, EffectTerms, FirstState, LoopContract};
use loopwright_core::fact::{AskAbout, EffectResult, Event, Reply};
use loopwright_core::graph::{EdgeSpec, GraphSpec, Relation};
use loopwright_core::ids::NodePath;
use loopwright_core::json::Json;
use loopwright_core::machine::{IllegalTransition, Next, NodeStatus, Order, Planned, Run};
use loopwright_core::outcome::{Exhaustion, Failure, Outcome, OutcomeKind};
use serde_json::json;

use crate::driver::{Driver, attempts, done, nobody};
use crate::people::{graph, human, looping, task};
use crate::script::{finish, judge, make, repair_loop, script};

pub(crate) fn at(name: &str) -> NodePath {
    NodePath::root().child(name)
}

pub(crate) fn amend(resource: Resource, by: u64) -> Event {
    Event::Amended { budget: Amounts::of(resource, by), actor: "ann".into(), note: None }
}

pub(crate) fn retry() -> Event {
    Event::Retried { actor: Some("ann".into()) }
}

fn cancel() -> Event {
    Event::Cancelled { actor: "ann".into(), note: Some("enough".into()) }
}

pub(crate) fn failed() -> EffectResult {
    let (class, message) = ("disk_full".to_owned(), "the disk is full: make room".to_owned());
    EffectResult::Failed { failure: Failure { class, message, detail: Json::null() } }
}

/// A loop, and a governor who hears of it however it ends.
fn governed(contract: LoopContract) -> GraphSpec {
    let receives = [OutcomeKind::Success, OutcomeKind::BudgetExhausted];
    let edge = EdgeSpec::new("work", Relation::Handoff, "decision").receiving(&receives);
    graph(vec![looping("work", contract), human("decision")], vec![edge], Some("decision"))
}

fn why(result: Result<(), IllegalTransition>) -> &'static str {
    match result {
        Err(IllegalTransition::CannotReopen { why, .. }) => why,
        other => panic!("not refused to reopen: {other:?}"),
    }
}

#[test]
fn an_amended_loop_goes_on_though_the_governor_was_asked_already() {
    let mut patience = repair_loop(9);
    patience.stop_rules.stagnant_rounds = Some(1);
    let mut overrun = repair_loop(9);
    overrun.budget = overrun.budget.with(Resource::Tokens, 5);
    let cases = [
        ("attempts", repair_loop(1), amend(Resource::Attempts, 2)),
        ("patience", patience, amend(Resource::Attempts, 0)),
        ("overrun", overrun, amend(Resource::Tokens, 5)),
    ];
    for (case, contract, amended) in cases {
        let mut driver = Driver::start(governed(contract), json!({}));
        let mut answers = script([make("bad"), make("good"), finish()]);
        let mut world = |planned: &Planned| match (planned.order(), answers(planned)) {
            (Order::Evaluate { .. }, EffectResult::Evaluated { mut evaluation }) => {
                evaluation.score = vec![0];
                EffectResult::Evaluated { evaluation }
            }
            (_, other) => other,
        };
        if case == "overrun" {
            let first = driver.due().remove(0);
            driver.finish(&first, world(&first), Amounts::of(Resource::Tokens, 6));
        }
        assert_eq!(driver.drive(&mut world, &mut nobody), None, "{case}");
        let first = driver.run.asks().next().unwrap().clone();
        assert!(matches!(first.about, AskAbout::Governor { may_approve: false, .. }), "{case}");

        driver.apply(&at("work"), amended);
        assert_eq!(driver.run.asks().count(), 0, "{case}: the question is withdrawn");
        assert_eq!(driver.run.status("decision"), Some(NodeStatus::Waiting));
        assert_eq!(driver.drive(&mut world, &mut nobody), None, "{case}");
        let second = driver.run.asks().next().unwrap().clone();
        assert!(matches!(second.about, AskAbout::Governor { may_approve: true, .. }), "{case}");
        assert_ne!(first.id, second.id, "{case}: no id stands for two questions");
        let outcome = driver.drive(&mut world, &mut |_| Some(Reply::Approve { value: Json::null() }));
        assert_eq!(outcome, Some(Outcome::Success {}), "{case}");
        assert_eq!(why(driver.try_apply(&at("work"), amend(Resource::Attempts, 1))), "it is not exhausted");
    }
}

#[test]
fn an_amended_loop_has_new_patience() {
    let mut contract = repair_loop(9);
    contract.stop_rules.stagnant_rounds = Some(2);
    let mut driver = Driver::start(governed(contract), json!({}));
    let mut answers = script([make("bad")]);
    let mut world = |planned: &Planned| match answers(planned) {
        EffectResult::Evaluated { mut evaluation } => {
            evaluation.score = vec![0];
            EffectResult::Evaluated { evaluation }
        }
        other => other,
    };
    for attempts in [2, 4, 6] {
        assert_eq!(driver.drive(&mut world, &mut nobody), None);
        assert_eq!(driver.run.loop_view("work").unwrap().attempts, attempts);
        driver.apply(&at("work"), amend(Resource::Attempts, 0));
    }
}

#[test]
fn only_an_exhausted_or_running_node_can_be_amended() {
    let more = || amend(Resource::Attempts, 1);
    let mut driver = Driver::start(governed(repair_loop(1)), json!({}));
    assert_eq!(why(driver.try_apply(&at("work"), more())), "it has not begun");
    assert!(matches!(driver.try_apply(&at("nobody"), more()), Err(IllegalTransition::UnknownNode { .. })));
    assert_eq!(driver.due().len(), 1);
    driver.apply(&at("work"), more());
    assert_eq!(driver.run.loop_view("work").unwrap().ledger.left(Resource::Attempts), Some(2));
    driver.drive(&mut script([make("bad")]), &mut |_| Some(Reply::Reject {}));
    assert_eq!(why(driver.try_apply(&at("work"), more())), "what comes after it was decided already");
    assert_eq!(why(driver.try_apply(&at("decision"), more())), "it is not exhausted");
    assert_eq!(why(driver.try_apply(&at("work"), retry())), "it has not failed");
    assert_eq!(why(driver.try_apply(&NodePath::root(), more())), "the run has ended");
}

/// A loop whose exhaustion a task is told of, and a governor after both.
fn studied(class: Class) -> Driver {
    let either = [OutcomeKind::Success, OutcomeKind::BudgetExhausted];
    let terms = EffectTerms { class, cost: Amounts::of(Resource::EngineRuns, 1) };
    let edges = vec![
        EdgeSpec::new("work", Relation::DataFlow, "study").receiving(&either),
        EdgeSpec::new("work", Relation::Handoff, "decision").receiving(&either),
        EdgeSpec::new("study", Relation::Dependency, "decision"),
    ];
    let nodes = vec![looping("work", repair_loop(1)), task("study", terms), human("decision")];
    let mut spec = graph(nodes, edges, Some("decision"));
    spec.budget = spec.budget.with(Resource::EngineRuns, 1);
    Driver::start(spec, json!({}))
}

#[test]
fn what_comes_after_and_may_be_repeated_is_repeated() {
    let mut driver = studied(Class::Idempotent);
    let mut world = script([make("bad"), make("good"), finish()]);
    assert_eq!(driver.drive(&mut world, &mut nobody), None, "the governor is asked");
    let studies = |driver: &Driver| {
        let starts = driver.facts.iter().filter_map(|fact| match &fact.event {
            Event::EffectStarted { id, .. } if id.path == at("study") => Some(id.number),
            _ => None,
        });
        starts.collect::<Vec<_>>()
    };
    assert_eq!(studies(&driver), [1]);
    driver.apply(&at("work"), amend(Resource::Attempts, 2));
    assert_eq!(driver.run.status("study"), Some(NodeStatus::Waiting));
    driver.apply(&NodePath::root(), amend(Resource::EngineRuns, 1));
    assert_eq!(driver.drive(&mut world, &mut nobody), None, "the governor is asked again");
    assert_eq!(studies(&driver), [1, 2], "no id stands for two studies");
    assert_eq!(driver.run.spent().get(Resource::EngineRuns), 2);
    let approve = |_: &loopwright_core::fact::Ask| Some(Reply::Approve { value: Json::null() });
    assert_eq!(driver.drive(&mut world, &mut { approve }), Some(Outcome::Success {}));
}

#[test]
fn what_must_not_happen_twice_keeps_a_loop_from_being_reopened() {
    let mut driver = studied(Class::Once);
    driver.drive(&mut script([make("bad")]), &mut nobody);
    let refused = driver.try_apply(&at("work"), amend(Resource::Attempts, 2));
    assert_eq!(why(refused), "what comes after it was decided already");
}

#[test]
fn what_comes_after_is_not_pulled_from_under_an_open_effect() {
    let once = EffectTerms::once(Amounts::of(Resource::EngineRuns, 1));
    let edge = EdgeSpec::new("work", Relation::Handoff, "rescue").receiving(&[OutcomeKind::BudgetExhausted]);
    let mut driver =
        Driver::start(graph(vec![looping("work", repair_loop(1)), task("rescue", once)], vec![edge], None), json!({}));
    let mut world = script([make("bad")]);
    let rescue = loop {
        let due = driver.due().remove(0);
        driver.begin(&due);
        if due.path() == &at("rescue") {
            break due;
        }
        driver.finish(&due, world(&due), *due.reserve());
    };
    let refused = driver.try_apply(&at("work"), amend(Resource::Attempts, 1));
    assert_eq!(why(refused), "an effect of what comes after it is under way");
    driver.finish(&rescue, done(json!(1)), *rescue.reserve());
    assert_eq!(driver.drive(&mut world, &mut nobody), Some(Outcome::Success {}));
}

/// Two loops in one batch that share seven attempts: `one` is given three, `two` the four that are left.
fn siblings() -> Driver {
    let mut spec = graph(vec![looping("one", repair_loop(3)), looping("two", repair_loop(9))], vec![], None);
    spec.budget = attempts(7);
    Driver::start(spec, json!({}))
}

fn limits(driver: &Driver) -> [u64; 2] {
    ["one", "two"].map(|name| driver.run.loop_view(name).unwrap().ledger.limits().limit(Resource::Attempts).unwrap())
}

fn root(driver: &Driver) -> (u64, u64) {
    (driver.run.ledger().spent().get(Resource::Attempts), driver.run.ledger().reserved().get(Resource::Attempts))
}

#[test]
fn a_childs_budget_is_carved_out_and_what_is_left_comes_back() {
    let mut driver = siblings();
    driver.due();
    assert_eq!((limits(&driver), root(&driver)), ([3, 4], (0, 7)));
    let (mut one, mut two) = (script([make("good"), finish()]), script([make("bad")]));
    let mut world = |planned: &Planned| if planned.path() == &at("one") { one(planned) } else { two(planned) };
    let outcome = driver.drive(&mut world, &mut nobody).unwrap();
    assert_eq!(outcome.kind(), OutcomeKind::BudgetExhausted);
    assert_eq!(root(&driver), (6, 0), "two of three and four of four were spent");

    // Amended: its four are reserved again, with two more that the graph is given as well.
    driver.apply(&at("two"), amend(Resource::Attempts, 2));
    assert_eq!((limits(&driver), root(&driver)), ([3, 6], (2, 6)));
    assert_eq!(driver.run.ledger().limits().limit(Resource::Attempts), Some(9));
    assert_eq!(driver.run.spent().get(Resource::Attempts), 6, "nothing is counted twice");
    driver.drive(&mut script([make("bad")]), &mut nobody);
    assert_eq!(root(&driver), (8, 0));
}

#[test]
fn a_reopened_child_gets_what_nobody_else_has_by_now() {
    let nodes =
        vec![looping("one", repair_loop(3)), task("between", EffectTerms::pure()), looping("two", repair_loop(9))];
    let mut spec = graph(nodes, vec![EdgeSpec::new("between", Relation::Dependency, "two")], None);
    // Somebody receives the failure, so that the graph goes on without it.
    spec.nodes.push(task("notice", EffectTerms::pure()));
    let told = EdgeSpec::new("one", Relation::Handoff, "notice").receiving(&[OutcomeKind::Failed]);
    let never = EdgeSpec::new("two", Relation::Dependency, "notice");
    spec.edges.extend([told, never]);
    spec.budget = attempts(7);
    let mut driver = Driver::start(spec, json!({}));
    let mut one = script([make("bad"), make("good"), finish()]);
    let mut broken = true;
    let mut acts = 0;
    loop {
        let due = driver.due();
        if due.iter().any(|planned| planned.path() == &at("two")) {
            break;
        }
        for planned in &due {
            acts += u32::from(matches!(planned.order(), Order::Act { .. }));
            let result = match planned.order() {
                Order::Act { .. } if acts == 2 && std::mem::take(&mut broken) => failed(),
                _ => one(planned),
            };
            driver.finish(planned, result, *planned.reserve());
        }
    }
    // One has spent two of its three when it fails; two is given the five that are left.
    assert_eq!((limits(&driver), root(&driver)), ([3, 5], (2, 5)));
    driver.apply(&at("one"), retry());
    assert_eq!((limits(&driver), root(&driver)), ([2, 5], (0, 7)), "nothing is granted twice");
    let mut two = script([make("bad")]);
    let mut world = |planned: &Planned| if planned.path() == &at("two") { two(planned) } else { one(planned) };
    let outcome = driver.drive(&mut world, &mut nobody).unwrap();
    assert_eq!(outcome.kind(), OutcomeKind::BudgetExhausted);
    assert_eq!(driver.run.spent().get(Resource::Attempts), 7);
}

#[test]
fn a_sibling_stays_busy_when_a_node_is_reopened() {
    let mut driver = siblings();
    let (mut one, mut two) =
        (script([make("bad"), make("bad"), make("bad"), make("good"), finish()]), script([make("good"), finish()]));
    // Two waits with its first effect in the air until one is exhausted.
    while driver.run.status("one") == Some(NodeStatus::Running) || driver.run.length() < 3 {
        for planned in driver.due().iter().filter(|planned| planned.path() == &at("one")) {
            driver.finish(planned, one(planned), *planned.reserve());
        }
    }
    driver.apply(&at("one"), amend(Resource::Attempts, 2));
    let due: Vec<_> = driver.due().iter().map(|planned| planned.path().to_string()).collect();
    assert_eq!(due, ["one", "two"], "both go on");
    let mut world = |planned: &Planned| if planned.path() == &at("one") { one(planned) } else { two(planned) };
    assert_eq!(driver.drive(&mut world, &mut nobody), Some(Outcome::Success {}));
}

#[test]
fn what_a_rewound_loop_spent_stays_spent() {
    let receives = [OutcomeKind::BudgetExhausted, OutcomeKind::Success];
    let edge = EdgeSpec::new("one", Relation::Handoff, "two").receiving(&receives);
    let mut spec = graph(vec![looping("one", repair_loop(1)), looping("two", repair_loop(9))], vec![edge], None);
    spec.budget = attempts(7);
    let mut driver = Driver::start(spec, json!({}));
    let mut world = script([make("bad")]);
    for _ in 0..8 {
        let due = driver.due().remove(0);
        driver.finish(&due, world(&due), *due.reserve());
    }
    assert_eq!(driver.run.loop_view("two").unwrap().attempts, 1, "two is under way");
    driver.apply(&at("one"), amend(Resource::Attempts, 1));
    assert_eq!(driver.run.status("two"), Some(NodeStatus::Waiting));
    assert_eq!(driver.run.spent().get(Resource::Attempts), 2);
    driver.drive(&mut world, &mut nobody).unwrap();
    assert_eq!(driver.run.spent().get(Resource::Attempts), 8, "all that there is, and nothing twice");
}

#[test]
fn what_failed_is_tried_again_from_where_it_stood() {
    let inner = || graph(vec![looping("work", repair_loop(3))], vec![], None);
    let single = || graph(vec![task("work", EffectTerms::once(Amounts::of(Resource::EngineRuns, 1)))], vec![], None);
    for (case, spec, fails_at) in [
        ("decide", inner(), 2),
        ("act", inner(), 3),
        ("evaluate", inner(), 4),
        ("first evaluation", inner(), 1),
        ("task", single(), 1),
    ] {
        let mut driver = Driver::start(spec, json!({}));
        let (mut world, mut effects) = (script([make("good"), finish()]), 0);
        let mut once_broken = |planned: &Planned| {
            effects += 1;
            if effects == fails_at { failed() } else { world(planned) }
        };
        let outcome = driver.drive(&mut once_broken, &mut nobody).unwrap();
        assert_eq!(outcome.kind(), OutcomeKind::Failed, "{case}");
        let spent = driver.run.spent();
        driver.apply(&at("work"), retry());
        assert_eq!(driver.run.spent(), spent, "{case}: nothing is forgotten");
        assert_eq!(driver.drive(&mut once_broken, &mut nobody), Some(Outcome::Success {}), "{case}");
        let attempts = driver.run.spent().get(Resource::Attempts);
        assert_eq!(attempts, if case == "task" { 0 } else { 2 }, "{case}: what the world broke is no attempt");
        assert_eq!(why(driver.try_apply(&at("work"), retry())), "it has not failed");
    }
}

#[test]
fn a_loop_without_its_input_fails_and_may_be_tried_again() {
    let mut contract = repair_loop(3);
    contract.first_state = FirstState::Input("/values/before/state".into());
    let edge = EdgeSpec::new("before", Relation::DataFlow, "work");
    let mut spec = graph(vec![task("before", EffectTerms::pure()), looping("work", contract)], vec![edge], None);
    spec.budget = attempts(5);
    let mut driver = Driver::start(spec, json!({}));
    let mut world = |planned: &Planned| match planned.order() {
        Order::Task { .. } => done(json!({"nothing": "here"})),
        other => panic!("{other:?}"),
    };
    for _ in 0..2 {
        let Some(Outcome::Failed { failure }) = driver.drive(&mut world, &mut nobody) else { panic!("not failed") };
        assert_eq!(failure.class, "input_missing");
        assert_eq!((root(&driver), driver.run.loop_view("work").is_none()), ((0, 0), true));
        driver.apply(&at("work"), retry());
    }
}

#[test]
fn an_exhausted_task_goes_on_with_more_budget() {
    let cost = Amounts::of(Resource::EngineRuns, 2);
    let mut spec = graph(vec![task("work", EffectTerms::once(cost))], vec![], None);
    spec.budget = spec.budget.with(Resource::EngineRuns, 1);
    let mut driver = Driver::start(spec, json!({}));
    let Some(Outcome::BudgetExhausted { exhaustion: Exhaustion::Resource { shortage }, .. }) =
        driver.drive(&mut |_| panic!("performed"), &mut nobody)
    else {
        panic!("not exhausted")
    };
    assert_eq!((shortage.requested, shortage.left), (2, 1));
    driver.apply(&at("work"), amend(Resource::EngineRuns, 1));
    assert_eq!(driver.drive(&mut |_| done(json!(1)), &mut nobody), Some(Outcome::Success {}));
    assert_eq!(driver.run.spent(), cost);
}

/// A run with a loop that needs approval, a task that must not happen twice, and a governor.
fn full_run() -> Driver {
    let mut contract = repair_loop(3);
    contract.policy = EffectTerms::idempotent(Amounts::of(Resource::ModelCalls, 1));
    contract.authority.actions.insert("edit_tests".into(), loopwright_core::authority::Permission::NeedsApproval);
    let nodes = vec![looping("work", contract), task("other", EffectTerms::once(Amounts::NONE)), human("decision")];
    let mut driver = Driver::start(graph(nodes, vec![], Some("decision")), json!({}));
    let outcome =
        driver.drive(&mut script([make("good"), finish()]), &mut |_| Some(Reply::Approve { value: Json::null() }));
    assert_eq!(outcome, Some(Outcome::Success {}));
    driver
}

#[test]
fn a_run_can_be_cancelled_at_any_point_and_nothing_reopens_it() {
    let whole = full_run();
    let mut with_open_effects = 0;
    for cut in 1..whole.facts.len() {
        let facts = whole.facts[..cut].to_vec();
        let run = Run::replay(&facts).unwrap();
        let mut driver = Driver { run, facts, ..Driver::start(whole.run.graph().spec().clone(), json!({})) };
        assert!(driver.try_apply(&at("work"), cancel()).is_err(), "it is the run that is cancelled");
        driver.apply(&NodePath::root(), cancel());
        assert!(driver.run.is_cancelled());
        assert!(driver.try_apply(&NodePath::root(), cancel()).is_err(), "and only once");
        let open: Vec<_> = driver.run.open_effects().cloned().collect();
        if !open.is_empty() {
            with_open_effects += 1;
            let nothing = Next::Open { record: vec![], perform: vec![], awaiting: vec![] };
            assert_eq!(driver.run.next(), nothing, "it waits for what is in the air, and for nobody");
        }
        for id in open {
            driver.apply(&id.path.clone(), Event::EffectLost { id });
        }
        assert!(driver.due().is_empty());
        let expected = Outcome::Cancelled { actor: "ann".into(), note: Some("enough".into()) };
        assert_eq!(driver.run.outcome(), Some(&expected), "cut at {cut}");
        assert_eq!(driver.run.asks().count(), 0);
        for node in ["work", "other", "decision"] {
            assert_eq!(why(driver.try_apply(&at(node), amend(Resource::Attempts, 1))), "the run was cancelled");
            assert_eq!(why(driver.try_apply(&at(node), retry())), "the run was cancelled");
        }
        assert_eq!(driver.try_apply(&NodePath::root(), cancel()), Err(IllegalTransition::Ended));
    }
    assert!(with_open_effects > 3);
}

#[test]
fn what_comes_back_after_a_cancel_is_still_counted() {
    let mut contract = repair_loop(3);
    contract.evaluator = EffectTerms::once(Amounts::of(Resource::EngineRuns, 2));
    let mut driver = Driver::of_loop(contract);
    let planned = driver.due().remove(0);
    driver.begin(&planned);
    driver.apply(&NodePath::root(), cancel());
    driver.finish(&planned, EffectResult::Evaluated { evaluation: judge(&json!("good")) }, *planned.reserve());
    driver.due();
    assert_eq!(driver.run.outcome().unwrap().kind(), OutcomeKind::Cancelled);
    assert_eq!(driver.run.spent().get(Resource::EngineRuns), 2);
}
