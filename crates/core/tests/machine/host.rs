//! A host that does what is legal in any order it likes, and whatever people and a bad world can do to it.

use loopwright_core::budget::{Amounts, Ledger, Resource};
use loopwright_core::contract::Class;
use loopwright_core::evaluation::Verdict;
use loopwright_core::fact::{Answer, EffectResult, Event, FORMAT, Fact};
use loopwright_core::graph::{GraphSpec, NodeKind};
use loopwright_core::ids::NodePath;
use loopwright_core::json::{Digest, Json};
use loopwright_core::machine::{IllegalTransition, Next, NodeStatus, Planned, Run};
use loopwright_core::outcome::Outcome;
use serde_json::json;

use crate::wild::{self, Dice};

/// Far more steps than any of the graphs needs.
const MOST_STEPS: usize = 2_000;

pub(crate) struct Host {
    pub(crate) run: Run,
    pub(crate) facts: Vec<Fact>,
    /// The state before each fact but the first.
    pub(crate) before: Vec<Run>,
    seed: u64,
    dice: Dice,
    /// Whether people interfere, effects get lost and bills may be too large.
    manners: Manners,
    in_flight: Vec<Planned>,
}

/// What may go wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manners {
    /// The world always gives the same results and keeps to its reservations; nobody interferes.
    Orderly,
    /// Effects get lost, people amend, retry and cancel, but bills keep to their reservations.
    Honest,
    /// Bills may be too large as well.
    Hostile,
}

impl Host {
    pub(crate) fn start(spec: GraphSpec, seed: u64, order: u64, manners: Manners) -> Self {
        let event =
            Event::RunStarted { format: FORMAT, graph: Box::new(spec), inputs: json!({}).into(), about: Json::null() };
        let fact = Fact { seq: 1, at_ms: 0, path: NodePath::root(), contract: Digest::ZERO, prev: Digest::ZERO, event };
        Self::resume(Run::start(&fact).unwrap(), vec![fact], seed, order, manners)
    }

    pub(crate) fn resume(run: Run, facts: Vec<Fact>, seed: u64, order: u64, manners: Manners) -> Self {
        Self { run, facts, before: Vec::new(), seed, dice: Dice(order), manners, in_flight: Vec::new() }
    }

    fn try_apply(&mut self, path: &NodePath, event: Event) -> Result<(), IllegalTransition> {
        let contract = self.run.contract_digest(path);
        let (seq, path, prev) = (self.run.length() + 1, path.clone(), Digest::ZERO);
        let fact = Fact { seq, at_ms: seq, path, contract, prev, event };
        let before = self.run.clone();
        if let Err(error) = self.run.apply(&fact) {
            assert_eq!(self.run, before, "a refused fact leaves the state as it was");
            return Err(error);
        }
        self.check_success(&fact);
        self.before.push(before);
        self.facts.push(fact);
        if self.manners != Manners::Hostile {
            self.check_ledgers();
        }
        Ok(())
    }

    fn apply(&mut self, path: &NodePath, event: Event) {
        self.try_apply(path, event).unwrap_or_else(|error| panic!("what {path} is offered is refused: {error}"));
    }

    /// Goes on to the end, one random legal step at a time.
    pub(crate) fn drive(&mut self) -> Outcome {
        for _ in 0..MOST_STEPS {
            let meddles = self.manners != Manners::Orderly && self.dice.chance(8);
            if meddles {
                self.meddle();
            }
            match self.run.next() {
                Next::Done(outcome) => {
                    assert_eq!(self.run.open_effects().count(), 0, "a run ends with nothing under way");
                    assert_eq!(self.run.asks().count(), 0, "a run ends with nobody asked");
                    return outcome;
                }
                open @ Next::Open { .. } => self.step(open),
            }
        }
        panic!("the run does not end: {:?}", self.run.next());
    }

    fn step(&mut self, next: Next) {
        let Next::Open { record, mut perform, awaiting } = next else { return };
        let open: Vec<_> = self.run.open_effects().cloned().collect();
        // What is neither open nor offered any more is not wanted: its node was cancelled or rewound.
        self.in_flight
            .retain(|flying| open.contains(flying.id()) || perform.iter().any(|planned| planned.id() == flying.id()));
        perform.retain(|planned| self.in_flight.iter().all(|flying| flying.id() != planned.id()));
        let choices = [record.len(), perform.len(), self.in_flight.len(), awaiting.len()];
        assert_ne!(choices, [0; 4], "nothing to record, perform, await or wait for: {:?}", self.run);
        loop {
            match self.dice.below(4) {
                0 if !record.is_empty() => {
                    let (path, event) = self.dice.pick(&record);
                    return self.apply(&path, event);
                }
                1 if !perform.is_empty() => return self.begin_all(perform),
                2 if !self.in_flight.is_empty() => return self.come_back(),
                3 if !awaiting.is_empty() => {
                    let ask = self.dice.pick(&awaiting);
                    let answer = |reply| Answer { reply, actor: "person".into(), note: Some("because".into()) };
                    if self.dice.chance(10) {
                        let (id, answer) = (ask.id.clone(), answer(wild::wrong_reply(&ask)));
                        assert!(self.run.check_answer(&id, &answer).is_err());
                        assert!(self.try_apply(&ask.id.path, Event::Answered { id, answer }).is_err(), "{ask:?}");
                    }
                    let (id, reply) = (ask.id.clone(), wild::reply(self.seed, &ask));
                    return self.apply(&ask.id.path, Event::Answered { id, answer: answer(reply) });
                }
                _ => {}
            }
        }
    }

    /// Everything that is offered together can be started together, in any order.
    fn begin_all(&mut self, mut perform: Vec<Planned>) {
        while !perform.is_empty() {
            let planned = perform.swap_remove(self.dice.below(perform.len()));
            if planned.class() != Class::Pure {
                let (order, digest) = (planned.order().kind(), planned.order().digest());
                let (id, reserve) = (planned.id().clone(), *planned.reserve());
                self.apply(planned.path(), Event::EffectStarted { id, order, digest, reserve });
            }
            self.in_flight.push(planned);
        }
    }

    fn come_back(&mut self) {
        let planned = self.in_flight.swap_remove(self.dice.below(self.in_flight.len()));
        let id = planned.id().clone();
        let lost = self.manners != Manners::Orderly && planned.class() != Class::Pure && self.dice.chance(10);
        if lost {
            return self.apply(planned.path(), Event::EffectLost { id });
        }
        let governor = self.run.graph().spec().governor.as_deref() == Some(planned.path().as_str());
        let honest = self.manners != Manners::Hostile;
        let (result, spent) = wild::perform(self.seed, &planned, governor, honest);
        let finished = Event::EffectFinished { id, result, spent, note: Json::null() };
        if self.try_apply(planned.path(), finished).is_err() {
            // Only a person who took the money in between makes a pure effect's result unwelcome.
            assert!(planned.class() == Class::Pure && self.manners != Manners::Orderly, "{planned:?} is unwelcome");
        }
    }

    /// A person does something, legal or not.
    fn meddle(&mut self) {
        let names: Vec<_> = self.run.graph().spec().nodes.iter().map(|node| node.name.clone()).collect();
        let path = NodePath::root().child(&self.dice.pick(&names));
        let actor = "meddler".to_owned();
        let (path, event) = match self.dice.below(30) {
            0 => (NodePath::root(), Event::Cancelled { actor, note: None }),
            1..10 => (path, Event::Retried { actor: Some(actor) }),
            _ => {
                let budget = Amounts::of(self.dice.pick(&Resource::ALL), 1 + self.dice.throw() % 3);
                (path, Event::Amended { budget, actor, note: None })
            }
        };
        // Whether it is legal is the machine's business; a refusal must only leave the state as it was.
        drop(self.try_apply(&path, event));
    }

    fn check_ledgers(&self) {
        check_ledger("the run", self.run.ledger());
        let (limits, spent) = (self.run.ledger().limits(), self.run.spent());
        for resource in Resource::ALL {
            let limit = limits.limit(resource);
            let spent = spent.get(resource);
            assert!(limit.is_none_or(|limit| spent <= limit), "{spent} {resource} spent in all, {limit:?} allowed");
        }
        for node in &self.run.graph().spec().nodes {
            if let Some(view) = self.run.loop_view(&node.name) {
                check_ledger(&node.name, view.ledger);
            }
        }
    }

    /// A loop succeeds only when the evaluator's last word was an acceptance, and the state is still the one it judged.
    fn check_success(&self, fact: &Fact) {
        let Event::NodeClosed { outcome: Outcome::Success {}, .. } = &fact.event else { return };
        let Some(position) = self.run.graph().position(fact.path.as_str()) else { return };
        if !matches!(self.run.graph().spec().nodes[position].kind, NodeKind::Loop { .. }) {
            return;
        }
        let last = self.facts.iter().rev().filter(|earlier| earlier.path == fact.path).find_map(|earlier| {
            let Event::EffectFinished { result, .. } = &earlier.event else { return None };
            match result {
                EffectResult::Evaluated { evaluation } => Some(evaluation.verdict == Verdict::Success),
                EffectResult::Acted { .. } => Some(false),
                _ => None,
            }
        });
        assert_eq!(last, Some(true), "{} succeeded without the evaluator's acceptance", fact.path);
    }

    /// How every node stands: name, outcome, value.
    pub(crate) fn ends(&self) -> Vec<String> {
        let nodes = &self.run.graph().spec().nodes;
        let end = |name: &str| match self.run.status(name) {
            Some(NodeStatus::Closed(closing)) => format!("{name} {:?} {}", closing.outcome, closing.value),
            other => format!("{name} {other:?}"),
        };
        nodes.iter().map(|node| end(&node.name)).collect()
    }
}

fn check_ledger(of: &str, ledger: &Ledger) {
    for resource in Resource::ALL {
        let committed = ledger.spent().get(resource) + ledger.reserved().get(resource);
        let limit = ledger.limits().limit(resource);
        assert!(limit.is_none_or(|limit| committed <= limit), "{of}: {committed} {resource} of {limit:?}");
    }
}
