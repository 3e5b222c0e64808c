//! Computed changes of a document.

use loopwright_core::json::normalise_whole_numbers;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diff::{Change, same_value};
use crate::expr::{Expr, ExprError, Scope};
use crate::layout::{Layout, PlaceError};
use crate::path::{ParsePathError, Path};
use crate::select::item_scope;

/// One computed change.
///
/// Expressions see the caller's scope, the selected item as `item` and `id`, and the value at the place as `current`
/// (`null` where there is none yet). They see the document as it was before any edit, so their order is of no matter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The place, read from the selected item; one that starts with `$.` is read from the root. May be a pattern.
    pub path: String,
    /// The new value.
    pub value: Expr,
    /// Whether the edit happens at all; always where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Expr>,
}

/// An edit could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The edit's path is not a path.
    #[error("an edit has no usable place: {0}")]
    Path(#[from] ParsePathError),
    /// The new value could not be computed.
    #[error("{path} cannot be changed: {source}")]
    Value {
        /// The place.
        path: Path,
        /// Why.
        source: ExprError,
    },
    /// The place does not exist.
    #[error(transparent)]
    Place(#[from] PlaceError),
}

impl Edit {
    /// The place or pattern that is meant, read from the selected item where there is one.
    pub fn place(&self, item: Option<&Path>) -> Result<Path, ParsePathError> {
        match (self.path.strip_prefix("$."), item) {
            (Some(absolute), _) => absolute.parse(),
            (None, Some(item)) => Ok(item.join(&self.path.parse()?)),
            (None, None) => self.path.parse(),
        }
    }
}

/// Makes all edits or none. Returns the new document, with its order kept, and what changed; an edit whose value is
/// the present one changes nothing. Whole numbers are written without a fraction.
pub fn apply(
    layout: &Layout,
    doc: &Value,
    item: Option<&Path>,
    edits: &[Edit],
    scope: &Scope,
) -> Result<(Value, Vec<Change>), EditError> {
    let scope = match item {
        Some(path) => item_scope(layout, doc, path, scope),
        None => scope.clone(),
    };
    let mut new = doc.clone();
    let mut changes = Vec::new();
    for edit in edits {
        let place = edit.place(item)?;
        let places = if place.is_pattern() { layout.expand(doc, &place) } else { vec![place] };
        for path in places {
            let before = layout.get(doc, &path).cloned();
            let scope = scope.clone().with("current", before.clone().unwrap_or(Value::Null));
            let failed = |source| EditError::Value { path: path.clone(), source };
            if let Some(when) = &edit.when
                && !when.truth(&scope).map_err(failed)?
            {
                continue;
            }
            let mut after = edit.value.eval(&scope).map_err(failed)?;
            normalise_whole_numbers(&mut after);
            if before.as_ref().is_some_and(|before| same_value(before, &after)) {
                continue;
            }
            layout.set(&mut new, &path, after.clone())?;
            changes.push(Change { path, before, after: Some(after) });
        }
    }
    Ok((new, changes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::tests::{doc, layout};
    use serde_json::json;

    fn edits(data: Value) -> Vec<Edit> {
        serde_json::from_value(data).unwrap()
    }

    #[test]
    fn edits_are_computed_from_the_document_as_it_was() {
        let item: Path = "phases[two]".parse().unwrap();
        let edits = edits(json!([
            {"path": "pattern.speed", "value": "round_dec(current * 0.85, 2)"},
            {"path": "pattern.count", "value": "math.greatest(item.pattern.speed + 4, 16)"},
            {"path": "$.scenario.width", "value": "current * factor"},
            {"path": "$.phases[*].pattern.type", "value": "'ring'"},
            {"path": "pattern.type", "value": "'petal'", "when": "item.pattern.type == 'petal'"},
        ]));
        let (new, changes) = apply(&layout(), &doc(), Some(&item), &edits, &Scope::new().with("factor", 2)).unwrap();
        assert_eq!(
            new.to_string(),
            r#"{"scenario":{"width":28,"tags":[]},"phases":[{"phase_id":"one","pattern":{"type":"ring","speed":3}},{"phase_id":"two","pattern":{"type":"ring","speed":3.06,"count":16}}]}"#
        );
        let places: Vec<String> = changes.iter().map(|change| change.path.to_string()).collect();
        assert_eq!(
            places,
            ["phases[two].pattern.speed", "phases[two].pattern.count", "scenario.width", "phases[two].pattern.type"]
        );
        assert_eq!(apply(&layout(), &doc(), Some(&item), &edits, &Scope::new().with("factor", 2)).unwrap().0, new);
    }

    #[test]
    fn an_edit_that_fails_changes_nothing() {
        for (edit, expected) in [
            (json!({"path": "pattern.speed", "value": "nothing"}), "phases[two].pattern.speed cannot be changed"),
            (json!({"path": "nothing.speed", "value": "1"}), "phases[two].nothing does not exist"),
            (json!({"path": "a..b", "value": "1"}), "an edit has no usable place"),
        ] {
            let item: Path = "phases[two]".parse().unwrap();
            let error = apply(&layout(), &doc(), Some(&item), &edits(json!([edit])), &Scope::new()).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
