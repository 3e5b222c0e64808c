//! The engine port.

use std::fmt;

use loopwright_core::json::Json;
use serde::{Deserialize, Serialize};

use crate::artifact::Artifact;
use crate::study::{StudyReport, StudyRequest};

/// Which side of a comparison a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The configuration before the change.
    Baseline,
    /// The proposed configuration.
    Candidate,
}

impl Variant {
    /// The variant's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Candidate => "candidate",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which engine produced a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What was built: two results are compared only within one build.
    pub build_id: String,
}

/// One run of one configuration.
#[derive(Debug, Clone)]
pub struct EngineRequest {
    /// The configuration.
    pub config: Json,
    /// The random seed.
    pub seed: u64,
    /// The run this belongs to, for the record.
    pub run_id: String,
    /// Which side of the comparison it is.
    pub variant: Variant,
    /// The device profile for engines that draw no frames, as the pack writes it; `null` for none.
    pub device_profile: Json,
    /// The moments to take pictures of, in seconds; engines that draw nothing bring none.
    pub capture_at: Vec<f64>,
}

/// What an engine brought.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineReport {
    /// The figures as the engine wrote them.
    pub raw: Json,
    /// The normalised copy, which checks read.
    pub telemetry: Json,
    /// Pictures and scenes, where the engine makes any.
    pub artifacts: Vec<Artifact>,
}

/// Why an engine brought nothing that can be used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine cannot run this configuration.
    #[error("the engine {engine} cannot run this config")]
    Config {
        /// The engine.
        engine: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The device profile is not one the engine can model.
    #[error("the engine {engine} cannot use the device profile")]
    Profile {
        /// The engine.
        engine: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The engine ran and its telemetry is not to be trusted.
    #[error("the telemetry of {engine} cannot be used: {reason}")]
    Telemetry {
        /// The engine.
        engine: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine broke.
    #[error("the engine {engine} broke: {reason}")]
    Broken {
        /// The engine.
        engine: String,
        /// What happened.
        reason: String,
    },
}

impl EngineError {
    /// A short code, for programs.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Config { .. } => "engine_config",
            Self::Profile { .. } => "engine_profile",
            Self::Telemetry { .. } => "engine_telemetry",
            Self::Broken { .. } => "engine_broken",
        }
    }
}

/// Runs configurations. The same request gives the same telemetry, so a lost run may be repeated.
pub trait EngineRunner: Send + Sync {
    /// Which engine this is.
    fn identity(&self) -> EngineIdentity;

    /// Runs one configuration to its end.
    fn run(&self, request: &EngineRequest) -> Result<EngineReport, EngineError>;

    /// Runs both configurations against many players; nothing where the engine has only one.
    fn study(&self, _: &StudyRequest) -> Result<Option<StudyReport>, EngineError> {
        Ok(None)
    }
}
