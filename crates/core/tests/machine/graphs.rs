//! Graphs: batches, signals, the governor, and what is refused when built.

use loopwright_core::authority::Permission;
use loopwright_core::budget::Budget;
use loopwright_core::contract::EffectTerms;
use loopwright_core::fact::{Ask, AskAbout, EffectResult, Reply};
use loopwright_core::graph::{EdgeSpec, Graph, GraphError, GraphSpec, Mode, NodeKind, NodeSpec, Relation};
use loopwright_core::machine::{NodeStatus, Planned};
use loopwright_core::outcome::{Outcome, Signal};
use serde_json::{Value, json};

use crate::driver::{Driver, done};
use crate::retry_limit::{contract, policy, world};

fn task(name: &str) -> NodeSpec {
    let kind = NodeKind::Task { terms: EffectTerms::pure(), permission: Permission::Allowed };
    NodeSpec { name: name.into(), kind }
}

fn human(name: &str) -> NodeSpec {
    let kind = NodeKind::Human { question: json!("merge?").into(), decided_by: "owner".into() };
    NodeSpec { name: name.into(), kind }
}

/// context -> implementation -> {tests, review} -> merge -> approval
fn feature(mode: Mode) -> GraphSpec {
    let implementation =
        NodeSpec { name: "implementation".into(), kind: NodeKind::Loop { contract: Box::new(contract(3)) } };
    GraphSpec {
        name: "feature".into(),
        nodes: vec![
            task("context"),
            implementation,
            task("tests"),
            NodeSpec { name: "review".into(), kind: NodeKind::Gate {} },
            task("merge"),
            human("approval"),
        ],
        edges: vec![
            EdgeSpec::new("context", Relation::DataFlow, "implementation"),
            EdgeSpec::new("implementation", Relation::DataFlow, "tests"),
            EdgeSpec::new("implementation", Relation::Veto, "review"),
            EdgeSpec::new("tests", Relation::Dependency, "merge"),
            EdgeSpec::new("review", Relation::Dependency, "merge"),
            EdgeSpec::new("merge", Relation::Handoff, "approval"),
        ],
        governor: Some("approval".into()),
        budget: Budget::UNLIMITED,
        mode,
    }
}

/// Performs the loop as in the bounded retry; every other node hands on its name and its inputs.
fn everything(planned: &Planned) -> EffectResult {
    if planned.path().as_str() == "implementation" {
        return world(3, policy, |_| ())(planned);
    }
    let name = planned.path().as_str();
    let inputs = serde_json::to_value(planned.order()).unwrap()["inputs"]["values"].clone();
    done(json!({"node": name, "from": inputs}))
}

#[expect(clippy::unnecessary_wraps, reason = "people may say nothing; this one always answers")]
fn approve(_: &Ask) -> Option<Reply> {
    Some(Reply::Approve { value: json!(null).into() })
}

fn signalled(node: &'static str, signal: Signal) -> impl FnMut(&Planned) -> EffectResult {
    move |planned| match everything(planned) {
        EffectResult::Done { value, .. } if planned.path().as_str() == node => {
            EffectResult::Done { value, signal: signal.clone() }
        }
        other => other,
    }
}

fn values(driver: &Driver) -> Vec<Value> {
    let names = ["context", "implementation", "tests", "review", "merge"];
    let closed = names.map(|name| match driver.run.status(name) {
        Some(NodeStatus::Closed(closing)) => closing.value.value().clone(),
        other => json!(format!("{other:?}")),
    });
    closed.to_vec()
}

#[test]
fn parallel_and_serial_differ_in_time_only() {
    let run = |mode, backwards| {
        let mut driver = Driver::start(feature(mode), json!({}));
        driver.backwards = backwards;
        let outcome = driver.drive(&mut everything, &mut approve);
        assert_eq!(outcome, Some(Outcome::Success {}));
        driver
    };
    let (parallel, backwards, serial) =
        (run(Mode::Parallel, false), run(Mode::Parallel, true), run(Mode::Serial, false));
    let batches: Vec<Vec<&str>> =
        vec![vec!["context"], vec!["implementation"], vec!["tests", "review"], vec!["merge"], vec!["approval"]];
    for driver in [&parallel, &backwards, &serial] {
        assert_eq!(driver.batches, batches);
        assert_eq!(values(driver), values(&parallel));
    }
    assert!(parallel.rounds.contains(&vec!["tests:task".to_owned(), "review:check".to_owned()]));
    assert!(serial.rounds.iter().all(|round| round.len() == 1), "one at a time: {:?}", serial.rounds);
    let order: Vec<_> = serial.rounds.iter().flatten().map(String::as_str).collect();
    assert!(order.windows(2).any(|pair| pair == ["tests:task", "review:check"]), "declaration order: {order:?}");
}

#[test]
fn a_hard_veto_ends_the_graph_before_anything_downstream() {
    for mode in [Mode::Parallel, Mode::Serial] {
        let mut driver = Driver::start(feature(mode), json!({}));
        let veto = Signal::HardVeto { message: "no validation".into() };
        let asked = &mut |_: &Ask| panic!("the governor was asked");
        let outcome = driver.drive(&mut signalled("review", veto), asked);
        assert_eq!(outcome, Some(Outcome::HardVetoed { node: "review".into() }));
        assert!(matches!(driver.run.status("tests"), Some(NodeStatus::Closed(_))), "the batch finishes whole");
        assert_eq!(driver.run.status("merge"), Some(NodeStatus::Waiting));
    }
}

#[test]
fn a_soft_objection_reaches_the_governor_and_blocks_nothing() {
    let mut driver = Driver::start(feature(Mode::Parallel), json!({}));
    let mut heard = Value::Null;
    let objection = Signal::SoftObjection { message: "names could be better".into() };
    let outcome = driver.drive(&mut signalled("review", objection), &mut |ask| {
        heard = serde_json::to_value(&ask.about).unwrap();
        approve(ask)
    });
    assert_eq!(outcome, Some(Outcome::Success {}));
    let review = heard["inputs"]["nodes"].as_array().unwrap().iter().find(|node| node["node"] == "review").unwrap();
    assert_eq!(review["signal"], json!({"type": "soft_objection", "message": "names could be better"}));
    assert_eq!(heard["may_approve"], true);
}

#[test]
fn an_escalating_loop_goes_straight_to_the_governor_who_may_change_the_goal() {
    let mut driver = Driver::start(feature(Mode::Parallel), json!({}));
    let proposal = json!({"aim": "no retries"});
    let mut may_approve = true;
    let outcome = driver.drive(
        &mut |planned| match planned.path().as_str() {
            "implementation" => {
                let answer = json!({"type": "propose_goal_change", "proposal": proposal});
                EffectResult::Decided { answer: answer.into() }
            }
            _ => everything(planned),
        },
        &mut |ask| {
            let AskAbout::Governor { may_approve: may, inputs, .. } = &ask.about else { panic!("{ask:?}") };
            may_approve = *may;
            let heard = inputs.value().pointer("/nodes/1/signal/escalation/proposal").unwrap().clone();
            Some(Reply::ChangeGoal { proposal: heard.into() })
        },
    );
    assert_eq!(outcome, Some(Outcome::GoalChanged { actor: "tester".into(), proposal: proposal.clone().into() }));
    assert!(!may_approve, "what was escalated cannot be approved");
    assert_eq!(driver.run.status("tests"), Some(NodeStatus::Waiting));
    assert_eq!(driver.batches.last().unwrap(), &["approval"]);
}

#[test]
fn the_governor_may_reject() {
    let mut driver = Driver::start(feature(Mode::Parallel), json!({}));
    let outcome = driver.drive(&mut everything, &mut |_| Some(Reply::Reject {}));
    assert_eq!(outcome, Some(Outcome::Rejected { actor: "tester".into() }));
}

#[test]
fn a_task_may_govern_when_its_value_is_a_reply() {
    let mut spec = feature(Mode::Parallel);
    spec.nodes[5] = task("approval");
    for (reply, expected) in [
        (json!({"type": "approve"}), Some("success")),
        (json!({"type": "reject"}), Some("rejected")),
        (json!({"type": "perhaps"}), Some("failed")),
    ] {
        let mut driver = Driver::start(spec.clone(), json!({}));
        let outcome = driver.drive(
            &mut |planned| {
                if planned.path().as_str() == "approval" { done(reply.clone()) } else { everything(planned) }
            },
            &mut crate::driver::nobody,
        );
        assert_eq!(outcome.map(|outcome| outcome.kind().name()), expected, "{reply}");
    }
}

#[test]
fn an_exhausted_loop_ends_the_graph_unless_an_edge_receives_it() {
    let mut spec = feature(Mode::Parallel);
    spec.nodes[1].kind = NodeKind::Loop { contract: Box::new(contract(1)) };
    let mut driver = Driver::start(spec.clone(), json!({}));
    let outcome = driver.drive(&mut everything, &mut |_| panic!("the governor was asked"));
    assert_eq!(outcome.unwrap().kind().name(), "budget_exhausted");

    let exhausted = loopwright_core::outcome::OutcomeKind::BudgetExhausted;
    spec.edges.push(EdgeSpec::new("implementation", Relation::Handoff, "approval").receiving(&[exhausted]));
    let mut driver = Driver::start(spec, json!({}));
    assert_eq!(driver.drive(&mut everything, &mut |_| None), None);
    let ask = driver.run.asks().next().unwrap();
    assert!(matches!(ask.about, AskAbout::Governor { may_approve: false, .. }), "{ask:?}");
}

#[test]
fn graphs_that_cannot_run_are_refused_when_built() {
    let refuse = |change: &dyn Fn(&mut GraphSpec)| {
        let mut spec = feature(Mode::Parallel);
        change(&mut spec);
        Graph::build(spec).unwrap_err()
    };
    let back = EdgeSpec::new("merge", Relation::Handoff, "implementation");
    assert_eq!(
        refuse(&|spec| spec.edges.push(back.clone())),
        GraphError::Cycle { path: ["implementation", "tests", "merge", "implementation"].map(String::from).to_vec() }
    );
    let itself = EdgeSpec::new("context", Relation::Handoff, "context");
    assert!(matches!(refuse(&|spec| spec.edges.push(itself.clone())), GraphError::Cycle { .. }));
    assert_eq!(
        refuse(&|spec| spec.edges[0].to = "nowhere".into()),
        GraphError::UnknownNode { from: "context".into(), to: "nowhere".into(), unknown: "nowhere".into() }
    );
    assert_eq!(
        refuse(&|spec| spec.nodes[2].name = "review".into()),
        GraphError::DuplicateName { name: "review".into() }
    );
    assert_eq!(
        refuse(&|spec| spec.governor = Some("nobody".into())),
        GraphError::GovernorIsNoNode { name: "nobody".into() }
    );
    assert_eq!(refuse(&|spec| spec.nodes.clear()), GraphError::Empty);
    assert_eq!(refuse(&|spec| spec.nodes[0].name = "a/b".into()), GraphError::IllegalName { name: "a/b".into() });
    assert_eq!(
        refuse(&|spec| spec.governor = Some("merge".into())),
        GraphError::AfterTheGovernor { node: "approval".into() }
    );
    assert!(matches!(refuse(&|spec| spec.edges[0].receives.clear()), GraphError::ReceivesNothing { .. }));
    assert!(matches!(refuse(&|spec| spec.edges.push(spec.edges[0].clone())), GraphError::DuplicateEdge { .. }));
    assert!(matches!(
        refuse(&|spec| {
            let kind = NodeKind::Task { terms: EffectTerms::pure(), permission: Permission::NeedsApproval };
            spec.nodes[4].kind = kind;
        }),
        GraphError::NobodyApproves { .. }
    ));
    assert!(matches!(
        refuse(&|spec| spec.edges[3].relation = Relation::Approval),
        GraphError::ApprovalWithoutPerson { .. }
    ));
}
