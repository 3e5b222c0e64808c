//! A change as its facts tell it: everything that projections need, gathered in one pass and without the pack.

mod records;

use loopwright_configs::{Change, diff};
use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::decision::Decision;
use loopwright_core::evaluation::{Escalation, GateVerdict};
use loopwright_core::fact::{Answer, EffectResult, Event, Fact, Reply};
use loopwright_core::json::Json;
use loopwright_core::machine::NodeStatus;
use loopwright_core::outcome::{Exhaustion, Failure, HandOff, Outcome};
use loopwright_runtime::history::History;
use serde_json::{Value, json};

use crate::goal::{Goal, Proposer};
use crate::workflow::brief::{Brief, Inputs};
use crate::workflow::graph::{AUTHORIZATION, BASELINE, DECISION, INTAKE, REPAIR, SCOPE, STUDY, VALIDATION};
use crate::workflow::notes::Note;
use crate::workflow::reading::Reading;
use crate::workflow::state::{CandidateRun, RepairRecord, RepairState, read};
use crate::workflow::status::{self, Status};
use crate::workflow::study::Study;

pub use records::{
    AgentRun, ArtifactRecord, Authorization, BadCase, Call, Candidate, DecisionTaken, Gallery, Review, Validation,
};

/// A change, gathered from its facts.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The run it was gathered from.
    pub history: &'a History,
    /// What is verified.
    pub brief: Brief,
    /// What the nodes were given.
    pub inputs: Inputs,
    /// Where it stands.
    pub status: Status,
    /// How the requirement was read.
    pub reading: Option<Reading>,
    /// What the change is meant to do.
    pub goal: Option<Goal>,
    /// What the four layers said of each candidate.
    pub validations: Vec<Validation>,
    /// Every candidate.
    pub candidates: Vec<Candidate>,
    /// The baseline's normalised telemetry.
    pub baseline_telemetry: Option<Value>,
    /// Every candidate that was judged.
    pub runs: Vec<CandidateRun>,
    /// Every repair, applied or not.
    pub repairs: Vec<RepairRecord>,
    /// Every review, with what the gate made of it.
    pub reviews: Vec<Review>,
    /// Policies' answers that could not be used.
    pub bad_cases: Vec<BadCase>,
    /// Every effect and how it was obtained.
    pub agent_runs: Vec<AgentRun>,
    /// What the engine made of each side, in the order of the runs.
    pub galleries: Vec<Gallery>,
    /// Both configs against many trials.
    pub study: Option<Study>,
    /// How often that was done: an amended run studies anew.
    pub studies: u64,
    /// Who allowed the engine runs.
    pub authorization: Option<Authorization>,
    /// Who decided.
    pub decision: Option<DecisionTaken>,
    /// What stands in the way.
    pub escalation: Option<Escalation>,
    /// The last thing that broke, while the run is failed.
    pub failure: Option<Failure>,
}

impl<'a> View<'a> {
    /// Gathers a change; nothing where the run is of another kind.
    pub fn of(history: &'a History) -> Option<Self> {
        let (brief, inputs) = (Brief::of(&history.run)?, Inputs::of(&history.run)?);
        let mut view = Self {
            status: Status::of(&history.run),
            escalation: status::escalation(&history.run),
            history,
            goal: inputs.goal.clone(),
            brief,
            inputs,
            reading: None,
            validations: Vec::new(),
            candidates: Vec::new(),
            baseline_telemetry: None,
            runs: Vec::new(),
            repairs: Vec::new(),
            reviews: Vec::new(),
            bad_cases: Vec::new(),
            agent_runs: Vec::new(),
            galleries: Vec::new(),
            study: None,
            studies: 0,
            authorization: None,
            decision: None,
            failure: None,
        };
        for fact in &history.facts {
            view.take(fact);
        }
        if let Some(Outcome::Failed { failure }) = history.run.outcome() {
            view.failure = Some(failure.clone());
        }
        Some(view)
    }

    /// What the newest candidate changes.
    pub fn diff(&self) -> Vec<Change> {
        let newest = self.candidates.last();
        newest.map(|newest| diff(&self.brief.layout, &self.inputs.baseline, &newest.config)).unwrap_or_default()
    }

    /// The newest judged candidate.
    pub fn last_run(&self) -> Option<&CandidateRun> {
        self.runs.iter().rev().find(|run| run.judgement.is_some())
    }

    /// What the newest candidate changes, with the words people use for each place.
    pub fn named_diff(&self) -> Vec<Value> {
        let names = &self.brief.names;
        let named = |change: &Change| {
            json!({
                "path": change.path, "label": names.place(&change.path), "unit": names.unit(&change.path),
                "before": change.before, "after": change.after,
            })
        };
        self.diff().iter().map(named).collect()
    }

    /// What the newest figures rest on, as the pack names it: field and value.
    pub fn basis(&self) -> Vec<(String, Value)> {
        let telemetry = self.last_run().and_then(|run| run.telemetry.as_ref());
        let value = |field: &String| Some((field.clone(), telemetry?.get(field)?.clone()));
        self.brief.basis.iter().filter_map(value).collect()
    }

    /// The number of the newest candidate; 0 where there is none.
    pub fn iteration(&self) -> u32 {
        self.candidates.last().map_or(0, |candidate| candidate.iteration)
    }

    /// Limits and use, as reports show them.
    pub fn budget(&self) -> Value {
        let spent = self.history.run.spent();
        let limits = self.history.run.ledger().limits();
        let ledger = self.history.run.loop_view(REPAIR).map(|view| view.ledger);
        let candidate_runs = ledger.map(|ledger| ledger.spent().get(Resource::EngineRuns)).unwrap_or_default();
        let studied = self.studies;
        let budget = &self.brief.budget;
        let candidate_limit = self.candidate_limit();
        json!({
            "candidate_runs": {"limit": candidate_limit, "used": candidate_runs},
            "engine_runs": {"limit": candidate_limit + 1, "used": spent.get(Resource::EngineRuns).saturating_sub(studied)},
            "studies": {"limit": u64::from(self.brief.trials > 0), "used": studied, "trials": self.brief.trials},
            "model_calls": {"limit": limits.limit(Resource::ModelCalls).unwrap_or(budget.model_calls),
                "used": spent.get(Resource::ModelCalls), "kept_for_reviews": budget.kept_for_reviews},
            "tokens": {"limit": limits.limit(Resource::Tokens), "used": spent.get(Resource::Tokens)},
            "cost_micros": {"limit": limits.limit(Resource::CostMicros), "used": spent.get(Resource::CostMicros)},
            "stagnant_rounds": {"limit": budget.stagnant_rounds},
            "wall_ms": {"limit": limits.limit(Resource::WallMs), "used": spent.get(Resource::WallMs)},
        })
    }

    /// What ran out, where a loop did.
    pub fn exhaustion(&self) -> Option<Exhaustion> {
        let run = &self.history.run;
        [INTAKE, REPAIR].into_iter().find_map(|name| match run.status(name) {
            Some(NodeStatus::Closed(closing)) => match &closing.outcome {
                Outcome::BudgetExhausted { exhaustion, .. } => Some(exhaustion.clone()),
                _ => None,
            },
            _ => None,
        })
    }

    /// How many candidates may run, with what people have added.
    pub fn candidate_limit(&self) -> u64 {
        let ledger = self.history.run.loop_view(REPAIR).map(|view| view.ledger);
        let limit = ledger.and_then(|ledger| ledger.limits().limit(Resource::EngineRuns));
        limit.unwrap_or(self.brief.budget.candidate_runs)
    }

    /// What a loop that ran out of budget leaves.
    pub fn hand_off(&self) -> Option<HandOff> {
        let looping = |fact: &&Fact| [INTAKE, REPAIR].contains(&fact.path.as_str());
        let closings = self.history.facts.iter().rev().filter(looping);
        let outcomes = closings.filter_map(|fact| match &fact.event {
            Event::NodeClosed { outcome, .. } => Some(outcome),
            _ => None,
        });
        outcomes.take(1).find_map(|outcome| match outcome {
            Outcome::BudgetExhausted { hand_off, .. } | Outcome::Escalated { hand_off, .. } => {
                hand_off.as_deref().cloned()
            }
            _ => None,
        })
    }

    fn take(&mut self, fact: &Fact) {
        match &fact.event {
            Event::EffectFinished { id, result, spent, note } => {
                let note = read::<Note>(note);
                self.take_agent_run(fact, &id.to_string(), result, spent, note.as_ref());
                self.take_result(fact.path.as_str(), result, note.as_ref());
            }
            Event::Answered { answer, .. } if fact.path.as_str() == AUTHORIZATION => {
                self.authorization = authorization(fact, answer);
            }
            Event::Answered { answer, .. } if fact.path.as_str() == DECISION => {
                self.decision = decision(fact, answer);
            }
            _ => {}
        }
    }

    fn take_agent_run(
        &mut self,
        fact: &Fact,
        effect: &str,
        result: &EffectResult,
        spent: &Amounts,
        note: Option<&Note>,
    ) {
        let Some(note) = note else { return };
        let status = match result {
            EffectResult::Failed { .. } => "failed",
            EffectResult::Unusable { .. } => "unusable",
            _ => "ok",
        };
        self.agent_runs.push(AgentRun {
            effect: effect.to_owned(),
            agent: note.agent.clone(),
            stage: fact.path.as_str().to_owned(),
            provider: note.provider.clone(),
            model_call: note.call.is_some(),
            call: note.call.as_ref().map(records::Call::of),
            fell_back: note.fell_back,
            read: note.read.clone(),
            written: if status == "ok" { note.written.clone() } else { Vec::new() },
            status: status.to_owned(),
            iteration: note.iteration,
            latency_ms: spent.get(Resource::WallMs),
            spent: spent.with(Resource::WallMs, 0),
        });
    }

    fn take_result(&mut self, node: &str, result: &EffectResult, note: Option<&Note>) {
        match (node, result) {
            (INTAKE, EffectResult::Acted { state, .. }) => {
                self.reading = state.get("reading").and_then(|reading| read(&Json::new(reading.clone())));
                if let Some(reading) = &self.reading {
                    self.goal = Some(reading.goal.clone());
                }
            }
            (VALIDATION, EffectResult::Done { value, .. }) => self.take_validation(value),
            (BASELINE, EffectResult::Done { value, .. }) => self.baseline_telemetry = value.get("telemetry").cloned(),
            (REPAIR, EffectResult::Evaluated { evaluation }) => {
                if let Some(run) = read::<CandidateRun>(&evaluation.feedback) {
                    // The first candidate's layers stand in the list already, from before it was authorised.
                    if run.iteration > 1 {
                        self.validations.push(Validation { iteration: run.iteration, layers: run.layers.clone() });
                    }
                    self.runs.push(run);
                }
            }
            (STUDY, EffectResult::Done { value, .. }) => {
                self.studies += 1;
                self.study = value.get("study").and_then(|study| read(&Json::new(study.clone())));
            }
            (REPAIR, EffectResult::Decided { answer }) => self.take_review(answer, note),
            (REPAIR, EffectResult::Gated { verdict }) => self.take_gate(verdict),
            (REPAIR, EffectResult::Acted { state, observation, error: None }) => {
                if let Some((state, record)) = read::<RepairState>(state).zip(read::<RepairRecord>(observation)) {
                    self.add_candidate(state.iteration, &record.action, state.candidate);
                    self.repairs.push(record);
                }
            }
            _ => {}
        }
        if let Some(note) = note.filter(|note| !note.artifacts.is_empty()) {
            self.galleries.push(Gallery { iteration: note.iteration, artifacts: note.artifacts.clone() });
        }
        self.take_bad_case(node, result, note);
    }

    fn take_bad_case(&mut self, node: &str, result: &EffectResult, note: Option<&Note>) {
        let stood_in_for = note.and_then(|note| note.bad_output.as_ref());
        let (error_class, message, raw_output) = match result {
            EffectResult::Unusable { class, message, raw } => (class.clone(), message.clone(), raw.value().clone()),
            EffectResult::Decided { answer } => match (Decision::parse(answer.value()), stood_in_for) {
                (Err(message), _) => ("malformed_decision".to_owned(), message, answer.value().clone()),
                (Ok(_), Some(bad)) => (bad.class.clone(), bad.message.clone(), json!(bad.raw)),
                (Ok(_), None) => return,
            },
            _ => return,
        };
        let call = note.and_then(|note| note.call.as_ref());
        self.bad_cases.push(BadCase {
            stage: node.to_owned(),
            error_class,
            message,
            raw_output,
            provider: note.map(|note| note.provider.clone()).unwrap_or_default(),
            model: call.map(|call| call.model.model.clone()),
            prompt: call.map(|call| call.prompt.clone()),
            iteration: note.map_or(0, |note| note.iteration),
        });
    }

    fn take_validation(&mut self, value: &Json) {
        let layers = value.get("layers").and_then(|layers| read(&Json::new(layers.clone()))).unwrap_or_default();
        self.validations.push(Validation { iteration: 1, layers });
        let origin = match self.brief.proposer {
            Proposer::Person => "person",
            Proposer::Intake => "intake",
            Proposer::Model => "model",
        };
        self.add_candidate(1, origin, value.get("candidate").cloned().unwrap_or_default());
    }

    fn add_candidate(&mut self, iteration: u32, origin: &str, config: Value) {
        let config = Json::new(config);
        let (origin, config_sha256) = (origin.to_owned(), config.digest());
        self.candidates.push(Candidate { iteration, origin, config_sha256, config: config.value().clone() });
    }

    fn take_review(&mut self, answer: &Json, note: Option<&Note>) {
        let Ok(decision) = Decision::parse(answer.value()) else { return };
        let mut review = Review {
            iteration: note.map_or(0, |note| note.iteration),
            decision: String::new(),
            repair_action: None,
            reason: Value::Null,
            evidence_refs: vec!["comparison_report".to_owned()],
            provider: note.map(|note| note.provider.clone()).unwrap_or_default(),
            model_call: note.is_some_and(|note| note.call.is_some()),
            gate: None,
            gate_reason: None,
        };
        match decision {
            Decision::Finish { claim } => {
                "accept".clone_into(&mut review.decision);
                review.cite(&claim);
            }
            Decision::Act { action } => {
                "repair".clone_into(&mut review.decision);
                review.repair_action = action.args.get("intent").and_then(Value::as_str).map(str::to_owned);
                review.reason = action.args.get("reason").cloned().unwrap_or_default();
                let evidence = action.args.get("evidence").and_then(Value::as_str);
                review.evidence_refs.extend(evidence.map(|check| format!("check:{check}")));
                review.cite(&action.args);
            }
            Decision::AskHuman { question } => {
                "human_review".clone_into(&mut review.decision);
                review.reason = json!(question);
            }
            Decision::ProposeGoalChange { proposal } => {
                "human_review".clone_into(&mut review.decision);
                review.reason = proposal.value().clone();
            }
        }
        self.reviews.push(review);
    }

    fn take_gate(&mut self, verdict: &GateVerdict) {
        let (word, reason) = match verdict {
            GateVerdict::Pass {} => ("passed", None),
            GateVerdict::Refuse { .. } => ("refused", None),
            GateVerdict::Escalate { escalation } => {
                let proposal = escalation.proposal.as_ref();
                let repair = proposal.and_then(|proposal| proposal.get("repair"));
                self.repairs.extend(repair.and_then(|repair| read::<RepairRecord>(&Json::new(repair.clone()))));
                ("escalated", Some(escalation.reason.clone()))
            }
        };
        if let Some(review) = self.reviews.last_mut() {
            review.gate = Some(word.to_owned());
            review.gate_reason = reason;
        }
    }
}

fn authorization(fact: &Fact, answer: &Answer) -> Option<Authorization> {
    let Reply::Approve { value } = &answer.reply else { return None };
    Some(Authorization {
        actor: answer.actor.clone(),
        note: answer.note.clone(),
        scope: value.get("scope").and_then(Value::as_str).unwrap_or(SCOPE).to_owned(),
        runs_granted: value.get("runs_granted").and_then(Value::as_u64).unwrap_or_default(),
        at_ms: fact.at_ms,
    })
}

fn decision(fact: &Fact, answer: &Answer) -> Option<DecisionTaken> {
    let decision = match &answer.reply {
        Reply::Approve { .. } => "accept",
        Reply::ChangeGoal { .. } => "revise",
        Reply::Reject {} => "rollback",
        Reply::Say { .. } => return None,
    };
    let (decision, actor, note) = (decision.to_owned(), answer.actor.clone(), answer.note.clone());
    Some(DecisionTaken { decision, actor, note, at_ms: fact.at_ms })
}
