//! What is read back is what was meant: a live run and its replay are in the same state after every fact.

use loopwright_core::contract::EffectTerms;
use loopwright_core::evaluation::{Escalation, Evaluation, GateVerdict, Verdict};
use loopwright_core::fact::{EffectResult, Fact, OrderKind};
use loopwright_core::json::Json;
use loopwright_core::machine::{Planned, Run};
use loopwright_core::outcome::{Failure, Outcome, Signal};
use loopwright_runtime::history::History;
use loopwright_runtime::journal::MemoryJournal;
use loopwright_runtime::perform::Interrupt;
use loopwright_runtime::session::Pause;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{create, name, performer};
use crate::worlds::{Terms, batch, edits, idempotent, world};

/// Drives with a world and compares live state and replay whenever something was kept.
fn drive_and_compare(graph: &loopwright_core::graph::Graph, world: impl Fn(&Planned) -> EffectResult + Sync) -> Pause {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, graph).unwrap();
    let mut compare = |_: &Fact, run: &Run| assert_eq!(History::read(&journal, &name()).unwrap().run, *run);
    let pause = session.drive(&performer(world), &Interrupt::default(), &mut compare).unwrap();
    let history = History::read(&journal, &name()).unwrap();
    assert_eq!(history.run, *session.run());
    assert_eq!(history.run.next(), session.run().next());
    pause
}

/// The usual world with one kind of result replaced.
fn with(kind: OrderKind, result: EffectResult) -> impl Fn(&Planned) -> EffectResult + Sync {
    move |planned| if planned.order().kind() == kind { result.clone() } else { world(planned) }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (any::<u32>(), 1_u32..1000).prop_map(|(n, d)| Value::from(f64::from(n) / f64::from(d))),
        "[ -~\u{e9}\u{4e00}-\u{4e10}\"\\\\\u{0}-\u{1f}]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z$]{0,6}", inner), 0..4).prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_read_back_as_it_was(value in any_value(), other in any_value()) {
        let result = EffectResult::Acted { state: value.clone().into(), observation: other.clone().into(), error: None };
        drive_and_compare(&edits(&Terms::all(&idempotent()), 2), |planned: &Planned| match planned.order().kind() {
            OrderKind::Act => result.clone(),
            OrderKind::Evaluate => {
                EffectResult::Evaluated { evaluation: Evaluation::new(Verdict::Continue, other.clone()) }
            }
            OrderKind::Decide => {
                let action = json!({"name": "edit", "args": value});
                EffectResult::Decided { answer: json!({"type": "act", "action": action}).into() }
            }
            _ => world(planned),
        });
    }

    #[test]
    fn any_answer_of_a_policy_is_read_back_as_it_was(answer in any_value()) {
        let result = EffectResult::Decided { answer: answer.into() };
        drive_and_compare(&edits(&Terms::pure_policy(), 2), with(OrderKind::Decide, result));
    }
}

#[test]
fn doubles_keep_every_digit() {
    for number in [0.1, 1.0 / 3.0, 5e-324, f64::MAX, f64::MIN_POSITIVE, -0.0, 1.152_921_504_606_847e18, 36.0] {
        let state = json!({"edits": number});
        let result = EffectResult::Acted { state: state.into(), observation: json!(number).into(), error: None };
        drive_and_compare(&edits(&Terms::all(&idempotent()), 3), with(OrderKind::Act, result));
    }
}

#[test]
fn a_proposal_of_nothing_is_a_proposal() {
    let propose = EffectResult::Decided { answer: json!({"type": "propose_goal_change", "proposal": null}).into() };
    let pause = drive_and_compare(&edits(&Terms::pure_policy(), 3), with(OrderKind::Decide, propose));
    let Pause::Done(Outcome::Escalated { escalation, .. }) = pause else { panic!("{pause:?}") };
    assert_eq!(escalation.proposal, Some(Json::null()));
}

#[test]
fn escalations_of_every_origin_are_read_back() {
    let escalation = |proposal| Escalation {
        reason: "unclear".into(),
        message: "ask".into(),
        required_authority: "owner".into(),
        proposal,
    };
    for proposal in [None, Some(Json::null()), Some(Json::new(json!({"aim": 1.5})))] {
        let escalation = escalation(proposal);
        let gated = EffectResult::Gated { verdict: GateVerdict::Escalate { escalation: escalation.clone() } };
        let evaluation =
            Evaluation { escalation: Some(escalation.clone()), ..Evaluation::new(Verdict::Escalate, Json::null()) };
        let signal = Signal::Escalation { escalation: escalation.clone() };
        let graph = edits(&Terms::pure_policy(), 3);
        drive_and_compare(&graph, with(OrderKind::Gate, gated));
        drive_and_compare(&graph, with(OrderKind::Evaluate, EffectResult::Evaluated { evaluation }));
        let task = batch(&["a"], &EffectTerms::pure());
        drive_and_compare(&task, with(OrderKind::Task, EffectResult::Done { value: Json::null(), signal }));
    }
}

#[test]
fn failures_of_every_kind_are_read_back() {
    for detail in [Json::null(), Json::new(json!({"log": [0.1, null]}))] {
        let failure = Failure { class: "engine".into(), message: "it crashed".into(), detail };
        let failed = EffectResult::Failed { failure: failure.clone() };
        for kind in [OrderKind::Decide, OrderKind::Gate, OrderKind::Act, OrderKind::Evaluate] {
            let pause = drive_and_compare(&edits(&Terms::pure_policy(), 3), with(kind, failed.clone()));
            assert_eq!(pause, Pause::Done(Outcome::Failed { failure: failure.clone() }), "{kind:?}");
        }
    }
}

/// A value with so many arrays inside each other, and brackets in a text that must not count.
fn nested(depth: usize) -> Value {
    (0..depth).fold(json!("\\\"[[[{{{"), |inner, _| json!([inner]))
}

#[test]
fn what_is_too_deep_to_be_read_back_is_refused_before_it_is_kept() {
    let mut refused = 0;
    for depth in [1, 64, 80, 90, 91, 92, 93, 94, 95, 96, 97, 98, 120, 127, 128, 200, 500] {
        let journal = MemoryJournal::default();
        let graph = batch(&["a"], &EffectTerms::pure());
        let mut session = create(&journal, &graph).unwrap();
        let value = Json::new(nested(depth));
        let deep = EffectResult::Done { value, signal: Signal::Ok };
        let driven = session.drive(&performer(|_| deep.clone()), &Interrupt::default(), &mut ());
        // Whatever was kept can be read.
        let history = History::read(&journal, &name()).unwrap();
        match driven {
            Ok(pause) => assert_eq!((pause, refused), (Pause::Done(Outcome::Success {}), 0), "{depth}"),
            Err(error) => {
                assert!(error.to_string().contains("of a is nested deeper"), "{error}");
                assert!(history.run.outcome().is_none());
                refused += 1;
            }
        }
    }
    assert!((4..14).contains(&refused), "{refused}");
}
