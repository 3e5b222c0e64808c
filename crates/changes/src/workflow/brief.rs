//! What one run verifies: written into its first fact, so that any process can go on with it.

use loopwright_configs::{Lang, Layout, Path, Text};
use loopwright_core::json::{Digest, Json};
use loopwright_core::machine::Run;
use loopwright_engines::runner::EngineIdentity;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agents::ModelReference;
use super::graph::ChangeBudget;
use crate::goal::{Goal, Proposer};
use crate::pack::{Field, Pack};

/// The word that marks a run as a change verification.
pub const KIND: &str = "change_verification";

/// Who proposes and reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The rules of the pack; no model is called.
    #[default]
    Rules,
    /// A model, behind the same gate.
    Model,
}

impl Policy {
    /// The policy's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Model => "model",
        }
    }
}

/// Which pack a run follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackReference {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where it was read from; `embedded`, or a folder.
    pub origin: String,
    /// SHA-256 over all its files.
    pub digest: Digest,
}

impl PackReference {
    /// The reference to a pack that was loaded.
    pub fn to(pack: &Pack) -> Self {
        let manifest = pack.manifest();
        Self {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            origin: pack.files().origin().to_owned(),
            digest: pack.files().digest(),
        }
    }
}

/// How people call the places of a config; kept in the run so that it can be shown without its pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// Labels and units of fields, by pattern.
    pub fields: Vec<Field>,
    /// What the items of each collection are called.
    pub items: Vec<(Path, Text)>,
}

impl Names {
    /// The names of a pack.
    pub fn of(pack: &Pack) -> Self {
        let items = pack.manifest().collections.iter().map(|it| (it.path.clone(), it.noun.clone()));
        Self { fields: pack.fields().to_vec(), items: items.collect() }
    }

    /// A place in words: the item it stands in, if any, and the field's label.
    pub fn place(&self, path: &Path) -> Text {
        match self.parts(path) {
            (None, label) => label,
            (Some(item), label) => Text::new(format!("{}, {}", item.en, label.en), format!("{} {}", item.zh, label.zh)),
        }
    }

    /// A place in two words: the item it stands in, if any, and the field's label.
    pub fn parts(&self, path: &Path) -> (Option<Text>, Text) {
        let field = self.fields.iter().find(|field| path.matches(&field.path));
        let label = field.map_or_else(
            || Text::same(path.last_field().map_or_else(|| path.to_string(), str::to_owned)),
            |field| field.label.clone(),
        );
        let item = self.items.iter().find(|(collection, _)| path.starts_with(collection));
        let Some(((_, noun), key)) = item.zip(path.first_key()) else { return (None, label) };
        // An id that says what it is (`item_2` of the items) needs no noun before it.
        let id = key.to_string();
        let named = id.to_lowercase().starts_with(&noun.en.to_lowercase());
        let prefix = |noun: &str| if named { id.clone() } else { format!("{noun} {id}") };
        (Some(Text::new(prefix(&noun.en), prefix(&noun.zh))), label)
    }

    /// A place's unit.
    pub fn unit(&self, path: &Path) -> Option<&Text> {
        self.fields.iter().find(|field| path.matches(&field.path))?.unit.as_ref()
    }
}

/// What a run verifies and under which terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// Always [`KIND`]; anything else is another kind of run.
    pub kind: String,
    /// The designer's sentence; absent where a person brings a candidate.
    pub requirement: Option<String>,
    /// Who proposes the candidate.
    pub proposer: Proposer,
    /// Who proposes decisions.
    pub policy: Policy,
    /// The model, where the policy is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelReference>,
    /// Whether the rules stand in for a model that brings nothing usable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fallback: bool,
    /// The pack.
    pub pack: PackReference,
    /// Which arrays of a config hold named items; kept here so that a run can be shown without its pack.
    pub layout: Layout,
    /// How people call the places of a config.
    pub names: Names,
    /// The engine.
    pub engine: EngineIdentity,
    /// The device profile for engines that draw no frames.
    pub device_profile: Json,
    /// Fields of the telemetry that say what its figures rest on.
    pub basis: Vec<String>,
    /// What the evidence does not show.
    pub caveats: Vec<Text>,
    /// The seed of both sides.
    pub seed: u64,
    /// The moments to take pictures of, in seconds; `None` for figures alone.
    pub capture_at: Option<Vec<f64>>,
    /// How many trials both configs meet once the repairs are through; 0 for the fixed path only.
    pub trials: u32,
    /// Whether a failing candidate is repaired or only judged.
    pub repair: bool,
    /// What the change may spend.
    pub budget: ChangeBudget,
    /// The language of whoever asked.
    pub lang: Lang,
}

/// What the nodes of a run are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// The config before the change.
    pub baseline: Value,
    /// A person's own candidate.
    pub candidate: Option<Value>,
    /// What that candidate is meant to do.
    pub goal: Option<Goal>,
}

impl Brief {
    /// Reads the brief of a run; nothing where the run is no change verification.
    pub fn of(run: &Run) -> Option<Self> {
        let brief: Self = serde_json::from_value(run.about().value().clone()).ok()?;
        (brief.kind == KIND).then_some(brief)
    }

    /// The brief as the first fact keeps it.
    pub fn to_json(&self) -> Json {
        // A brief is plain data with string keys, so it always has a JSON form.
        Json::new(serde_json::to_value(self).unwrap_or_default())
    }
}

impl Inputs {
    /// Reads the inputs of a run.
    pub fn of(run: &Run) -> Option<Self> {
        serde_json::from_value(run.inputs().value().clone()).ok()
    }

    /// The inputs as the first fact keeps them.
    pub fn to_json(&self) -> Json {
        Json::new(json!({"baseline": self.baseline, "candidate": self.candidate, "goal": self.goal}))
    }
}
