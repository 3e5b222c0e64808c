//! Picking one item of a document by a computed figure.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::expr::{Expr, ExprError, Scope};
use crate::layout::Layout;
use crate::path::Path;

/// Which end of the figures is picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// The largest figure.
    Max,
    /// The smallest figure.
    Min,
}

/// How to pick one item. Expressions see the caller's scope and of each item `item` (its value), `id` and `index`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The items to choose among: `phases[*]`.
    pub each: Path,
    /// Which of them count at all; all where nothing is said.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub filter: Option<Expr>,
    /// The figure they are compared by.
    pub by: Expr,
    /// Which end is picked.
    pub pick: Pick,
    /// Further figures, for ties, compared at the same end; after them the first in the document is picked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<Expr>,
}

/// A figure could not be computed for an item.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} cannot be compared: {source}")]
pub struct SelectError {
    /// The item.
    pub path: Path,
    /// Why.
    pub source: ExprError,
}

impl Select {
    /// The picked item, or nothing where none counts.
    pub fn choose(&self, layout: &Layout, doc: &Value, scope: &Scope) -> Result<Option<Path>, SelectError> {
        let mut best: Option<(Vec<f64>, Path)> = None;
        for (index, path) in layout.expand(doc, &self.each).into_iter().enumerate() {
            let scope = item_scope(layout, doc, &path, scope).with("index", index);
            let failed = |source| SelectError { path: path.clone(), source };
            if let Some(filter) = &self.filter
                && !filter.truth(&scope).map_err(failed)?
            {
                continue;
            }
            let figures = std::iter::once(&self.by).chain(&self.ties).map(|figure| figure.number(&scope));
            let figures = figures.collect::<Result<Vec<f64>, _>>().map_err(failed)?;
            if best.as_ref().is_none_or(|(known, _)| self.better(&figures, known)) {
                best = Some((figures, path));
            }
        }
        Ok(best.map(|(_, path)| path))
    }

    /// Strictly better: an equal later item never replaces an earlier one.
    fn better(&self, new: &[f64], known: &[f64]) -> bool {
        let order = new.iter().zip(known).map(|(new, known)| new.total_cmp(known)).find(|order| order.is_ne());
        match self.pick {
            Pick::Max => order.is_some_and(std::cmp::Ordering::is_gt),
            Pick::Min => order.is_some_and(std::cmp::Ordering::is_lt),
        }
    }
}

/// A scope with an item's value as `item` and its key as `id`.
pub fn item_scope(layout: &Layout, doc: &Value, path: &Path, scope: &Scope) -> Scope {
    let item = layout.get(doc, path).cloned().unwrap_or(Value::Null);
    let id = path.first_key().map(ToString::to_string).unwrap_or_default();
    scope.clone().with("item", item).with("id", id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::tests::layout;
    use serde_json::json;

    #[test]
    fn one_item_is_picked_with_ties_broken_in_order() {
        let doc = json!({"phases": [
            {"phase_id": "a", "speed": 1, "count": 5},
            {"phase_id": "b", "speed": 2, "count": 5},
            {"phase_id": "c", "speed": 2, "count": 4},
        ]});
        let cases = [
            (json!({"by": "item.speed", "pick": "max"}), Some("phases[b]")),
            (json!({"by": "item.count", "pick": "max"}), Some("phases[a]")),
            (json!({"by": "item.count", "pick": "max", "ties": ["item.speed"]}), Some("phases[b]")),
            (json!({"by": "item.count", "pick": "min"}), Some("phases[c]")),
            (json!({"by": "item.speed", "pick": "max", "where": "id != 'b'"}), Some("phases[c]")),
            (json!({"by": "item.speed", "pick": "max", "where": "id in named"}), Some("phases[a]")),
            (json!({"by": "index", "pick": "max"}), Some("phases[c]")),
            (json!({"by": "item.speed", "pick": "max", "where": "false"}), None),
        ];
        for (mut data, expected) in cases {
            data["each"] = json!("phases[*]");
            let select: Select = serde_json::from_value(data.clone()).unwrap();
            let picked = select.choose(&layout(), &doc, &Scope::new().with("named", json!(["a"]))).unwrap();
            assert_eq!(picked.map(|path| path.to_string()).as_deref(), expected, "{data}");
        }
        let select: Select =
            serde_json::from_value(json!({"each": "phases[*]", "by": "item.nothing", "pick": "max"})).unwrap();
        let error = select.choose(&layout(), &doc, &Scope::new()).unwrap_err().to_string();
        assert!(error.starts_with("phases[a] cannot be compared"), "{error}");
    }
}
