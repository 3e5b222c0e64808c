//! What a schema allows at one place.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::path::{Key, Path, Segment};
use crate::text::plain;

/// References followed from one to the next; a longer chain is a circle.
const MOST_REFERENCES: usize = 16;
/// Levels of a document that get defaults; documents from outside are not deeper.
const DEEPEST: usize = 64;

/// The kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Any number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// Text.
    Text,
    /// One of [`Range::choices`].
    Choices,
    /// An object, an array, or anything the schema does not bound.
    Other,
}

/// What may stand at a place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Range {
    /// The kind of value.
    pub kind: Kind,
    /// The smallest number.
    pub min: Option<f64>,
    /// The largest number.
    pub max: Option<f64>,
    /// Whether `min` itself is excluded.
    pub exclusive_min: bool,
    /// Whether `max` itself is excluded.
    pub exclusive_max: bool,
    /// The values to choose from, for [`Kind::Choices`].
    pub choices: Vec<Value>,
}

impl Range {
    /// Whether a value lies in the range.
    pub fn contains(&self, value: &Value) -> bool {
        match self.kind {
            Kind::Number => value.as_f64().is_some_and(|number| self.holds(number)),
            Kind::Integer => value.as_f64().is_some_and(|number| number.fract() == 0.0 && self.holds(number)),
            Kind::Boolean => value.is_boolean(),
            Kind::Text => value.is_string(),
            Kind::Choices => self.choices.iter().any(|choice| crate::diff::same_value(choice, value)),
            Kind::Other => true,
        }
    }

    /// Whether a number lies between the ends.
    pub fn holds(&self, number: f64) -> bool {
        let above = |min: f64| if self.exclusive_min { number > min } else { number >= min };
        let below = |max: f64| if self.exclusive_max { number < max } else { number <= max };
        self.min.is_none_or(above) && self.max.is_none_or(below)
    }
}

impl fmt::Display for Range {
    /// `1..=64`, `>0..=1`, `0..<5`, `>=1`, `<=5`, or the choices with ` | ` between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = if self.exclusive_min { ">" } else { "" };
        let high = if self.exclusive_max { "<" } else { "=" };
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "{low}{min}..{high}{max}"),
            (Some(min), None) => write!(f, "{}{min}", if self.exclusive_min { ">" } else { ">=" }),
            (None, Some(max)) => write!(f, "{}{max}", if self.exclusive_max { "<" } else { "<=" }),
            (None, None) => match self.kind {
                Kind::Choices => f.write_str(&self.choices.iter().map(plain).collect::<Vec<_>>().join(" | ")),
                Kind::Number => f.write_str("number"),
                Kind::Integer => f.write_str("whole number"),
                Kind::Boolean => f.write_str("true | false"),
                Kind::Text => f.write_str("text"),
                Kind::Other => f.write_str("any"),
            },
        }
    }
}

/// The part of a schema that speaks about a place.
pub(super) fn find<'a>(root: &'a Value, path: &Path) -> Option<&'a Value> {
    let mut schema = follow(root, root)?;
    for segment in path.segments() {
        let next = match segment {
            Segment::Field(name) => schema
                .get("properties")
                .and_then(|fields| fields.get(name))
                .or_else(|| schema.get("additionalProperties").filter(|it| it.is_object()))?,
            Segment::Item(key) => {
                let first = match key {
                    Key::Index(index) => schema.get("prefixItems").and_then(|items| items.get(index)),
                    _ => None,
                };
                first.or_else(|| schema.get("items"))?
            }
            Segment::Below => return None,
        };
        schema = follow(root, next)?;
    }
    Some(schema)
}

/// Follows local references.
fn follow<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    let mut schema = schema;
    for _ in 0..MOST_REFERENCES {
        match schema.get("$ref").and_then(Value::as_str) {
            None => return Some(schema),
            Some(reference) => schema = root.pointer(reference.strip_prefix('#')?)?,
        }
    }
    None
}

/// The range that one part of a schema gives.
pub(super) fn of(schema: &Value) -> Range {
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let choices = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
        (Some(only), _) => vec![only.clone()],
        (None, Some(choices)) => choices.clone(),
        (None, None) => Vec::new(),
    };
    let kind = match schema.get("type").and_then(Value::as_str) {
        _ if !choices.is_empty() => Kind::Choices,
        Some("number") => Kind::Number,
        Some("integer") => Kind::Integer,
        Some("boolean") => Kind::Boolean,
        Some("string") => Kind::Text,
        _ => Kind::Other,
    };
    // Both forms of an end may be given; the narrower one counts.
    let (low, above) = (number("minimum"), number("exclusiveMinimum"));
    let (high, below) = (number("maximum"), number("exclusiveMaximum"));
    let exclusive_min = above.is_some_and(|above| low.is_none_or(|low| above >= low));
    let exclusive_max = below.is_some_and(|below| high.is_none_or(|high| below <= high));
    Range {
        kind,
        min: if exclusive_min { above } else { low },
        max: if exclusive_max { below } else { high },
        exclusive_min,
        exclusive_max,
        choices,
    }
}

/// Puts defaults where optional fields are missing.
pub(super) fn fill_defaults(root: &Value, schema: &Value, doc: &mut Value, depth: usize) {
    let Some(schema) = follow(root, schema).filter(|_| depth < DEEPEST) else { return };
    match doc {
        Value::Object(fields) => {
            for (name, part) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                match fields.get_mut(name) {
                    Some(field) => fill_defaults(root, part, field, depth + 1),
                    None => {
                        if let Some(default) = follow(root, part).and_then(|part| part.get("default")) {
                            fields.insert(name.clone(), default.clone());
                        }
                    }
                }
            }
        }
        Value::Array(items) => {
            if let Some(part) = schema.get("items") {
                for item in items {
                    fill_defaults(root, part, item, depth + 1);
                }
            }
        }
        _ => {}
    }
}
