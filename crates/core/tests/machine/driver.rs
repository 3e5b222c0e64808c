//! A host in a few lines: keeps facts in a list, performs by a closure, answers by a closure.

use loopwright_core::budget::{Amounts, Budget};
use loopwright_core::contract::{Class, LoopContract};
use loopwright_core::fact::{Answer, Ask, EffectResult, Event, FORMAT, Fact, Reply};
use loopwright_core::graph::{Graph, GraphSpec};
use loopwright_core::ids::NodePath;
use loopwright_core::json::{Digest, Json};
use loopwright_core::machine::{IllegalTransition, Next, Planned, Run};
use loopwright_core::outcome::Outcome;
use serde_json::{Value, json};

/// Far more facts than any of these runs needs.
const MOST_FACTS: usize = 20_000;

pub(crate) struct Driver {
    pub(crate) run: Run,
    pub(crate) facts: Vec<Fact>,
    /// What was performed together, as `node:order` words.
    pub(crate) rounds: Vec<Vec<String>>,
    /// Nodes of each batch, in the order of the facts.
    pub(crate) batches: Vec<Vec<String>>,
    /// Whether effects that were started together come back in reverse.
    pub(crate) backwards: bool,
}

pub(crate) type World<'a> = &'a mut dyn FnMut(&Planned) -> EffectResult;
pub(crate) type People<'a> = &'a mut dyn FnMut(&Ask) -> Option<Reply>;

impl Driver {
    pub(crate) fn start(spec: GraphSpec, inputs: Value) -> Self {
        let event =
            Event::RunStarted { format: FORMAT, graph: Box::new(spec), inputs: inputs.into(), about: Json::null() };
        let fact = Fact { seq: 1, at_ms: 0, path: NodePath::root(), contract: Digest::ZERO, prev: Digest::ZERO, event };
        let run = Run::start(&fact).unwrap();
        Self { run, facts: vec![fact], rounds: Vec::new(), batches: Vec::new(), backwards: false }
    }

    pub(crate) fn of_loop(contract: LoopContract) -> Self {
        Self::start(Graph::of_loop("loop", contract).unwrap().spec().clone(), json!({}))
    }

    pub(crate) fn try_apply(&mut self, path: &NodePath, event: Event) -> Result<(), IllegalTransition> {
        let fact = Fact {
            seq: self.run.length() + 1,
            at_ms: self.run.length(),
            path: path.clone(),
            contract: self.run.contract_digest(path),
            prev: Digest::ZERO,
            event,
        };
        let before = self.run.clone();
        let result = self.run.apply(&fact);
        match &result {
            Ok(()) => self.facts.push(fact),
            Err(_) => assert_eq!(self.run, before, "a refused fact leaves the state as it was"),
        }
        result
    }

    pub(crate) fn apply(&mut self, path: &NodePath, event: Event) {
        self.try_apply(path, event).unwrap_or_else(|error| panic!("a fact of {path} is refused: {error}"));
    }

    /// Goes on until the run has ended, or waits for people who say nothing.
    pub(crate) fn drive(&mut self, world: World, people: People) -> Option<Outcome> {
        loop {
            assert!(self.facts.len() < MOST_FACTS, "the run does not end: {:?}", self.run.next());
            let Next::Open { record, perform, awaiting } = self.run.next() else {
                return self.run.outcome().cloned();
            };
            if !record.is_empty() {
                for (path, event) in record {
                    if let Event::BatchStarted { nodes } = &event {
                        self.batches.push(nodes.clone());
                    }
                    self.apply(&path, event);
                }
                continue;
            }
            if !perform.is_empty() {
                self.perform(&perform, world);
                continue;
            }
            let answered: Vec<_> = awaiting.iter().filter_map(|ask| Some((ask.id.clone(), people(ask)?))).collect();
            if answered.is_empty() {
                return None;
            }
            for (id, reply) in answered {
                let answer = Answer { reply, actor: "tester".into(), note: None };
                self.apply(&id.path.clone(), Event::Answered { id, answer });
            }
        }
    }

    fn perform(&mut self, perform: &[Planned], world: World) {
        let name = |planned: &Planned| format!("{}:{:?}", planned.path(), planned.order().kind()).to_lowercase();
        self.rounds.push(perform.iter().map(name).collect());
        for planned in perform {
            self.begin(planned);
        }
        let mut results: Vec<_> = perform.iter().map(|planned| (planned, world(planned))).collect();
        if self.backwards {
            results.reverse();
        }
        for (planned, result) in results {
            self.finish(planned, result, *planned.reserve());
        }
    }

    pub(crate) fn begin(&mut self, planned: &Planned) {
        if planned.class() != Class::Pure {
            let (order, digest) = (planned.order().kind(), planned.order().digest());
            let started = Event::EffectStarted { id: planned.id().clone(), order, digest, reserve: *planned.reserve() };
            self.apply(planned.path(), started);
        }
    }

    pub(crate) fn finish(&mut self, planned: &Planned, result: EffectResult, spent: Amounts) {
        let finished = Event::EffectFinished { id: planned.id().clone(), result, spent, note: Json::null() };
        self.apply(planned.path(), finished);
    }

    /// The effects that may start now, after everything that follows by itself.
    pub(crate) fn due(&mut self) -> Vec<Planned> {
        loop {
            match self.run.next() {
                Next::Open { record, perform, .. } if record.is_empty() => return perform,
                Next::Open { record, .. } => record.into_iter().for_each(|(path, event)| self.apply(&path, event)),
                Next::Done(_) => return Vec::new(),
            }
        }
    }
}

pub(crate) fn nobody(_: &Ask) -> Option<Reply> {
    None
}

pub(crate) fn decided(answer: Value) -> EffectResult {
    EffectResult::Decided { answer: answer.into() }
}

pub(crate) fn done(value: Value) -> EffectResult {
    EffectResult::Done { value: value.into(), signal: loopwright_core::outcome::Signal::Ok }
}

pub(crate) fn attempts(limit: u64) -> Budget {
    Budget::UNLIMITED.with(loopwright_core::budget::Resource::Attempts, limit)
}
