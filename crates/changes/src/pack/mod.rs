//! A change pack: everything that is known about one game's changes, read once and checked.

mod data;
mod files;
mod load;
mod prompts;
mod rehearsal;
mod shorthand;

use std::sync::Arc;

use loopwright_configs::{Layout, Path, Schema, Text};
use loopwright_core::json::{Json, normalise_whole_numbers};
use serde_json::Value;

pub use data::{
    Attribution, Budget, Check, CheckExample, Choice, Collection, Engine, Estimate, EstimateExample, Field, FileNames,
    Limit, Looser, Manifest, Profile, RepairExample, RepairRule, Repairs, Rule, Scopes, Target, TargetRule,
};
pub use files::{FilesError, PackFiles};
pub use load::{PackError, PackFault};
pub use prompts::{Filled, Prompt, PromptError, Prompts, Values};
pub use shorthand::ShorthandError;

/// A pack that was read whole; making one proves that its files fit together.
#[derive(Debug)]
pub struct Pack {
    files: PackFiles,
    manifest: Manifest,
    layout: Layout,
    schema: Arc<Schema>,
    baseline: Json,
    rehearsal: Json,
    fields: Vec<Field>,
    rules: Vec<Rule>,
    estimates: Vec<Estimate>,
    checks: Vec<Check>,
    trial_checks: Vec<Check>,
    repairs: Repairs,
    profiles: Vec<Profile>,
    goal_schema: Option<Value>,
    prompts: Option<Prompts>,
}

impl Pack {
    /// Reads a pack, and tries its formulas on its baseline and its examples. Reports every fault at once.
    pub fn load(files: PackFiles) -> Result<Self, PackError> {
        load::load(files)
    }

    /// The pack that is part of the program.
    pub fn embedded() -> Result<Self, PackError> {
        Self::load(PackFiles::embedded())
    }

    /// The pack in a folder.
    pub fn open(folder: &std::path::Path) -> Result<Self, PackError> {
        Self::load(PackFiles::directory(folder)?)
    }

    /// The files it was read from, those that this crate does not read included.
    pub fn files(&self) -> &PackFiles {
        &self.files
    }

    /// Names, budget, scopes and limits.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Which arrays hold items with ids.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What a config may hold.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The config that changes start from, with defaults filled in.
    pub fn baseline(&self) -> &Json {
        &self.baseline
    }

    /// The config that the examples of formulas are tried with, so that a baseline can change without them.
    pub fn rehearsal(&self) -> &Json {
        &self.rehearsal
    }

    /// What the schema cannot say.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Figures known before anything runs.
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// How a run is judged, in order.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// How the trials beside the fixed path are judged; a pack that names none lets them decide nothing.
    pub fn trial_checks(&self) -> &[Check] {
        &self.trial_checks
    }

    /// What may be tried when a check fails.
    pub fn repairs(&self) -> &Repairs {
        &self.repairs
    }

    /// What a structured goal may hold (JSON Schema).
    pub fn goal_schema(&self) -> Option<&Value> {
        self.goal_schema.as_ref()
    }

    /// What models are told.
    pub fn prompts(&self) -> Option<&Prompts> {
        self.prompts.as_ref()
    }

    /// A device profile by name.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    /// The same config with defaults filled in and whole numbers written without a fraction, so that configs that mean
    /// the same are the same.
    pub fn normalised(&self, config: &Value) -> Value {
        let mut config = config.clone();
        self.schema.fill_defaults(&mut config);
        normalise_whole_numbers(&mut config);
        config
    }

    /// How people call a place's field, without its item; the field's own name where the pack has no label.
    pub fn label(&self, path: &Path) -> Text {
        match self.field(path) {
            Some(field) => field.label.clone(),
            None => Text::same(path.last_field().map_or_else(|| path.to_string(), str::to_owned)),
        }
    }

    /// Labels and units of fields, by pattern.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The label and unit of a place, where the pack has them.
    pub fn field(&self, path: &Path) -> Option<&Field> {
        self.fields.iter().find(|field| path.matches(&field.path))
    }

    /// How people call the item that a path leads into: its noun and its id, or the id alone where it says the noun.
    pub fn item_name(&self, path: &Path) -> Option<Text> {
        let collection = self.manifest.collections.iter().find(|it| path.starts_with(&it.path))?;
        let id = path.first_key()?.to_string();
        let named = |noun: &str| if id.starts_with(noun) { id.clone() } else { format!("{noun} {id}") };
        Some(Text::new(named(&collection.noun.en), named(&collection.noun.zh)))
    }

    /// The place that people mean by an item's id and a field (`ID.FIELD`), a field alone, or a full path.
    pub fn place(&self, text: &str) -> Result<Path, ShorthandError> {
        shorthand::place(self, text)
    }

    /// Whether a place is a limit and a candidate's is looser than the baseline's.
    pub fn loosens(&self, path: &Path, baseline: &Value, candidate: &Value) -> bool {
        let value = |doc| self.layout.get(doc, path);
        self.manifest.limits.iter().filter(|limit| path.matches(&limit.path)).any(|limit| {
            let numbers = value(baseline).and_then(Value::as_f64).zip(value(candidate).and_then(Value::as_f64));
            match limit.looser {
                Looser::Higher => numbers.is_some_and(|(before, after)| after > before),
                Looser::Lower => numbers.is_some_and(|(before, after)| after < before),
                Looser::Off => {
                    value(baseline).and_then(Value::as_bool) == Some(true)
                        && value(candidate).and_then(Value::as_bool) == Some(false)
                }
            }
        })
    }
}
