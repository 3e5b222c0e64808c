//! The study: both configs against many trials, once the repairs are through and before a person decides.

use std::cmp::Ordering;

use loopwright_configs::{Lang, Text};
use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::outcome::Signal;
use loopwright_engines::study::{Better, Distribution, Finding, StudyRequest};
use loopwright_report::statistics::Summary;
use loopwright_runtime::perform::Performed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::engine_runs::{failed, one_run};
use super::intake::escalation;
use super::perform::{ChangePerformer, broken, noted};
use super::state::{RepairState, read, write};
use super::view::ArtifactRecord;
use crate::checks::{CheckResult, Status, judge};

/// What a study brought, as the run remembers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// How many trials each config met.
    pub trials: u32,
    /// The candidate it is about.
    pub iteration: u32,
    /// One entry for every figure that was taken of each trial.
    pub distributions: Vec<Distribution>,
    /// The pack's checks of the trials, if it names any; only these let a study decide something.
    #[serde(default)]
    pub checks: Vec<CheckResult>,
    /// What was found in each config.
    pub findings: Vec<Finding>,
    /// Pictures of it.
    pub artifacts: Vec<ArtifactRecord>,
}

/// For how many trials a figure got better or worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Trials it got better for.
    pub better: usize,
    /// Trials it got worse for.
    pub worse: usize,
    /// Trials it stayed the same for.
    pub same: usize,
}

impl Word {
    /// Counts the trials of a figure.
    pub fn of(figures: &Distribution) -> Self {
        let mut word = Self { better: 0, worse: 0, same: 0 };
        for (before, after) in figures.baseline.iter().zip(&figures.candidate) {
            let towards_better = match figures.better {
                Better::Higher => after.total_cmp(before),
                Better::Lower => before.total_cmp(after),
            };
            match towards_better {
                Ordering::Equal => word.same += 1,
                Ordering::Greater => word.better += 1,
                Ordering::Less => word.worse += 1,
            }
        }
        word
    }

    /// Whether it got worse for more trials than it got better for.
    pub fn is_worse(&self) -> bool {
        self.worse > self.better
    }

    /// The same in a sentence.
    pub fn text(&self, figures: &Distribution) -> Text {
        let Self { better, worse, same } = self;
        let (en, zh) = (&figures.label.en, &figures.label.zh);
        Text::new(
            format!("{en}: better in {better} trials, worse in {worse}, the same in {same}."),
            format!("{zh}：{better} 次试验变好，{worse} 次变差，{same} 次不变。"),
        )
    }
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
            trials: self.brief.trials,
        };
        let report = match self.engine.study(&request, self.progress) {
            Ok(report) => report,
            Err(error) => return one_run(noted(failed(&error), &note)),
        };
        // An engine that knows the fixed path only has nothing to say, which is no failure.
        let Some(report) = report else {
            let value = write(&json!({"study": null}));
            return noted(EffectResult::Done { value, signal: Signal::Ok }, &note);
        };
        let artifacts = match self.keep_artifacts(&report.artifacts) {
            Ok(artifacts) => artifacts,
            Err(failure) => return one_run(noted(*failure, &note)),
        };
        let figures = in_figures(&report.distributions);
        let config = request.candidate.value();
        let checks: Vec<_> =
            self.pack.trial_checks().iter().map(|check| judge(self.pack, check, config, &figures).0).collect();
        let signal = objection(&checks);
        let study = Study {
            checks,
            trials: request.trials,
            iteration: state.iteration,
            distributions: report.distributions,
            findings: report.findings,
            artifacts,
        };
        let value = write(&json!({"study": study}));
        one_run(noted(EffectResult::Done { value, signal }, &note))
    }
}

/// The figures of all trials in a few numbers, as the pack's trial checks read them.
fn in_figures(distributions: &[Distribution]) -> Value {
    let side = |values: &[f64]| {
        let summary = Summary::of(values)?;
        let [min, p10, p25, p50, p75, p90, max] = summary.percentiles;
        Some(json!({
            "mean": summary.mean, "min": min, "p10": p10, "p25": p25, "p50": p50, "p75": p75, "p90": p90, "max": max,
        }))
    };
    let figure =
        |it: &Distribution| (it.id.clone(), json!({"baseline": side(&it.baseline), "candidate": side(&it.candidate)}));
    Value::Object(distributions.iter().map(figure).collect())
}

/// A failed trial check goes to a person, who cannot accept what failed it.
fn objection(checks: &[CheckResult]) -> Signal {
    let failed: Vec<_> = checks.iter().filter(|check| check.status == Status::Failed).collect();
    if failed.is_empty() {
        return Signal::Ok;
    }
    let titles = |lang, and: &str| failed.iter().map(|check| check.title.get(lang)).collect::<Vec<_>>().join(and);
    let message = Text::new(
        format!("failed beyond the fixed path: {}", titles(Lang::En, ", ")),
        format!("固定轨迹之外未通过：{}", titles(Lang::Zh, "、")),
    );
    Signal::Escalation { escalation: escalation("trial_check", &message, json!({"message": message})) }
}
