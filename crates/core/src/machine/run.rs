//! A run: its state, how facts change it, and what may happen next.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::budget::{Amounts, Ledger, Resource};
use crate::fact::{Ask, Event, FORMAT, Fact};
use crate::graph::{Graph, NodeKind};
use crate::ids::{EffectId, NodePath};
use crate::json::{Digest, Json};
use crate::outcome::Outcome;

use super::close::Closing;
use super::error::IllegalTransition;
use super::looping::{LoopState, LoopView};
use super::node::{Body, Node, Status};
use super::plan::Planned;
use super::schedule::{GraphStep, NodeStep};

/// The state of a run; cheap to clone, equal for equal facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub(super) graph: Arc<Graph>,
    inputs: Json,
    about: Json,
    pub(super) ledger: Ledger,
    pub(super) nodes: Vec<Node>,
    batch: Vec<usize>,
    length: u64,
    cancelled: Option<(String, Option<String>)>,
    closing: Option<Closing>,
}

/// What may happen next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the run has ended.
    Done(Outcome),
    /// The run is open. Where all three are empty it waits for effects that were started.
    Open {
        /// Facts that follow by themselves, each with its node.
        record: Vec<(NodePath, Event)>,
        /// Effects that may start now.
        perform: Vec<Planned>,
        /// Questions that people were asked and have not answered.
        awaiting: Vec<Ask>,
    },
}

/// Where a node is in its life, seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeStatus<'a> {
    /// It has not begun.
    Waiting,
    /// It has begun.
    Running,
    /// It has ended.
    Closed(&'a Closing),
}

impl Run {
    /// Starts a run from its first fact.
    pub fn start(fact: &Fact) -> Result<Self, IllegalTransition> {
        let Event::RunStarted { format, graph, inputs, about } = &fact.event else {
            return Err(IllegalTransition::NotAStart);
        };
        if *format != FORMAT {
            return Err(IllegalTransition::UnknownFormat { found: *format });
        }
        if fact.seq != 1 {
            return Err(IllegalTransition::OutOfOrder { expected: 1, found: fact.seq });
        }
        let graph = Graph::build((**graph).clone())?;
        let nodes = graph.spec().nodes.iter().map(|_| Node::waiting()).collect();
        let ledger = Ledger::new(graph.spec().budget);
        let (inputs, about) = (inputs.clone(), about.clone());
        let (batch, length, cancelled, closing) = (Vec::new(), 1, None, None);
        Ok(Self { graph: Arc::new(graph), inputs, about, ledger, nodes, batch, length, cancelled, closing })
    }

    /// Folds a whole run.
    pub fn replay<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Result<Self, IllegalTransition> {
        let mut facts = facts.into_iter();
        let mut run = Self::start(facts.next().ok_or(IllegalTransition::NotAStart)?)?;
        facts.try_for_each(|fact| run.apply(fact))?;
        Ok(run)
    }

    /// Changes the state by one fact, or refuses it and leaves the state as it was.
    pub fn apply(&mut self, fact: &Fact) -> Result<(), IllegalTransition> {
        let expected = self.length + 1;
        if fact.seq != expected {
            return Err(IllegalTransition::OutOfOrder { expected, found: fact.seq });
        }
        let reopens = matches!(fact.event, Event::Amended { .. } | Event::Retried { .. });
        if self.closing.is_some() && !reopens {
            return Err(IllegalTransition::Ended);
        }
        let path = &fact.path;
        if let Some(named) = fact.event.names().filter(|named| *named != path) {
            return Err(IllegalTransition::ElsewhereNamed { path: path.clone(), named: named.clone() });
        }
        match &fact.event {
            Event::RunStarted { .. } => return Err(IllegalTransition::NotAStart),
            Event::BatchStarted { nodes } => self.start_batch(path, nodes)?,
            Event::EffectStarted { id, order, digest, reserve } => self.start_effect(id, *order, *digest, reserve)?,
            Event::EffectTried { id, .. } => self.try_effect(id)?,
            Event::EffectFinished { id, result, spent, .. } => self.finish_effect(id, result, spent)?,
            Event::EffectLost { id } => self.lose_effect(id)?,
            Event::Asked { ask } => self.put_question(path, ask)?,
            Event::Answered { id, answer } => self.answer(id, answer)?,
            Event::Amended { budget, .. } => self.amend(path, budget)?,
            Event::Retried { .. } => self.retry(path)?,
            Event::Cancelled { actor, note } => self.cancel(path, actor, note.as_deref())?,
            Event::NodeClosed { outcome, signal, value } => {
                let closing = Closing { outcome: outcome.clone(), signal: signal.clone(), value: value.clone() };
                self.close(path, closing)?;
            }
        }
        self.length = expected;
        Ok(())
    }

    /// What may happen next; a function of the state alone.
    pub fn next(&self) -> Next {
        if let Some(closing) = &self.closing {
            return Next::Done(closing.outcome.clone());
        }
        let (mut record, mut perform) = (Vec::new(), Vec::new());
        if self.cancelled.is_none() {
            for (position, step) in self.steps() {
                match step {
                    NodeStep::Waits => {}
                    NodeStep::Perform(planned) => perform.push(planned),
                    NodeStep::Ask(ask) => record.push((self.path(position), Event::Asked { ask })),
                    NodeStep::Close(closing) => record.push((self.path(position), closed(closing))),
                }
            }
        }
        match self.graph_step() {
            GraphStep::Busy => {}
            GraphStep::Start(nodes) => {
                let nodes = nodes.into_iter().map(|position| self.name(position).to_owned()).collect();
                record.push((NodePath::root(), Event::BatchStarted { nodes }));
            }
            GraphStep::Close(closing) => record.push((NodePath::root(), closed(closing))),
        }
        let awaiting = self.nodes.iter().filter_map(|node| node.asked.clone()).collect();
        Next::Open { record, perform, awaiting }
    }

    // What can be seen from outside.

    /// The graph the run follows.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What the run was given.
    pub fn inputs(&self) -> &Json {
        &self.inputs
    }

    /// What the run is about.
    pub fn about(&self) -> &Json {
        &self.about
    }

    /// How many facts were folded.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// How the run ended, if it did.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.closing.as_ref().map(|closing| &closing.outcome)
    }

    /// The run's own ledger: tasks, and what its loops were given.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What was spent in all, loops in progress included.
    pub fn spent(&self) -> Amounts {
        let running = (0..self.nodes.len()).filter(|position| self.nodes[*position].is_running());
        running.fold(*self.ledger.spent(), |sum, position| sum.plus(&self.spent_in(position)))
    }

    /// A node's status by name.
    pub fn status(&self, name: &str) -> Option<NodeStatus<'_>> {
        Some(match &self.nodes[self.graph.position(name)?].status {
            Status::Waiting => NodeStatus::Waiting,
            Status::Running => NodeStatus::Running,
            Status::Closed(closing) => NodeStatus::Closed(closing),
        })
    }

    /// A loop by its node's name.
    pub fn loop_view(&self, name: &str) -> Option<LoopView<'_>> {
        match &self.nodes[self.graph.position(name)?].body {
            Body::Loop(state) => Some(state.view()),
            _ => None,
        }
    }

    /// The questions that are not answered.
    pub fn asks(&self) -> impl Iterator<Item = &Ask> {
        self.nodes.iter().filter_map(|node| node.asked.as_ref())
    }

    /// Effects that were started and have not come back.
    pub fn open_effects(&self) -> impl Iterator<Item = &EffectId> {
        self.nodes.iter().filter_map(|node| node.open.as_ref().map(|open| &open.id))
    }

    /// Whether a person has ended the run, though effects may still be open.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some()
    }

    /// SHA-256 of what bounds a node; of the whole graph for the root.
    pub fn contract_digest(&self, path: &NodePath) -> Digest {
        self.graph.position(path.as_str()).map_or(self.graph.digest(), |position| self.graph.contract_digest(position))
    }

    // What the other parts of the machine see.

    pub(super) fn node(&self, position: usize) -> &Node {
        &self.nodes[position]
    }

    pub(super) fn batch(&self) -> &[usize] {
        &self.batch
    }

    pub(super) fn name(&self, position: usize) -> &str {
        &self.graph.spec().nodes[position].name
    }

    pub(super) fn path(&self, position: usize) -> NodePath {
        NodePath::root().child(self.name(position))
    }

    pub(super) fn cancelled(&self) -> Option<&(String, Option<String>)> {
        self.cancelled.as_ref()
    }

    pub(super) fn locate(&self, path: &NodePath) -> Result<usize, IllegalTransition> {
        self.graph.position(path.as_str()).ok_or_else(|| IllegalTransition::UnknownNode { path: path.clone() })
    }

    /// Whether a node has a budget of its own, carved out of the run's.
    pub(super) fn carves(&self, position: usize) -> bool {
        matches!(self.graph.spec().nodes[position].kind, NodeKind::Loop { .. })
    }

    pub(super) fn spent_in(&self, position: usize) -> Amounts {
        match &self.nodes[position].body {
            Body::Loop(state) => *state.ledger.spent(),
            _ => Amounts::NONE,
        }
    }

    /// Puts a reopened node into the batch, and takes out what went back to waiting.
    ///
    /// Everybody else of the batch stays in it: they may still be busy.
    pub(super) fn rejoin(&mut self, position: usize, waiting: &BTreeSet<usize>) {
        let batch: BTreeSet<_> = self.batch.iter().copied().chain([position]).collect();
        self.batch = batch.difference(waiting).copied().collect();
        self.closing = None;
    }

    /// Settles what was carved out for a node.
    pub(super) fn give_back(&mut self, position: usize) {
        let (carved, spent) = (self.nodes[position].carved, self.spent_in(position));
        self.ledger.settle(&carved, &spent);
    }

    // How each kind of fact changes the state.

    /// A person ends the run; what was asked needs no answer any more.
    fn cancel(&mut self, path: &NodePath, actor: &str, note: Option<&str>) -> Result<(), IllegalTransition> {
        if self.is_cancelled() || !path.is_root() {
            return Err(IllegalTransition::DoesNotFollow { event: "cancelled", path: path.clone() });
        }
        self.cancelled = Some((actor.to_owned(), note.map(str::to_owned)));
        self.nodes.iter_mut().for_each(|node| node.asked = None);
        Ok(())
    }

    fn start_batch(&mut self, path: &NodePath, names: &[String]) -> Result<(), IllegalTransition> {
        let due = match self.graph_step() {
            GraphStep::Start(due) if path.is_root() => due,
            _ => Vec::new(),
        };
        if due.is_empty() || !due.iter().map(|position| self.name(*position)).eq(names) {
            return Err(IllegalTransition::DoesNotFollow { event: "batch_started", path: path.clone() });
        }
        for position in &due {
            let inputs = self.inputs_of(*position);
            let approved = self.approved_by_edge(*position);
            let node = &mut self.nodes[*position];
            node.status = Status::Running;
            node.inputs = inputs;
            node.approved = approved;
            self.begin(*position);
        }
        self.batch = due;
        Ok(())
    }

    /// Gives a node that has just started something to be busy with.
    pub(super) fn begin(&mut self, position: usize) {
        let graph = Arc::clone(&self.graph);
        let inputs = self.nodes[position].inputs.clone();
        let body = match &graph.spec().nodes[position].kind {
            NodeKind::Gate {} | NodeKind::Task { .. } => Body::Single(None),
            NodeKind::Human { .. } => Body::Human(None),
            NodeKind::Loop { contract } => {
                let budget = self.ledger.carve(&contract.budget);
                match LoopState::start(contract, &inputs, budget) {
                    Ok(state) => {
                        let carved = Resource::ALL.into_iter().filter_map(|resource| {
                            self.ledger
                                .limits()
                                .limit(resource)
                                .and(budget.limit(resource))
                                .map(|limit| (resource, limit))
                        });
                        let carved = carved.fold(Amounts::NONE, |sum, (resource, limit)| sum.with(resource, limit));
                        self.ledger.hold(&carved);
                        self.nodes[position].carved = carved;
                        Body::Loop(Box::new(state))
                    }
                    Err(failure) => {
                        self.nodes[position].fail(failure);
                        Body::Idle
                    }
                }
            }
        };
        self.nodes[position].body = body;
    }

    fn close(&mut self, path: &NodePath, closing: Closing) -> Result<(), IllegalTransition> {
        let does_not_follow = || IllegalTransition::DoesNotFollow { event: "node_closed", path: path.clone() };
        if path.is_root() {
            if self.graph_step() != GraphStep::Close(closing.clone()) {
                return Err(does_not_follow());
            }
            self.closing = Some(closing);
            return Ok(());
        }
        let position = self.locate(path)?;
        let due = self.cancelled.is_none() && self.active().contains(&position);
        if !due || self.node_step(position) != NodeStep::Close(closing.clone()) {
            return Err(does_not_follow());
        }
        if self.carves(position) {
            self.give_back(position);
        }
        self.nodes[position].status = Status::Closed(closing);
        Ok(())
    }
}

fn closed(closing: Closing) -> Event {
    let Closing { outcome, signal, value } = closing;
    Event::NodeClosed { outcome, signal, value }
}
