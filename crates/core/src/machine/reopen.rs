//! Reopening: a person adds budget to an exhausted node, or a node that failed with the world is tried again.

use crate::budget::Amounts;
use crate::contract::Class;
use crate::graph::NodeKind;
use crate::ids::NodePath;
use crate::outcome::{Outcome, OutcomeKind};

use super::error::IllegalTransition;
use super::node::{Body, Status};
use super::run::Run;

impl Run {
    /// A person raises the budget of a loop, and the graph's by as much; or the graph's alone.
    pub(super) fn amend(&mut self, path: &NodePath, by: &Amounts) -> Result<(), IllegalTransition> {
        if path.is_root() {
            return self.amend_graph(path, by);
        }
        let position = self.locate(path)?;
        let refuse = |why| Err(IllegalTransition::CannotReopen { path: path.clone(), why });
        if self.is_cancelled() {
            return refuse("the run was cancelled");
        }
        let kind = self.node(position).closing().map(|closing| closing.outcome.kind());
        match kind {
            None if self.node(position).is_running() => {}
            Some(OutcomeKind::BudgetExhausted) => self.check_reopenable(position)?,
            None => return refuse("it has not begun"),
            Some(_) => return refuse("it is not exhausted"),
        }
        if kind.is_some() {
            self.reopen(position);
            if let Body::Loop(state) = &mut self.nodes[position].body {
                state.amended();
            }
        }
        self.ledger.raise(by);
        if let Body::Loop(state) = &mut self.nodes[position].body {
            state.ledger.raise(by);
        }
        if self.carves(position) {
            let node = &mut self.nodes[position];
            node.carved = node.carved.plus(by);
            self.ledger.hold(by);
        }
        Ok(())
    }

    /// What is shared by all nodes grows while the run is open; a run that has ended is reopened by its exhausted node.
    fn amend_graph(&mut self, path: &NodePath, by: &Amounts) -> Result<(), IllegalTransition> {
        if self.is_cancelled() || self.outcome().is_some() {
            return Err(IllegalTransition::CannotReopen { path: path.clone(), why: "the run has ended" });
        }
        self.ledger.raise(by);
        Ok(())
    }

    /// A node that failed is tried again from where it stood.
    pub(super) fn retry(&mut self, path: &NodePath) -> Result<(), IllegalTransition> {
        let position = self.locate(path)?;
        if self.is_cancelled() {
            return Err(IllegalTransition::CannotReopen { path: path.clone(), why: "the run was cancelled" });
        }
        let failed = |outcome: &Outcome| outcome.kind() == OutcomeKind::Failed;
        if !self.node(position).closing().is_some_and(|closing| failed(&closing.outcome)) {
            return Err(IllegalTransition::CannotReopen { path: path.clone(), why: "it has not failed" });
        }
        self.check_reopenable(position)?;
        self.reopen(position);
        if self.node(position).body == Body::Idle {
            self.begin(position);
        }
        Ok(())
    }

    fn check_reopenable(&self, position: usize) -> Result<(), IllegalTransition> {
        let refuse = |why| Err(IllegalTransition::CannotReopen { path: self.path(position), why });
        let later = self.graph().downstream(self.name(position));
        if later.iter().any(|at| self.node(*at).closing().is_some() && !self.repeats(*at)) {
            return refuse("what comes after it was decided already");
        }
        if later.iter().any(|at| self.node(*at).open.is_some()) {
            return refuse("an effect of what comes after it is under way");
        }
        Ok(())
    }

    /// Whether a node that is through may simply be gone through again: no person and no loop has decided in it, and
    /// nothing happened outside that must not happen twice.
    fn repeats(&self, position: usize) -> bool {
        match &self.graph().spec().nodes[position].kind {
            NodeKind::Gate {} => true,
            NodeKind::Task { terms, .. } => terms.class != Class::Once,
            NodeKind::Loop { .. } | NodeKind::Human { .. } => false,
        }
    }

    /// Puts a closed node back to work, and everything after it back to waiting.
    fn reopen(&mut self, position: usize) {
        let later = self.graph().downstream(self.name(position));
        for at in &later {
            if self.carves(*at) && self.node(*at).is_running() {
                self.give_back(*at);
            }
            self.nodes[*at].rewind();
        }
        let (carved, spent) = (self.node(position).carved, self.spent_in(position));
        let node = &mut self.nodes[position];
        node.status = Status::Running;
        node.ended = None;
        if let Body::Loop(state) = &mut node.body {
            node.carved = self.ledger.unsettle(&carved, &spent);
            state.ledger.lower(&carved.minus(&node.carved));
        }
        self.rejoin(position, &later);
    }
}
