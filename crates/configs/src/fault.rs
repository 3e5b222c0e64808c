//! What is wrong with a document, one fact at a time.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::path::Path;
use crate::text::Text;

/// One thing that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The check that found it: `schema`, or whatever the caller's own checks are called.
    pub layer: String,
    /// Where it stands.
    pub path: Path,
    /// What stands there; nothing where something is missing. Large values are described instead of repeated.
    pub actual: Option<Value>,
    /// What is allowed: a range such as `1..=64`, a list of choices, `required`, `unknown field`.
    pub limit: Option<Value>,
    /// The same for people.
    pub message: Text,
    /// The name of the rule that was broken: a schema keyword or the caller's own.
    pub rule: String,
}

/// A value small enough to stand in a report: long text is cut, large arrays and objects are described.
pub fn brief(value: &Value) -> Value {
    const LONGEST: usize = 200;
    match value {
        Value::String(text) if text.chars().count() > LONGEST => {
            Value::from(text.chars().take(LONGEST).chain(['…']).collect::<String>())
        }
        Value::Array(items) if value.to_string().len() > LONGEST => format!("array of {} items", items.len()).into(),
        Value::Object(fields) if value.to_string().len() > LONGEST => {
            format!("object of {} fields", fields.len()).into()
        }
        other => other.clone(),
    }
}
