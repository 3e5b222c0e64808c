//! A shared, immutable JSON value with its digest computed once.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Digest, canonical_bytes};

/// An immutable JSON value; cloning shares it, and its digest is computed at most once.
#[derive(Clone)]
pub struct Json(Arc<Inner>);

struct Inner {
    value: Value,
    digest: OnceLock<Digest>,
}

impl Json {
    /// Wraps a value.
    pub fn new(value: Value) -> Self {
        Self(Arc::new(Inner { value, digest: OnceLock::new() }))
    }

    /// JSON `null`.
    pub fn null() -> Self {
        Self::new(Value::Null)
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.0.value
    }

    /// SHA-256 of the value's RFC 8785 form.
    pub fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| Digest::of(&canonical_bytes(&self.0.value)))
    }

    /// Whether it is JSON `null`.
    pub fn is_null(&self) -> bool {
        self.0.value.is_null()
    }

    /// A field of an object, or nothing.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.value.get(field)
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::new(value)
    }
}

impl Default for Json {
    fn default() -> Self {
        Self::null()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.digest() == other.digest()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.value, f)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.value, f)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::new)
    }
}
