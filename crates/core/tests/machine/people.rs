//! People: approvals, approval edges, questions, vetoes, and what the governor may say.

use loopwright_core::authority::Permission;
use loopwright_core::budget::Budget;
use loopwright_core::contract::{EffectTerms, LoopContract};
use loopwright_core::fact::{Answer, Ask, AskAbout, EffectResult, Event, OrderKind, Reply};
use loopwright_core::graph::{EdgeSpec, GraphSpec, Mode, NodeKind, NodeSpec, Relation};
use loopwright_core::ids::{AskId, NodePath};
use loopwright_core::machine::{IllegalTransition, NodeStatus, Order};
use loopwright_core::outcome::{Failure, Outcome, OutcomeKind};
use serde_json::{Value, json};

use crate::driver::{Driver, nobody};
use crate::script::{finish, make, repair_loop, script};

pub(crate) fn node(name: &str, kind: NodeKind) -> NodeSpec {
    NodeSpec { name: name.into(), kind }
}

pub(crate) fn looping(name: &str, contract: LoopContract) -> NodeSpec {
    node(name, NodeKind::Loop { contract: Box::new(contract) })
}

pub(crate) fn task(name: &str, terms: EffectTerms) -> NodeSpec {
    node(name, NodeKind::Task { terms, permission: Permission::Allowed })
}

pub(crate) fn human(name: &str) -> NodeSpec {
    node(name, NodeKind::Human { question: json!("may it?").into(), decided_by: "owner".into() })
}

pub(crate) fn graph(nodes: Vec<NodeSpec>, edges: Vec<EdgeSpec>, governor: Option<&str>) -> GraphSpec {
    let governor = governor.map(str::to_owned);
    GraphSpec { name: "graph".into(), nodes, edges, governor, budget: Budget::UNLIMITED, mode: Mode::Parallel }
}

fn yes() -> Reply {
    Reply::Approve { value: json!({"runs": 6}).into() }
}

fn answer(reply: Reply) -> Answer {
    Answer { reply, actor: "ann".into(), note: None }
}

/// A repair loop in which one kind of effect needs approval.
fn needing_approval(of: OrderKind) -> LoopContract {
    let mut contract = repair_loop(3);
    match of {
        OrderKind::Decide => contract.authority.decisions = Permission::NeedsApproval,
        OrderKind::Evaluate => contract.authority.evaluations = Permission::NeedsApproval,
        _ => drop(contract.authority.actions.insert("edit_tests".into(), Permission::NeedsApproval)),
    }
    contract
}

#[test]
fn each_effect_that_needs_approval_is_asked_for_once() {
    for (kind, times) in [(OrderKind::Decide, 3), (OrderKind::Act, 2), (OrderKind::Evaluate, 3)] {
        let mut driver = Driver::of_loop(needing_approval(kind));
        let mut asked = Vec::new();
        let outcome = driver.drive(&mut script([make("bad"), make("good"), finish()]), &mut |ask: &Ask| {
            let AskAbout::Approval { order, subject } = &ask.about else { panic!("{ask:?}") };
            assert_eq!((*order, ask.decided_by.as_str()), (kind, "tech lead"));
            asked.push((ask.id.number, subject.value().clone()));
            Some(yes())
        });
        assert_eq!(outcome, Some(Outcome::Success {}), "{kind:?}");
        assert_eq!(asked.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=times).collect::<Vec<_>>());
        if kind == OrderKind::Act {
            assert_eq!(asked[1].1, json!({"name": "edit_tests", "args": "good"}), "people see what would be done");
        }
    }
}

#[test]
fn nothing_is_performed_before_it_is_approved() {
    for kind in [OrderKind::Decide, OrderKind::Act, OrderKind::Evaluate] {
        let mut driver = Driver::of_loop(needing_approval(kind));
        assert_eq!(driver.drive(&mut script([make("good")]), &mut nobody), None);
        let word = format!("loop:{kind:?}").to_lowercase();
        assert!(!driver.rounds.concat().contains(&word), "{word} in {:?}", driver.rounds);
        assert_eq!(driver.run.asks().count(), 1);
    }
}

#[test]
fn a_refused_action_can_be_replaced_and_a_refused_decision_or_evaluation_escalates() {
    for (kind, expected) in
        [(OrderKind::Act, "success"), (OrderKind::Decide, "escalated"), (OrderKind::Evaluate, "escalated")]
    {
        let mut driver = Driver::of_loop(needing_approval(kind));
        let mut told = Vec::new();
        let mut inner = script([make("dear"), make("good"), finish()]);
        let mut refuse = true;
        let outcome = driver.drive(
            &mut |planned| {
                if let Order::Decide { context } = planned.order() {
                    told.push(context.feedback.value().clone());
                }
                inner(planned)
            },
            &mut |_| if std::mem::take(&mut refuse) { Some(Reply::Reject {}) } else { Some(yes()) },
        );
        assert_eq!(outcome.unwrap().kind().name(), expected, "{kind:?}");
        if kind == OrderKind::Act {
            let refused = json!({"error": "a person refused the action", "actor": "tester", "note": null});
            assert_eq!(told[1], refused);
            assert_eq!(driver.rounds.iter().filter(|round| round[0] == "loop:act").count(), 1);
        }
    }
}

#[test]
fn an_approval_edge_brings_one_yes_for_all_of_a_node() {
    let needs = NodeKind::Task { terms: EffectTerms::pure(), permission: Permission::NeedsApproval };
    for edge in [Relation::Approval, Relation::Dependency] {
        let mut contract = needing_approval(OrderKind::Evaluate);
        contract.authority.actions.insert("edit_tests".into(), Permission::NeedsApproval);
        let nodes = vec![human("authorization"), node("baseline", needs.clone()), looping("repair", contract)];
        let edges = vec![
            EdgeSpec::new("authorization", Relation::Approval, "baseline"),
            EdgeSpec::new("authorization", edge, "repair"),
        ];
        let mut driver = Driver::start(graph(nodes, edges, None), json!({}));
        let mut asked = Vec::new();
        let outcome = driver.drive(&mut script([make("good"), finish()]), &mut |ask| {
            asked.push(ask.id.path.to_string());
            Some(yes())
        });
        assert_eq!(outcome, Some(Outcome::Success {}));
        let expected: &[&str] = if edge == Relation::Approval {
            &["authorization"]
        } else {
            &["authorization", "repair", "repair", "repair"]
        };
        assert_eq!(asked, expected);
        let Some(NodeStatus::Closed(closing)) = driver.run.status("authorization") else { panic!("not closed") };
        assert_eq!(closing.value.value()["reply"]["value"], json!({"runs": 6}), "what goes with the yes is handed on");
    }
}

#[test]
fn a_policy_may_ask_and_is_told_the_answer() {
    let mut driver = Driver::of_loop(repair_loop(3));
    let mut told = Vec::new();
    let question = json!({"type": "ask_human", "question": "which colour?"});
    let mut inner = script([question, make("good"), finish()]);
    let outcome = driver.drive(
        &mut |planned| {
            if let Order::Decide { context } = planned.order() {
                told.push(context.feedback.value().clone());
            }
            inner(planned)
        },
        &mut |ask| {
            assert_eq!(ask.about, AskAbout::Question { question: "which colour?".into() });
            Some(Reply::Say { text: "blue".into() })
        },
    );
    assert_eq!(outcome, Some(Outcome::Success {}));
    assert_eq!(told[1], json!({"answer": "blue", "actor": "tester"}));
    assert_eq!(driver.run.loop_view("loop").unwrap().attempts, 3, "asking costs an attempt");
}

/// Runs that wait for a person, one for each kind of question.
fn waiting() -> Vec<(&'static str, Driver)> {
    let question = Driver::of_loop(repair_loop(3));
    let approval = Driver::of_loop(needing_approval(OrderKind::Act));
    let person = Driver::start(graph(vec![human("loop")], vec![], None), json!({}));
    let governor = Driver::start(graph(vec![human("loop")], vec![], Some("loop")), json!({}));
    let mut all = vec![("question", question), ("approval", approval), ("node", person), ("governor", governor)];
    for (kind, driver) in &mut all {
        let answers = if *kind == "question" { json!({"type": "ask_human", "question": "?"}) } else { make("good") };
        assert_eq!(driver.drive(&mut script([answers]), &mut nobody), None);
    }
    all
}

#[test]
fn a_wrong_reply_is_refused_and_a_right_one_counts_once() {
    let replies = [
        ("approve", yes()),
        ("reject", Reply::Reject {}),
        ("change_goal", Reply::ChangeGoal { proposal: json!("less").into() }),
        ("say", Reply::Say { text: "hm".into() }),
    ];
    let legal = [
        ("question", &["say"][..]),
        ("approval", &["approve", "reject"]),
        ("node", &["approve", "reject"]),
        ("governor", &["approve", "reject", "change_goal"]),
    ];
    let path = NodePath::root().child("loop");
    for (name, reply) in replies {
        for ((kind, mut driver), (_, allowed)) in waiting().into_iter().zip(legal) {
            let id = driver.run.asks().next().unwrap().id.clone();
            let event = Event::Answered { id: id.clone(), answer: answer(reply.clone()) };
            assert_eq!(driver.run.check_answer(&id, &answer(reply.clone())).is_ok(), allowed.contains(&name));
            let result = driver.try_apply(&path, event.clone());
            if allowed.contains(&name) {
                assert_eq!(result, Ok(()), "{name} to {kind}");
                let again = driver.try_apply(&path, event).unwrap_err();
                assert_eq!(again, IllegalTransition::NotAsked { id }, "{name} to {kind} again");
            } else {
                assert!(matches!(result, Err(IllegalTransition::Reply { .. })), "{name} to {kind}: {result:?}");
                assert_eq!(driver.run.asks().count(), 1, "it is still asked");
            }
        }
    }
}

#[test]
fn an_answer_to_what_nobody_asks_is_refused() {
    let (_, mut driver) = waiting().remove(1);
    let path = NodePath::root().child("loop");
    for id in [AskId { path: path.clone(), number: 2 }, AskId { path: NodePath::root().child("x"), number: 1 }] {
        let event = Event::Answered { id: id.clone(), answer: answer(yes()) };
        assert_eq!(driver.try_apply(&id.path.clone(), event), Err(IllegalTransition::NotAsked { id }));
    }
}

#[test]
fn a_persons_no_is_a_hard_veto() {
    let nodes = vec![human("authorization"), task("baseline", EffectTerms::pure()), human("decision")];
    let edges = vec![EdgeSpec::new("authorization", Relation::Approval, "baseline")];
    let mut driver = Driver::start(graph(nodes, edges, Some("decision")), json!({}));
    let outcome = driver.drive(&mut |_| panic!("performed"), &mut |ask| {
        assert_eq!(ask.id.path.as_str(), "authorization", "the governor is not asked");
        Some(Reply::Reject {})
    });
    assert_eq!(outcome, Some(Outcome::HardVetoed { node: "authorization".into() }));
}

/// `work` fails or not; `rescue` goes on where it failed; `other` has to be through for `rescue` to begin.
fn rescued(other_receives: OutcomeKind) -> GraphSpec {
    let nodes = vec![
        task("work", EffectTerms::pure()),
        task("other", EffectTerms::pure()),
        task("rescue", EffectTerms::pure()),
        human("decision"),
    ];
    let edges = vec![
        EdgeSpec::new("work", Relation::Handoff, "rescue").receiving(&[OutcomeKind::Failed]),
        EdgeSpec::new("other", Relation::Dependency, "rescue").receiving(&[other_receives]),
    ];
    graph(nodes, edges, Some("decision"))
}

fn failing(broken: bool) -> impl FnMut(&loopwright_core::machine::Planned) -> EffectResult {
    move |planned| {
        if broken && planned.path().as_str() == "work" {
            let failure = Failure { class: "x".into(), message: "y".into(), detail: json!(null).into() };
            return EffectResult::Failed { failure };
        }
        crate::driver::done(Value::Null)
    }
}

#[test]
fn the_governor_may_approve_only_what_was_accepted_or_rescued() {
    let success = OutcomeKind::Success;
    let cases = [
        ("everything was accepted, and the rescue was not needed", false, success, true),
        ("the failure was rescued", true, success, true),
        ("the rescue never began", true, OutcomeKind::Escalated, false),
    ];
    for (case, broken, other_receives, may) in cases {
        let mut driver = Driver::start(rescued(other_receives), json!({}));
        assert_eq!(driver.drive(&mut failing(broken), &mut nobody), None, "{case}");
        let ask = driver.run.asks().next().unwrap().clone();
        let AskAbout::Governor { may_approve, .. } = &ask.about else { panic!("{case}: {ask:?}") };
        assert_eq!(*may_approve, may, "{case}");
        let path = ask.id.path.clone();
        let approved = driver.try_apply(&path, Event::Answered { id: ask.id.clone(), answer: answer(yes()) });
        assert_eq!(approved.is_ok(), may, "{case}");
        if !may {
            driver.apply(&path, Event::Answered { id: ask.id, answer: answer(Reply::Reject {}) });
        }
        let expected = if may { Outcome::Success {} } else { Outcome::Rejected { actor: "ann".into() } };
        assert_eq!(driver.drive(&mut failing(broken), &mut nobody), Some(expected), "{case}");
    }
}

#[test]
fn without_a_governor_a_failure_that_nobody_went_on_from_stays_one() {
    for (other_receives, expected) in [(OutcomeKind::Success, "success"), (OutcomeKind::Escalated, "failed")] {
        let mut spec = rescued(other_receives);
        spec.governor = None;
        spec.nodes.pop();
        let mut driver = Driver::start(spec, json!({}));
        let outcome = driver.drive(&mut failing(true), &mut nobody).unwrap();
        assert_eq!(outcome.kind().name(), expected);
    }
}
