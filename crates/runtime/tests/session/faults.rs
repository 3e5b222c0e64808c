//! An append fails, at every position there is.

use std::collections::BTreeSet;
use std::sync::Mutex;

use loopwright_core::contract::{Class, EffectTerms};
use loopwright_core::fact::{Event, Fact, OrderKind};
use loopwright_core::graph::{Graph, Mode};
use loopwright_core::ids::EffectId;
use loopwright_core::machine::Planned;
use loopwright_core::outcome::Outcome;
use loopwright_runtime::history::{History, HistoryError};
use loopwright_runtime::journal::faulty::{Fault, FaultyJournal};
use loopwright_runtime::journal::{Journal, JournalError, MemoryJournal};
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::{Session, SessionError};

use crate::support::{STOPPED, create, finish, finished, name, performer, whole};
use crate::worlds::{Terms, delivery, edits, idempotent, world};

fn graphs() -> Vec<(&'static str, Graph)> {
    let pure = EffectTerms::pure();
    vec![
        ("pure loop", edits(&Terms::all(&pure), 5)),
        ("pure policy", edits(&Terms::pure_policy(), 5)),
        ("idempotent loop", edits(&Terms::all(&idempotent()), 5)),
        ("exhausted loop", edits(&Terms::all(&idempotent()), 2)),
        ("serial graph", Graph::build(delivery(Mode::Serial, &idempotent())).unwrap()),
        ("parallel graph", Graph::build(delivery(Mode::Parallel, &idempotent())).unwrap()),
        ("pure parallel graph", Graph::build(delivery(Mode::Parallel, &pure)).unwrap()),
    ]
}

fn appends_of(graph: &Graph) -> u64 {
    let journal = FaultyJournal::counting(MemoryJournal::default());
    let mut session = create(&journal, graph).unwrap();
    finish(&journal, &mut session, &performer(world)).unwrap();
    journal.appends()
}

fn is_storage<T>(result: &Result<T, SessionError>) -> bool {
    matches!(result, Err(SessionError::Journal(JournalError::Storage { .. })))
}

/// Every effect that came back did so once, and no id means two things.
fn assert_whole(history: &History, expected: &History, case: &str) {
    let ids = finished(history);
    let unique: BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{case}: an effect came back twice");
    assert_eq!(unique, finished(expected).iter().collect::<BTreeSet<_>>(), "{case}: the effects are the same");
    for node in expected.run.graph().spec().nodes.iter().map(|node| node.name.as_str()) {
        assert_eq!(history.run.status(node), expected.run.status(node), "{case}: {node}");
    }
}

/// The number of the fact with which an effect began.
fn intent(history: &History, wanted: &EffectId) -> Option<u64> {
    let begins = |fact: &&Fact| matches!(&fact.event, Event::EffectStarted { id, .. } if id == wanted);
    history.facts.iter().rev().find(begins).map(|fact| fact.seq)
}

#[test]
fn whichever_append_fails_the_run_goes_on_to_the_same_end() {
    for (case, graph) in graphs() {
        let (outcome, expected) = whole(&graph, &performer(world));
        let appends = appends_of(&graph);
        for fault in [Fault::Refused, Fault::Unreported] {
            for failing in 2..=appends {
                let case = format!("{case}, {fault:?} at {failing} of {appends}");
                let journal = FaultyJournal::failing_at(MemoryJournal::default(), failing, fault);
                let mut session = create(&journal, &graph).unwrap();
                let performed = Mutex::new(Vec::new());
                let noting = |planned: &Planned, _: &Interrupt| {
                    // The number of the append that was tried last, to tell what was performed after the failure.
                    performed.lock().unwrap().push((planned.id().clone(), planned.class(), journal.appends()));
                    Performed::free(world(planned))
                };
                assert!(is_storage(&finish(&journal, &mut session, &noting)), "{case}");
                let kept = History::read(&journal, &name()).unwrap();
                for (id, class, after) in performed.lock().unwrap().iter() {
                    // Beside other effects one may begin late, but its intent was kept and adopted before the failure.
                    let begun = *class == Class::Pure || intent(&kept, id).unwrap() <= session.run().length();
                    let early = *after < failing || graph.spec().mode == Mode::Parallel && graph.spec().nodes.len() > 1;
                    assert!(begun && early, "{case}: {id} was performed after the failure");
                }
                match fault {
                    Fault::Refused => assert_eq!(session.run(), &kept.run, "{case}: nothing is adopted"),
                    Fault::Unreported => assert!(session.run().length() < kept.run.length(), "{case}"),
                }
                drop(session);
                let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
                assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), outcome, "{case}");
                let history = History::read(&journal, &name()).unwrap();
                assert_eq!(history.facts[..kept.facts.len()], kept.facts, "{case}: nothing kept is lost");
                assert_whole(&history, &expected, &case);
            }
        }
    }
}

#[test]
fn after_a_refused_append_the_same_session_may_drive_again() {
    for (case, graph) in graphs() {
        let (outcome, expected) = whole(&graph, &performer(world));
        for failing in 2..=appends_of(&graph) {
            let case = format!("{case}, {failing}");
            let journal = FaultyJournal::failing_at(MemoryJournal::default(), failing, Fault::Refused);
            let mut session = create(&journal, &graph).unwrap();
            assert!(is_storage(&finish(&journal, &mut session, &performer(world))), "{case}");
            assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), outcome, "{case}");
            assert_whole(&History::read(&journal, &name()).unwrap(), &expected, &case);
        }
    }
}

#[test]
fn after_an_unreported_append_the_same_session_is_told_that_the_run_moved_on() {
    let graph = edits(&Terms::pure_policy(), 5);
    let journal = FaultyJournal::failing_at(MemoryJournal::default(), 3, Fault::Unreported);
    let mut session = create(&journal, &graph).unwrap();
    assert!(is_storage(&finish(&journal, &mut session, &performer(world))));
    let again = finish(&journal, &mut session, &performer(world));
    assert!(matches!(again, Err(SessionError::Journal(JournalError::Moved { .. }))), "{again:?}");
}

#[test]
fn a_run_whose_first_fact_never_arrived_is_named() {
    let graph = edits(&Terms::pure_policy(), 5);
    let journal = FaultyJournal::failing_at(MemoryJournal::default(), 1, Fault::Refused);
    assert!(is_storage(&create(&journal, &graph)));
    let resumed = Session::resume(&journal, STOPPED, &name()).map(drop);
    assert!(matches!(resumed, Err(SessionError::History(HistoryError::NeverStarted { .. }))), "{resumed:?}");
    let again = create(&journal, &graph).map(drop);
    assert!(matches!(again, Err(SessionError::Journal(JournalError::RunExists { .. }))), "{again:?}");

    let journal = FaultyJournal::failing_at(MemoryJournal::default(), 1, Fault::Unreported);
    assert!(is_storage(&create(&journal, &graph)));
    let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
}

#[test]
fn a_resume_that_cannot_declare_effects_lost_changes_nothing() {
    let graph = edits(&Terms::all(&idempotent()), 5);
    let memory = MemoryJournal::default();
    let journal = FaultyJournal::failing_at(memory.clone(), 4, Fault::Refused);
    let mut session = create(&journal, &graph).unwrap();
    assert!(is_storage(&finish(&journal, &mut session, &performer(world))));
    drop(session);
    let stored = memory.read(&name()).unwrap();
    let failing = FaultyJournal::failing_at(memory.clone(), 1, Fault::Refused);
    assert!(is_storage(&Session::resume(&failing, STOPPED, &name())));
    assert_eq!(memory.read(&name()).unwrap(), stored);
    // The lock was given back too.
    Session::resume(&memory, STOPPED, &name()).unwrap();
}

#[test]
fn a_result_of_the_wrong_kind_is_refused_and_the_effect_lost() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    let wrong = |planned: &Planned, _: &Interrupt| match planned.class() {
        Class::Pure => Performed::free(world(planned)),
        _ => Performed::free(crate::worlds::done(1.into())),
    };
    let error = finish(&journal, &mut session, &wrong).unwrap_err();
    assert_eq!(error.to_string(), "the machine refused effect_finished of loop");
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
    let history = History::read(&journal, &name()).unwrap();
    let lost = history.facts.iter().filter(|fact| matches!(fact.event, Event::EffectLost { .. })).count();
    assert_eq!(lost, 1);
}

#[test]
fn what_came_before_an_error_is_kept() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::all(&idempotent()), 5)).unwrap();
    let wrong_gate = |planned: &Planned, _: &Interrupt| match planned.order().kind() {
        OrderKind::Gate => Performed::free(crate::worlds::done(1.into())),
        _ => Performed::free(world(planned)),
    };
    finish(&journal, &mut session, &wrong_gate).unwrap_err();
    assert_eq!(finished(&History::read(&journal, &name()).unwrap()), ["loop#1"], "the decision was made all the same");
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
}
