//! The validator's errors as faults: in our notation, in document order, each with what is allowed.

use std::collections::HashMap;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Broken;
use serde_json::Value;

use super::range::{self, Range};
use super::{Schema, message};
use crate::fault::{Fault, brief};
use crate::layout::Layout;
use crate::path::{Key, Path};
use crate::text::Text;

/// Faults reported for one document.
const MOST: usize = 500;
/// Faults looked at before they are put in order; the validator finds them roughly in document order already.
const LOOKED_AT: usize = 2_000;

/// The keys of arrays that were met already: a long array may hold many faults.
type Known = HashMap<Path, Vec<Key>>;

/// A fault with its position in the document, to sort by.
struct Placed {
    position: Vec<usize>,
    fault: Fault,
}

pub(super) fn of(schema: &Schema, layout: &Layout, doc: &Value) -> Vec<Fault> {
    let mut placed = Vec::new();
    let mut known = Known::new();
    let mut unseen = 0_usize;
    for error in schema.validator.iter_errors(doc) {
        if placed.len() < LOOKED_AT {
            unseen += collect(schema, layout, doc, &error, &mut known, &mut placed);
        } else {
            unseen += 1;
        }
    }
    placed.sort_by(|one, other| {
        one.position.cmp(&other.position).then_with(|| one.fault.rule.cmp(&other.fault.rule)).then_with(|| {
            // Two conditions may break on one value; their limits tell them apart.
            format!("{:?}", one.fault.limit).cmp(&format!("{:?}", other.fault.limit))
        })
    });
    let mut faults: Vec<Fault> = placed.into_iter().map(|one| one.fault).collect();
    // Text that is too short says enough; that it also lacks a visible letter adds nothing.
    let empty: Vec<Path> = faults.iter().filter(|it| it.rule == "minLength").map(|it| it.path.clone()).collect();
    faults.retain(|fault| fault.rule != "pattern" || !empty.contains(&fault.path));
    faults.dedup();
    let rest = unseen + faults.len().saturating_sub(MOST);
    if rest > 0 {
        faults.truncate(MOST);
        faults.push(Fault {
            layer: "schema".to_owned(),
            path: Path::root(),
            actual: Some(rest.into()),
            limit: None,
            message: Text::new(format!("{rest} more faults are not listed"), format!("另有 {rest} 处错误未列出")),
            rule: "more".to_owned(),
        });
    }
    faults
}

/// Adds what one error says, and returns how many faults of it were left out.
fn collect(
    schema: &Schema,
    layout: &Layout,
    doc: &Value,
    error: &ValidationError<'_>,
    known: &mut Known,
    placed: &mut Vec<Placed>,
) -> usize {
    let here = locate(layout, doc, &error.instance_path().to_string(), known);
    let schema_path = error.schema_path().to_string();
    let actual = error.instance();
    match error.kind() {
        Broken::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            placed.push(Placed {
                position: child(&here.position, usize::MAX),
                fault: fault(here.path.field(name), None, Some("required".into()), message::required(name), "required"),
            });
        }
        Broken::AdditionalProperties { unexpected } | Broken::UnevaluatedProperties { unexpected } => {
            let room = LOOKED_AT.saturating_sub(placed.len());
            let fields = fields(&schema.source, &here.path);
            for name in unexpected.iter().take(room) {
                let index = actual.as_object().and_then(|fields| fields.keys().position(|key| key == name));
                placed.push(Placed {
                    position: child(&here.position, index.unwrap_or(usize::MAX)),
                    fault: fault(
                        here.path.field(name),
                        actual.get(name),
                        Some("unknown field".into()),
                        message::unknown(name, &fields),
                        "additionalProperties",
                    ),
                });
            }
            return unexpected.len().saturating_sub(room);
        }
        kind => {
            let allowed = allowed(schema, &here.path, kind);
            let reason = condition(&schema.source, &schema_path);
            let text = message::of(kind, actual, allowed.as_ref(), reason.as_deref());
            placed.push(Placed {
                position: here.position,
                fault: fault(here.path, Some(actual), allowed, text, kind.keyword()),
            });
        }
    }
    0
}

fn fault(path: Path, actual: Option<&Value>, limit: Option<Value>, message: Text, rule: &str) -> Fault {
    let name = Text::same(path.to_string());
    let message = Text::new("{path}: {what}", "{path}：{what}").fill(&[("path", name), ("what", message)]);
    Fault { layer: "schema".to_owned(), path, actual: actual.map(brief), limit, message, rule: rule.to_owned() }
}

/// What would have been allowed, as a report shows it.
fn allowed(schema: &Schema, path: &Path, kind: &Broken) -> Option<Value> {
    let range = || schema.range(path);
    // A condition may have narrowed the plain range: its limit replaces that end.
    let narrowed = |change: &dyn Fn(&mut Range)| {
        range().map(|mut range| {
            change(&mut range);
            Value::from(range.to_string())
        })
    };
    match kind {
        Broken::Minimum { limit } => narrowed(&|range| (range.min, range.exclusive_min) = (limit.as_f64(), false)),
        Broken::ExclusiveMinimum { limit } => {
            narrowed(&|range| (range.min, range.exclusive_min) = (limit.as_f64(), true))
        }
        Broken::Maximum { limit } => narrowed(&|range| (range.max, range.exclusive_max) = (limit.as_f64(), false)),
        Broken::ExclusiveMaximum { limit } => {
            narrowed(&|range| (range.max, range.exclusive_max) = (limit.as_f64(), true))
        }
        Broken::Enum { options } => Some(options.as_ref().clone()),
        Broken::Constant { expected_value } => Some(expected_value.as_ref().clone()),
        Broken::Type { .. } => range::find(&schema.source, path).and_then(|part| part.get("type")).cloned(),
        Broken::MinItems { limit } | Broken::MinLength { limit } | Broken::MinProperties { limit } => {
            Some(format!(">={limit}").into())
        }
        Broken::MaxItems { limit } | Broken::MaxLength { limit } | Broken::MaxProperties { limit } => {
            Some(format!("<={limit}").into())
        }
        Broken::Pattern { pattern } => Some(pattern.clone().into()),
        Broken::MultipleOf { multiple_of } => Some((*multiple_of).into()),
        _ => None,
    }
}

/// The fields that the schema knows at an object, for the message about an unknown one.
fn fields(schema: &Value, path: &Path) -> Vec<String> {
    let fields = range::find(schema, path).and_then(|part| part.get("properties")).and_then(Value::as_object);
    fields.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}

/// What made a `then` apply, where its `if` compares fields with constants: `type is "aimed_fan"`.
fn condition(schema: &Value, schema_path: &str) -> Option<String> {
    let (before, _) = schema_path.rsplit_once("/then/")?;
    let fields = schema.pointer(before)?.get("if")?.get("properties")?.as_object()?;
    let parts =
        fields.iter().filter_map(|(name, part)| Some(format!("{name} = {}", crate::text::plain(part.get("const")?))));
    Some(parts.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
}

struct Place {
    path: Path,
    position: Vec<usize>,
}

/// A JSON pointer as a path in our notation, with the position of each step.
fn locate(layout: &Layout, doc: &Value, pointer: &str, known: &mut Known) -> Place {
    let mut place = Place { path: Path::root(), position: Vec::new() };
    let mut value = doc;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let (next, path, position) = match value {
            Value::Object(fields) => {
                let position = fields.keys().position(|key| *key == step);
                (fields.get(&step), place.path.field(&step), position)
            }
            Value::Array(items) => {
                let position = step.parse::<usize>().ok();
                let keys = known.entry(place.path.clone()).or_insert_with(|| layout.keys(&place.path, items));
                let key = position.and_then(|it| keys.get(it).cloned());
                let key = key.unwrap_or(Key::Index(position.unwrap_or_default()));
                (position.and_then(|it| items.get(it)), place.path.item(key), position)
            }
            _ => break,
        };
        place = Place { path, position: child(&place.position, position.unwrap_or(usize::MAX)) };
        let Some(next) = next else { break };
        value = next;
    }
    place
}

fn child(position: &[usize], index: usize) -> Vec<usize> {
    position.iter().copied().chain([index]).collect()
}
