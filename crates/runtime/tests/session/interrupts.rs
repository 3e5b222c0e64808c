//! Somebody interrupts: before, during, with several effects under way.

use std::sync::{Barrier, Mutex};

use loopwright_core::contract::EffectTerms;
use loopwright_core::fact::{EffectResult, Event};
use loopwright_core::graph::{Graph, Mode, NodeKind, NodeSpec};
use loopwright_core::machine::Planned;
use loopwright_core::outcome::{Outcome, OutcomeKind};
use loopwright_runtime::history::History;
use loopwright_runtime::journal::MemoryJournal;
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::{Pause, Session};

use crate::support::{STOPPED, create, events, finish, finished, name, performer, whole};
use crate::worlds::{Terms, batch, delivery, edits, idempotent, once, world};

fn read(journal: &MemoryJournal) -> History {
    History::read(journal, &name()).unwrap()
}

#[test]
fn an_interrupt_before_the_start_performs_nothing() {
    let journal = MemoryJournal::default();
    let graph = edits(&Terms::all(&EffectTerms::pure()), 5);
    let mut session = create(&journal, &graph).unwrap();
    let interrupt = Interrupt::default();
    interrupt.raise();
    let never = |planned: &Planned, _: &Interrupt| panic!("{} was performed", planned.id());
    for _ in 0..2 {
        assert_eq!(session.drive(&never, &interrupt, &mut ()).unwrap(), Pause::Interrupted);
    }
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
    assert_eq!(events(&read(&journal)), events(&whole(&graph, &performer(world)).1));
}

#[test]
fn a_run_that_waits_or_has_ended_says_so_even_when_interrupted() {
    let journal = MemoryJournal::default();
    let graph = Graph::build(delivery(Mode::Parallel, &idempotent())).unwrap();
    let mut session = create(&journal, &graph).unwrap();
    let (calm, raised) = (Interrupt::default(), Interrupt::default());
    raised.raise();
    session.drive(&performer(world), &calm, &mut ()).unwrap();
    assert!(matches!(session.drive(&performer(world), &raised, &mut ()).unwrap(), Pause::Waiting(_)));
    let outcome = finish(&journal, &mut session, &performer(world)).unwrap();
    assert_eq!(session.drive(&performer(world), &raised, &mut ()).unwrap(), Pause::Done(outcome));
}

/// Interrupts at the effect with a number; what was under way is finished or given up.
fn interrupted_at(graph: &Graph, number: usize, gives_up: bool) -> (MemoryJournal, Pause) {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, graph).unwrap();
    let interrupt = Interrupt::default();
    let so_far = Mutex::new(0);
    let interrupting = |planned: &Planned, interrupt: &Interrupt| {
        let mut so_far = so_far.lock().unwrap();
        *so_far += 1;
        assert!(*so_far <= number, "{} was performed after the interrupt", planned.id());
        if *so_far < number {
            return Performed::free(world(planned));
        }
        interrupt.raise();
        if gives_up { Performed::given_up() } else { Performed::free(world(planned)) }
    };
    let pause = session.drive(&interrupting, &interrupt, &mut ()).unwrap();
    drop(session);
    (journal, pause)
}

#[test]
fn an_interrupt_during_any_effect_keeps_its_result() {
    for terms in [EffectTerms::pure(), idempotent(), once()] {
        let graph = edits(&Terms::all(&terms), 5);
        let (outcome, expected) = whole(&graph, &performer(world));
        for number in 1..=12 {
            let (journal, pause) = interrupted_at(&graph, number, false);
            let done = if number < 12 { Pause::Interrupted } else { Pause::Done(outcome.clone()) };
            assert_eq!(pause, done, "at effect {number}");
            assert!(read(&journal).run.open_effects().next().is_none());
            let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
            assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), outcome);
            assert_eq!(events(&read(&journal)), events(&expected), "interrupted at effect {number}");
        }
    }
}

#[test]
fn an_effect_that_was_given_up_is_repeated_or_escalates() {
    for (terms, repeats) in [(EffectTerms::pure(), true), (idempotent(), true), (once(), false)] {
        let graph = edits(&Terms { policy: EffectTerms::pure(), ..Terms::all(&terms) }, 5);
        let (outcome, expected) = whole(&graph, &performer(world));
        // The decision and the gate of a turn come first, and are pure.
        for number in [3, 4, 7, 12] {
            let (journal, pause) = interrupted_at(&graph, number, true);
            assert_eq!(pause, Pause::Interrupted);
            let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
            let ended = finish(&journal, &mut session, &performer(world)).unwrap();
            if repeats {
                assert_eq!(ended, outcome, "given up at effect {number}");
                assert_eq!(finished(&read(&journal)), finished(&expected));
            } else {
                assert_eq!(ended.kind(), OutcomeKind::Escalated, "given up at effect {number}");
            }
        }
        for number in [1, 2, 5, 6] {
            let (journal, pause) = interrupted_at(&graph, number, true);
            assert_eq!(pause, Pause::Interrupted);
            let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
            assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), outcome);
            assert_eq!(events(&read(&journal)), events(&expected), "a pure effect leaves no trace");
        }
    }
}

#[test]
fn giving_up_without_an_interrupt_is_a_failure() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    let lazy = performer(|_| Performed::given_up().result);
    let outcome = finish(&journal, &mut session, &lazy).unwrap();
    assert!(matches!(outcome, Outcome::Failed { failure } if failure.class == "interrupted"));
}

#[test]
fn nothing_under_way_is_lost() {
    for terms in [EffectTerms::pure(), idempotent(), once()] {
        let journal = MemoryJournal::default();
        let graph = batch(&["a", "b", "c"], &terms);
        let mut session = create(&journal, &graph).unwrap();
        let barrier = Barrier::new(3);
        let interrupting = |planned: &Planned, interrupt: &Interrupt| {
            barrier.wait();
            interrupt.raise();
            Performed::free(world(planned))
        };
        let pause = session.drive(&interrupting, &Interrupt::default(), &mut ()).unwrap();
        assert_eq!(pause, Pause::Done(Outcome::Success {}), "all came back, and nothing else is to be performed");
        assert_eq!(finished(&read(&journal)).len(), 3);
    }
}

#[test]
fn of_several_under_way_only_the_one_given_up_is_repeated() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &batch(&["a", "b", "c"], &idempotent())).unwrap();
    let barrier = Barrier::new(3);
    let interrupting = |planned: &Planned, interrupt: &Interrupt| {
        interrupt.raise();
        barrier.wait();
        if planned.path().as_str() == "b" { Performed::given_up() } else { Performed::free(world(planned)) }
    };
    let pause = session.drive(&interrupting, &Interrupt::default(), &mut ()).unwrap();
    assert_eq!(pause, Pause::Interrupted);
    let again = Mutex::new(Vec::new());
    let noting = performer(|planned: &Planned| -> EffectResult {
        again.lock().unwrap().push(planned.id().to_string());
        world(planned)
    });
    // The same session may go on as well as another one.
    assert_eq!(finish(&journal, &mut session, &noting).unwrap(), Outcome::Success {});
    assert_eq!(*again.lock().unwrap(), ["b#1"]);
    let lost = events(&read(&journal)).iter().filter(|event| matches!(event, Event::EffectLost { .. })).count();
    assert_eq!(lost, 1);
}

#[test]
fn a_run_with_an_effect_given_up_is_interrupted_though_it_waits_for_people_too() {
    let mut spec = batch(&["task"], &idempotent()).spec().clone();
    let kind = NodeKind::Human { question: serde_json::json!("really?").into(), decided_by: "owner".into() };
    spec.nodes.push(NodeSpec { name: "person".into(), kind });
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &Graph::build(spec).unwrap()).unwrap();
    let giving_up = |_: &Planned, interrupt: &Interrupt| {
        interrupt.raise();
        Performed::given_up()
    };
    assert_eq!(session.drive(&giving_up, &Interrupt::default(), &mut ()).unwrap(), Pause::Interrupted);
    assert_eq!(session.run().asks().count(), 1);
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
}
