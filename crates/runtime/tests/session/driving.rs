//! Driving from start to end, compared with what a host of a few lines records.

use std::sync::Mutex;

use loopwright_core::contract::{Class, EffectTerms};
use loopwright_core::fact::{Event, Fact};
use loopwright_core::graph::{Graph, Mode};
use loopwright_core::machine::{Planned, Run};
use loopwright_core::outcome::Outcome;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::MemoryJournal;
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::Pause;
use serde_json::json;

use crate::support::{create, events, finish, name, performer, reference, whole};
use crate::worlds::{Terms, delivery, edits, idempotent, once, world};

#[test]
fn a_loop_comes_to_the_facts_of_a_plain_host() {
    for terms in [EffectTerms::pure(), idempotent(), once()] {
        for (attempts, expected) in [(5, "success"), (3, "success"), (2, "budget_exhausted")] {
            let graph = edits(&Terms::all(&terms), attempts);
            let (outcome, history) = whole(&graph, &performer(world));
            assert_eq!(outcome.kind().name(), expected);
            assert_eq!(events(&history), reference(graph.spec(), world), "{terms:?}, {attempts} attempts");
        }
    }
}

#[test]
fn a_graph_comes_to_the_facts_of_a_plain_host() {
    for terms in [EffectTerms::pure(), idempotent(), once()] {
        let spec = delivery(Mode::Serial, &terms);
        let (outcome, history) = whole(&Graph::build(spec.clone()).unwrap(), &performer(world));
        assert_eq!(outcome, Outcome::Success {});
        assert_eq!(events(&history), reference(&spec, world));
    }
}

#[test]
fn a_run_waits_for_people_and_says_what_they_are_asked() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &Graph::build(delivery(Mode::Parallel, &idempotent())).unwrap()).unwrap();
    for _ in 0..2 {
        let pause = session.drive(&performer(world), &Interrupt::default(), &mut ()).unwrap();
        let Pause::Waiting(asks) = pause else { panic!("not waiting: {pause:?}") };
        assert_eq!(asks.iter().map(|ask| ask.id.to_string()).collect::<Vec<_>>(), ["sign_off?1"]);
    }
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
}

#[test]
fn no_effect_with_an_intent_is_performed_before_the_intent_is_kept() {
    let journal = MemoryJournal::default();
    let graph = Graph::build(delivery(Mode::Parallel, &idempotent())).unwrap();
    let mut session = create(&journal, &graph).unwrap();
    let checked = Mutex::new(0);
    let looking = |planned: &Planned, _: &Interrupt| {
        let history = History::read(&journal, &name()).unwrap();
        if planned.class() != Class::Pure {
            let open: Vec<_> = history.run.open_effects().cloned().collect();
            assert!(open.contains(planned.id()), "{} is performed and only {open:?} are kept", planned.id());
            *checked.lock().unwrap() += 1;
        }
        Performed::free(world(planned))
    };
    finish(&journal, &mut session, &looking).unwrap();
    assert_eq!(*checked.lock().unwrap(), 3 * 3 + 2);
}

#[test]
fn a_policy_is_asked_only_once_everything_before_is_kept() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    let attempts = Mutex::new(Vec::new());
    let looking = |planned: &Planned, _: &Interrupt| {
        if planned.order().kind() == loopwright_core::fact::OrderKind::Decide {
            let history = History::read(&journal, &name()).unwrap();
            let view = history.run.loop_view("loop").unwrap();
            attempts.lock().unwrap().push((view.attempts, view.state.value()["edits"].clone()));
        }
        Performed::free(world(planned))
    };
    finish(&journal, &mut session, &looking).unwrap();
    assert_eq!(*attempts.lock().unwrap(), [(0, 0.into()), (1, 1.into()), (2, 2.into())]);
}

#[test]
fn listeners_hear_every_fact_once_and_after_it_is_kept() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    let mut heard = Vec::new();
    let mut listener = |fact: &Fact, run: &Run| {
        let kept = History::read(&journal, &name()).unwrap();
        assert!(fact.seq <= run.length());
        assert_eq!(kept.run, *run);
        heard.push(fact.clone());
    };
    session.drive(&performer(world), &Interrupt::default(), &mut listener).unwrap();
    assert_eq!(heard, History::read(&journal, &name()).unwrap().facts[1..]);
}

#[test]
fn time_and_cost_of_effects_are_kept_with_them() {
    let clock = crate::support::CountingClock::default();
    let journal = MemoryJournal::default();
    let graph = edits(&Terms::pure_policy(), 5);
    let null = loopwright_core::json::Json::null;
    let mut session =
        loopwright_runtime::session::Session::create(&journal, &clock, name(), &graph, null(), null()).unwrap();
    finish(&journal, &mut session, &performer(world)).unwrap();
    let history = History::read(&journal, &name()).unwrap();
    let wall = loopwright_core::budget::Resource::WallMs;
    let each: Vec<_> = history
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::EffectFinished { spent, .. } => Some(spent.get(wall)),
            _ => None,
        })
        .collect();
    assert_eq!(each, vec![1; 12], "the clock counts one between start and end of each effect");
    assert_eq!(history.run.spent().get(wall), 12);
    assert!(history.facts.iter().map(|fact| fact.at_ms).is_sorted());
}

#[test]
fn every_try_of_an_effect_is_a_fact_before_its_end() {
    let tries = |planned: &Planned, _: &Interrupt| {
        let tries = vec![json!({"try": 1}).into(), json!({"try": 2}).into()];
        Performed { tries, ..Performed::free(world(planned)) }
    };
    let (outcome, history) = whole(&edits(&Terms::pure_policy(), 5), &tries);
    assert_eq!(outcome, Outcome::Success {});
    let mut open = None;
    let mut tried = 0;
    for fact in &history.facts {
        match &fact.event {
            Event::EffectStarted { id, .. } => open = Some(id.clone()),
            Event::EffectTried { id, .. } => {
                assert_eq!(Some(id), open.as_ref());
                tried += 1;
            }
            Event::EffectFinished { id, .. } if open.as_ref() == Some(id) => {
                assert_eq!((tried, open.take().is_some()), (2, true));
                tried = 0;
            }
            _ => {}
        }
    }
    assert_eq!(tried, 0, "a pure effect leaves no intent, so nothing of its tries is kept");
}
