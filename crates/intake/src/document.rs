//! The baseline as sentences see it: its elements, their names, and the values that stand there now.

use loopwright_configs::{Key, Layout, Path, Segment};
use serde_json::Value;

use crate::element::{Elements, Reference};
use crate::vocabulary::{Field, Vocabulary};

/// A baseline with its elements.
pub(crate) struct Document<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) layout: &'a Layout,
    pub(crate) value: &'a Value,
    /// The path of each element, in order.
    pub(crate) elements: Vec<Path>,
}

/// Why names did not lead to elements.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Lost {
    /// There is no such element: the path it would have.
    Unknown(String),
    /// No element has the value now, or several have it.
    Unclear,
}

impl<'a> Document<'a> {
    pub(crate) fn new(vocabulary: &'a Vocabulary, layout: &'a Layout, value: &'a Value) -> Self {
        let elements = match vocabulary.element.collection.parse::<Path>() {
            Ok(collection) => layout.items(value, &collection).into_iter().map(|(path, _)| path).collect(),
            Err(_) => Vec::new(),
        };
        Self { vocabulary, layout, value, elements }
    }

    /// Ids and names of the elements, with the id they stand for.
    pub(crate) fn names(&self) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for path in &self.elements {
            let id = Self::id(path);
            names.push((id.clone(), id.clone()));
            let field = self.vocabulary.element.name.as_ref().map(|name| path.field(name));
            let Some(name) = field.and_then(|path| self.layout.get(self.value, &path)).and_then(Value::as_str) else {
                continue;
            };
            let separator = self.vocabulary.element.name_separator.as_deref().unwrap_or("\n");
            names.extend(name.split(separator).map(|part| (part.trim().to_owned(), id.clone())));
        }
        names.retain(|(name, _)| !name.is_empty());
        names
    }

    /// The id of an element.
    pub(crate) fn id(element: &Path) -> String {
        match element.segments().last() {
            Some(Segment::Item(key)) => key.to_string(),
            _ => String::new(),
        }
    }

    /// The path of a field in an element, or of a field that stands by itself.
    pub(crate) fn place(field: &Field, element: Option<&Path>) -> Option<Path> {
        let path = field.path.as_ref()?;
        let mut placed = Path::root();
        for segment in path.segments() {
            placed = match (segment, element) {
                (Segment::Item(Key::Any), Some(element)) => element.clone(),
                (Segment::Item(key), _) => placed.item(key.clone()),
                (Segment::Field(name), _) => placed.field(name),
                (Segment::Below, _) => placed,
            };
        }
        Some(placed)
    }

    /// The value of a field in an element of some document, with its default.
    pub(crate) fn value_in(&self, document: &Value, field: &Field, element: &Path) -> Option<Value> {
        let place = Self::place(field, Some(element))?;
        self.layout.get(document, &place).cloned().or_else(|| field.default.clone())
    }

    /// The value of the selector, where all the elements have the same one.
    pub(crate) fn selected(&self, elements: &Elements) -> Option<Value> {
        let selector = self.vocabulary.field(self.vocabulary.element.selector.as_deref()?)?;
        let places = self.resolve(elements, &[]).ok()?;
        let mut values = places.iter().map(|element| self.value_in(self.value, selector, element));
        let first = values.next()??;
        values.all(|value| value.as_ref() == Some(&first)).then_some(first)
    }

    /// The elements that are meant; `said` are those that were named before.
    pub(crate) fn resolve(&self, elements: &Elements, said: &[Path]) -> Result<Vec<Path>, Lost> {
        let except = self.all_of(&elements.except, said)?;
        let mut found = self.all_of(&elements.named, said)?;
        found.retain(|element| !except.contains(element));
        // In document order, each once.
        Ok(self.elements.iter().filter(|element| found.contains(element)).cloned().collect())
    }

    fn all_of(&self, references: &[Reference], said: &[Path]) -> Result<Vec<Path>, Lost> {
        let mut found = Vec::new();
        for reference in references {
            found.extend(self.one(reference, said)?);
        }
        Ok(found)
    }

    fn one(&self, reference: &Reference, said: &[Path]) -> Result<Vec<Path>, Lost> {
        let unknown = |place: u32| {
            let id = self.vocabulary.element.id_template.replace("{n}", &place.to_string());
            Lost::Unknown(format!("{}[{id}]", self.vocabulary.element.collection))
        };
        let total = self.elements.len();
        match reference {
            Reference::Place(place) => {
                let index = (*place as usize).checked_sub(1);
                let element = index.and_then(|index| self.elements.get(index)).ok_or_else(|| unknown(*place))?;
                Ok(vec![element.clone()])
            }
            Reference::Id(id) => Ok(self.elements.iter().filter(|path| Self::id(path) == *id).cloned().collect()),
            Reference::First(count) | Reference::Last(count) if *count as usize > total || *count == 0 => {
                Err(unknown(*count))
            }
            Reference::First(count) => Ok(self.elements.iter().take(*count as usize).cloned().collect()),
            Reference::Last(count) => Ok(self.elements.iter().skip(total - *count as usize).cloned().collect()),
            Reference::Span(first, last) => {
                let place = |end: &Reference| -> Result<usize, Lost> {
                    let found = self.one(end, said)?;
                    self.elements.iter().position(|element| found.contains(element)).ok_or(Lost::Unclear)
                };
                let (first, last) = (place(first)?, place(last)?);
                self.elements.get(first..=last).map(<[Path]>::to_vec).ok_or(Lost::Unclear)
            }
            Reference::All => Ok(self.elements.clone()),
            Reference::Selected(value) => {
                let selector = self.vocabulary.element.selector.as_deref().and_then(|id| self.vocabulary.field(id));
                let selector = selector.ok_or(Lost::Unclear)?;
                let has = |element: &&Path| self.value_in(self.value, selector, element).as_ref() == Some(value);
                let found: Vec<Path> = self.elements.iter().filter(has).cloned().collect();
                if found.len() == 1 { Ok(found) } else { Err(Lost::Unclear) }
            }
            Reference::Rest { .. } if said.is_empty() => Err(Lost::Unclear),
            Reference::Rest { .. } => {
                Ok(self.elements.iter().filter(|element| !said.contains(element)).cloned().collect())
            }
        }
    }
}
