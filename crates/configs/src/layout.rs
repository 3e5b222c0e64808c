//! How paths meet documents: which arrays hold items with ids, and how to read and write a place.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::path::{Key, Path, Segment};

/// An array whose items are known by an id rather than by their position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// Where the array stands; `[*]` for one inside another collection.
    pub path: Path,
    /// The field of each item that holds its id.
    pub id: String,
}

/// The collections of a kind of document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// The collections, in any order.
    #[serde(default)]
    pub collections: Vec<Collection>,
}

/// A value could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// A step of the path does not exist in the document.
    #[error("{path} cannot be set: {missing} does not exist in the document")]
    Missing {
        /// The path that was to be set.
        path: Path,
        /// Its first step that is not there.
        missing: Path,
    },
    /// A pattern stands for many places.
    #[error("{path} cannot be set: it is a pattern; expand it and set each place")]
    Pattern {
        /// The pattern.
        path: Path,
    },
}

impl Layout {
    /// The key of every item of the array at `path`, in document order.
    ///
    /// An item whose id is missing, repeated or not to be written in the notation is known by its position.
    pub fn keys(&self, path: &Path, items: &[Value]) -> Vec<Key> {
        let field = self.collections.iter().find(|one| path.matches(&one.path)).map(|one| one.id.as_str());
        let id = |item: &Value| Key::id(item.get(field?)?.as_str()?);
        let ids: Vec<Option<Key>> = items.iter().map(id).collect();
        let mut counts = std::collections::HashMap::<&Key, usize>::new();
        for id in ids.iter().flatten() {
            *counts.entry(id).or_default() += 1;
        }
        let key = |(index, id): (usize, &Option<Key>)| match id {
            Some(id) if counts.get(id) == Some(&1) => id.clone(),
            _ => Key::Index(index),
        };
        ids.iter().enumerate().map(key).collect()
    }

    /// The items of the array at `path` with their paths; none where there is no array.
    pub fn items<'a>(&self, doc: &'a Value, path: &Path) -> Vec<(Path, &'a Value)> {
        let Some(items) = self.get(doc, path).and_then(Value::as_array) else { return Vec::new() };
        self.keys(path, items).into_iter().map(|key| path.item(key)).zip(items).collect()
    }

    /// The value at a path, if the document has one there. A pattern has none.
    pub fn get<'a>(&self, doc: &'a Value, path: &Path) -> Option<&'a Value> {
        let mut value = doc;
        let mut here = Path::root();
        for segment in path.segments() {
            value = match segment {
                Segment::Field(name) => value.as_object()?.get(name)?,
                Segment::Item(key) => {
                    let items = value.as_array()?;
                    items.get(self.position(&here, items, key)?)?
                }
                Segment::Below => return None,
            };
            here = step(&here, segment);
        }
        Some(value)
    }

    /// Puts a value at a path; a field may be new, everything above it must exist.
    pub fn set(&self, doc: &mut Value, path: &Path, new: Value) -> Result<(), PlaceError> {
        if path.is_pattern() {
            return Err(PlaceError::Pattern { path: path.clone() });
        }
        let mut value = doc;
        let mut here = Path::root();
        for (index, segment) in path.segments().iter().enumerate() {
            let next = step(&here, segment);
            let missing = || PlaceError::Missing { path: path.clone(), missing: next.clone() };
            value = match segment {
                Segment::Field(name) => {
                    let fields = value.as_object_mut().ok_or_else(missing)?;
                    if index + 1 == path.segments().len() {
                        fields.insert(name.clone(), new);
                        return Ok(());
                    }
                    fields.get_mut(name).ok_or_else(missing)?
                }
                Segment::Item(key) => {
                    let items = value.as_array_mut().ok_or_else(missing)?;
                    let position = self.position(&here, items, key).ok_or_else(missing)?;
                    items.get_mut(position).ok_or_else(missing)?
                }
                Segment::Below => return Err(missing()),
            };
            here = next;
        }
        *value = new;
        Ok(())
    }

    /// Every value that holds no others (scalars, empty objects, empty arrays), in document order.
    pub fn leaves<'a>(&self, doc: &'a Value) -> Vec<(Path, &'a Value)> {
        let mut found = Vec::new();
        self.collect(&Path::root(), doc, &mut found);
        found
    }

    /// The places of a document that a pattern stands for, in document order: a last `*` gives the leaves below,
    /// a path without `*` gives itself where it exists.
    pub fn expand(&self, doc: &Value, pattern: &Path) -> Vec<Path> {
        let mut places: Vec<(Path, &Value)> = vec![(Path::root(), doc)];
        for segment in pattern.segments() {
            let mut next = Vec::new();
            for (path, value) in places {
                match segment {
                    Segment::Item(Key::Any) => {
                        let items = value.as_array().map_or(&[][..], Vec::as_slice);
                        next.extend(self.keys(&path, items).into_iter().map(|key| path.item(key)).zip(items));
                    }
                    Segment::Below => {
                        let mut below = Vec::new();
                        self.collect(&path, value, &mut below);
                        next.extend(below.into_iter().filter(|(leaf, _)| *leaf != path));
                    }
                    Segment::Field(name) => {
                        next.extend(
                            value.as_object().and_then(|fields| fields.get(name)).map(|it| (path.field(name), it)),
                        );
                    }
                    Segment::Item(key) => {
                        let items = value.as_array().map_or(&[][..], Vec::as_slice);
                        let item = self.position(&path, items, key).and_then(|position| items.get(position));
                        next.extend(item.map(|it| (path.item(key.clone()), it)));
                    }
                }
            }
            places = next;
        }
        places.into_iter().map(|(path, _)| path).collect()
    }

    fn position(&self, path: &Path, items: &[Value], key: &Key) -> Option<usize> {
        match key {
            Key::Any => None,
            Key::Index(index) => (*index < items.len()).then_some(*index),
            Key::Id(_) => self.keys(path, items).iter().position(|one| one == key),
        }
    }

    fn collect<'a>(&self, path: &Path, value: &'a Value, found: &mut Vec<(Path, &'a Value)>) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (name, field) in fields {
                    self.collect(&path.field(name), field, found);
                }
            }
            Value::Array(items) if !items.is_empty() => {
                for (key, item) in self.keys(path, items).into_iter().zip(items) {
                    self.collect(&path.item(key), item, found);
                }
            }
            _ => found.push((path.clone(), value)),
        }
    }
}

fn step(path: &Path, segment: &Segment) -> Path {
    match segment {
        Segment::Field(name) => path.field(name),
        Segment::Item(key) => path.item(key.clone()),
        Segment::Below => path.clone(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    pub(crate) fn layout() -> Layout {
        serde_json::from_value(json!({"collections": [{"path": "phases", "id": "phase_id"}]})).unwrap()
    }

    pub(crate) fn doc() -> Value {
        json!({
            "scenario": {"width": 14, "tags": []},
            "phases": [
                {"phase_id": "one", "pattern": {"type": "ring", "speed": 3}},
                {"phase_id": "two", "pattern": {"type": "spiral", "speed": 3.6}},
            ],
        })
    }

    fn path(text: &str) -> Path {
        text.parse().unwrap()
    }

    #[test]
    fn values_are_found_by_id_and_by_position() {
        let cases = [
            ("scenario.width", Some(json!(14))),
            ("phases[two].pattern.speed", Some(json!(3.6))),
            ("phases[#1].pattern.speed", Some(json!(3.6))),
            ("phases[three]", None),
            ("phases[#2]", None),
            ("phases[*]", None),
            ("phases.two", None),
            ("scenario[one]", None),
        ];
        for (text, expected) in cases {
            assert_eq!(layout().get(&doc(), &path(text)), expected.as_ref(), "{text}");
        }
        assert_eq!(layout().get(&doc(), &Path::root()), Some(&doc()));
    }

    #[test]
    fn doubtful_ids_fall_back_to_positions() {
        let odd = json!({"phases": [{"phase_id": "a"}, {"phase_id": "a"}, {"phase_id": 3}, {}, 7, {"phase_id": "b"}]});
        let leaves: Vec<String> = layout().leaves(&odd).iter().map(|(path, _)| path.to_string()).collect();
        assert_eq!(
            leaves,
            [
                "phases[#0].phase_id",
                "phases[#1].phase_id",
                "phases[#2].phase_id",
                "phases[#3]",
                "phases[#4]",
                "phases[b].phase_id"
            ]
        );
    }

    #[test]
    fn patterns_expand_in_document_order() {
        let texts = |pattern: &str| -> Vec<String> {
            layout().expand(&doc(), &path(pattern)).iter().map(ToString::to_string).collect()
        };
        assert_eq!(texts("phases[*]"), ["phases[one]", "phases[two]"]);
        assert_eq!(texts("phases[*].pattern.speed"), ["phases[one].pattern.speed", "phases[two].pattern.speed"]);
        assert_eq!(
            texts("phases[two].*"),
            ["phases[two].phase_id", "phases[two].pattern.type", "phases[two].pattern.speed"]
        );
        assert_eq!(texts("scenario.*"), ["scenario.width", "scenario.tags"]);
        assert_eq!(texts("scenario.width"), ["scenario.width"]);
        assert!(texts("scenario.width.*").is_empty());
        assert!(texts("nothing[*].here").is_empty());
    }

    #[test]
    fn writing_keeps_order_and_names_what_is_missing() {
        let mut changed = doc();
        layout().set(&mut changed, &path("phases[two].pattern.speed"), json!(2.6)).unwrap();
        layout().set(&mut changed, &path("phases[one].pattern.two_way"), json!(true)).unwrap();
        assert_eq!(
            changed["phases"].to_string(),
            r#"[{"phase_id":"one","pattern":{"type":"ring","speed":3,"two_way":true}},{"phase_id":"two","pattern":{"type":"spiral","speed":2.6}}]"#
        );
        let error = layout().set(&mut changed, &path("phases[three].pattern.speed"), json!(1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "phases[three].pattern.speed cannot be set: phases[three] does not exist in the document"
        );
        let error = layout().set(&mut changed, &path("phases[*].pattern.speed"), json!(1)).unwrap_err();
        assert!(matches!(error, PlaceError::Pattern { .. }));
    }

    pub(crate) fn any_doc() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z.\\[\\]#*]{0,3}".prop_map(Value::from),
        ];
        scalar.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(
                    (prop_oneof![Just("phases".to_owned()), Just("phase_id".to_owned()), ".{0,2}"], inner),
                    0..4
                )
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_leaf_is_found_again_and_can_be_written(doc in any_doc()) {
            for (path, value) in layout().leaves(&doc) {
                let read: Path = path.to_string().parse().unwrap();
                prop_assert_eq!(layout().get(&doc, &read), Some(value), "{}", read);
                let mut same = doc.clone();
                layout().set(&mut same, &read, value.clone()).unwrap();
                prop_assert_eq!(&same, &doc);
            }
        }
    }
}
