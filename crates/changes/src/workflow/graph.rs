//! The change-verification graph: intake -> validation -> authorization -> baseline -> repair -> study -> decision.

use loopwright_core::authority::{Authority, Permission};
use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::{ClosesOn, EffectTerms, EvaluateWhen, FirstState, LoopContract};
use loopwright_core::graph::{EdgeSpec, Graph, GraphError, GraphSpec, Mode, NodeKind, NodeSpec, Relation};
use loopwright_core::outcome::OutcomeKind;
use loopwright_core::stop::StopRules;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Reads the requirement; absent where a person brings a candidate of their own.
pub const INTAKE: &str = "intake";
/// Checks the first candidate in four layers.
pub const VALIDATION: &str = "validation";
/// A person allows the engine runs.
pub const AUTHORIZATION: &str = "authorization";
/// Runs the baseline.
pub const BASELINE: &str = "baseline";
/// Runs, judges and repairs the candidate.
pub const REPAIR: &str = "repair";
/// Runs both configs against many trials; absent where only the fixed path is wanted.
pub const STUDY: &str = "study";
/// A person accepts, revises or rolls back.
pub const DECISION: &str = "decision";

/// The intake's only action.
pub const READ_REQUIREMENT: &str = "read_requirement";
/// The repair loop's only action.
pub const APPLY_REPAIR: &str = "repair";
/// What an authorization covers: running the candidate as JSON, and nothing else.
pub const SCOPE: &str = "candidate_json_only";
/// Who authorises and who decides.
pub const PERSON: &str = "designer";

/// What one change may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeBudget {
    /// Engine runs of a candidate; the baseline's run comes on top.
    pub candidate_runs: u64,
    /// Calls of a model in all.
    pub model_calls: u64,
    /// Calls of a model kept for reviews.
    pub kept_for_reviews: u64,
    /// Rounds without a better score that end the repairs.
    pub stagnant_rounds: u32,
    /// Tokens of all calls together; nothing for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// What all calls together may cost, in millionths of the price list's currency; nothing for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// How long all effects together may take, in milliseconds; nothing for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// What one call takes, where a model proposes and reviews.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
}

impl ChangeBudget {
    /// The calls that a reading of the requirement may take.
    pub(super) fn calls_for_intake(&self) -> u64 {
        self.model_calls.saturating_sub(self.kept_for_reviews).max(1)
    }
}

/// What one call of a model takes at most, by who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// The requirement agent.
    pub intake: Amounts,
    /// The quality reviewer.
    pub review: Amounts,
}

/// Which parts of the graph a change has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Whether a requirement is read.
    pub intake: bool,
    /// How many trials the study has; 0 for no study.
    pub trials: u32,
}

/// Builds the graph of one change.
pub fn build(budget: ChangeBudget, parts: Parts) -> Result<Graph, GraphError> {
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    if parts.intake {
        nodes.push(looping(INTAKE, intake(budget)));
        edges.push(EdgeSpec::new(INTAKE, Relation::DataFlow, VALIDATION));
    }
    nodes.push(NodeSpec { name: VALIDATION.to_owned(), kind: NodeKind::Gate {} });
    nodes.push(person(
        AUTHORIZATION,
        json!({"scope": SCOPE, "runs": budget.candidate_runs + 1, "trials": parts.trials}),
    ));
    let run = EffectTerms::idempotent(Amounts::of(Resource::EngineRuns, 1));
    let kind = NodeKind::Task { terms: run, permission: Permission::NeedsApproval };
    nodes.push(NodeSpec { name: BASELINE.to_owned(), kind: kind.clone() });
    nodes.push(looping(REPAIR, repair(budget)));
    let judged = [OutcomeKind::Success, OutcomeKind::BudgetExhausted];
    let studies = u64::from(parts.trials > 0);
    if parts.trials > 0 {
        nodes.push(NodeSpec { name: STUDY.to_owned(), kind });
        edges.extend([
            EdgeSpec::new(AUTHORIZATION, Relation::Approval, STUDY),
            EdgeSpec::new(REPAIR, Relation::DataFlow, STUDY).receiving(&judged),
            EdgeSpec::new(STUDY, Relation::Dependency, DECISION),
        ]);
    }
    nodes.push(person(DECISION, json!({"replies": ["accept", "revise", "rollback"]})));
    edges.extend([
        EdgeSpec::new(VALIDATION, Relation::DataFlow, AUTHORIZATION),
        EdgeSpec::new(VALIDATION, Relation::DataFlow, BASELINE),
        EdgeSpec::new(AUTHORIZATION, Relation::Approval, BASELINE),
        EdgeSpec::new(AUTHORIZATION, Relation::Approval, REPAIR),
        EdgeSpec::new(BASELINE, Relation::DataFlow, REPAIR),
        EdgeSpec::new(REPAIR, Relation::Handoff, DECISION).receiving(&judged),
    ]);
    let mut limits = Budget::UNLIMITED
        .with(Resource::EngineRuns, budget.candidate_runs + 1 + studies)
        .with(Resource::ModelCalls, budget.model_calls);
    let optional = [
        (Resource::Tokens, budget.tokens),
        (Resource::CostMicros, budget.cost_micros),
        (Resource::WallMs, budget.wall_ms),
    ];
    for (resource, limit) in optional {
        limits = limit.map_or(limits, |limit| limits.with(resource, limit));
    }
    Graph::build(GraphSpec {
        name: "change_verification".to_owned(),
        nodes,
        edges,
        governor: Some(DECISION.to_owned()),
        budget: limits,
        mode: Mode::Parallel,
    })
}

fn looping(name: &str, contract: LoopContract) -> NodeSpec {
    NodeSpec { name: name.to_owned(), kind: NodeKind::Loop { contract: Box::new(contract) } }
}

fn person(name: &str, question: serde_json::Value) -> NodeSpec {
    let kind = NodeKind::Human { question: question.into(), decided_by: PERSON.to_owned() };
    NodeSpec { name: name.to_owned(), kind }
}

/// One reading of the requirement; a question or a refusal escalates.
fn intake(budget: ChangeBudget) -> LoopContract {
    let most = budget.calls_for_intake();
    LoopContract {
        aim: "turn the requirement into one candidate config".to_owned(),
        first_state: FirstState::Value(json!({"reading": null}).into()),
        policy: asking(budget.calls.map(|calls| calls.intake)),
        gated: false,
        actions: [(READ_REQUIREMENT.to_owned(), EffectTerms::pure())].into(),
        evaluator: EffectTerms::pure(),
        evaluates: EvaluateWhen { first: false, after_action: true, on_claim: false },
        closes_on: ClosesOn::Accepted,
        budget: Budget::UNLIMITED.with(Resource::Attempts, turns(budget, most, most)).with(Resource::ModelCalls, most),
        wrap_up: None,
        stop_rules: StopRules::default(),
        authority: Authority::allowing([READ_REQUIREMENT], PERSON),
    }
}

/// The turns of a loop. Where each of them is a call of a model, calls are what runs out: one turn more than there are
/// calls, so that this is also what is told.
fn turns(budget: ChangeBudget, calls: u64, otherwise: u64) -> u64 {
    if budget.calls.is_some() { calls.max(otherwise) + 1 } else { otherwise }
}

/// Rules are simply asked again; a model's answer is paid for, so its intent is kept.
fn asking(call: Option<Amounts>) -> EffectTerms {
    call.map_or_else(EffectTerms::pure, EffectTerms::idempotent)
}

/// Run, judge, repair; closed by a claim that the judgement bears out.
fn repair(budget: ChangeBudget) -> LoopContract {
    let runs = budget.candidate_runs;
    // The intake has had one call at least; what it left of the others pays for reviews that have to be asked again.
    let reviews =
        if budget.calls.is_some() { budget.model_calls.saturating_sub(1).max(1) } else { budget.kept_for_reviews };
    let mut authority = Authority::allowing([APPLY_REPAIR], PERSON);
    authority.evaluations = Permission::NeedsApproval;
    LoopContract {
        aim: "a candidate that keeps what was asked and passes every check".to_owned(),
        first_state: FirstState::Input(format!("/values/{BASELINE}/state")),
        policy: asking(budget.calls.map(|calls| calls.review)),
        gated: true,
        actions: [(APPLY_REPAIR.to_owned(), EffectTerms::pure())].into(),
        evaluator: EffectTerms::idempotent(Amounts::of(Resource::EngineRuns, 1)),
        evaluates: EvaluateWhen { first: true, after_action: true, on_claim: false },
        closes_on: ClosesOn::Claimed,
        budget: Budget::UNLIMITED
            .with(Resource::Attempts, turns(budget, reviews, runs))
            .with(Resource::EngineRuns, runs)
            .with(Resource::ModelCalls, reviews),
        wrap_up: None,
        stop_rules: StopRules {
            stagnant_rounds: Some(budget.stagnant_rounds),
            without_effect: true,
            ..StopRules::default()
        },
        authority,
    }
}
