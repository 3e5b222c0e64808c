//! The embedded engine: the built-in simulator, in this process, drawing no frames.

mod fairness;
mod pictures;
mod scene;
mod study;

use danmaku::render::Heat;
use danmaku::{DeviceProfile, FightConfig, RunOptions, Telemetry, Trace};
use loopwright_configs::Text;
use loopwright_core::json::Json;
use serde::Serialize;
use serde_json::Value;

use crate::artifact::{Artifact, ArtifactKind};
use crate::runner::{EngineError, EngineIdentity, EngineReport, EngineRequest, EngineRunner, Variant};
use crate::study::{Progress, StudyReport, StudyRequest};
use crate::telemetry::normalise;

/// The engine's name on the command line and in telemetry.
pub const NAME: &str = "embedded";

/// Runs fights in the built-in simulator.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmbeddedEngine;

impl EngineRunner for EmbeddedEngine {
    fn identity(&self) -> EngineIdentity {
        let version = danmaku::VERSION.to_owned();
        EngineIdentity { name: NAME.to_owned(), build_id: format!("danmaku-{version}"), version }
    }

    fn run(&self, request: &EngineRequest) -> Result<EngineReport, EngineError> {
        let engine = || NAME.to_owned();
        let config = fight(&request.config)?;
        let profile = match request.device_profile.value() {
            Value::Null => None,
            profile => {
                let profile = serde_json::from_value::<DeviceProfile>(profile.clone());
                Some(profile.map_err(|source| EngineError::Profile { engine: engine(), source: Box::new(source) })?)
            }
        };
        let options = RunOptions { seed: request.seed, profile };
        let (figures, artifacts) = match &request.capture_at {
            None => (danmaku::run(&config, &options), Vec::new()),
            Some(at) => shown(&config, &options, at, request.variant)?,
        };
        let raw = Json::new(json(&figures)?);
        let telemetry = normalise(request, &self.identity(), &raw)?;
        Ok(EngineReport { raw, telemetry, artifacts })
    }

    fn study(&self, request: &StudyRequest, progress: &Progress<'_>) -> Result<Option<StudyReport>, EngineError> {
        let (baseline, candidate) = (fight(&request.baseline)?, fight(&request.candidate)?);
        let distributions = study::distributions(&baseline, &candidate, request, progress);
        let (findings, artifacts) = fairness::examine(&baseline, &candidate)
            .map_err(|error| EngineError::Broken { engine: NAME.to_owned(), reason: error.to_string() })?;
        Ok(Some(StudyReport { distributions, findings, artifacts }))
    }
}

fn fight(config: &Json) -> Result<FightConfig, EngineError> {
    FightConfig::from_json(config.value())
        .map_err(|source| EngineError::Config { engine: NAME.to_owned(), source: Box::new(source) })
}

/// A run with its pictures and its scene.
fn shown(
    config: &FightConfig,
    options: &RunOptions,
    at: &[f64],
    variant: Variant,
) -> Result<(Telemetry, Vec<Artifact>), EngineError> {
    let mut watched = (Trace::default(), Heat::new(config));
    let figures = danmaku::run_observed(config, options, &mut watched);
    let (trace, heat) = watched;
    let mut artifacts = pictures::pictures(config, options, &heat, at, variant)
        .map_err(|error| EngineError::Broken { engine: NAME.to_owned(), reason: error.to_string() })?;
    artifacts.push(Artifact {
        name: "scene.json".to_owned(),
        kind: ArtifactKind::Scene,
        media_type: "application/json".to_owned(),
        label: Text::new("replay", "回放"),
        detail: Value::Null,
        bytes: json(&scene::scene(config, &trace, variant))?.to_string().into_bytes(),
    });
    Ok((figures, artifacts))
}

fn json(of: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(of)
        .map_err(|error| EngineError::Telemetry { engine: NAME.to_owned(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(config: Value) -> EngineRequest {
        let profile = json!({"name": "desk", "fps_cap": 60.0, "base_ms": 14.19, "ms_per_alive": 0.01444});
        EngineRequest {
            config: config.into(),
            seed: 20_260_727,
            run_id: "run".into(),
            variant: Variant::Baseline,
            device_profile: profile.into(),
            capture_at: None,
        }
    }

    fn baseline() -> Value {
        serde_json::from_str(include_str!("../../../../packs/bullet-hell/baseline.json")).unwrap()
    }

    #[test]
    fn a_run_brings_the_published_figures_and_says_what_its_fps_rest_on() {
        let report = EmbeddedEngine.run(&request(baseline())).unwrap();
        let figures = ["total_bullets_spawned", "peak_alive_bullets", "player_hits"];
        assert_eq!(figures.map(|name| report.telemetry.get(name).unwrap().clone()), [json!(592), json!(66), json!(2)]);
        assert_eq!(report.telemetry.get("fps_basis"), Some(&json!("modelled")));
        assert_eq!(report.telemetry.get("device_profile"), Some(&json!("desk")));
        assert_eq!(report.raw.get("run_id"), None, "the raw figures are kept as they came");
    }

    #[test]
    fn the_same_request_brings_the_same_bytes() {
        let run = || EmbeddedEngine.run(&request(baseline())).unwrap().telemetry.to_string();
        assert_eq!(run(), run());
    }

    #[test]
    fn configs_and_profiles_that_cannot_run_are_errors() {
        let error = EmbeddedEngine.run(&request(json!({"phases": []}))).unwrap_err();
        assert_eq!(error.class(), "engine_config");
        let broken = EngineRequest { device_profile: json!({"fps": 60}).into(), ..request(baseline()) };
        assert_eq!(EmbeddedEngine.run(&broken).unwrap_err().class(), "engine_profile");
    }
}
