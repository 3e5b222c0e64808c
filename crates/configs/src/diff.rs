//! What differs between two documents of one layout.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::layout::Layout;
use crate::path::{Key, Path};

/// One place where two documents differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Where.
    pub path: Path,
    /// The value before; nothing where there was none.
    pub before: Option<Value>,
    /// The value after; nothing where it is gone.
    pub after: Option<Value>,
}

/// Whether two values mean the same: numbers are compared by value (`36` is `36.0`), objects without regard to order.
pub fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_value(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same_value(value, other)))
        }
        _ => one == other,
    }
}

/// Every difference, in the order of `before`; what only `after` has comes last on its level.
///
/// Items of a collection are compared by id, so that a moved item is no difference; whoever minds the order compares
/// [`Layout::keys`]. A value that appears or goes is one change, however much it holds.
pub fn diff(layout: &Layout, before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(layout, &Path::root(), before, after, &mut changes);
    changes
}

fn compare(layout: &Layout, path: &Path, before: &Value, after: &Value, changes: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => compare_objects(layout, path, before, after, changes),
        (Value::Array(before), Value::Array(after)) => compare_arrays(layout, path, before, after, changes),
        _ if same_value(before, after) => {}
        _ => changes.push(Change { path: path.clone(), before: Some(before.clone()), after: Some(after.clone()) }),
    }
}

fn compare_objects(
    layout: &Layout,
    path: &Path,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    changes: &mut Vec<Change>,
) {
    for (name, value) in before {
        match after.get(name) {
            Some(other) => compare(layout, &path.field(name), value, other, changes),
            None => changes.push(Change { path: path.field(name), before: Some(value.clone()), after: None }),
        }
    }
    for (name, value) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        changes.push(Change { path: path.field(name), before: None, after: Some(value.clone()) });
    }
}

fn compare_arrays(layout: &Layout, path: &Path, before: &[Value], after: &[Value], changes: &mut Vec<Change>) {
    let (keys_before, keys_after) = (layout.keys(path, before), layout.keys(path, after));
    let mut left: HashMap<&Key, &Value> = keys_after.iter().zip(after).collect();
    for (key, value) in keys_before.iter().zip(before) {
        match left.remove(key) {
            Some(other) => compare(layout, &path.item(key.clone()), value, other, changes),
            None => changes.push(Change { path: path.item(key.clone()), before: Some(value.clone()), after: None }),
        }
    }
    for (key, value) in keys_after.iter().zip(after).filter(|(key, _)| left.contains_key(key)) {
        changes.push(Change { path: path.item(key.clone()), before: None, after: Some(value.clone()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::tests::{any_doc, doc, layout};
    use proptest::prelude::*;
    use serde_json::json;

    fn texts(before: &Value, after: &Value) -> Vec<String> {
        let show = |value: Option<Value>| value.map_or("-".to_owned(), |value| value.to_string());
        diff(&layout(), before, after)
            .into_iter()
            .map(|change| format!("{}: {} -> {}", change.path, show(change.before), show(change.after)))
            .collect()
    }

    #[test]
    fn differences_are_listed_in_document_order() {
        let mut after = doc();
        after["phases"][1]["pattern"]["speed"] = json!(2.6);
        after["phases"][1]["pattern"]["two_way"] = json!(true);
        after["scenario"]["width"] = json!(14.0);
        after["phases"][0]["pattern"].as_object_mut().unwrap().shift_remove("type");
        assert_eq!(
            texts(&doc(), &after),
            [
                "phases[one].pattern.type: \"ring\" -> -",
                "phases[two].pattern.speed: 3.6 -> 2.6",
                "phases[two].pattern.two_way: - -> true",
            ]
        );
    }

    #[test]
    fn items_are_compared_by_id() {
        let mut moved = doc();
        moved["phases"].as_array_mut().unwrap().reverse();
        assert!(texts(&doc(), &moved).is_empty());
        let mut renamed = doc();
        renamed["phases"][0]["phase_id"] = json!("zero");
        let found = texts(&doc(), &renamed);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("phases[one]: {") && found[1].starts_with("phases[zero]: -"));
    }

    proptest! {
        #[test]
        fn nothing_differs_from_itself(doc in any_doc()) {
            prop_assert!(diff(&layout(), &doc, &doc).is_empty());
            prop_assert!(same_value(&doc, &doc));
        }

        #[test]
        fn applied_changes_of_leaves_undo_the_difference(doc in any_doc(), new in any::<i32>()) {
            for (path, _) in layout().leaves(&doc).into_iter().filter(|(path, _)| path.last_field() != Some("phase_id")) {
                let mut after = doc.clone();
                layout().set(&mut after, &path, json!(new)).unwrap();
                for change in diff(&layout(), &doc, &after) {
                    prop_assert_eq!(&change.path, &path);
                }
            }
        }
    }
}
