//! How a graph goes on: which nodes start as a batch, what their signals lead to, and how it ends.

use serde_json::{Map, Value, json};

use crate::evaluation::Escalation;
use crate::fact::{Ask, AskAbout, Reply};
use crate::graph::{EdgeSpec, Mode, NodeKind, Relation};
use crate::ids::AskId;
use crate::json::Json;
use crate::outcome::{Exhaustion, Failure, Outcome, OutcomeKind, Signal};

use super::close::Closing;
use super::looping::Step;
use super::node::{Body, Status};
use super::plan::{Planned, Refusal, plan};
use super::run::Run;

/// What a graph does by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GraphStep {
    /// Its batch is not through.
    Busy,
    /// It starts these nodes.
    Start(Vec<usize>),
    /// It ends.
    Close(Closing),
}

/// What a running node does by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NodeStep {
    /// It waits for an effect or a person.
    Waits,
    Perform(Planned),
    Ask(Ask),
    Close(Closing),
}

impl Run {
    /// The nodes that may do something now: in serial mode only the first of the batch that is not through
    /// and does not wait for what the others may give back.
    pub(super) fn active(&self) -> Vec<usize> {
        let running = self.batch().iter().copied().filter(|position| self.node(*position).is_running());
        match self.graph().spec().mode {
            Mode::Parallel => running.collect(),
            Mode::Serial => {
                let running: Vec<_> = running.collect();
                running.into_iter().find(|position| !self.waits_for_budget(*position)).into_iter().collect()
            }
        }
    }

    /// What the active nodes do by themselves.
    ///
    /// Gates and tasks pay from one ledger, so what is offered together has to be affordable together.
    pub(super) fn steps(&self) -> Vec<(usize, NodeStep)> {
        let (mut shared, mut in_order) = (*self.ledger(), true);
        let mut step = |position| match self.node_step(position) {
            NodeStep::Perform(planned) if !self.carves(position) => {
                in_order = in_order && shared.reserve(planned.reserve()).is_ok();
                if in_order { NodeStep::Perform(planned) } else { NodeStep::Waits }
            }
            other => other,
        };
        self.active().into_iter().map(|position| (position, step(position))).collect()
    }

    pub(super) fn node_step(&self, position: usize) -> NodeStep {
        let node = self.node(position);
        let spec = &self.graph().spec().nodes[position];
        if node.open.is_some() || node.asked.is_some() {
            return NodeStep::Waits;
        }
        if let Some(closing) = &node.ended {
            return NodeStep::Close(closing.clone());
        }
        match (&spec.kind, &node.body) {
            (NodeKind::Loop { contract }, Body::Loop(state)) => {
                if let Some(closing) = state.closing(contract) {
                    return NodeStep::Close(closing);
                }
                if let Step::Question { question } = &state.step {
                    let about = AskAbout::Question { question: question.clone() };
                    return NodeStep::Ask(self.ask(position, about, &contract.authority.decided_by));
                }
                self.planned_step(
                    position,
                    |exhaustion| state.exhausted(contract, state.cause(exhaustion)),
                    |escalation| state.escalated(contract, escalation),
                )
            }
            (NodeKind::Gate {} | NodeKind::Task { .. }, Body::Single(Some((value, signal)))) => {
                let signal = signal.clone();
                NodeStep::Close(Closing { outcome: Outcome::Success {}, signal, value: value.clone() })
            }
            (NodeKind::Gate {} | NodeKind::Task { .. }, Body::Single(None)) => {
                if self.waits_for_budget(position) {
                    return NodeStep::Waits;
                }
                let exhausted = |exhaustion| Outcome::BudgetExhausted { exhaustion, hand_off: None };
                let escalated = |escalation| Outcome::Escalated { escalation, hand_off: None };
                self.planned_step(
                    position,
                    |exhaustion| Closing::of(exhausted(exhaustion), Json::null()),
                    |escalation| Closing::of(escalated(escalation), Json::null()),
                )
            }
            (NodeKind::Human { .. }, Body::Human(Some(answer))) => {
                NodeStep::Close(Closing::answered(answer, self.graph().governor() == Some(position)))
            }
            (NodeKind::Human { question, decided_by }, Body::Human(None)) => {
                let (question, inputs) = (question.clone(), node.inputs.clone());
                let about = if self.graph().governor() == Some(position) {
                    AskAbout::Governor { question, inputs, may_approve: self.may_approve() }
                } else {
                    AskAbout::Node { question, inputs }
                };
                NodeStep::Ask(self.ask(position, about, decided_by))
            }
            _ => NodeStep::Waits,
        }
    }

    fn ask(&self, position: usize, about: AskAbout, decided_by: &str) -> Ask {
        let id = AskId { path: self.path(position), number: self.node(position).asks + 1 };
        Ask { id, about, decided_by: decided_by.to_owned() }
    }

    fn planned_step(
        &self,
        position: usize,
        exhausted: impl FnOnce(Exhaustion) -> Closing,
        escalated: impl FnOnce(Escalation) -> Closing,
    ) -> NodeStep {
        match plan(self, position) {
            Ok(planned) => NodeStep::Perform(planned),
            Err(Refusal::Approval(ask)) => NodeStep::Ask(*ask),
            Err(Refusal::Shortage(shortage)) => NodeStep::Close(exhausted(Exhaustion::Resource { shortage })),
            Err(Refusal::Authority(escalation)) => NodeStep::Close(escalated(escalation)),
            Err(Refusal::NothingDue) => NodeStep::Waits,
        }
    }

    /// Whether a gate or task cannot be paid as long as others of its batch hold what they may still give back.
    ///
    /// Those that share the run's ledger pay in declaration order, so that who gets what is left does not depend on
    /// who was faster. What is waited for never waits for a budget itself.
    fn waits_for_budget(&self, position: usize) -> bool {
        let running = || self.batch().iter().copied().filter(|at| self.node(*at).is_running());
        let idle = |at: usize| !self.carves(at) && self.node(at).open.is_none();
        let pending = |at: &usize| idle(*at) && self.node(*at).ended.is_none() && self.node(*at).is_undone();
        let short = |at: &usize| pending(at) && matches!(plan(self, *at), Err(Refusal::Shortage(_)));
        let Some(first) = running().take_while(|at| *at <= position).find(short) else { return false };
        // One that comes after a short one waits for its end, which the others' spending must not colour.
        idle(position) && (first != position || running().any(|at| !idle(at) || (at < first && pending(&at))))
    }

    pub(super) fn graph_step(&self) -> GraphStep {
        if let Some((actor, note)) = self.cancelled() {
            let outcome = Outcome::Cancelled { actor: actor.clone(), note: note.clone() };
            let open = self.nodes.iter().any(|node| node.open.is_some());
            return if open { GraphStep::Busy } else { GraphStep::Close(Closing::of(outcome, Json::null())) };
        }
        if self.batch().iter().any(|position| self.node(*position).is_running()) {
            return GraphStep::Busy;
        }
        let governor = self.graph().governor();
        if let Some(closing) = governor.and_then(|position| self.node(position).closing()) {
            return GraphStep::Close(self.governed(closing));
        }
        // Signals are read once the whole batch is through, in declaration order, so that the
        // outcome does not depend on who was faster.
        let closed = || self.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.closing()?)));
        if let Some((at, closing)) = closed().find(|(_, closing)| matches!(closing.signal, Signal::HardVeto { .. })) {
            let outcome = Outcome::HardVetoed { node: self.name(at).to_owned() };
            return GraphStep::Close(Closing { outcome, signal: closing.signal.clone(), value: closing.value.clone() });
        }
        let unreceived = |kind: OutcomeKind| {
            closed().find(|(at, closing)| closing.outcome.kind() == kind && !self.received(*at, kind))
        };
        if let Some((_, closing)) = unreceived(OutcomeKind::Failed) {
            return GraphStep::Close(Closing::of(closing.outcome.clone(), Json::null()));
        }
        if let Some((_, closing)) = closed().find(|(at, closing)| self.escalates(*at, closing)) {
            return match governor {
                Some(governor) => GraphStep::Start(vec![governor]),
                None => GraphStep::Close(Closing::of(escalation_of(closing), closing.value.clone())),
            };
        }
        if let Some((_, closing)) = unreceived(OutcomeKind::BudgetExhausted) {
            return GraphStep::Close(closing.clone());
        }
        let ready: Vec<_> = (0..self.nodes.len()).filter(|at| governor != Some(*at) && self.is_ready(*at)).collect();
        if !ready.is_empty() {
            return GraphStep::Start(ready);
        }
        match governor {
            Some(governor) => GraphStep::Start(vec![governor]),
            None => GraphStep::Close(self.all_through()),
        }
    }

    /// The end of a graph without a governor: success, unless a loop or task that nobody went on from was not accepted.
    fn all_through(&self) -> Closing {
        let unaccepted = self
            .nodes
            .iter()
            .filter_map(|node| node.closing())
            .find(|closing| !matches!(closing.outcome, Outcome::Success {}));
        match unaccepted {
            Some(closing) if !self.recovered() => closing.clone(),
            _ => Closing::success(Json::null()),
        }
    }

    /// Whether every node that was not accepted was received by another one that went on from it.
    fn recovered(&self) -> bool {
        let governor = self.graph().governor();
        self.nodes.iter().enumerate().all(|(at, node)| {
            let Some(closing) = node.closing().filter(|_| governor != Some(at)) else { return true };
            let kind = closing.outcome.kind();
            let went_on = |edge: &EdgeSpec| {
                let to = self.graph().position(&edge.to);
                to != governor && to.is_some_and(|to| self.node(to).closing().is_some())
            };
            kind == OutcomeKind::Success || self.receivers(at, kind).any(went_on)
        })
    }

    /// Whether the governor may accept: everything is through, accepted, and nobody escalated.
    ///
    /// A node that only waits for an outcome that did not come is through as well: it was never needed.
    pub(super) fn may_approve(&self) -> bool {
        let governor = self.graph().governor();
        let through =
            (0..self.nodes.len()).all(|at| governor == Some(at) || !(self.node(at).is_running() || self.is_ready(at)));
        let escalated = self.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.closing()?)));
        through && self.recovered() && !escalated.into_iter().any(|(at, closing)| self.escalates(at, closing))
    }

    fn escalates(&self, at: usize, closing: &Closing) -> bool {
        let routed = closing.outcome.kind() == OutcomeKind::Escalated && self.recovers(at, OutcomeKind::Escalated);
        matches!(closing.signal, Signal::Escalation { .. }) && !routed
    }

    fn recovers(&self, at: usize, kind: OutcomeKind) -> bool {
        let governor = self.graph().governor();
        self.receivers(at, kind).any(|edge| self.graph().position(&edge.to) != governor)
    }

    fn receivers(&self, at: usize, kind: OutcomeKind) -> impl Iterator<Item = &EdgeSpec> {
        self.graph().edges_from(self.name(at)).filter(move |edge| edge.receives.contains(&kind))
    }

    fn received(&self, at: usize, kind: OutcomeKind) -> bool {
        self.receivers(at, kind).next().is_some()
    }

    fn is_ready(&self, at: usize) -> bool {
        let open = |edge: &EdgeSpec| {
            let from = self.graph().position(&edge.from).and_then(|from| self.node(from).closing());
            from.is_some_and(|closing| edge.receives.contains(&closing.outcome.kind()))
        };
        self.node(at).status == Status::Waiting && self.graph().edges_into(self.name(at)).all(open)
    }

    fn governed(&self, closing: &Closing) -> Closing {
        if !matches!(closing.outcome, Outcome::Success {}) {
            return closing.clone();
        }
        let spoken = closing.value.get("reply").unwrap_or(closing.value.value());
        let reply = serde_json::from_value::<Reply>(spoken.clone());
        let actor = closing.value.get("actor").and_then(Value::as_str).unwrap_or("governor").to_owned();
        let outcome = match reply {
            Ok(Reply::Approve { .. }) if self.may_approve() => Outcome::Success {},
            Ok(Reply::Reject {}) => Outcome::Rejected { actor },
            Ok(Reply::ChangeGoal { proposal }) => Outcome::GoalChanged { actor, proposal },
            Ok(Reply::Approve { .. } | Reply::Say { .. }) | Err(_) => {
                let message = "the governor's reply decides nothing: approve what was accepted, reject, or change_goal";
                let detail = closing.value.clone();
                let failure = Failure { class: "governor_reply".to_owned(), message: message.to_owned(), detail };
                return Closing::failed(failure);
            }
        };
        Closing::of(outcome, closing.value.clone())
    }

    /// What a node is given: the run's inputs, and the values that lead to it by name.
    pub(super) fn inputs_of(&self, at: usize) -> Json {
        let governor = self.graph().governor() == Some(at);
        let mut values = Map::new();
        for (from, node) in self.nodes.iter().enumerate() {
            let leads_here = self.graph().edges_into(self.name(at)).any(|edge| edge.from == self.name(from));
            if let Some(closing) = node.closing().filter(|_| governor || leads_here) {
                values.insert(self.name(from).to_owned(), closing.value.value().clone());
            }
        }
        let mut inputs = json!({"run": self.inputs(), "values": values});
        if governor {
            inputs["nodes"] = self.outlook();
        }
        Json::new(inputs)
    }

    /// Outcomes and signals of all nodes, for the governor.
    fn outlook(&self) -> Value {
        let node = |(at, closing): (usize, &Closing)| json!({"node": self.name(at), "outcome": closing.outcome, "signal": closing.signal});
        let closed = self.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.closing()?)));
        closed.map(node).collect()
    }

    /// Whether a person's yes comes to a node over an approval edge.
    pub(super) fn approved_by_edge(&self, at: usize) -> bool {
        let mut edges = self.graph().edges_into(self.name(at)).filter(|edge| edge.relation == Relation::Approval);
        edges.any(|edge| {
            let from = self.graph().position(&edge.from);
            let body = from.map(|from| &self.node(from).body);
            matches!(body, Some(Body::Human(Some(answer))) if matches!(answer.reply, Reply::Approve { .. }))
        })
    }
}

/// An escalation as an outcome, whether it came as the node's outcome or only as its signal.
fn escalation_of(closing: &Closing) -> Outcome {
    match (&closing.outcome, &closing.signal) {
        (Outcome::Escalated { .. }, _) => closing.outcome.clone(),
        (_, Signal::Escalation { escalation }) => Outcome::Escalated { escalation: escalation.clone(), hand_off: None },
        (other, _) => other.clone(),
    }
}
