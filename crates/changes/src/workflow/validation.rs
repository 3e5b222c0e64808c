//! The validation gate: the first candidate in four layers, before anybody is asked to authorise anything.

use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::outcome::Signal;
use loopwright_runtime::perform::Performed;
use serde_json::{Value, json};

use super::notes::Note;
use super::perform::{ChangePerformer, broken, noted};
use super::reading::{Answer, Reading};
use super::state::{read, write};
use crate::goal::Goal;
use crate::layers::{LayerResult, validate};

impl ChangePerformer<'_> {
    pub(super) fn validate_first(&self, inputs: &Json) -> Performed {
        let Some((goal, candidate)) = first_candidate(inputs) else {
            return broken("the validation got no candidate");
        };
        let layers = validate(self.pack, self.baseline, &candidate, Some(&goal), self.brief.proposer);
        let passed = layers.iter().all(|layer| layer.passed);
        // A candidate that follows no contract is kept as it came: nothing is filled in for it.
        let candidate = if passed { self.pack.normalised(&candidate) } else { candidate };
        let signal = if passed { Signal::Ok } else { Signal::HardVeto { message: complaint(&layers) } };
        let value = write(&json!({"layers": layers, "goal": goal, "candidate": candidate}));
        let read = &["baseline_config", "candidate_config", "structured_goal"];
        let note = Note::new("validation", "pack", 1, read, &["validation_results", "config_diff"]);
        noted(EffectResult::Done { value, signal }, &note)
    }
}

/// The candidate of the intake, or the person's own.
fn first_candidate(inputs: &Json) -> Option<(Goal, Value)> {
    let inputs = inputs.value();
    if let Some(reading) = inputs.pointer("/values/intake/state/reading") {
        let reading = read::<Reading>(&reading.clone().into())?;
        let Answer::Accepted { candidate } = reading.answer else { return None };
        return Some((reading.goal, candidate));
    }
    let goal = read::<Goal>(&inputs.pointer("/run/goal")?.clone().into())?;
    Some((goal, inputs.pointer("/run/candidate")?.clone()))
}

/// The first error of the first layer that found one.
pub(super) fn complaint(layers: &[LayerResult]) -> String {
    let first = layers.iter().find_map(|layer| Some((layer.layer, layer.errors.first()?)));
    first.map_or_else(String::new, |(layer, fault)| {
        format!("{} layer: {}: {}", layer.name(), fault.path, fault.message.en)
    })
}
