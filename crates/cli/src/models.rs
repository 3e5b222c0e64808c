//! Models for the commands that ask one: found in the settings, opened, and held against what a run remembers of it.

use std::path::Path;

use loopwright_changes::pack::Pack;
use loopwright_changes::workflow::agents::ModelReference;
use loopwright_changes::workflow::brief::Brief;
use loopwright_changes::workflow::graph::Calls;
use loopwright_models::{
    Endpoint, EndpointError, Environment, Model, ModelKind, ModelSettings, ModelsFile, OpenAiModel, Recorded,
    ScriptError, Scripted, SettingsError, calls, choose,
};
use loopwright_runtime::history::History;

use crate::args::{ModelTerms, Policy, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store;

/// The file of the data directory that describes models.
const MODELS: &str = "models.toml";
/// The file of the data directory that remembers what servers support.
const MEMORY: &str = "model-memory.json";
/// How the name of a model begins that answers from an earlier run.
const RECORDED: &str = "recorded:";

/// The model of a new run; nothing where the rules propose.
pub(crate) fn of_terms(shared: &Shared, terms: &ModelTerms, pack: &Pack) -> Result<Option<ModelReference>, Failure> {
    if terms.policy == Policy::Rules {
        let only_for_models = [
            ("--model", terms.model.is_some()),
            ("--recorded", terms.recorded.is_some()),
            ("--max-model-calls", terms.max_model_calls.is_some()),
            ("--max-tokens", terms.max_tokens.is_some()),
            ("--max-cost", terms.max_cost.is_some()),
            ("--fallback", terms.fallback.is_some()),
        ];
        return match only_for_models.into_iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Failure::usage(format!("{name} needs --policy model: the rules call no model"))),
            None => Ok(None),
        };
    }
    if pack.prompts().is_none() || pack.goal_schema().is_none() {
        return Err(Failure::usage("this pack has no prompts, so no model can be asked")
            .hint("name `prompts` and `goal` under [files] of its pack.toml, or use --policy rules"));
    }
    let settings = match &terms.recorded {
        Some(run) => ModelSettings::recorded(run),
        None => settings(shared, terms.file.models.as_deref(), terms.model.as_deref())?,
    };
    let opened = open(shared, &settings)?;
    Ok(Some(reference(&settings, &opened)))
}

/// What one call of a model takes at most, for each agent.
pub(crate) fn reserves(model: &ModelReference, pack: &Pack) -> Option<Calls> {
    let prompts = pack.prompts()?;
    let (intake, review) = (model.reserve(&prompts.requirement_agent), model.reserve(&prompts.quality_reviewer));
    Some(Calls { intake, review })
}

/// The model that a run asks, opened; nothing where the rules propose. What the run was answered already is not given again.
pub(crate) fn of_run(
    shared: &Shared,
    file: Option<&Path>,
    brief: &Brief,
    history: Option<&History>,
) -> Result<Option<Box<dyn Model>>, Failure> {
    let Some(wanted) = &brief.model else { return Ok(None) };
    let settings = match wanted.name.strip_prefix(RECORDED) {
        Some(run) => ModelSettings::recorded(run),
        None => settings(shared, file, Some(&wanted.name))?,
    };
    let opened = open(shared, &settings)?;
    let identity = opened.model().identity();
    if *identity != wanted.identity {
        let (name, was) = (&wanted.name, &wanted.identity);
        return Err(Failure::usage(format!(
            "the run asks {} at {}, but {name} is now {} at {}",
            was.model, was.provider, identity.model, identity.provider
        ))
        .hint("name the same model in the settings or the environment, or begin the change again"));
    }
    Ok(Some(match opened {
        Opened::Scripted(script) => {
            if let Some(history) = history {
                script.go_on_after(&calls(&history.facts));
            }
            Box::new(script)
        }
        Opened::Recorded(recorded, _) => Box::new(recorded),
        Opened::OpenAi(model) => model,
    }))
}

enum Opened {
    OpenAi(Box<OpenAiModel>),
    Scripted(Scripted),
    Recorded(Recorded, Box<(String, Option<ModelReference>)>),
}

impl Opened {
    fn model(&self) -> &dyn Model {
        match self {
            Self::OpenAi(model) => model.as_ref(),
            Self::Scripted(model) => model,
            Self::Recorded(model, _) => model,
        }
    }
}

fn settings(shared: &Shared, file: Option<&Path>, name: Option<&str>) -> Result<ModelSettings, Failure> {
    let own = shared.data_dir.join(MODELS);
    let file = match file {
        Some(file) => Some(ModelsFile::open(file)?),
        None if own.is_file() => Some(ModelsFile::open(&own)?),
        None => None,
    };
    let real = |name: &str| std::env::var(name).ok();
    let environment = Environment::with_file(&real, Path::new("."))?;
    Ok(choose(name, file.as_ref(), &environment)?)
}

fn open(shared: &Shared, settings: &ModelSettings) -> Result<Opened, Failure> {
    Ok(match &settings.kind {
        ModelKind::OpenAi { base_url, model, api_key, structured } => {
            Opened::OpenAi(Box::new(OpenAiModel::new(Endpoint {
                base_url: base_url.clone(),
                api_key: api_key.clone(),
                model: model.clone(),
                structured: *structured,
                memory: Some(shared.data_dir.join(MEMORY)),
            })?))
        }
        ModelKind::Scripted { script } => Opened::Scripted(Scripted::open(script)?),
        ModelKind::Recorded { run } => {
            let journal = store::open_existing(&shared.data_dir)?;
            let history = store::read(&journal, run)?;
            let id = history.id.to_string();
            let recorded = Recorded::from_facts(&history.facts, &id);
            if recorded.is_empty() {
                return Err(Failure::usage(format!("the run {id} has called no model, so it has no answers to give")));
            }
            let asked = Brief::of(&history.run).and_then(|brief| brief.model);
            Opened::Recorded(recorded, Box::new((id, asked)))
        }
    })
}

/// What a run remembers of its model.
fn reference(settings: &ModelSettings, opened: &Opened) -> ModelReference {
    let identity = opened.model().identity().clone();
    if let Opened::Recorded(_, run) = opened {
        let (id, asked) = (&run.0, &run.1);
        // The same questions come only from the same terms.
        if let Some(asked) = asked {
            return ModelReference { name: format!("{RECORDED}{id}"), identity, ..asked.clone() };
        }
    }
    ModelReference {
        name: settings.name.clone(),
        identity,
        price: settings.price,
        context: settings.context,
        answer_tokens: settings.answer_tokens,
        temperature: settings.temperature,
        seed: settings.seed,
        tries: settings.tries,
        try_ms: u64::try_from(settings.timeout.as_millis()).unwrap_or(u64::MAX),
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let failure = Self::from_error(Exit::Usage, &error);
        match error {
            SettingsError::None => failure
                .hint("set LOOPWRIGHT_MODEL_BASE_URL and LOOPWRIGHT_MODEL, as in http://127.0.0.1:8080/v1 and qwen3")
                .hint("or describe models in models.toml of the data directory, or in the file of --models"),
            SettingsError::Unknown { .. } => {
                failure.hint("set LOOPWRIGHT_MODEL_BASE_URL to where that model answers, or name another one")
            }
            SettingsError::KeyMissing { .. } => failure.hint("set it in the environment or in a file .env"),
            SettingsError::Read { .. } | SettingsError::DotEnv { .. } | SettingsError::Faults { .. } => failure,
        }
    }
}

impl From<ScriptError> for Failure {
    fn from(error: ScriptError) -> Self {
        Self::from_error(Exit::Usage, &error)
    }
}

impl From<EndpointError> for Failure {
    fn from(error: EndpointError) -> Self {
        let exit = if matches!(error, EndpointError::Client { .. }) { Exit::World } else { Exit::Usage };
        Self::from_error(exit, &error)
    }
}
