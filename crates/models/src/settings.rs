//! Where models come from: `models.toml`, the environment, and a `.env` file that is read and never written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::price::Price;
use crate::secret::Secret;

/// Where `OpenAI`'s own models answer.
const OPENAI: &str = "https://api.openai.com/v1";
/// How long a try may take where nothing is said.
const TIMEOUT: Duration = Duration::from_mins(2);
/// How often a call is tried where nothing is said.
const TRIES: u32 = 4;
/// What is said of a key that stands in the file.
const NO_KEYS: &str = "`api_key` is not read: put the key into a variable and name it in `api_key_env`";
/// The most seconds that a try may be given.
const LONGEST_TIMEOUT: u64 = 3_600;

/// A model as somebody described it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// Its name: of its table, or the model's where the environment describes it.
    pub name: String,
    /// What answers.
    pub kind: ModelKind,
    /// What it costs.
    pub price: Option<Price>,
    /// How many tokens it can read and write in one call.
    pub context: Option<u64>,
    /// The most tokens of an answer.
    pub answer_tokens: Option<u64>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// The sampling seed.
    pub seed: Option<u64>,
    /// The longest that one try may take.
    pub timeout: Duration,
    /// How often a call is tried where trying costs nothing.
    pub tries: u32,
}

/// What answers.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelKind {
    /// A server of OpenAI-compatible chat completions.
    OpenAi {
        /// Its address, up to and without `/chat/completions`.
        base_url: String,
        /// The model's name there.
        model: String,
        /// The key, where the server wants one.
        api_key: Option<Secret>,
        /// How the server is told the shape of an answer; found out where nothing is said.
        structured: Option<Structured>,
    },
    /// A file of answers.
    Scripted {
        /// The file.
        script: PathBuf,
    },
    /// The answers of an earlier run.
    Recorded {
        /// Its id, or what the command line takes for one.
        run: String,
    },
}

/// How a server is told the shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// By its JSON Schema.
    JsonSchema,
    /// That it is a JSON object; the schema stands in the question.
    JsonObject,
    /// In the question alone.
    Prompt,
}

/// Settings that describe no model.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A file cannot be read.
    #[error("{} cannot be read", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A `.env` file cannot be read. What stands in it is not repeated.
    #[error("{} has a line that is no NAME=VALUE", .file.display())]
    DotEnv {
        /// The file.
        file: PathBuf,
    },
    /// `models.toml` is none.
    #[error("{} cannot be used:{}", .file.display(), listed(.faults))]
    Faults {
        /// The file.
        file: PathBuf,
        /// Everything that is wrong with it.
        faults: Vec<String>,
    },
    /// A table names a variable that is not set.
    #[error("the model {model:?} needs the environment variable {variable}, which is not set")]
    KeyMissing {
        /// The model.
        model: String,
        /// The variable.
        variable: String,
    },
    /// Nobody describes the model that was asked for.
    #[error("there is no model {name:?}: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is instead.
        known: String,
    },
    /// Nobody said which model.
    #[error("no model is described")]
    None,
}

fn listed(faults: &[String]) -> String {
    let line = |fault: &String| format!("\n  {}", fault.trim_end().replace('\n', "\n  "));
    faults.iter().map(line).collect::<Vec<_>>().concat()
}

/// The environment and a `.env` file below it.
pub struct Environment<'a> {
    real: &'a dyn Fn(&str) -> Option<String>,
    file: BTreeMap<String, String>,
}

impl<'a> Environment<'a> {
    /// The environment alone.
    pub fn of(real: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { real, file: BTreeMap::new() }
    }

    /// The environment, and below it the `.env` file of a folder, where there is one.
    pub fn with_file(real: &'a dyn Fn(&str) -> Option<String>, folder: &Path) -> Result<Self, SettingsError> {
        let file = folder.join(".env");
        if !file.is_file() {
            return Ok(Self::of(real));
        }
        let failed = |error: dotenvy::Error| match error {
            dotenvy::Error::Io(source) => SettingsError::Read { file: file.clone(), source },
            // The error quotes the line, which may hold a key.
            _ => SettingsError::DotEnv { file: file.clone() },
        };
        let entries = dotenvy::from_path_iter(&file).map_err(failed)?;
        Ok(Self { real, file: entries.collect::<Result<_, _>>().map_err(failed)? })
    }

    /// A variable that is set to something.
    fn get(&self, name: &str) -> Option<String> {
        let value = (self.real)(name).or_else(|| self.file.get(name).cloned());
        value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn first(&self, names: [&str; 2]) -> Option<String> {
        names.into_iter().find_map(|name| self.get(name))
    }
}

/// A `models.toml` that was read and found to be in order.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsFile {
    file: PathBuf,
    default: Option<String>,
    models: BTreeMap<String, Table>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    #[serde(default)]
    default: Option<String>,
    #[serde(default)]
    models: BTreeMap<String, Table>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    kind: Kind,
    base_url: Option<String>,
    model: Option<String>,
    api_key_env: Option<String>,
    /// Never taken; it is here to be refused in words.
    api_key: Option<toml::Value>,
    structured: Option<Structured>,
    script: Option<PathBuf>,
    run: Option<String>,
    price: Option<PriceTable>,
    context: Option<u64>,
    answer_tokens: Option<u64>,
    temperature: Option<f64>,
    seed: Option<u64>,
    timeout_seconds: Option<u64>,
    tries: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    #[serde(rename = "openai")]
    OpenAi,
    Scripted,
    Recorded,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceTable {
    input: f64,
    output: f64,
}

impl ModelsFile {
    /// Reads a file.
    pub fn open(file: &Path) -> Result<Self, SettingsError> {
        let text =
            std::fs::read_to_string(file).map_err(|source| SettingsError::Read { file: file.to_owned(), source })?;
        Self::from_text(file, &text)
    }

    /// Reads a text; what it names is looked for beside `file`. Tells everything that is wrong at once.
    pub fn from_text(file: &Path, text: &str) -> Result<Self, SettingsError> {
        let faulty = |faults| SettingsError::Faults { file: file.to_owned(), faults };
        // Whoever complains of the syntax quotes the line, and a key must not be quoted.
        let keys = text.lines().filter(|line| line.trim_start().trim_start_matches(['"', '\'']).starts_with("api_key"));
        if keys.into_iter().any(|line| !line.contains("api_key_env")) {
            return Err(faulty(vec![NO_KEYS.to_owned()]));
        }
        let Whole { default, models } = toml::from_str(text).map_err(|error| faulty(vec![error.to_string()]))?;
        let mut faults: Vec<_> = models.iter().flat_map(|(name, table)| table.faults(name)).collect();
        if let Some(name) = default.as_ref().filter(|name| !models.contains_key(*name)) {
            faults.push(format!("default: there is no [models.{name}]"));
        }
        if models.is_empty() {
            faults.push("it describes no model: write a [models.NAME] table".to_owned());
        }
        if faults.is_empty() { Ok(Self { file: file.to_owned(), default, models }) } else { Err(faulty(faults)) }
    }

    fn settings(&self, name: &str, environment: &Environment<'_>) -> Result<Option<ModelSettings>, SettingsError> {
        let Some(table) = self.models.get(name) else { return Ok(None) };
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let kind = match table.kind {
            Kind::OpenAi => ModelKind::OpenAi {
                base_url: text(&table.base_url),
                model: text(&table.model),
                api_key: table.api_key(name, environment)?,
                structured: table.structured,
            },
            Kind::Scripted => {
                let script = table.script.clone().unwrap_or_default();
                ModelKind::Scripted { script: self.file.parent().map_or(script.clone(), |folder| folder.join(&script)) }
            }
            Kind::Recorded => ModelKind::Recorded { run: text(&table.run) },
        };
        Ok(Some(ModelSettings {
            kind,
            price: table.price.map(PriceTable::micros),
            context: table.context,
            answer_tokens: table.answer_tokens,
            temperature: table.temperature,
            seed: table.seed,
            timeout: table.timeout_seconds.map_or(TIMEOUT, Duration::from_secs),
            tries: table.tries.unwrap_or(TRIES),
            ..ModelSettings::plain(name)
        }))
    }

    fn names(&self) -> String {
        let names: Vec<_> = self.models.keys().map(String::as_str).collect();
        format!("{} describes {}", self.file.display(), names.join(", "))
    }
}

impl Table {
    fn api_key(&self, name: &str, environment: &Environment<'_>) -> Result<Option<Secret>, SettingsError> {
        let Some(variable) = &self.api_key_env else { return Ok(None) };
        match environment.get(variable) {
            Some(key) => Ok(Some(Secret::new(&key))),
            None => Err(SettingsError::KeyMissing { model: name.to_owned(), variable: variable.clone() }),
        }
    }

    fn faults(&self, name: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |wrong: bool, text: &str| {
            if wrong {
                faults.push(format!("models.{name}: {text}"));
            }
        };
        let openai = self.kind == Kind::OpenAi;
        let blank = |text: &Option<String>| text.as_ref().is_none_or(|text| text.trim().is_empty());
        fault(self.api_key.is_some(), NO_KEYS);
        fault(openai && blank(&self.base_url), "`base_url` is missing, as in \"http://127.0.0.1:8080/v1\"");
        fault(openai && blank(&self.model), "`model` is missing: the model's name at that server");
        fault(self.kind == Kind::Scripted && self.script.is_none(), "`script` is missing: a file of answers");
        fault(self.kind == Kind::Recorded && blank(&self.run), "`run` is missing: the run whose answers are given");
        let only_openai =
            [self.base_url.is_some(), self.model.is_some(), self.api_key_env.is_some(), self.structured.is_some()];
        fault(
            !openai && only_openai.contains(&true),
            "only a model of the kind \"openai\" has an address, a key or a shape",
        );
        fault(self.script.is_some() && self.kind != Kind::Scripted, "`script` needs `kind = \"scripted\"`");
        fault(self.run.is_some() && self.kind != Kind::Recorded, "`run` needs `kind = \"recorded\"`");
        fault(self.price.is_some_and(|price| !price.is_possible()), "`price` has to be two numbers from 0 to 1000000");
        fault(self.context == Some(0), "`context` has to be at least 1");
        fault(self.answer_tokens == Some(0), "`answer_tokens` has to be at least 1");
        fault(self.tries == Some(0), "`tries` has to be at least 1");
        let time = |seconds: u64| seconds == 0 || seconds > LONGEST_TIMEOUT;
        fault(self.timeout_seconds.is_some_and(time), "`timeout_seconds` has to be from 1 to 3600");
        fault(self.temperature.is_some_and(|it| !(0.0..=2.0).contains(&it)), "`temperature` has to be from 0 to 2");
        faults
    }
}

impl PriceTable {
    fn is_possible(self) -> bool {
        [self.input, self.output].into_iter().all(|price| (0.0..=1_000_000.0).contains(&price))
    }

    fn micros(self) -> Price {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a price is from 0 to a million, and rounded up to a whole millionth"
        )]
        let micros = |price: f64| (price * 1e6).round() as u64;
        Price { input_micros: micros(self.input), output_micros: micros(self.output) }
    }
}

impl ModelSettings {
    fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: ModelKind::Recorded { run: String::new() },
            price: None,
            context: None,
            answer_tokens: None,
            temperature: None,
            seed: None,
            timeout: TIMEOUT,
            tries: TRIES,
        }
    }

    /// The answers of an earlier run, under the terms it was asked under.
    pub fn recorded(run: &str) -> Self {
        Self { kind: ModelKind::Recorded { run: run.to_owned() }, ..Self::plain(run) }
    }
}

/// Finds the model that was asked for, or the one that is meant where none was.
pub fn choose(
    name: Option<&str>,
    file: Option<&ModelsFile>,
    environment: &Environment<'_>,
) -> Result<ModelSettings, SettingsError> {
    let variable = environment.first(["LOOPWRIGHT_MODEL", "OPENAI_MODEL"]);
    let meant = name.map(str::to_owned).or(variable).or_else(|| file.and_then(|file| file.default.clone()));
    let Some(meant) = meant else { return Err(SettingsError::None) };
    if let Some(settings) = file.map(|file| file.settings(&meant, environment)).transpose()?.flatten() {
        return Ok(settings);
    }
    let api_key = environment.first(["LOOPWRIGHT_MODEL_API_KEY", "OPENAI_API_KEY"]).map(|key| Secret::new(&key));
    let named = environment.first(["LOOPWRIGHT_MODEL_BASE_URL", "OPENAI_BASE_URL"]);
    let base_url = named.or_else(|| api_key.is_some().then(|| OPENAI.to_owned()));
    let Some(base_url) = base_url else {
        let known = file.map_or_else(|| "no models.toml describes one".to_owned(), ModelsFile::names);
        return Err(SettingsError::Unknown { name: meant, known });
    };
    let kind = ModelKind::OpenAi { base_url, model: meant.clone(), api_key, structured: None };
    Ok(ModelSettings { kind, ..ModelSettings::plain(&meant) })
}
