//! Engine runs: the baseline once, and each candidate after its four layers.

use std::error::Error;

use loopwright_configs::Text;
use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::evaluation::{Check, Evaluation, Verdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::machine::Context;
use loopwright_core::outcome::{Failure, Signal};
use loopwright_engines::artifact::Artifact;
use loopwright_engines::runner::{EngineError, EngineReport, EngineRequest, Variant};
use loopwright_runtime::artifacts::ArtifactError;
use loopwright_runtime::perform::Performed;
use serde_json::{Value, json};

use super::intake::escalation;
use super::notes::Note;
use super::perform::{ChangePerformer, broken, noted};
use super::state::{CandidateRun, RepairState, read, write};
use super::status::NOT_MET;
use super::validation::complaint;
use super::view::ArtifactRecord;
use crate::checks::{CheckResult, Status};
use crate::goal::Goal;
use crate::judgement::{Judgement, evaluate};
use crate::layers::validate;

impl ChangePerformer<'_> {
    pub(super) fn run_baseline(&self, inputs: &Json) -> Performed {
        let validated = inputs.value().pointer("/values/validation");
        let goal = validated.and_then(|value| read::<Goal>(&value.get("goal")?.clone().into()));
        let candidate = validated.and_then(|value| value.get("candidate").cloned());
        let (Some(goal), Some(candidate)) = (goal, candidate) else {
            return broken("the baseline's node got no validated candidate");
        };
        let mut note = self.engine_note("baseline_run", 0, "baseline_config", "baseline_telemetry");
        match self.run(self.baseline, Variant::Baseline) {
            Ok(report) => {
                if let Err(failure) = self.keep(&mut note, &report) {
                    return one_run(noted(*failure, &note));
                }
                let state = RepairState {
                    goal,
                    proposer: self.brief.proposer,
                    baseline_telemetry: report.telemetry.value().clone(),
                    candidate,
                    iteration: 1,
                    repairs: Vec::new(),
                };
                let value = write(&json!({"state": state, "telemetry": report.telemetry}));
                one_run(noted(EffectResult::Done { value, signal: Signal::Ok }, &note))
            }
            Err(error) => one_run(noted(failed(&error), &note)),
        }
    }

    pub(super) fn run_candidate(&self, context: &Context) -> Performed {
        let Some(state) = read::<RepairState>(&context.state) else {
            return broken("the repair loop's state cannot be read");
        };
        let iteration = state.iteration;
        let layers = validate(self.pack, self.baseline, &state.candidate, Some(&state.goal), state.proposer);
        let mut note = self.engine_note("candidate_run", iteration, "candidate_config", "candidate_telemetry");
        let mut run = CandidateRun {
            iteration,
            config_sha256: Json::new(state.candidate.clone()).digest(),
            layers,
            judgement: None,
            baseline_checks: Vec::new(),
            telemetry: None,
        };
        if !run.layers.iter().all(|layer| layer.passed) {
            let reason = complaint(&run.layers);
            let message = Text::new(
                format!("the repaired candidate is not valid: {reason}"),
                format!("修复后的候选配置未通过校验：{reason}"),
            );
            let mut evaluation = Evaluation::new(Verdict::Escalate, write(&run));
            evaluation.escalation = Some(escalation("validation", &message, json!({"message": message})));
            return noted(EffectResult::Evaluated { evaluation }, &note);
        }
        let report = match self.run(&state.candidate, Variant::Candidate) {
            Ok(report) => report,
            Err(error) => return one_run(noted(failed(&error), &note)),
        };
        if let Err(failure) = self.keep(&mut note, &report) {
            return one_run(noted(*failure, &note));
        }
        let judged = |telemetry: &Value| evaluate(self.pack, &state.goal, self.baseline, &state.candidate, telemetry);
        let judgement = judged(report.telemetry.value());
        run.baseline_checks = judged(&state.baseline_telemetry).checks;
        run.telemetry = Some(report.telemetry.value().clone());
        run.judgement = Some(judgement.clone());
        one_run(noted(EffectResult::Evaluated { evaluation: self.evaluation(&judgement, &run) }, &note))
    }

    fn evaluation(&self, judgement: &Judgement, run: &CandidateRun) -> Evaluation {
        let mut evaluation = Evaluation::new(Verdict::Continue, write(run));
        evaluation.score.clone_from(&judgement.score);
        evaluation.checks = judgement.intents.iter().chain(&judgement.checks).map(check).collect();
        evaluation.evidence = judgement.checks.iter().map(|check| format!("telemetry:{}", check.evidence)).collect();
        if judgement.accepted() {
            evaluation.verdict = Verdict::Success;
        } else if !self.brief.repair {
            let titles = |zh: bool| {
                let title = |check: &CheckResult| if zh { check.title.zh.clone() } else { check.title.en.clone() };
                judgement.failed().map(title).collect::<Vec<_>>().join(if zh { "、" } else { ", " })
            };
            let message = Text::new(format!("not met: {}", titles(false)), format!("未达标：{}", titles(true)));
            evaluation.verdict = Verdict::Escalate;
            evaluation.escalation = Some(escalation(NOT_MET, &message, json!({"message": message})));
        }
        evaluation
    }

    fn run(&self, config: &Value, variant: Variant) -> Result<EngineReport, EngineError> {
        self.engine.run(&EngineRequest {
            config: Json::new(config.clone()),
            seed: self.brief.seed,
            run_id: self.run_id.to_owned(),
            variant,
            device_profile: self.brief.device_profile.clone(),
            capture_at: self.brief.capture_at.clone(),
        })
    }

    /// Keeps what an engine made beside its figures, and notes it.
    fn keep(&self, note: &mut Note, report: &EngineReport) -> Result<(), Box<EffectResult>> {
        note.raw = Some(report.raw.value().clone());
        note.artifacts = self.keep_artifacts(&report.artifacts)?;
        Ok(())
    }

    pub(super) fn keep_artifacts(&self, artifacts: &[Artifact]) -> Result<Vec<ArtifactRecord>, Box<EffectResult>> {
        let keep = |artifact: &Artifact| {
            let sha256 = self.artifacts.put(&artifact.bytes)?;
            Ok(ArtifactRecord {
                name: artifact.name.clone(),
                kind: artifact.kind,
                media_type: artifact.media_type.clone(),
                label: artifact.label.clone(),
                detail: artifact.detail.clone(),
                sha256,
                size: artifact.bytes.len() as u64,
            })
        };
        let kept: Result<Vec<_>, ArtifactError> = artifacts.iter().map(keep).collect();
        kept.map_err(|error| Box::new(broke("artifacts", &error)))
    }

    pub(super) fn engine_note(&self, agent: &str, iteration: u32, read: &str, written: &str) -> Note {
        Note::new(agent, &self.engine.identity().name, iteration, &[read], &[written])
    }
}

pub(super) fn one_run(performed: Performed) -> Performed {
    Performed { spent: Amounts::of(Resource::EngineRuns, 1), ..performed }
}

fn check(result: &CheckResult) -> Check {
    let passed = match result.status {
        Status::Passed => Some(true),
        Status::Failed => Some(false),
        Status::NotEvaluated => None,
    };
    Check { name: result.id.clone(), passed }
}

/// An engine's error, as a result the run remembers.
pub(super) fn failed(error: &EngineError) -> EffectResult {
    broke(error.class(), error)
}

/// An error with all its causes, as a result the run remembers.
fn broke(class: &str, error: &dyn Error) -> EffectResult {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        message = format!("{message}: {source}");
        cause = source.source();
    }
    EffectResult::Failed { failure: Failure { class: class.to_owned(), message, detail: Json::null() } }
}
