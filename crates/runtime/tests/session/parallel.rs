//! Effects of one batch: at the same time, in any order, each once.

use std::collections::BTreeMap;
use std::sync::{Barrier, Condvar, Mutex};

use loopwright_core::contract::EffectTerms;
use loopwright_core::graph::{Graph, Mode};
use loopwright_core::machine::Planned;
use loopwright_core::outcome::Outcome;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::MemoryJournal;
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::Pause;
use serde_json::json;

use crate::support::{create, finish, name, performer, whole};
use crate::worlds::{Terms, batch, delivery, done, idempotent, once, two_loops, world};

#[test]
fn effects_of_a_batch_run_at_the_same_time() {
    for terms in [EffectTerms::pure(), idempotent(), once()] {
        // Nobody passes the barrier before all three are there.
        let barrier = Barrier::new(3);
        let together = |planned: &Planned, _: &Interrupt| {
            barrier.wait();
            Performed::free(done(json!(planned.path())))
        };
        let (outcome, _) = whole(&batch(&["a", "b", "c"], &terms), &together);
        assert_eq!(outcome, Outcome::Success {});
    }
}

/// Lets effects come back in a given order.
struct Turnstile {
    order: Vec<&'static str>,
    next: Mutex<usize>,
    moved: Condvar,
}

impl Turnstile {
    fn pass(&self, who: &str) {
        let place = self.order.iter().position(|name| *name == who).unwrap();
        drop(self.moved.wait_while(self.next.lock().unwrap(), |next| *next < place).unwrap());
    }

    /// Called where the session has taken what came back.
    fn open_next(&self) {
        *self.next.lock().unwrap() += 1;
        self.moved.notify_all();
    }
}

#[test]
fn arrivals_in_any_order_give_the_same_state() {
    let orders = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"]];
    for terms in [EffectTerms::pure(), idempotent()] {
        let mut states = Vec::new();
        for order in orders {
            let turnstile = Turnstile { order: order.to_vec(), next: Mutex::new(0), moved: Condvar::new() };
            let performed = Mutex::new(BTreeMap::<String, u32>::new());
            let one_by_one = |planned: &Planned, _: &Interrupt| {
                *performed.lock().unwrap().entry(planned.id().to_string()).or_default() += 1;
                turnstile.pass(planned.path().as_str());
                Performed::free(done(json!({"of": planned.path()})))
            };
            let journal = MemoryJournal::default();
            let mut session = create(&journal, &batch(&["a", "b", "c"], &terms)).unwrap();
            let mut came = Vec::new();
            let mut listener = |fact: &loopwright_core::fact::Fact, _: &_| {
                if let loopwright_core::fact::Event::EffectFinished { id, .. } = &fact.event {
                    came.push(id.path.to_string());
                    turnstile.open_next();
                }
            };
            let pause = session.drive(&one_by_one, &Interrupt::default(), &mut listener).unwrap();
            assert_eq!(pause, Pause::Done(Outcome::Success {}));
            assert_eq!(came, order);
            let once_each = ["a#1", "b#1", "c#1"].map(|id| (id.to_owned(), 1));
            assert_eq!(*performed.lock().unwrap(), once_each.into(), "each is performed once");
            states.push(History::read(&journal, &name()).unwrap().run);
        }
        assert!(states.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn a_parallel_graph_ends_as_a_serial_one() {
    for terms in [EffectTerms::pure(), idempotent()] {
        let run = |mode| whole(&Graph::build(delivery(mode, &terms)).unwrap(), &performer(world));
        let ((serial, first), (parallel, second)) = (run(Mode::Serial), run(Mode::Parallel));
        assert_eq!(serial, parallel);
        for node in ["build", "tests", "review", "sign_off", "release"] {
            assert_eq!(first.run.status(node), second.run.status(node));
        }
    }
}

#[test]
fn loops_of_a_batch_go_on_side_by_side() {
    let pure = Terms::all(&EffectTerms::pure());
    for terms in [pure, Terms::pure_policy(), Terms::all(&idempotent()), Terms::all(&once())] {
        let performed = Mutex::new(BTreeMap::<String, u32>::new());
        let noting = performer(|planned: &Planned| {
            *performed.lock().unwrap().entry(planned.id().to_string()).or_default() += 1;
            world(planned)
        });
        let (serial, first) = whole(&two_loops(Mode::Serial, &terms), &performer(world));
        let (parallel, second) = whole(&two_loops(Mode::Parallel, &terms), &noting);
        assert_eq!(serial, parallel);
        for node in ["left", "right", "after"] {
            assert_eq!(first.run.status(node), second.run.status(node));
        }
        assert_eq!(performed.lock().unwrap().len(), 2 * 12 + 1);
        assert!(performed.lock().unwrap().values().all(|times| *times == 1), "{performed:?}");
    }
}

#[test]
fn a_panic_of_one_effect_is_passed_on_and_the_run_goes_on_after_it() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &batch(&["a", "b"], &idempotent())).unwrap();
    let panicking = |planned: &Planned, _: &Interrupt| {
        assert_ne!(planned.path().as_str(), "b", "told to panic");
        Performed::free(done(json!(1)))
    };
    let driven = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        session.drive(&panicking, &Interrupt::default(), &mut ()).map(drop)
    }));
    let panicked = driven.unwrap_err();
    assert!(panicked.downcast_ref::<String>().unwrap().contains("told to panic"));
    assert_eq!(finish(&journal, &mut session, &performer(world)).unwrap(), Outcome::Success {});
}
