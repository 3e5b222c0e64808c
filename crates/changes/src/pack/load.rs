//! From files to a pack, with every fault told by its file.

use std::sync::Arc;

use loopwright_configs::{Collection, Layout, Schema};
use loopwright_core::json::{Json, read_str};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::data::{Check, Estimate, Field, Manifest, Profile, Repairs, Rule};
use super::prompts::{Prompts, REQUIREMENT_VALUES, REVIEW_VALUES};
use super::{Pack, PackFiles, rehearsal};

/// The file that names all others.
const MANIFEST: &str = "pack.toml";

/// One thing that is wrong with a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFault {
    /// The file it stands in.
    pub file: String,
    /// What is wrong.
    pub message: String,
}

/// A pack cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// Its folder could not be read.
    #[error(transparent)]
    Files(#[from] super::FilesError),
    /// Its files have faults.
    #[error("the pack {origin} cannot be used:{}", listed(.faults))]
    Faults {
        /// Where it comes from.
        origin: String,
        /// All that is wrong, by file.
        faults: Vec<PackFault>,
    },
}

fn listed(faults: &[PackFault]) -> String {
    let line = |fault: &PackFault| format!("\n  {}: {}", fault.file, fault.message.trim_end().replace('\n', "\n    "));
    faults.iter().map(line).collect::<Vec<_>>().concat()
}

/// Files that hold a list under one key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    field: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    #[serde(default)]
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Estimates {
    #[serde(default)]
    estimate: Vec<Estimate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Checks {
    check: Vec<Check>,
    #[serde(default)]
    trial_check: Vec<Check>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Profiles {
    #[serde(default)]
    profile: Vec<Profile>,
}

/// Reads files and gathers what is wrong with them.
struct Reader<'a> {
    files: &'a PackFiles,
    faults: Vec<PackFault>,
}

impl Reader<'_> {
    fn fault(&mut self, file: &str, message: impl std::fmt::Display) {
        self.faults.push(PackFault { file: file.to_owned(), message: message.to_string() });
    }

    fn text(&mut self, file: &str) -> Option<String> {
        let text = self.files.text(file).map(str::to_owned);
        if text.is_none() {
            self.fault(file, "the file is missing");
        }
        text
    }

    fn toml<T: DeserializeOwned>(&mut self, file: &str) -> Option<T> {
        let text = self.text(file)?;
        toml::from_str(&text).map_err(|error| self.fault(file, error)).ok()
    }

    fn prompts(&mut self, file: &str) -> Option<Prompts> {
        let prompts = self.toml::<Prompts>(file)?;
        let agents = [
            ("requirement_agent", &prompts.requirement_agent, &REQUIREMENT_VALUES[..]),
            ("quality_reviewer", &prompts.quality_reviewer, &REVIEW_VALUES[..]),
        ];
        for (name, prompt, values) in agents {
            prompt.faults(values).into_iter().for_each(|fault| self.fault(file, format!("{name}: {fault}")));
        }
        Some(prompts)
    }

    fn json(&mut self, file: &str) -> Option<Value> {
        let text = self.text(file)?;
        read_str(&text).map_err(|error| self.fault(file, error)).ok()
    }
}

pub(super) fn load(files: PackFiles) -> Result<Pack, PackError> {
    let origin = files.origin().to_owned();
    let (pack, mut faults) = read(&files);
    if let Some(pack) = pack {
        if faults.is_empty() {
            faults = rehearsal::faults(&pack);
        }
        if faults.is_empty() {
            return Ok(Pack { files, ..pack });
        }
    }
    Err(PackError::Faults { origin, faults })
}

fn read(files: &PackFiles) -> (Option<Pack>, Vec<PackFault>) {
    let mut reader = Reader { files, faults: Vec::new() };
    let Some(manifest) = reader.toml::<Manifest>(MANIFEST) else { return (None, reader.faults) };
    let names = manifest.files.clone();
    let schema = reader
        .json(&names.schema)
        .and_then(|source| Schema::compile(source).map_err(|error| reader.fault(&names.schema, error)).ok());
    let baseline = reader.json(&names.baseline);
    let rehearsal = names.rehearsal.as_ref().map(|file| reader.json(file));
    let fields = reader.toml::<Fields>(&names.fields);
    let rules = reader.toml::<Rules>(&names.rules);
    let estimates = reader.toml::<Estimates>(&names.estimates);
    let checks = reader.toml::<Checks>(&names.checks);
    let repairs = reader.toml::<Repairs>(&names.repairs);
    let profiles = reader.toml::<Profiles>(&names.profiles);
    let collections = manifest.collections.iter().map(|it| Collection { path: it.path.clone(), id: it.id.clone() });
    let goal_schema = names.goal.as_ref().and_then(|file| {
        let source = reader.json(file)?;
        Schema::compile(source.clone()).map_err(|error| reader.fault(file, error)).ok()?;
        Some(source)
    });
    let prompts = names.prompts.as_ref().and_then(|file| reader.prompts(file));
    let layout = Layout { collections: collections.collect() };
    let pack = (|| {
        Some(Pack {
            // The files themselves are moved in once the pack is known to be good.
            files: PackFiles::from_texts("", []),
            schema: Arc::new(schema?),
            rehearsal: match rehearsal {
                None => Json::new(baseline.clone()?),
                Some(config) => Json::new(config?),
            },
            baseline: Json::new(baseline?),
            fields: fields?.field,
            rules: rules?.rule,
            estimates: estimates?.estimate,
            trial_checks: checks.as_ref()?.trial_check.clone(),
            checks: checks?.check,
            repairs: repairs?,
            profiles: profiles?.profile,
            goal_schema,
            prompts,
            manifest,
            layout,
        })
    })();
    let pack = pack.map(|pack| {
        let baseline = Json::new(pack.normalised(pack.baseline.value()));
        let rehearsal = Json::new(pack.normalised(pack.rehearsal.value()));
        Pack { baseline, rehearsal, ..pack }
    });
    (pack, reader.faults)
}
