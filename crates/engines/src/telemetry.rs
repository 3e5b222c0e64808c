//! The normalised copy of an engine's telemetry: its own figures, and what they belong to.

use loopwright_core::json::Json;
use serde_json::{Value, json};

use crate::runner::{EngineError, EngineIdentity, EngineRequest};

/// Adds to an engine's figures what they belong to, after checking that they do belong to the request.
///
/// Added are `engine_name`, `engine_version`, `build_id`, `run_id`, `variant`, `config_sha256` (of the RFC 8785
/// form), `runtime_error_count` (0 where the engine counts none), `completed` and `validation_outcome`.
pub fn normalise(request: &EngineRequest, engine: &EngineIdentity, raw: &Json) -> Result<Json, EngineError> {
    let refuse = |reason: String| EngineError::Telemetry { engine: engine.name.clone(), reason };
    let Value::Object(figures) = raw.value() else {
        return Err(refuse("it is not a JSON object".to_owned()));
    };
    let seed = figures.get("random_seed").and_then(Value::as_u64);
    if seed != Some(request.seed) {
        let found = seed.map_or("none".to_owned(), |seed| seed.to_string());
        return Err(refuse(format!("random_seed is {found}, the run was started with {}", request.seed)));
    }
    let status = figures.get("status").and_then(Value::as_str);
    let completed = match status {
        Some("completed") => true,
        Some("failed") => false,
        other => return Err(refuse(format!("status is {other:?}, neither completed nor failed"))),
    };
    let mut copy = figures.clone();
    let belongings = [
        ("engine_name", json!(engine.name)),
        ("engine_version", json!(engine.version)),
        ("build_id", json!(engine.build_id)),
        ("run_id", json!(request.run_id)),
        ("variant", json!(request.variant)),
        ("config_sha256", json!(request.config.digest())),
        ("completed", json!(completed)),
        ("validation_outcome", json!("accepted")),
    ];
    for (name, value) in belongings {
        copy.insert(name.to_owned(), value);
    }
    copy.entry("runtime_error_count").or_insert(json!(0));
    Ok(Json::new(Value::Object(copy)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Variant;

    fn request() -> EngineRequest {
        EngineRequest {
            config: json!({"a": 1}).into(),
            seed: 7,
            run_id: "r".into(),
            variant: Variant::Candidate,
            device_profile: Json::null(),
            capture_at: Vec::new(),
        }
    }

    fn engine() -> EngineIdentity {
        EngineIdentity { name: "e".into(), version: "1".into(), build_id: "b".into() }
    }

    #[test]
    fn figures_keep_their_values_and_gain_their_origin() {
        let raw = json!({"random_seed": 7, "status": "failed", "figure": 3, "runtime_error_count": 2});
        let copy = normalise(&request(), &engine(), &raw.into()).unwrap();
        let expected = json!({
            "random_seed": 7, "status": "failed", "figure": 3, "runtime_error_count": 2,
            "engine_name": "e", "engine_version": "1", "build_id": "b", "run_id": "r", "variant": "candidate",
            "config_sha256": request().config.digest(), "completed": false, "validation_outcome": "accepted",
        });
        assert_eq!(copy.value(), &expected);
    }

    #[test]
    fn telemetry_of_another_run_is_refused() {
        let cases = [
            (json!([]), "not a JSON object"),
            (json!({"status": "completed"}), "random_seed is none"),
            (json!({"random_seed": 8, "status": "completed"}), "random_seed is 8, the run was started with 7"),
            (json!({"random_seed": 7, "status": "great"}), "neither completed nor failed"),
            (json!({"random_seed": 7}), "status is None"),
        ];
        for (raw, expected) in cases {
            let error = normalise(&request(), &engine(), &raw.into()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
