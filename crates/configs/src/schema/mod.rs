//! What may stand where: a JSON Schema, its faults in words, and the range it allows at a place.

mod faults;
mod message;
mod range;

use serde_json::Value;

use crate::fault::Fault;
use crate::layout::Layout;
use crate::path::Path;

pub use range::{Kind, Range};

/// A JSON Schema (2020-12), compiled once.
#[derive(Debug)]
pub struct Schema {
    source: Value,
    validator: jsonschema::Validator,
}

/// The schema itself is not usable.
#[derive(Debug, thiserror::Error)]
#[error("the schema cannot be used: at {place}: {message}")]
pub struct SchemaError {
    place: String,
    message: String,
}

impl Schema {
    /// Compiles a schema. References may only lead into the schema itself: nothing is fetched.
    pub fn compile(source: Value) -> Result<Self, SchemaError> {
        let validator = jsonschema::draft202012::new(&source).map_err(|error| SchemaError {
            place: error.instance_path().to_string(),
            message: error.to_string().chars().take(200).collect(),
        })?;
        Ok(Self { source, validator })
    }

    /// The schema as it was written.
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// Everything that is wrong with a document, in document order; what is missing comes after what is there.
    ///
    /// A document with an absurd number of faults gets the first 500 and a last one that counts the rest.
    pub fn faults(&self, layout: &Layout, doc: &Value) -> Vec<Fault> {
        faults::of(self, layout, doc)
    }

    /// What the schema allows at a place, whatever the rest of the document says: `properties`, `items` and local
    /// references are followed, while `allOf`, `anyOf`, `oneOf` and `if`/`then` are not. A document may therefore be
    /// held to a narrower range than this one; [`Schema::faults`] knows.
    pub fn range(&self, path: &Path) -> Option<Range> {
        Some(range::of(range::find(&self.source, path)?))
    }

    /// Puts the schema's `default` wherever an optional field is missing, so that documents that mean the same compare
    /// as the same.
    pub fn fill_defaults(&self, doc: &mut Value) {
        range::fill_defaults(&self.source, &self.source, doc, 0);
    }
}

#[cfg(test)]
mod tests;
