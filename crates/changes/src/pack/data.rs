//! The shapes of a pack's files. Unknown keys are refused everywhere; what each key means is told in the files.

use std::collections::BTreeMap;

use loopwright_configs::{Edit, Expr, Path, Select, Text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checks::Status;
use crate::goal::Proposer;

/// `pack.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The pack's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The version of the contract its configs follow.
    pub contract: String,
    /// Its title.
    pub title: Text,
    /// What evidence of this pack does not show; said in every report.
    #[serde(default)]
    pub caveats: Vec<Text>,
    /// The random seed of every run that asks for none.
    pub seed: u64,
    /// The names of its other files.
    pub files: FileNames,
    /// Arrays whose items are known by an id.
    pub collections: Vec<Collection>,
    /// What changes and repairs are aimed at.
    pub target: Target,
    /// What one change may spend.
    pub budget: Budget,
    /// What runs a config.
    pub engine: Engine,
    /// What may differ from the baseline, by proposer.
    pub scopes: Scopes,
    /// Limits that are not loosened unasked.
    #[serde(default)]
    pub limits: Vec<Limit>,
}

/// The names of the files that this crate reads.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileNames {
    /// JSON Schema of a config.
    pub schema: String,
    /// The committed baseline.
    pub baseline: String,
    /// The config that the examples of formulas are tried with; the baseline where nothing is said.
    #[serde(default)]
    pub rehearsal: Option<String>,
    /// Labels and units.
    pub fields: String,
    /// Rules beyond the schema.
    pub rules: String,
    /// Estimates.
    pub estimates: String,
    /// Checks of telemetry.
    pub checks: String,
    /// Repairs.
    pub repairs: String,
    /// Device profiles.
    pub profiles: String,
    /// JSON Schema of a structured goal; without one no model can be asked for it.
    #[serde(default)]
    pub goal: Option<String>,
    /// What models are told; without it no model can be asked.
    #[serde(default)]
    pub prompts: Option<String>,
}

/// An array whose items have ids.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// Where it stands.
    pub path: Path,
    /// The field of each item that holds its id.
    pub id: String,
    /// The field that holds its name for people.
    #[serde(default)]
    pub label: Option<String>,
    /// What an item is called.
    pub noun: Text,
}

/// What changes and repairs are aimed at.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The collection whose items are named by requirements and repaired.
    pub collection: Path,
    /// The field of an item, read from it, that says of what kind it is.
    pub kind: Path,
}

/// What one change may spend unless somebody says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Engine runs of a candidate.
    pub candidate_runs: u32,
    /// Calls of a model.
    pub model_calls: u32,
    /// Calls of a model kept for reviews.
    pub kept_for_reviews: u32,
    /// Rounds without a better score that end the loop.
    pub stagnant_rounds: u32,
}

/// What runs a config.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// The kind of engine.
    pub kind: String,
    /// The device profile its frame times are modelled with, if any.
    #[serde(default)]
    pub profile: Option<String>,
    /// Fields of the telemetry that say what some of its figures rest on; shown wherever figures are.
    #[serde(default)]
    pub basis: Vec<String>,
    /// The moments pictures are taken of, in seconds, unless somebody says otherwise.
    #[serde(default)]
    pub capture_at: Vec<f64>,
    /// How many trials both configs meet, unless somebody says otherwise; 0 for the fixed path only.
    #[serde(default)]
    pub trials: u32,
}

/// Patterns of what may differ from the baseline.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scopes {
    /// For the intake.
    pub intake: Vec<Path>,
    /// For a model.
    pub model: Vec<Path>,
    /// For a person's own candidate.
    pub person: Vec<Path>,
}

impl Scopes {
    /// The patterns of one proposer.
    pub fn of(&self, proposer: Proposer) -> &[Path] {
        match proposer {
            Proposer::Intake => &self.intake,
            Proposer::Model => &self.model,
            Proposer::Person => &self.person,
        }
    }
}

/// A limit that is not loosened unasked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Where it stands.
    pub path: Path,
    /// In which direction it becomes looser.
    pub looser: Looser,
}

/// The direction in which a limit becomes looser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looser {
    /// A higher number.
    Higher,
    /// A lower number.
    Lower,
    /// A switch that goes off.
    Off,
}

/// How a field is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The field, as a pattern.
    pub path: Path,
    /// Its name for people.
    pub label: Text,
    /// The unit of its numbers.
    #[serde(default)]
    pub unit: Option<Text>,
}

/// Something that the schema cannot say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name in reports.
    pub id: String,
    /// The places it holds for; the whole config where there is none.
    #[serde(default)]
    pub each: Option<Path>,
    /// Where a fault is reported, read from the place.
    pub path: Path,
    /// True where it is kept.
    pub holds: Expr,
    /// What would have been allowed.
    pub limit: Expr,
    /// What is wrong, with `{actual}` and `{limit}`.
    pub message: Text,
}

/// A figure that is known before anything runs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Its name in reports.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// The unit of its numbers.
    #[serde(default)]
    pub unit: Option<Text>,
    /// The places it is computed for.
    pub each: Path,
    /// Where a fault is reported, read from the place.
    pub path: Path,
    /// The estimate.
    pub value: Expr,
    /// The most it may be.
    pub limit: Expr,
    /// What is wrong, with `{actual}`, `{limit}` and `{id}`.
    pub message: Text,
    /// Tried when the pack is loaded.
    #[serde(default)]
    pub examples: Vec<EstimateExample>,
}

/// A known value of an estimate.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateExample {
    /// Changes to the baseline.
    #[serde(default)]
    pub set: BTreeMap<Path, Value>,
    /// The place.
    pub at: Path,
    /// The estimate there.
    pub value: f64,
}

/// A check of one figure of the telemetry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Its name in reports.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// The unit of its numbers.
    #[serde(default)]
    pub unit: Option<Text>,
    /// The figure over time that the limit bounds, by its name in an engine's scenes.
    #[serde(default)]
    pub counter: Option<String>,
    /// The field of the telemetry that says what the figure rests on; noted with the result.
    #[serde(default)]
    pub basis: Option<Path>,
    /// Where the figure stands in the telemetry.
    pub figure: Path,
    /// What is compared; the figure itself where nothing is said.
    #[serde(default)]
    pub actual: Option<Expr>,
    /// What it is compared with.
    pub limit: Expr,
    /// How the limit is shown, with `{limit}`; as it is where nothing is said.
    #[serde(default)]
    pub expected: Option<String>,
    /// True where the check is passed.
    pub passed: Expr,
    /// By how much it is missed.
    pub violation: Expr,
    /// True where the check cannot be judged.
    #[serde(default)]
    pub skip: Option<Expr>,
    /// Which item caused the figure.
    #[serde(default)]
    pub attribution: Option<Attribution>,
    /// Tried when the pack is loaded.
    #[serde(default)]
    pub examples: Vec<CheckExample>,
}

/// Where the telemetry says which item caused a figure.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribution {
    /// A list in the telemetry.
    pub results: Path,
    /// The field of each entry that names the item.
    pub id: String,
    /// The item's part in the figure; `null` where it is not known.
    pub share: Expr,
}

/// Telemetry with a known verdict.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckExample {
    /// The telemetry.
    pub telemetry: Value,
    /// The verdict with the baseline.
    pub status: Status,
}

/// `repairs.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repairs {
    /// The repair without edits that is named when no other fits.
    pub otherwise: String,
    /// Which check calls for which repair, in order.
    #[serde(rename = "choice")]
    pub choices: Vec<Choice>,
    /// Which item is repaired.
    pub target: TargetRule,
    /// The repairs.
    #[serde(rename = "repair")]
    pub repairs: Vec<RepairRule>,
}

/// One check and the repair it calls for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The check's id.
    pub check: String,
    /// The repair's intent.
    pub repair: String,
}

/// Which item is repaired.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetRule {
    /// The estimate that fills `estimates`.
    pub estimate: String,
    /// The choice, with `named`, `shares` and `estimates` in its formulas.
    pub select: Select,
}

/// A repair that a reviewer may name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairRule {
    /// Its name.
    pub intent: String,
    /// Its title.
    pub title: Text,
    /// What it changes; nothing for repairs that only say something.
    #[serde(default)]
    pub edits: Vec<Edit>,
    /// Tried when the pack is loaded.
    #[serde(default)]
    pub examples: Vec<RepairExample>,
}

/// A repair with a known effect.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairExample {
    /// Changes to the baseline.
    #[serde(default)]
    pub set: BTreeMap<Path, Value>,
    /// The repaired item.
    pub at: Path,
    /// The failing check's figure.
    pub actual: f64,
    /// The failing check's limit.
    pub limit: f64,
    /// The values after the repair, all that change.
    pub gives: BTreeMap<Path, Value>,
}

/// A device whose frame times are modelled.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: Text,
    /// The engine's own description of it.
    pub model: Value,
}
