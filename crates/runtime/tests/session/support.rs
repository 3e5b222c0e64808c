//! What the tests share: a clock that counts, people who answer, and a host of a few lines to compare with.

use std::sync::atomic::{AtomicU64, Ordering};

use loopwright_core::contract::Class;
use loopwright_core::fact::{Answer, Ask, EffectResult, Event, FORMAT, Fact, Reply};
use loopwright_core::graph::{Graph, GraphSpec};
use loopwright_core::ids::NodePath;
use loopwright_core::json::{Digest, Json};
use loopwright_core::machine::{Next, Planned, Run};
use loopwright_core::outcome::Outcome;
use loopwright_runtime::clock::Clock;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::{Head, Journal, MemoryJournal, RunId};
use loopwright_runtime::perform::{Interrupt, Performed, Performer};
use loopwright_runtime::session::{Pause, Session, SessionError};
use loopwright_runtime::word::{self, Word};

/// Every reading is one millisecond later than the one before.
#[derive(Debug, Default)]
pub(crate) struct CountingClock(AtomicU64);

impl Clock for CountingClock {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst)
    }
}

/// Time stands still, so that threads cannot make a difference.
pub(crate) struct StoppedClock;

impl Clock for StoppedClock {
    fn now_ms(&self) -> u64 {
        0
    }
}

pub(crate) const STOPPED: &StoppedClock = &StoppedClock;

pub(crate) fn name() -> RunId {
    RunId::new("run").unwrap()
}

/// Creates the run that every test is about.
pub(crate) fn create<'a>(journal: &'a dyn Journal, graph: &Graph) -> Result<Session<'a>, SessionError> {
    Session::create(journal, STOPPED, name(), graph, Json::null(), Json::null())
}

/// A performer that knows only what to bring.
pub(crate) fn performer(world: impl Fn(&Planned) -> EffectResult + Sync) -> impl Performer {
    move |planned: &Planned, _: &Interrupt| Performed::free(world(planned))
}

/// Says yes, or words where words are asked for.
pub(crate) fn agreeable(ask: &Ask) -> Reply {
    match ask.about {
        loopwright_core::fact::AskAbout::Question { .. } => Reply::Say { text: "three".into() },
        _ => Reply::Approve { value: Json::null() },
    }
}

pub(crate) fn answer_to(ask: &Ask, reply: Reply) -> Word {
    Word::Answer { id: ask.id.clone(), answer: Answer { reply, actor: "tester".into(), note: None } }
}

/// Drives to the end, answering whenever people are awaited.
pub(crate) fn finish(
    journal: &dyn Journal,
    session: &mut Session,
    performer: &dyn Performer,
) -> Result<Outcome, SessionError> {
    loop {
        match session.drive(performer, &Interrupt::default(), &mut ())? {
            Pause::Done(outcome) => return Ok(outcome),
            Pause::Waiting(asks) => {
                let history = History::read(journal, session.id()).unwrap();
                // A word that waits already is not said again.
                if journal.words(session.id()).unwrap().is_empty() {
                    word::post(journal, &history, &answer_to(&asks[0], agreeable(&asks[0]))).unwrap();
                }
            }
            Pause::Interrupted => panic!("nobody interrupted"),
        }
    }
}

/// A whole run in memory, with its facts.
pub(crate) fn whole(graph: &Graph, performer: &dyn Performer) -> (Outcome, History) {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, graph).unwrap();
    let outcome = finish(&journal, &mut session, performer).unwrap();
    (outcome, History::read(&journal, &name()).unwrap())
}

/// A journal that holds the first facts of a run and nothing else, as after a kill.
pub(crate) fn cut_after(journal: impl Journal, stored: &[Vec<u8>]) -> impl Journal {
    journal.create(&name(), 0).unwrap();
    journal.append(&name(), Head::EMPTY, stored, &[]).unwrap();
    journal
}

pub(crate) fn events(history: &History) -> Vec<Event> {
    history.facts.iter().map(|fact| fact.event.clone()).collect()
}

/// The ids of the effects that came back, in order.
pub(crate) fn finished(history: &History) -> Vec<String> {
    let finished = history.facts.iter().filter_map(|fact| match &fact.event {
        Event::EffectFinished { id, .. } => Some(id.to_string()),
        _ => None,
    });
    finished.collect()
}

/// What a host of a few lines, without threads or a journal, records: one effect at a time, in declaration order.
pub(crate) fn reference(spec: &GraphSpec, world: impl Fn(&Planned) -> EffectResult) -> Vec<Event> {
    let (graph, inputs, about) = (Box::new(spec.clone()), Json::null(), Json::null());
    let event = Event::RunStarted { format: FORMAT, graph, inputs, about };
    let (path, digest) = (NodePath::root(), Digest::ZERO);
    let first = Fact { seq: 1, at_ms: 0, path, contract: digest, prev: digest, event: event.clone() };
    let mut run = Run::start(&first).unwrap();
    let mut events = vec![event];
    let mut apply = |run: &mut Run, path: &NodePath, event: Event| {
        let (path, contract, seq) = (path.clone(), run.contract_digest(path), run.length() + 1);
        run.apply(&Fact { seq, at_ms: 0, path, contract, prev: Digest::ZERO, event: event.clone() }).unwrap();
        events.push(event);
    };
    while let Next::Open { record, perform, awaiting } = run.next() {
        if !record.is_empty() {
            for (path, event) in record {
                apply(&mut run, &path, event);
            }
            continue;
        }
        if let [ask] = awaiting.as_slice() {
            let answer = Answer { reply: agreeable(ask), actor: "tester".into(), note: None };
            apply(&mut run, &ask.id.path, Event::Answered { id: ask.id.clone(), answer });
            continue;
        }
        let [planned] = perform.as_slice() else { panic!("one at a time, not {}", perform.len()) };
        let id = planned.id().clone();
        if planned.class() != Class::Pure {
            let (order, digest, reserve) = (planned.order().kind(), planned.order().digest(), *planned.reserve());
            apply(&mut run, planned.path(), Event::EffectStarted { id: id.clone(), order, digest, reserve });
        }
        let (result, spent, note) = (world(planned), loopwright_core::budget::Amounts::NONE, Json::null());
        apply(&mut run, planned.path(), Event::EffectFinished { id, result, spent, note });
    }
    events
}
