//! The process is killed after any fact: what was kept until then is resumed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use loopwright_core::contract::{Class, EffectTerms};
use loopwright_core::fact::Event;
use loopwright_core::graph::{Graph, Mode};
use loopwright_core::ids::EffectId;
use loopwright_core::json::Digest;
use loopwright_core::machine::Planned;
use loopwright_core::outcome::{Outcome, OutcomeKind};
use loopwright_runtime::history::History;
use loopwright_runtime::journal::{Journal, MemoryJournal};
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::Session;

use crate::support::{STOPPED, create, cut_after, finish, name, performer};
use crate::worlds::{Terms, batch, delivery, edits, idempotent, once, two_loops, world};

/// The stored facts of a whole run, and how it ended.
fn stored(graph: &Graph) -> (Outcome, Vec<Vec<u8>>) {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, graph).unwrap();
    let outcome = finish(&journal, &mut session, &performer(world)).unwrap();
    (outcome, journal.read(&name()).unwrap().facts)
}

#[test]
fn a_run_killed_anywhere_goes_on_to_the_same_end() {
    let pure = EffectTerms::pure();
    let graphs = [
        edits(&Terms::all(&pure), 5),
        edits(&Terms::pure_policy(), 5),
        edits(&Terms::all(&idempotent()), 2),
        Graph::build(delivery(Mode::Serial, &idempotent())).unwrap(),
        Graph::build(delivery(Mode::Parallel, &idempotent())).unwrap(),
        Graph::build(delivery(Mode::Parallel, &pure)).unwrap(),
        batch(&["a", "b", "c"], &idempotent()),
        two_loops(Mode::Parallel, &Terms::all(&idempotent())),
        two_loops(Mode::Parallel, &Terms::pure_policy()),
        two_loops(Mode::Serial, &Terms::pure_policy()),
    ];
    for graph in graphs {
        let (outcome, facts) = stored(&graph);
        for length in 1..=facts.len() {
            let case = format!("{}, killed after {length} of {}", graph.spec().name, facts.len());
            let journal = cut_after(MemoryJournal::default(), &facts[..length]);
            let open: Vec<_> = History::read(&journal, &name()).unwrap().run.open_effects().cloned().collect();
            let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
            let orders = Mutex::new(BTreeMap::<EffectId, Digest>::new());
            let noting = |planned: &Planned, _: &Interrupt| {
                orders.lock().unwrap().insert(planned.id().clone(), planned.order().digest());
                Performed::free(world(planned))
            };
            assert_eq!(finish(&journal, &mut session, &noting).unwrap(), outcome, "{case}");
            for id in open {
                let repeated = orders.lock().unwrap()[&id];
                assert_eq!(Some(repeated), started(&journal, &id), "{case}: {id} is repeated as it was");
            }
        }
    }
}

/// The digest of the order under which an effect was first started.
fn started(journal: &dyn Journal, wanted: &EffectId) -> Option<Digest> {
    let history = History::read(journal, &name()).unwrap();
    history.facts.iter().find_map(|fact| match &fact.event {
        Event::EffectStarted { id, digest, .. } if id == wanted => Some(*digest),
        _ => None,
    })
}

#[test]
fn what_must_not_happen_twice_is_never_repeated() {
    let graphs = [
        edits(&Terms::all(&once()), 5),
        Graph::build(delivery(Mode::Serial, &once())).unwrap(),
        Graph::build(delivery(Mode::Parallel, &once())).unwrap(),
        two_loops(Mode::Parallel, &Terms::all(&once())),
    ];
    for graph in graphs {
        let (outcome, facts) = stored(&graph);
        let mut escalated = 0;
        for length in 1..=facts.len() {
            let journal = cut_after(MemoryJournal::default(), &facts[..length]);
            let before = History::read(&journal, &name()).unwrap();
            let open: Vec<_> = before.run.open_effects().cloned().collect();
            let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
            let never = |planned: &Planned, _: &Interrupt| {
                assert!(!open.contains(planned.id()), "{} is repeated", planned.id());
                assert!(planned.class() != Class::Once || started(&journal, planned.id()).is_some());
                Performed::free(world(planned))
            };
            let ended = finish(&journal, &mut session, &never).unwrap();
            if open.is_empty() {
                assert_eq!(ended, outcome, "killed after {length}");
            } else {
                assert_eq!(ended.kind(), OutcomeKind::Escalated, "killed after {length} with {open:?} open");
                escalated += 1;
            }
        }
        assert!(escalated > 3);
    }
}

#[test]
fn a_run_killed_while_it_is_resumed_goes_on_all_the_same() {
    let graph = edits(&Terms::all(&idempotent()), 5);
    let (outcome, facts) = stored(&graph);
    for length in 1..=facts.len() {
        let journal = cut_after(MemoryJournal::default(), &facts[..length]);
        for _ in 0..3 {
            Session::resume(&journal, STOPPED, &name()).unwrap();
        }
        let lost = |history: &History| {
            history.facts.iter().filter(|fact| matches!(fact.event, Event::EffectLost { .. })).count()
        };
        assert!(lost(&History::read(&journal, &name()).unwrap()) <= 1, "what is lost is lost once");
        let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
        assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), outcome);
    }
}

#[test]
fn one_session_at_a_time() {
    let journal = MemoryJournal::default();
    let session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    assert!(Session::resume(&journal, STOPPED, &name()).is_err());
    drop(session);
    Session::resume(&journal, STOPPED, &name()).unwrap();
}
