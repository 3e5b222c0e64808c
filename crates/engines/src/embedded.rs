//! The embedded engine: the built-in simulator, in this process, drawing no frames.

use danmaku::{DeviceProfile, FightConfig, RunOptions};
use loopwright_core::json::Json;
use serde_json::Value;

use crate::runner::{EngineError, EngineIdentity, EngineReport, EngineRequest, EngineRunner};
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
        let config = FightConfig::from_json(request.config.value())
            .map_err(|source| EngineError::Config { engine: engine(), source: Box::new(source) })?;
        let profile = match request.device_profile.value() {
            Value::Null => None,
            profile => {
                let profile = serde_json::from_value::<DeviceProfile>(profile.clone());
                Some(profile.map_err(|source| EngineError::Profile { engine: engine(), source: Box::new(source) })?)
            }
        };
        let telemetry = danmaku::run(&config, &RunOptions { seed: request.seed, profile });
        let raw = serde_json::to_value(&telemetry)
            .map_err(|error| EngineError::Telemetry { engine: engine(), reason: error.to_string() })?;
        let raw = Json::new(raw);
        let telemetry = normalise(request, &self.identity(), &raw)?;
        Ok(EngineReport { raw, telemetry, artifacts: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Variant;
    use serde_json::json;

    fn request(config: Value) -> EngineRequest {
        let profile = json!({"name": "desk", "fps_cap": 60.0, "base_ms": 14.19, "ms_per_alive": 0.01444});
        EngineRequest {
            config: config.into(),
            seed: 20_260_727,
            run_id: "run".into(),
            variant: Variant::Baseline,
            device_profile: profile.into(),
            capture_at: Vec::new(),
        }
    }

    fn baseline() -> Value {
        serde_json::from_str(include_str!("../../../packs/bullet-hell/baseline.json")).unwrap()
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
