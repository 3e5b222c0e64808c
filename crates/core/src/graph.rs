//! A graph of nodes and edges, refused when built if it cannot run.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::authority::Permission;
use crate::budget::Budget;
use crate::contract::{ContractError, EffectTerms, LoopContract};
use crate::json::{Digest, Json, canonical_bytes};
use crate::outcome::OutcomeKind;

/// What a node does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NodeKind {
    /// A bounded loop.
    Loop {
        /// What bounds it.
        contract: Box<LoopContract>,
    },
    /// A pure check.
    Gate {},
    /// An effect without a model.
    Task {
        /// Its class and cost.
        terms: EffectTerms,
        /// Whether it may be performed.
        #[serde(default)]
        permission: Permission,
    },
    /// A person.
    Human {
        /// What they are asked, beside the node's inputs.
        question: Json,
        /// Who may answer.
        decided_by: String,
    },
}

/// A node of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeSpec {
    /// Its name, unique in the graph.
    pub name: String,
    /// What it does.
    #[serde(flatten)]
    pub kind: NodeKind,
}

/// What an edge means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// One waits for the other.
    Dependency,
    /// One goes on where the other stopped.
    Handoff,
    /// One uses the other's value.
    DataFlow,
    /// One may veto what the other would do.
    Veto,
    /// One approves the other's effects.
    Approval,
}

/// An edge of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeSpec {
    /// The node it starts at.
    pub from: String,
    /// The node it leads to.
    pub to: String,
    /// What it means.
    pub relation: Relation,
    /// The outcomes it receives.
    #[serde(default = "success_only")]
    pub receives: Vec<OutcomeKind>,
}

fn success_only() -> Vec<OutcomeKind> {
    vec![OutcomeKind::Success]
}

impl EdgeSpec {
    /// An edge that receives success.
    pub fn new(from: &str, relation: Relation, to: &str) -> Self {
        Self { from: from.to_owned(), to: to.to_owned(), relation, receives: success_only() }
    }

    /// The same edge, receiving other outcomes.
    #[must_use]
    pub fn receiving(mut self, outcomes: &[OutcomeKind]) -> Self {
        self.receives = outcomes.to_vec();
        self
    }
}

/// Whether the nodes of a batch are performed together or one at a time; outputs are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One node at a time, in declaration order.
    Serial,
    /// All nodes of a batch at once.
    #[default]
    Parallel,
}

/// A graph as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphSpec {
    /// Its name.
    pub name: String,
    /// Its nodes, in the order in which signals are read.
    pub nodes: Vec<NodeSpec>,
    /// Its edges.
    pub edges: Vec<EdgeSpec>,
    /// The node that decides what loops may not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Limits on the whole graph.
    #[serde(default)]
    pub budget: Budget,
    /// How batches are performed.
    #[serde(default)]
    pub mode: Mode,
}

/// Why a graph was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// Nothing to do.
    #[error("the graph has no nodes")]
    Empty,
    /// A name that could not stand in a path.
    #[error("{name:?} is no node name: letters, digits, '-' and '_', 1 to 64 of them")]
    IllegalName {
        /// The name.
        name: String,
    },
    /// Two nodes with one name.
    #[error("two nodes are called {name:?}")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// An edge that starts or ends nowhere.
    #[error("the edge {from} -> {to} names {unknown:?}, which is no node")]
    UnknownNode {
        /// Where the edge starts.
        from: String,
        /// Where it leads.
        to: String,
        /// The end that is no node.
        unknown: String,
    },
    /// The same two nodes joined twice by the same relation.
    #[error("the edge {from} -> {to} stands twice")]
    DuplicateEdge {
        /// Where the edge starts.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// An edge that can never lead anywhere.
    #[error("the edge {from} -> {to} receives no outcome")]
    ReceivesNothing {
        /// Where the edge starts.
        from: String,
        /// Where it leads.
        to: String,
    },
    /// A way back to where it started.
    #[error("the graph has a cycle: {}; repetition belongs in a loop", path.join(" -> "))]
    Cycle {
        /// The nodes on it, the first one repeated at the end.
        path: Vec<String>,
    },
    /// The governor is not part of the graph.
    #[error("the governor {name:?} is no node of the graph")]
    GovernorIsNoNode {
        /// The name.
        name: String,
    },
    /// Something would run after the governor has decided.
    #[error("{node} comes after the governor, who has the last word")]
    AfterTheGovernor {
        /// The node.
        node: String,
    },
    /// A loop with a contract that cannot bound it.
    #[error("the contract of {node} cannot bound it")]
    Contract {
        /// The node.
        node: String,
        /// Why.
        #[source]
        source: ContractError,
    },
    /// A task whose effects need an approval that no edge brings.
    #[error("{node} needs approval, and no approval edge leads to it")]
    NobodyApproves {
        /// The node.
        node: String,
    },
    /// An approval edge that does not start at a person.
    #[error("the approval edge {from} -> {to} does not start at a human node")]
    ApprovalWithoutPerson {
        /// Where the edge starts.
        from: String,
        /// Where it leads.
        to: String,
    },
}

/// A graph that was checked; the only kind the machine runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    spec: GraphSpec,
    index: BTreeMap<String, usize>,
    digest: Digest,
    contracts: Vec<Digest>,
}

impl Graph {
    /// Checks a graph.
    pub fn build(spec: GraphSpec) -> Result<Self, GraphError> {
        if spec.nodes.is_empty() {
            return Err(GraphError::Empty);
        }
        let mut index = BTreeMap::new();
        for (position, node) in spec.nodes.iter().enumerate() {
            check_name(&node.name)?;
            if index.insert(node.name.clone(), position).is_some() {
                return Err(GraphError::DuplicateName { name: node.name.clone() });
            }
        }
        check_edges(&spec, &index)?;
        if let Some(path) = find_cycle(&spec) {
            return Err(GraphError::Cycle { path });
        }
        check_governor(&spec, &index)?;
        for node in &spec.nodes {
            check_node(&spec, node)?;
        }
        let digest = digest_of(&spec);
        let contracts = spec.nodes.iter().map(digest_of).collect();
        Ok(Self { spec, index, digest, contracts })
    }

    /// A graph of one loop.
    pub fn of_loop(name: &str, contract: LoopContract) -> Result<Self, GraphError> {
        let node = NodeSpec { name: name.to_owned(), kind: NodeKind::Loop { contract: Box::new(contract) } };
        Self::build(GraphSpec {
            name: name.to_owned(),
            nodes: vec![node],
            edges: Vec::new(),
            governor: None,
            budget: Budget::UNLIMITED,
            mode: Mode::Parallel,
        })
    }

    /// The graph as it was written.
    pub fn spec(&self) -> &GraphSpec {
        &self.spec
    }

    /// SHA-256 of the canonical form of the whole graph.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// SHA-256 of the canonical form of one node: what bounds it.
    pub fn contract_digest(&self, node: usize) -> Digest {
        self.contracts[node]
    }

    /// The position of a node by name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The position of the governor.
    pub fn governor(&self) -> Option<usize> {
        self.position(self.spec.governor.as_deref()?)
    }

    /// The edges that lead to a node.
    pub fn edges_into<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a EdgeSpec> {
        self.spec.edges.iter().filter(move |edge| edge.to == name)
    }

    /// The edges that start at a node.
    pub fn edges_from<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a EdgeSpec> {
        self.spec.edges.iter().filter(move |edge| edge.from == name)
    }

    /// The positions of everything that comes after a node.
    pub fn downstream(&self, name: &str) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![name];
        while let Some(from) = open.pop() {
            for edge in self.edges_from(from) {
                if let Some(position) = self.position(&edge.to)
                    && found.insert(position)
                {
                    open.push(&edge.to);
                }
            }
        }
        // An escalation reaches the governor without an edge.
        found.extend(self.governor().filter(|governor| self.position(name) != Some(*governor)));
        found
    }
}

fn digest_of(part: &impl Serialize) -> Digest {
    // Specs are plain data with string keys, so they always have a JSON form.
    Digest::of(&canonical_bytes(&serde_json::to_value(part).unwrap_or_default()))
}

fn check_name(name: &str) -> Result<(), GraphError> {
    let legal = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.chars().count() > 64 || !name.chars().all(legal) {
        return Err(GraphError::IllegalName { name: name.to_owned() });
    }
    Ok(())
}

fn check_edges(spec: &GraphSpec, index: &BTreeMap<String, usize>) -> Result<(), GraphError> {
    let mut seen = Vec::new();
    for edge in &spec.edges {
        let (from, to) = (edge.from.clone(), edge.to.clone());
        if let Some(unknown) = [&edge.from, &edge.to].into_iter().find(|name| !index.contains_key(*name)) {
            return Err(GraphError::UnknownNode { unknown: unknown.clone(), from, to });
        }
        if edge.receives.is_empty() {
            return Err(GraphError::ReceivesNothing { from, to });
        }
        let human = matches!(spec.nodes[index[&edge.from]].kind, NodeKind::Human { .. });
        if edge.relation == Relation::Approval && !human && spec.governor.as_ref() != Some(&edge.to) {
            return Err(GraphError::ApprovalWithoutPerson { from, to });
        }
        let key = (&edge.from, &edge.to, edge.relation);
        if seen.contains(&key) {
            return Err(GraphError::DuplicateEdge { from, to });
        }
        seen.push(key);
    }
    Ok(())
}

fn check_governor(spec: &GraphSpec, index: &BTreeMap<String, usize>) -> Result<(), GraphError> {
    let Some(name) = &spec.governor else { return Ok(()) };
    if !index.contains_key(name) {
        return Err(GraphError::GovernorIsNoNode { name: name.clone() });
    }
    match spec.edges.iter().find(|edge| &edge.from == name) {
        Some(edge) => Err(GraphError::AfterTheGovernor { node: edge.to.clone() }),
        None => Ok(()),
    }
}

fn check_node(spec: &GraphSpec, node: &NodeSpec) -> Result<(), GraphError> {
    match &node.kind {
        NodeKind::Loop { contract } => {
            contract.check().map_err(|source| GraphError::Contract { node: node.name.clone(), source })
        }
        NodeKind::Task { permission: Permission::NeedsApproval, .. } => {
            let approved = spec.edges.iter().any(|edge| edge.to == node.name && edge.relation == Relation::Approval);
            if approved { Ok(()) } else { Err(GraphError::NobodyApproves { node: node.name.clone() }) }
        }
        NodeKind::Task { .. } | NodeKind::Gate {} | NodeKind::Human { .. } => Ok(()),
    }
}

/// A cycle, if there is one: depth first, in declaration order, so the same graph gives the same answer.
fn find_cycle(spec: &GraphSpec) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    for node in &spec.nodes {
        // The way from the start to here, each with the edges that are still to be followed.
        let mut way: Vec<(&str, usize)> = vec![(&node.name, 0)];
        while let Some((name, next)) = way.last().copied() {
            let following = spec.edges.iter().enumerate().skip(next).find(|(_, edge)| edge.from == name);
            let Some((position, edge)) = following.filter(|_| !done.contains(name)) else {
                done.insert(name);
                way.pop();
                continue;
            };
            if let Some(last) = way.last_mut() {
                last.1 = position + 1;
            }
            if let Some(start) = way.iter().position(|(visited, _)| *visited == edge.to) {
                let cycle = way[start..].iter().map(|(visited, _)| (*visited).to_owned());
                return Some(cycle.chain([edge.to.clone()]).collect());
            }
            way.push((&edge.to, 0));
        }
    }
    None
}
