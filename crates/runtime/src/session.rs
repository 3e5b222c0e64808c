//! A session drives one run: it alone holds the run's lock, appends its facts and starts its effects.
//!
//! What happens is first tried on a scratch copy, then appended, and only then adopted and acted upon:
//! an append that fails leaves the run exactly where the journal says it is.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;

use loopwright_core::budget::Resource;
use loopwright_core::contract::Class;
use loopwright_core::fact::{Ask, Event, FORMAT, Fact, OrderKind};
use loopwright_core::graph::Graph;
use loopwright_core::ids::{EffectId, NodePath};
use loopwright_core::json::{Digest, Json};
use loopwright_core::machine::{IllegalTransition, Next, Planned, Run};
use loopwright_core::outcome::Outcome;

use crate::clock::Clock;
use crate::history::{History, HistoryError};
use crate::journal::{Head, Journal, JournalError, RunId, RunLock};
use crate::perform::{Interrupt, Performed, Performer};
use crate::record;
use crate::word::Word;

/// Why a session stopped without the run having come to a pause.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The run cannot be read back.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A fact could not be kept; nothing was adopted.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The machine refused a fact made from its own plan or from a performer's result.
    #[error("the machine refused {event} of {path}")]
    Refused {
        /// What kind of fact.
        event: &'static str,
        /// The node.
        path: NodePath,
        /// Why.
        #[source]
        source: IllegalTransition,
    },
    /// A fact that could never be read back, so it is not kept either.
    #[error("{event} of {path} is nested deeper than a journal can hold; flatten what was given or brought")]
    TooDeep {
        /// What kind of fact.
        event: &'static str,
        /// The node.
        path: NodePath,
    },
}

/// Where a driven run has come to rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pause {
    /// It has ended.
    Done(Outcome),
    /// It waits for people.
    Waiting(Vec<Ask>),
    /// Somebody interrupted it; it can be resumed.
    Interrupted,
}

/// Is told of every fact once it is kept and adopted.
pub trait Listener {
    /// One fact, and the state after everything that was kept with it.
    fn heard(&mut self, fact: &Fact, run: &Run);
}

impl Listener for () {
    fn heard(&mut self, _: &Fact, _: &Run) {}
}

impl<F: FnMut(&Fact, &Run)> Listener for F {
    fn heard(&mut self, fact: &Fact, run: &Run) {
        self(fact, run);
    }
}

/// The right to drive a run, with its state.
pub struct Session<'a> {
    journal: &'a dyn Journal,
    clock: &'a dyn Clock,
    id: RunId,
    run: Run,
    head: Head,
    refused: Vec<(Word, IllegalTransition)>,
    _lock: RunLock,
}

/// Facts that are tried on a copy and not kept yet.
struct Scratch {
    run: Run,
    head: Head,
    facts: Vec<Fact>,
    bytes: Vec<Vec<u8>>,
    taken: Vec<u64>,
    refused: Vec<(Word, IllegalTransition)>,
}

impl<'a> Session<'a> {
    /// Creates a run and takes it.
    pub fn create(
        journal: &'a dyn Journal,
        clock: &'a dyn Clock,
        id: RunId,
        graph: &Graph,
        inputs: Json,
        about: Json,
    ) -> Result<Self, SessionError> {
        let at_ms = clock.now_ms();
        let event = Event::RunStarted { format: FORMAT, graph: Box::new(graph.spec().clone()), inputs, about };
        let (path, prev) = (NodePath::root(), Digest::ZERO);
        let fact = Fact { seq: 1, at_ms, contract: graph.digest(), path: path.clone(), prev, event };
        let run = Run::start(&fact).map_err(|source| SessionError::Refused { event: "run_started", path, source })?;
        let bytes = record::encode(&fact).ok_or_else(|| too_deep(&fact))?;
        journal.create(&id, at_ms)?;
        let lock = journal.lock(&id)?;
        let head = journal.append(&id, Head::EMPTY, &[bytes], &[])?;
        Ok(Self { journal, clock, id, run, head, refused: Vec::new(), _lock: lock })
    }

    /// Takes an existing run, and declares lost what an earlier session started and never finished.
    pub fn resume(journal: &'a dyn Journal, clock: &'a dyn Clock, id: &RunId) -> Result<Self, SessionError> {
        let lock = journal.lock(id)?;
        let History { id, run, head, .. } = History::read(journal, id)?;
        let mut session = Self { journal, clock, id, run, head, refused: Vec::new(), _lock: lock };
        session.declare_lost(&mut ())?;
        Ok(session)
    }

    /// The run's name.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// The run's state.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Words that were taken from the inbox although the state did not allow them any more.
    pub fn refused(&self) -> &[(Word, IllegalTransition)] {
        &self.refused
    }

    /// Takes the words of the inbox, and everything that follows without performing anything.
    pub fn listen(&mut self, listener: &mut dyn Listener) -> Result<(), SessionError> {
        let mut scratch = self.scratch();
        self.take_words(&mut scratch)?;
        self.settle(&mut scratch)?;
        self.keep(scratch, listener)
    }

    /// Goes on until the run ends, waits for people, or is interrupted.
    ///
    /// What an effect brought is kept together with what follows from it, so a turn of a loop takes three appends.
    /// After an error the session may drive again: what was under way then counts as lost. A performer's panic is
    /// passed on once the effects beside it are back.
    pub fn drive(
        &mut self,
        performer: &dyn Performer,
        interrupt: &Interrupt,
        listener: &mut dyn Listener,
    ) -> Result<Pause, SessionError> {
        self.declare_lost(listener)?;
        let (send, arrivals) = mpsc::channel::<thread::Result<Arrival>>();
        thread::scope(|scope| {
            let mut in_flight = Vec::new();
            let mut scratch = self.scratch();
            loop {
                let mut due = match self.advance(&mut scratch, performer, interrupt, &in_flight) {
                    Ok(due) => due,
                    Err(error) => {
                        // What came before the error happened all the same.
                        self.keep(scratch, listener)?;
                        return Err(error);
                    }
                };
                for planned in due.iter().filter(|planned| planned.class() != Class::Pure) {
                    let (order, digest) = (planned.order().kind(), planned.order().digest());
                    let (id, reserve) = (planned.id().clone(), *planned.reserve());
                    let started = Event::EffectStarted { id, order, digest, reserve };
                    scratch.push(self.clock.now_ms(), planned.path().clone(), started)?;
                }
                self.keep(scratch, listener)?;
                let alone = in_flight.is_empty() && due.len() == 1;
                let arrival = match due.pop() {
                    Some(planned) if alone => carry_out(performer, self.clock, interrupt, planned),
                    last => {
                        for planned in due.into_iter().chain(last) {
                            let (send, clock) = (send.clone(), self.clock);
                            in_flight.push(planned.id().clone());
                            scope.spawn(move || {
                                let carried_out = AssertUnwindSafe(|| carry_out(performer, clock, interrupt, planned));
                                // The receiver outlives the scope; a send cannot fail while anybody waits.
                                send.send(panic::catch_unwind(carried_out)).ok();
                            });
                        }
                        if in_flight.is_empty() {
                            return Ok(self.pause());
                        }
                        match arrivals.recv() {
                            Ok(Ok(arrival)) => arrival,
                            Ok(Err(panicked)) => panic::resume_unwind(panicked),
                            // Impossible, since this function holds a sender itself.
                            Err(mpsc::RecvError) => return Ok(self.pause()),
                        }
                    }
                };
                in_flight.retain(|id| id != arrival.planned.id());
                scratch = self.scratch();
                self.arrive(&mut scratch, arrival, interrupt)?;
            }
        })
    }

    /// Takes words, applies what follows by itself, and returns the effects that may start and are not under way.
    fn advance(
        &self,
        scratch: &mut Scratch,
        performer: &dyn Performer,
        interrupt: &Interrupt,
        in_flight: &[EffectId],
    ) -> Result<Vec<Planned>, SessionError> {
        self.take_words(scratch)?;
        loop {
            let mut due = self.settle(scratch)?;
            if interrupt.is_raised() {
                return Ok(Vec::new());
            }
            // Pure effects leave no intent in the state, so it plans them again while they are under way.
            due.retain(|planned| !in_flight.contains(planned.id()));
            if !(in_flight.is_empty() && is_gate(&due)) {
                return Ok(due);
            }
            // A gate touches nothing outside, so its decision need not be kept before its word on it.
            for planned in due {
                let arrival = carry_out(performer, self.clock, interrupt, planned);
                self.arrive(scratch, arrival, interrupt)?;
            }
        }
    }

    /// Declares lost what was started and is not under way: at this point nothing is.
    fn declare_lost(&mut self, listener: &mut dyn Listener) -> Result<(), SessionError> {
        let mut scratch = self.scratch();
        for lost in self.run.open_effects() {
            scratch.push(self.clock.now_ms(), lost.path.clone(), Event::EffectLost { id: lost.clone() })?;
        }
        self.keep(scratch, listener)
    }

    fn pause(&self) -> Pause {
        match self.run.next() {
            Next::Done(outcome) => Pause::Done(outcome),
            Next::Open { perform, awaiting, .. }
                if perform.is_empty() && !awaiting.is_empty() && self.run.open_effects().next().is_none() =>
            {
                Pause::Waiting(awaiting)
            }
            Next::Open { .. } => Pause::Interrupted,
        }
    }

    fn scratch(&self) -> Scratch {
        let (run, head) = (self.run.clone(), self.head);
        Scratch { run, head, facts: Vec::new(), bytes: Vec::new(), taken: Vec::new(), refused: Vec::new() }
    }

    fn take_words(&self, scratch: &mut Scratch) -> Result<(), SessionError> {
        for stored in self.journal.words(&self.id)? {
            scratch.taken.push(stored.id);
            // A word that nobody can read, or could read back, was not written by this program; it is taken and dropped.
            let Ok(word) = serde_json::from_slice::<Word>(&stored.bytes) else { continue };
            let (path, event) = word.clone().into_event();
            match scratch.push(self.clock.now_ms(), path, event) {
                Err(SessionError::Refused { source, .. }) => scratch.refused.push((word, source)),
                Err(SessionError::TooDeep { .. }) => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Applies everything that follows by itself; returns the effects that may start.
    fn settle(&self, scratch: &mut Scratch) -> Result<Vec<Planned>, SessionError> {
        loop {
            match scratch.run.next() {
                Next::Done(_) => return Ok(Vec::new()),
                Next::Open { record, perform, .. } if record.is_empty() => return Ok(perform),
                Next::Open { record, .. } => {
                    for (path, event) in record {
                        scratch.push(self.clock.now_ms(), path, event)?;
                    }
                }
            }
        }
    }

    fn arrive(&self, scratch: &mut Scratch, arrival: Arrival, interrupt: &Interrupt) -> Result<(), SessionError> {
        let Arrival { planned, performed, wall_ms } = arrival;
        if interrupt.is_raised() && performed.is_given_up() {
            // It has no result: whoever drives next declares it lost, and a pure one leaves no trace.
            return Ok(());
        }
        if planned.class() == Class::Pure && scratch.run.is_cancelled() {
            // Nobody waits for it any more, and without an intent there is nothing to bring to an end.
            return Ok(());
        }
        let Performed { result, spent, tries, note } = performed;
        // A pure effect leaves no intent that a try could belong to.
        for note in tries.into_iter().filter(|_| planned.class() != Class::Pure) {
            let tried = Event::EffectTried { id: planned.id().clone(), note };
            scratch.push(self.clock.now_ms(), planned.path().clone(), tried)?;
        }
        let spent = spent.with(Resource::WallMs, wall_ms);
        let finished = Event::EffectFinished { id: planned.id().clone(), result, spent, note };
        scratch.push(self.clock.now_ms(), planned.path().clone(), finished)
    }

    /// Appends what was tried, and only then adopts it.
    fn keep(&mut self, scratch: Scratch, listener: &mut dyn Listener) -> Result<(), SessionError> {
        if scratch.facts.is_empty() && scratch.taken.is_empty() {
            return Ok(());
        }
        self.journal.append(&self.id, self.head, &scratch.bytes, &scratch.taken)?;
        self.run = scratch.run;
        self.head = scratch.head;
        self.refused.extend(scratch.refused);
        for fact in &scratch.facts {
            listener.heard(fact, &self.run);
        }
        Ok(())
    }
}

impl Scratch {
    fn push(&mut self, at_ms: u64, path: NodePath, event: Event) -> Result<(), SessionError> {
        let kind = name_of(&event);
        let contract = self.run.contract_digest(&path);
        let seq = self.run.length() + 1;
        let fact = Fact { seq, at_ms, contract, path: path.clone(), prev: self.head.digest, event };
        let bytes = record::encode(&fact).ok_or_else(|| too_deep(&fact))?;
        self.run.apply(&fact).map_err(|source| SessionError::Refused { event: kind, path, source })?;
        self.head = Head { length: seq, digest: Digest::of(&bytes) };
        self.bytes.push(bytes);
        self.facts.push(fact);
        Ok(())
    }
}

/// Whether an event would be accepted by a run as it stands.
pub(crate) fn try_event(run: &Run, path: NodePath, event: Event) -> Result<(), IllegalTransition> {
    let contract = run.contract_digest(&path);
    let fact = Fact { seq: run.length() + 1, at_ms: 0, contract, path, prev: Digest::ZERO, event };
    run.clone().apply(&fact)
}

/// An effect that came back.
struct Arrival {
    planned: Planned,
    performed: Performed,
    wall_ms: u64,
}

fn carry_out(performer: &dyn Performer, clock: &dyn Clock, interrupt: &Interrupt, planned: Planned) -> Arrival {
    let started = clock.now_ms();
    let performed = performer.perform(&planned, interrupt);
    let wall_ms = clock.now_ms().saturating_sub(started);
    Arrival { planned, performed, wall_ms }
}

/// Whether all that is due is the gate's word on a decision.
fn is_gate(due: &[Planned]) -> bool {
    let [planned] = due else { return false };
    planned.class() == Class::Pure && planned.order().kind() == OrderKind::Gate
}

fn too_deep(fact: &Fact) -> SessionError {
    SessionError::TooDeep { event: name_of(&fact.event), path: fact.path.clone() }
}

fn name_of(event: &Event) -> &'static str {
    match event {
        Event::RunStarted { .. } => "run_started",
        Event::BatchStarted { .. } => "batch_started",
        Event::EffectStarted { .. } => "effect_started",
        Event::EffectTried { .. } => "effect_tried",
        Event::EffectFinished { .. } => "effect_finished",
        Event::EffectLost { .. } => "effect_lost",
        Event::Asked { .. } => "asked",
        Event::Answered { .. } => "answered",
        Event::Amended { .. } => "amended",
        Event::Retried { .. } => "retried",
        Event::Cancelled { .. } => "cancelled",
        Event::NodeClosed { .. } => "node_closed",
    }
}
