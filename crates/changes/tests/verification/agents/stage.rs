//! A change from its first fact to its rest: a model with a list of answers, the simulator, journals in memory.

use std::collections::VecDeque;
use std::sync::Mutex;

use loopwright_changes::Pack;
use loopwright_changes::goal::{Goal, Proposer};
use loopwright_changes::workflow::agents::{Agents, ModelReference};
use loopwright_changes::workflow::brief::{Brief, Inputs, KIND, Names, PackReference, Policy};
use loopwright_changes::workflow::change::{self, ChangeError};
use loopwright_changes::workflow::graph::{Calls, ChangeBudget};
use loopwright_changes::workflow::perform::ChangePerformer;
use loopwright_changes::workflow::rules::Rules;
use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::view::View;
use loopwright_changes::workflow::words;
use loopwright_core::budget::Amounts;
use loopwright_core::json::Json;
use loopwright_engines::embedded::EmbeddedEngine;
use loopwright_engines::runner::EngineRunner;
use loopwright_models::{Answer, Finish, Limits, Model, ModelError, ModelIdentity, Price, Request, Usage};
use loopwright_runtime::artifacts::MemoryArtifacts;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::{MemoryJournal, RunId};
use loopwright_runtime::perform::Interrupt;
use loopwright_runtime::session::Session;
use loopwright_runtime::word;
use serde_json::{Value, json};

use crate::fixtures::{config, pack};

/// The sentence of the worked case, as the rules understand it whole.
pub(super) const REQUIREMENT: &str = "make phase 2 a two-way spiral, denser";

/// Answers from a list, and remembers what it was asked.
pub(super) struct Listed {
    identity: ModelIdentity,
    answers: Mutex<VecDeque<Result<String, ModelError>>>,
    pub(super) asked: Mutex<Vec<Request>>,
}

impl Model for Listed {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn ask(&self, request: &Request, _: Limits<'_>) -> Result<Answer, ModelError> {
        self.asked.lock().unwrap().push(request.clone());
        let nothing = || ModelError::Unscripted { message: "the list has ended".to_owned() };
        let text = self.answers.lock().unwrap().pop_front().unwrap_or_else(|| Err(nothing()))?;
        let usage = Some(Usage { input_tokens: 1_000, output_tokens: 100 });
        Ok(Answer { text, usage, finish: Finish::Stop, model: None, latency_ms: 5 })
    }
}

/// One change on its stage.
pub(super) struct Stage {
    pub(super) pack: Pack,
    pub(super) brief: Brief,
    pub(super) inputs: Inputs,
    pub(super) model: Listed,
    journal: MemoryJournal,
    artifacts: MemoryArtifacts,
}

impl Stage {
    /// A requirement that the model turns into a candidate.
    pub(super) fn new(requirement: &str, answers: Vec<Result<Value, ModelError>>) -> Self {
        let pack = pack();
        let brief = brief(&pack, Some(requirement));
        let inputs = Inputs { baseline: pack.baseline().value().clone(), candidate: None, goal: None };
        Self::with(pack, brief, inputs, answers)
    }

    /// A person's own candidate, which only needs reviews.
    pub(super) fn of_candidate(changes: &[(&str, Value)], answers: Vec<Result<Value, ModelError>>) -> Self {
        let pack = pack();
        let (baseline, candidate) = (pack.baseline().value().clone(), config(&pack, changes));
        let goal = Some(Goal::from_diff(&pack, &baseline, &candidate));
        let brief = brief(&pack, None);
        Self::with(pack, brief, Inputs { baseline, candidate: Some(candidate), goal }, answers)
    }

    fn with(pack: Pack, brief: Brief, inputs: Inputs, answers: Vec<Result<Value, ModelError>>) -> Self {
        let text = |answer: Value| answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
        let answers = answers.into_iter().map(|answer| answer.map(text)).collect();
        let identity = ModelIdentity { provider: "list".to_owned(), model: "listed".to_owned() };
        let model = Listed { identity, answers: Mutex::new(answers), asked: Mutex::default() };
        Self { pack, brief, inputs, model, journal: MemoryJournal::default(), artifacts: MemoryArtifacts::default() }
    }

    /// More answers, for a run that goes on.
    pub(super) fn answer(&self, answers: Vec<Value>) {
        self.model.answers.lock().unwrap().extend(answers.into_iter().map(|answer| Ok(answer.to_string())));
    }

    fn id() -> RunId {
        RunId::new("change").unwrap()
    }

    /// Begins the change and drives it, authorised where it asks for that.
    pub(super) fn run(&self) -> Result<Rest, ChangeError> {
        let session = change::begin(&self.journal, &SystemClock, Self::id(), &self.brief, &self.inputs)?;
        Ok(self.drive(session))
    }

    /// Goes on with the change.
    pub(super) fn resume(&self) -> Rest {
        let session = Session::resume(&self.journal, &SystemClock, &Self::id()).unwrap();
        self.drive(session)
    }

    /// What a person says to the change.
    pub(super) fn amend(&self, by: Amounts) {
        let history = History::read(&self.journal, &Self::id()).unwrap();
        for word in words::amend(&history.run, &by, "ann", Some("go on")).unwrap() {
            word::post(&self.journal, &history, &word).unwrap();
        }
    }

    fn drive(&self, mut session: Session<'_>) -> Rest {
        let reader = Rules::of(&self.pack).unwrap();
        let agents = Agents { model: &self.model, heard: &|_| {} };
        let performer = ChangePerformer {
            pack: &self.pack,
            reader: &reader,
            agents: Some(&agents),
            engine: &EmbeddedEngine,
            brief: &self.brief,
            baseline: &self.inputs.baseline,
            run_id: "change",
            artifacts: &self.artifacts,
            progress: &|_, _| {},
        };
        session.drive(&performer, &Interrupt::default(), &mut ()).unwrap();
        if Status::of(session.run()) == Status::AwaitingAuthorization {
            let word = words::authorize(session.run(), "ann", None).unwrap();
            word::post_to(&self.journal, &Self::id(), session.run(), &word).unwrap();
            session.drive(&performer, &Interrupt::default(), &mut ()).unwrap();
        }
        drop(session);
        Rest(History::read(&self.journal, &Self::id()).unwrap())
    }
}

/// A change that has come to rest.
pub(super) struct Rest(pub(super) History);

impl Rest {
    pub(super) fn view(&self) -> View<'_> {
        View::of(&self.0).unwrap()
    }

    pub(super) fn status(&self) -> Status {
        self.view().status
    }

    /// The reason code of what stands in the way.
    pub(super) fn reason(&self) -> String {
        self.view().escalation.map(|escalation| escalation.reason).unwrap_or_default()
    }
}

fn brief(pack: &Pack, requirement: Option<&str>) -> Brief {
    let model = ModelReference {
        name: "listed".to_owned(),
        identity: ModelIdentity { provider: "list".to_owned(), model: "listed".to_owned() },
        price: Some(Price { input_micros: 1_000_000, output_micros: 2_000_000 }),
        context: None,
        answer_tokens: None,
        temperature: Some(0.0),
        seed: Some(1),
        tries: 1,
        try_ms: 1_000,
    };
    let prompts = pack.prompts().unwrap();
    let calls =
        Calls { intake: model.reserve(&prompts.requirement_agent), review: model.reserve(&prompts.quality_reviewer) };
    let profile = pack.profile(pack.manifest().engine.profile.as_deref().unwrap()).unwrap();
    let mut device_profile = profile.model.clone();
    device_profile["name"] = json!(profile.name);
    Brief {
        kind: KIND.to_owned(),
        requirement: requirement.map(str::to_owned),
        proposer: if requirement.is_some() { Proposer::Model } else { Proposer::Person },
        policy: Policy::Model,
        model: Some(model),
        fallback: false,
        pack: PackReference::to(pack),
        layout: pack.layout().clone(),
        names: Names::of(pack),
        engine: EmbeddedEngine.identity(),
        device_profile: Json::new(device_profile),
        basis: Vec::new(),
        caveats: Vec::new(),
        seed: pack.manifest().seed,
        capture_at: None,
        trials: 0,
        repair: true,
        budget: ChangeBudget {
            candidate_runs: 3,
            model_calls: 4,
            kept_for_reviews: 3,
            stagnant_rounds: 2,
            tokens: None,
            cost_micros: None,
            wall_ms: None,
            calls: Some(calls),
        },
        lang: loopwright_configs::Lang::En,
    }
}

/// A proposal of some changes to the baseline, with the goal that the rules themselves would state.
pub(super) fn proposal(changes: &[(&str, Value)], intents: &Value) -> Value {
    json!({
        "structured_goal": {
            "source_text": REQUIREMENT, "target_phase_id": "phase_2", "requested_pattern": "spiral",
            "increase_pressure": true,
            "changes": [{"phase_id": "phase_2", "field": "bidirectional", "value": true, "clause": "two-way"}],
            "keeps": [], "constraints": {}, "preserve_visual_style": false, "loosened": [], "intents": intents,
        },
        "candidate_config": config(&pack(), changes),
    })
}

/// The proposal of the worked case.
pub(super) fn two_way() -> Value {
    proposal(&changes(), &intents())
}

pub(super) fn changes() -> [(&'static str, Value); 2] {
    [("phases[phase_2].pattern.bidirectional", json!(true)), ("phases[phase_2].pattern.bullets_per_wave", json!(16))]
}

pub(super) fn intents() -> Value {
    json!([
        {"path": "phases[phase_2].pattern.bidirectional", "expect": {"kind": "equals", "value": true}, "clause": "two-way"},
        {"path": "phases[phase_2].pattern.bullets_per_wave", "expect": {"kind": "above"}, "clause": "denser"},
    ])
}

pub(super) fn review(decision: &str, action: Option<&str>) -> Value {
    cited(decision, action, "check:player_hits")
}

pub(super) fn cited(decision: &str, action: Option<&str>, evidence: &str) -> Value {
    json!({"decision": decision, "repair_action": action, "reason": "as the checks say", "evidence_refs": [evidence]})
}

pub(super) const SLOWER: &str = "REDUCE_BULLET_SPEED";
