//! Carries out what the machine plans for a change: each node's orders go to the file that knows them.

use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::machine::{Order, Planned};
use loopwright_core::outcome::Failure;
use loopwright_engines::runner::EngineRunner;
use loopwright_engines::study::Progress;
use loopwright_runtime::artifacts::Artifacts;
use loopwright_runtime::perform::{Interrupt, Performed, Performer};
use serde_json::Value;

use super::agents::Agents;
use super::brief::{Brief, Policy};
use super::graph::{BASELINE, INTAKE, REPAIR, STUDY, VALIDATION};
use super::notes::Note;
use super::reading::RequirementReader;
use crate::pack::Pack;

/// Everything that a change's effects need.
pub struct ChangePerformer<'a> {
    /// The pack the run follows.
    pub pack: &'a Pack,
    /// Who reads requirements.
    pub reader: &'a dyn RequirementReader,
    /// The model of a run whose policy is one.
    pub agents: Option<&'a Agents<'a>>,
    /// What runs configs.
    pub engine: &'a dyn EngineRunner,
    /// What is verified.
    pub brief: &'a Brief,
    /// The config before the change.
    pub baseline: &'a Value,
    /// The run's name, for the engine's record.
    pub run_id: &'a str,
    /// Where the engine's artifacts are kept.
    pub artifacts: &'a dyn Artifacts,
    /// Is told how far a study is.
    pub progress: &'a Progress<'a>,
}

impl Performer for ChangePerformer<'_> {
    fn perform(&self, planned: &Planned, interrupt: &Interrupt) -> Performed {
        // An engine run that was not begun is simply done again by whoever resumes.
        if interrupt.is_raised() && matches!(planned.order(), Order::Task { .. } | Order::Evaluate { .. }) {
            return Performed::given_up();
        }
        match (planned.path().as_str(), planned.order()) {
            (INTAKE, Order::Decide { context }) => match self.brief.policy {
                Policy::Rules => Self::decide_to_read(),
                Policy::Model => self.propose(context, planned, interrupt),
            },
            (INTAKE, Order::Act { action, .. }) => self.read_requirement(action),
            (INTAKE, Order::Evaluate { context, .. }) => Self::judge_reading(context),
            (VALIDATION, Order::Check { inputs }) => self.validate_first(inputs),
            (BASELINE, Order::Task { inputs }) => self.run_baseline(inputs),
            (STUDY, Order::Task { inputs }) => self.study(inputs),
            (REPAIR, Order::Decide { context }) => match self.brief.policy {
                Policy::Rules => self.review(context),
                Policy::Model => self.review_by_model(context, planned, interrupt),
            },
            (REPAIR, Order::Gate { context, decision }) => self.gate(context, decision),
            (REPAIR, Order::Act { context, action }) => self.repair(context, action),
            (REPAIR, Order::Evaluate { context, .. }) => self.run_candidate(context),
            (node, order) => broken(&format!("nobody performs {:?} of {node}", order.kind())),
        }
    }
}

impl ChangePerformer<'_> {
    /// What stands behind the agents of this run.
    pub(super) fn provider(&self) -> String {
        let model = self.brief.model.as_ref().map(|model| model.identity.provider.clone());
        model.unwrap_or_else(|| self.brief.policy.name().to_owned())
    }
}

/// A result with its note; engine runs are counted by the caller.
pub(super) fn noted(result: EffectResult, note: &Note) -> Performed {
    Performed { note: note.to_json(), ..Performed::free(result) }
}

/// What should never come to a performer did.
pub(super) fn broken(message: &str) -> Performed {
    let failure = Failure { class: "internal".to_owned(), message: message.to_owned(), detail: Json::null() };
    Performed::free(EffectResult::Failed { failure })
}
