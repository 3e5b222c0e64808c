//! Facts that the state does not allow are refused and change nothing; facts that it allows survive being stored.

use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::contract::EffectTerms;
use loopwright_core::evaluation::{Escalation, Evaluation, GateVerdict, Verdict};
use loopwright_core::fact::{Answer, Ask, AskAbout, EffectResult, Event, FORMAT, Fact, OrderKind, Reply};
use loopwright_core::graph::GraphError;
use loopwright_core::ids::{AskId, EffectId, NodePath};
use loopwright_core::json::{Digest, Json};
use loopwright_core::machine::{IllegalTransition, Next, Planned, Run};
use loopwright_core::outcome::{Exhaustion, Failure, Outcome, Signal};
use serde_json::{Value, json};

use crate::driver::{Driver, decided, done, nobody};
use crate::golden::{eventful, kind, spec};
use crate::people::{graph, task};
use crate::reopening::{amend, at, failed, retry};
use crate::script::{finish, make, repair_loop, script};

fn closed(outcome: Outcome) -> Event {
    Event::NodeClosed { outcome, signal: Signal::Ok, value: Json::null() }
}

fn finished(id: &EffectId, result: EffectResult) -> Event {
    Event::EffectFinished { id: id.clone(), result, spent: Amounts::NONE, note: Json::null() }
}

fn effect(path: &NodePath, number: u32) -> EffectId {
    EffectId { path: path.clone(), number }
}

/// A result for every kind of order.
fn results() -> [(OrderKind, EffectResult); 5] {
    let state = Json::new(json!("good"));
    [
        (OrderKind::Decide, decided(finish())),
        (OrderKind::Gate, EffectResult::Gated { verdict: GateVerdict::Pass {} }),
        (OrderKind::Act, EffectResult::Acted { state, observation: Json::null(), error: None }),
        (OrderKind::Evaluate, EffectResult::Evaluated { evaluation: Evaluation::new(Verdict::Success, Value::Null) }),
        (OrderKind::Task, done(json!(1))),
    ]
}

/// Facts that somebody might forge about a node or the run.
fn forged(path: &NodePath) -> Vec<Event> {
    let reserve = Amounts::NONE;
    let ask = Ask {
        id: AskId { path: path.clone(), number: 1 },
        about: AskAbout::Question { question: "may I?".into() },
        decided_by: "me".into(),
    };
    let (actor, note) = ("mallory".to_owned(), None);
    let mut events = vec![
        closed(Outcome::Success {}),
        closed(Outcome::Cancelled { actor: actor.clone(), note: None }),
        closed(Outcome::Rejected { actor: actor.clone() }),
        Event::BatchStarted { nodes: vec![] },
        Event::BatchStarted { nodes: vec!["decision".into()] },
        Event::Asked { ask },
        Event::Answered {
            id: AskId { path: path.clone(), number: 99 },
            answer: Answer { reply: Reply::Reject {}, actor, note },
        },
        Event::RunStarted { format: FORMAT, graph: Box::new(spec()), inputs: Json::null(), about: Json::null() },
    ];
    for number in [0, 1, 2, 40, u32::MAX] {
        let id = effect(path, number);
        events.push(Event::EffectLost { id: id.clone() });
        events.push(Event::EffectStarted { id: id.clone(), order: OrderKind::Act, digest: Digest::ZERO, reserve });
        events.extend(results().into_iter().map(|(_, result)| finished(&id, result)));
        events.push(finished(&id, failed()));
    }
    events
}

/// Whether the machine itself wants the event, or an effect is due or open that it could be about.
fn wanted(run: &Run, path: &NodePath, event: &Event) -> bool {
    let (Event::EffectFinished { id: named, .. } | Event::EffectLost { id: named }) = event else {
        let Next::Open { record, .. } = run.next() else { return false };
        return record.iter().any(|(of, wanted)| of == path && wanted == event);
    };
    let Next::Open { perform, .. } = run.next() else { return false };
    run.open_effects().chain(perform.iter().map(Planned::id)).any(|id| id == named)
}

#[test]
fn forged_facts_are_refused_at_every_point_of_a_run() {
    let facts = eventful();
    let mut refused = 0;
    let mut paths: Vec<_> = spec().nodes.iter().map(|node| at(&node.name)).collect();
    paths.extend([NodePath::root(), at("nobody"), at("repair").child("inner")]);
    for end in 1..=facts.len() {
        let run = Run::replay(&facts[..end]).unwrap();
        let mut driver = Driver { run, facts: vec![], ..Driver::start(spec(), json!({})) };
        for path in &paths {
            let events = forged(path).into_iter().filter(|event| !wanted(&driver.run, path, event));
            for event in events.collect::<Vec<_>>() {
                // The driver asserts that the state is as it was.
                let result = driver.try_apply(path, event.clone());
                assert!(result.is_err(), "after fact {end}: {event:?} of {path}");
                refused += 1;
            }
        }
    }
    assert!(refused > 10_000, "{refused} were tried");
}

#[test]
fn a_fact_is_filed_under_the_node_it_is_about() {
    let mut driver = Driver::start(
        graph(vec![task("a", EffectTerms::pure()), task("b", EffectTerms::pure())], vec![], None),
        json!({}),
    );
    let due = driver.due();
    let event = finished(due[0].id(), done(json!(1)));
    for path in [at("b"), NodePath::root(), at("nobody")] {
        let result = driver.try_apply(&path, event.clone());
        assert_eq!(result, Err(IllegalTransition::ElsewhereNamed { path, named: at("a") }));
    }
    driver.apply(&at("a"), event);
}

/// A loop with an effect of each class of result due, and how far the script goes to get there.
fn due_of(kind: OrderKind) -> (Driver, Planned) {
    let mut contract = repair_loop(3);
    contract.gated = true;
    contract.evaluator = EffectTerms::once(Amounts::of(Resource::EngineRuns, 1));
    contract.evaluates.first = false;
    let mut driver = match kind {
        OrderKind::Task => {
            let nodes = vec![task("loop", EffectTerms::once(Amounts::of(Resource::EngineRuns, 1)))];
            Driver::start(graph(nodes, vec![], None), json!({}))
        }
        _ => Driver::of_loop(contract),
    };
    let mut world = script([make("good")]);
    loop {
        let planned = driver.due().remove(0);
        if planned.order().kind() == kind {
            return (driver, planned);
        }
        driver.begin(&planned);
        driver.finish(&planned, world(&planned), *planned.reserve());
    }
}

#[test]
fn an_effect_brings_its_own_kind_of_result_once() {
    for (kind, right) in results() {
        for (other, wrong) in results() {
            let (mut driver, planned) = due_of(kind);
            driver.begin(&planned);
            let result = driver.try_apply(&at("loop"), finished(planned.id(), wrong));
            if kind == other {
                result.unwrap();
                let again = driver.try_apply(&at("loop"), finished(planned.id(), right.clone()));
                assert!(matches!(again, Err(IllegalTransition::Effect { .. })), "{kind:?} twice: {again:?}");
            } else {
                let expected = "answered by such a result";
                assert_eq!(result, Err(IllegalTransition::Effect { id: planned.id().clone(), expected }));
            }
        }
    }
}

#[test]
fn an_intent_is_written_exactly_as_planned() {
    let (mut driver, planned) = due_of(OrderKind::Evaluate);
    let (order, digest, reserve) = (planned.order().kind(), planned.order().digest(), *planned.reserve());
    let id = planned.id().clone();
    let wrong = [
        Event::EffectStarted { id: id.clone(), order: OrderKind::Act, digest, reserve },
        Event::EffectStarted { id: id.clone(), order, digest: Digest::ZERO, reserve },
        Event::EffectStarted { id: id.clone(), order, digest, reserve: Amounts::NONE },
        Event::EffectStarted { id: effect(&id.path, id.number + 1), order, digest, reserve },
        // Only a pure effect comes back without an intent.
        finished(&id, results()[3].1.clone()),
    ];
    for event in wrong {
        let result = driver.try_apply(&at("loop"), event.clone());
        assert!(matches!(result, Err(IllegalTransition::Effect { .. })), "{event:?}: {result:?}");
    }
    let right = Event::EffectStarted { id, order, digest, reserve };
    driver.apply(&at("loop"), right.clone());
    assert!(driver.try_apply(&at("loop"), right).is_err(), "not twice");

    let (mut driver, pure) = due_of(OrderKind::Decide);
    let (order, digest, reserve) = (pure.order().kind(), pure.order().digest(), *pure.reserve());
    let intent = Event::EffectStarted { id: pure.id().clone(), order, digest, reserve };
    assert!(driver.try_apply(&at("loop"), intent).is_err(), "a pure effect writes no intent");
}

#[test]
fn nothing_starts_in_a_node_that_is_about_to_close() {
    let (mut driver, planned) = due_of(OrderKind::Decide);
    driver.apply(&at("loop"), finished(planned.id(), failed()));
    let next = effect(&at("loop"), planned.id().number + 1);
    let result = driver.try_apply(&at("loop"), finished(&next, decided(finish())));
    assert_eq!(result, Err(IllegalTransition::Effect { id: next, expected: "due" }));
}

#[test]
fn facts_come_in_order_and_a_run_starts_once() {
    let facts = eventful();
    assert_eq!(Run::replay(&[]), Err(IllegalTransition::NotAStart));
    assert_eq!(Run::start(&facts[1]), Err(IllegalTransition::NotAStart));
    let mut run = Run::start(&facts[0]).unwrap();
    let before = run.clone();
    for (seq, found) in [(1, 1), (2, 3), (2, 0)] {
        let fact = Fact { seq: found, ..facts[seq - 1].clone() };
        assert_eq!(run.apply(&fact), Err(IllegalTransition::OutOfOrder { expected: 2, found }));
    }
    assert_eq!(run.apply(&Fact { seq: 2, ..facts[0].clone() }), Err(IllegalTransition::NotAStart));
    assert_eq!(run, before);
    let late = Fact { seq: 2, ..facts[0].clone() };
    assert_eq!(Run::start(&late), Err(IllegalTransition::OutOfOrder { expected: 1, found: 2 }));
    let missing = [&facts[..5], &facts[6..]].concat();
    assert_eq!(Run::replay(&missing), Err(IllegalTransition::OutOfOrder { expected: 6, found: 7 }));
}

#[test]
fn another_format_and_a_broken_graph_are_refused() {
    let start = |format, graph| {
        let event = Event::RunStarted { format, graph: Box::new(graph), inputs: Json::null(), about: Json::null() };
        Run::start(&Fact { event, ..eventful()[0].clone() })
    };
    for format in [0, FORMAT + 1, u32::MAX] {
        assert_eq!(start(format, spec()), Err(IllegalTransition::UnknownFormat { found: format }));
    }
    let empty = graph(vec![], vec![], None);
    assert_eq!(start(FORMAT, empty), Err(IllegalTransition::Graph(GraphError::Empty)));
    let unknown = json!({"type": "teleported", "to": "success"});
    assert!(serde_json::from_value::<Event>(unknown).is_err());
}

#[test]
fn what_nobody_wrote_into_a_fact_is_refused() {
    let fact = serde_json::to_value(&eventful()[0]).unwrap();
    assert!(serde_json::from_value::<Fact>(fact.clone()).is_ok());
    for place in ["", "/event", "/event/graph", "/event/graph/nodes/0", "/event/graph/nodes/1", "/event/graph/edges/0"]
    {
        let mut fact = fact.clone();
        fact.pointer_mut(place).unwrap()["permision"] = json!("refused");
        let error = serde_json::from_value::<Fact>(fact).unwrap_err().to_string();
        assert!(error.contains("unknown field `permision`"), "{place}: {error}");
    }
}

/// Every shape that events have, those included that a run seldom sees.
fn every_event() -> Vec<Event> {
    let id = effect(&at("a"), 3);
    let escalation = || Escalation {
        reason: "r".into(),
        message: "m".into(),
        required_authority: "a".into(),
        proposal: Some(json!({"深": [1, -2, 0.5]}).into()),
    };
    let mut exhausted = Vec::new();
    let mut driver = Driver::of_loop(repair_loop(1));
    exhausted.extend(driver.drive(&mut script([make("bad")]), &mut nobody));
    let overrun = loopwright_core::budget::Overrun { resource: Resource::Tokens, reserved: 1, spent: u64::MAX };
    exhausted.push(Outcome::BudgetExhausted { exhaustion: Exhaustion::Overrun { overrun }, hand_off: None });
    exhausted.push(Outcome::BudgetExhausted { exhaustion: Exhaustion::NoProgress { rounds: 3 }, hand_off: None });
    exhausted.push(Outcome::Escalated { escalation: escalation(), hand_off: None });
    exhausted.push(Outcome::HardVetoed { node: "a".into() });
    exhausted.push(Outcome::GoalChanged { actor: "a".into(), proposal: json!(1).into() });
    let mut events: Vec<_> = exhausted.into_iter().map(closed).collect();
    let signals = [
        Signal::SoftObjection { message: "hm".into() },
        Signal::HardVeto { message: "no".into() },
        Signal::Escalation { escalation: escalation() },
    ];
    for signal in signals {
        events.push(finished(&id, EffectResult::Done { value: json!([1]).into(), signal: signal.clone() }));
        events.push(Event::NodeClosed { outcome: Outcome::Success {}, signal, value: Json::null() });
    }
    let failure = Failure { class: "c".into(), message: "m".into(), detail: json!({"tail": "x"}).into() };
    events.push(finished(&id, EffectResult::Failed { failure }));
    let error = Some("timeout".to_owned());
    events.push(finished(&id, EffectResult::Acted { state: json!(1).into(), observation: json!(2).into(), error }));
    for verdict in
        [GateVerdict::Refuse { feedback: json!("f").into() }, GateVerdict::Escalate { escalation: escalation() }]
    {
        events.push(finished(&id, EffectResult::Gated { verdict }));
    }
    let (note, actor) = (Some("n".to_owned()), "a".to_owned());
    for reply in [Reply::Reject {}, Reply::ChangeGoal { proposal: json!("p").into() }, Reply::Say { text: "t".into() }]
    {
        let answer = Answer { reply, actor: actor.clone(), note: note.clone() };
        events.push(Event::Answered { id: AskId { path: at("a"), number: 1 }, answer });
    }
    events.push(Event::Retried { actor: None });
    events.push(Event::Cancelled { actor, note });
    events.extend([amend(Resource::WallMs, u64::MAX), retry()]);
    events.extend(eventful().into_iter().map(|fact| fact.event));
    events
}

#[test]
fn every_event_survives_being_stored() {
    for event in every_event() {
        let text = serde_json::to_string(&event).unwrap();
        let read: Event = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read, event, "{}", kind(&event));
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
