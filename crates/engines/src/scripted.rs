//! A scripted engine: brings prepared figures or failures, one after another.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use loopwright_core::json::Json;
use serde_json::Value;

use crate::runner::{EngineError, EngineIdentity, EngineReport, EngineRequest, EngineRunner};
use crate::telemetry::normalise;

/// Answers each run with the next prepared figures; a run beyond the script breaks.
#[derive(Debug, Default)]
pub struct ScriptedEngine(Mutex<VecDeque<Result<Value, String>>>);

impl ScriptedEngine {
    /// An engine that brings these figures, or breaks with these reasons, in order.
    pub fn new(script: impl IntoIterator<Item = Result<Value, String>>) -> Self {
        Self(Mutex::new(script.into_iter().collect()))
    }
}

impl EngineRunner for ScriptedEngine {
    fn identity(&self) -> EngineIdentity {
        EngineIdentity { name: "scripted".to_owned(), version: "1".to_owned(), build_id: "script".to_owned() }
    }

    fn run(&self, request: &EngineRequest) -> Result<EngineReport, EngineError> {
        let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let engine = || self.identity().name;
        let raw = match next {
            Some(Ok(figures)) => Json::new(figures),
            Some(Err(reason)) => return Err(EngineError::Broken { engine: engine(), reason }),
            None => {
                return Err(EngineError::Broken { engine: engine(), reason: "the script is at its end".to_owned() });
            }
        };
        let telemetry = normalise(request, &self.identity(), &raw)?;
        Ok(EngineReport { raw, telemetry, artifacts: Vec::new() })
    }
}
