//! The study: both configs against many players, once the repairs are through and before a person decides.

use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::outcome::Signal;
use loopwright_engines::study::{Distribution, Finding, StudyRequest};
use loopwright_runtime::perform::Performed;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::engine_runs::{failed, one_run};
use super::perform::{ChangePerformer, broken, noted};
use super::state::{RepairState, read, write};
use super::view::ArtifactRecord;

/// What a study brought, as the run remembers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// How many players each config met.
    pub players: u32,
    /// The candidate it is about.
    pub iteration: u32,
    /// One entry for every figure that was taken of each player.
    pub distributions: Vec<Distribution>,
    /// What was found in each config.
    pub findings: Vec<Finding>,
    /// Pictures of it.
    pub artifacts: Vec<ArtifactRecord>,
}

impl ChangePerformer<'_> {
    pub(super) fn study(&self, inputs: &Json) -> Performed {
        let state = inputs.value().pointer("/values/repair/state").cloned();
        let Some(state) = state.and_then(|state| read::<RepairState>(&Json::new(state))) else {
            return broken("the study got no candidate");
        };
        let note = self.engine_note("study", state.iteration, "candidate_config", "study");
        let request = StudyRequest {
            baseline: Json::new(self.baseline.clone()),
            candidate: Json::new(state.candidate),
            seed: self.brief.seed,
            players: self.brief.players,
        };
        let report = match self.engine.study(&request) {
            Ok(report) => report,
            Err(error) => return one_run(noted(failed(&error), &note)),
        };
        // An engine that knows one player only has nothing to say, which is no failure.
        let Some(report) = report else {
            let value = write(&json!({"study": null}));
            return noted(EffectResult::Done { value, signal: Signal::Ok }, &note);
        };
        let artifacts = match self.keep_artifacts(&report.artifacts) {
            Ok(artifacts) => artifacts,
            Err(failure) => return one_run(noted(*failure, &note)),
        };
        let study = Study {
            players: request.players,
            iteration: state.iteration,
            distributions: report.distributions,
            findings: report.findings,
            artifacts,
        };
        let value = write(&json!({"study": study}));
        one_run(noted(EffectResult::Done { value, signal: Signal::Ok }, &note))
    }
}
