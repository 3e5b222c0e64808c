//! What a server was found to support, remembered so that it is found out once.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::request::Request;
use crate::settings::Structured;

/// What a server supports, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Quirks {
    /// How it is told the shape of an answer.
    pub(super) structured: Structured,
    /// How it is told the limit of an answer.
    pub(super) tokens: TokenField,
    /// Whether it takes a temperature.
    pub(super) temperature: bool,
    /// Whether it takes a seed.
    pub(super) seed: bool,
}

/// The field that limits an answer's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TokenField {
    MaxTokens,
    MaxCompletionTokens,
}

impl Default for Quirks {
    fn default() -> Self {
        Self { structured: Structured::JsonSchema, tokens: TokenField::MaxTokens, temperature: true, seed: true }
    }
}

impl Quirks {
    /// What a refusal teaches; nothing where it is about something else, or where nothing is left to change.
    pub(super) fn learn(self, error: &ModelError, request: &Request, declared: Option<Structured>) -> Option<Self> {
        let ModelError::BadRequest { status, message } = error else { return None };
        let words = message.to_lowercase();
        let says = |names: &[&str]| names.iter().any(|name| words.contains(name));
        if self.tokens == TokenField::MaxTokens && says(&["max_completion_tokens"]) {
            return Some(Self { tokens: TokenField::MaxCompletionTokens, ..self });
        }
        if self.temperature && request.temperature.is_some() && says(&["temperature"]) {
            return Some(Self { temperature: false, ..self });
        }
        if self.seed && request.seed.is_some() && says(&["seed"]) {
            return Some(Self { seed: false, ..self });
        }
        let shape = ["response_format", "json_schema", "json_object", "schema", "grammar", "structured", "guided"];
        // A server that does not know a field often says no more than that the request is a bad one.
        let unexplained = matches!(status, 400 | 422);
        let about_shape = says(&shape) && matches!(status, 400 | 404 | 415 | 422 | 501);
        if request.schema.is_none() || declared.is_some() || !(unexplained || about_shape) {
            return None;
        }
        let structured = match self.structured {
            Structured::JsonSchema => Structured::JsonObject,
            Structured::JsonObject => Structured::Prompt,
            Structured::Prompt => return None,
        };
        Some(Self { structured, ..self })
    }
}

/// The file of what was learned, by address and model. It is a convenience: what cannot be read or written is learned anew.
pub(super) struct Memory {
    file: Option<PathBuf>,
    key: String,
}

impl Memory {
    pub(super) fn new(file: Option<PathBuf>, base_url: &str, model: &str) -> Self {
        Self { file, key: format!("{} {model}", base_url.trim().trim_end_matches('/')) }
    }

    pub(super) fn recall(&self) -> Quirks {
        self.all().get(&self.key).copied().unwrap_or_default()
    }

    pub(super) fn keep(&self, quirks: Quirks) {
        let Some(file) = &self.file else { return };
        let mut all = self.all();
        all.insert(self.key.clone(), quirks);
        let Ok(text) = serde_json::to_vec_pretty(&all) else { return };
        // A reader meets the old file or the new one, never half of it.
        let beside = file.with_extension(format!("{}.tmp", std::process::id()));
        if fs::write(&beside, text).and_then(|()| fs::rename(&beside, file)).is_err() {
            fs::remove_file(&beside).ok();
        }
    }

    fn all(&self) -> BTreeMap<String, Quirks> {
        let bytes = self.file.as_ref().and_then(|file| fs::read(file).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}
