//! What a pack says can be talked about: fields, limits, units, directions and their documented steps.
//!
//! Read from the pack's vocabulary file; the words for these things come from its phrase files. Everything a sentence
//! can mean is decided by this data, nothing by code. Mistakes in it are found here and named with file and key.

use std::collections::BTreeMap;

use loopwright_configs::{Expr, Path, Text};
use serde::Deserialize;
use serde_json::Value;

use crate::phrase::Lexicon;
use crate::phrase_file::PhraseFile;

/// A pack's vocabulary or phrases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VocabularyError {
    /// The file is not the TOML that is expected.
    #[error("{file}: {source}")]
    Unreadable {
        /// The file's name.
        file: String,
        /// What the reader said, with its line.
        source: Box<toml::de::Error>,
    },
    /// A key names something the vocabulary doesn't have, or lacks something it needs.
    #[error("{file}: {key}: {problem}")]
    Wrong {
        /// The file's name.
        file: String,
        /// The key in it.
        key: String,
        /// What is wrong and what to do.
        problem: String,
    },
    /// One phrase has two meanings that no rule tells apart.
    #[error("{file}: {key}: the phrase {phrase:?} already stands at {other}; remove it from one of them")]
    Collision {
        /// The file's name.
        file: String,
        /// The key that was read second.
        key: String,
        /// The phrase.
        phrase: String,
        /// The key that has it already.
        other: String,
    },
}

/// A pack's vocabulary with its phrases, ready to read sentences with.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    pub(crate) element: Element,
    pub(crate) goal: GoalKeys,
    pub(crate) hints: Vec<String>,
    pub(crate) fields: BTreeMap<String, Field>,
    pub(crate) units: BTreeMap<String, Unit>,
    pub(crate) directions: BTreeMap<String, Direction>,
    pub(crate) owners: BTreeMap<String, Owner>,
    pub(crate) forced: Vec<Forced>,
    pub(crate) wishes: BTreeMap<String, Text>,
    pub(crate) lexicon: Lexicon,
    pub(crate) variants: BTreeMap<char, char>,
}

/// The rows of the document that sentences name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Element {
    pub(crate) collection: String,
    pub(crate) id_template: String,
    pub(crate) name: Option<String>,
    pub(crate) name_separator: Option<String>,
    pub(crate) selector: Option<String>,
    pub(crate) word: Text,
}

/// The structured goal's keys that are the pack's own.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoalKeys {
    pub(crate) element: String,
    pub(crate) target: String,
    pub(crate) requested: Requested,
    pub(crate) pressure: Pressure,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Requested {
    pub(crate) key: String,
    pub(crate) field: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pressure {
    pub(crate) key: String,
    pub(crate) fields: Vec<String>,
}

/// What kind of thing a field is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FieldKind {
    #[default]
    Element,
    Limit,
    Outside,
    Flag,
}

/// Which side a limit bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    Max,
    Min,
}

/// Something that can be named and, unless it is outside, changed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    #[serde(default)]
    pub(crate) kind: FieldKind,
    pub(crate) label: Text,
    pub(crate) path: Option<Path>,
    #[serde(default)]
    pub(crate) paths: Vec<Path>,
    pub(crate) unit: Option<String>,
    pub(crate) base: Option<String>,
    #[serde(default)]
    pub(crate) integer: bool,
    #[serde(default)]
    pub(crate) signed: bool,
    pub(crate) bound: Option<Side>,
    pub(crate) exclusive: Option<f64>,
    pub(crate) ceiling: Option<Path>,
    pub(crate) stands_for: Option<String>,
    pub(crate) inverse_of: Option<String>,
    pub(crate) bounded: Option<String>,
    #[serde(default)]
    pub(crate) takes: BTreeMap<String, String>,
    pub(crate) default: Option<Value>,
    #[serde(default)]
    pub(crate) choices: BTreeMap<String, Text>,
    #[serde(default)]
    pub(crate) up: Vec<Step>,
    #[serde(default)]
    pub(crate) down: Vec<Step>,
}

/// One part of a documented step.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) field: String,
    pub(crate) value: Expr,
    pub(crate) when: Option<Expr>,
}

/// A unit of some dimension.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unit {
    pub(crate) dimension: String,
    pub(crate) factor: f64,
    pub(crate) field: Option<String>,
    pub(crate) label: Text,
}

/// Where a direction leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Way {
    Up,
    Down,
    Looser,
    Tighter,
}

impl Way {
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Looser => Self::Tighter,
            Self::Tighter => Self::Looser,
        }
    }
}

/// A word of direction.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Direction {
    pub(crate) way: Way,
    pub(crate) field: Option<String>,
    #[serde(default)]
    pub(crate) fits: Vec<String>,
    #[serde(default)]
    pub(crate) reversed: Vec<String>,
    #[serde(default)]
    pub(crate) loose: Vec<String>,
}

impl Direction {
    /// Where this word leads for `field`, or nothing if it cannot be said of it.
    pub(crate) fn way_for(&self, field: &str) -> Option<Way> {
        let has = |list: &[String]| list.iter().any(|name| name == field);
        if self.field.as_deref() == Some(field) || has(&self.fits) {
            return Some(self.way);
        }
        if has(&self.reversed) {
            return Some(self.way.turned());
        }
        if has(&self.loose) {
            return Some(if self.way == Way::Looser { Way::Up } else { Way::Down });
        }
        self.any().then_some(self.way)
    }

    /// Whether the word says nothing about what it changes.
    pub(crate) fn any(&self) -> bool {
        self.fits.iter().any(|name| name == "*")
    }
}

/// Whose field it is.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Owner {
    pub(crate) label: Text,
    #[serde(default)]
    pub(crate) takes: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) allows: Vec<String>,
    #[serde(default)]
    pub(crate) beside: Vec<String>,
}

/// A change that follows from the new value of a choice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forced {
    pub(crate) field: String,
    pub(crate) becomes: Value,
    pub(crate) changes: String,
    pub(crate) when: Expr,
    pub(crate) value: Expr,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularyFile {
    element: Element,
    goal: GoalKeys,
    #[serde(default)]
    hints: Vec<String>,
    fields: BTreeMap<String, Field>,
    #[serde(default)]
    units: BTreeMap<String, Unit>,
    #[serde(default)]
    directions: BTreeMap<String, Direction>,
    #[serde(default)]
    owners: BTreeMap<String, Owner>,
    #[serde(default)]
    forced: Vec<Forced>,
    #[serde(default)]
    wishes: BTreeMap<String, Text>,
}

fn parse<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, VocabularyError> {
    toml::from_str(text)
        .map_err(|source| VocabularyError::Unreadable { file: file.to_owned(), source: Box::new(source) })
}

impl Vocabulary {
    /// Reads a vocabulary and the phrases of any number of languages; each is a pair of a file's name and its text.
    pub fn read(vocabulary: (&str, &str), phrases: &[(&str, &str)]) -> Result<Self, VocabularyError> {
        let file: VocabularyFile = parse(vocabulary.0, vocabulary.1)?;
        let mut read = Self {
            element: file.element,
            goal: file.goal,
            hints: file.hints,
            fields: file.fields,
            units: file.units,
            directions: file.directions,
            owners: file.owners,
            forced: file.forced,
            wishes: file.wishes,
            lexicon: Lexicon::default(),
            variants: BTreeMap::new(),
        };
        read.check(vocabulary.0)?;
        let mut files = Vec::new();
        for (name, text) in phrases {
            let file: PhraseFile = parse(name, text)?;
            read.variants.extend(&file.variants);
            files.push((*name, file));
        }
        read.add_contract_names(vocabulary.0)?;
        for (name, file) in files {
            read.add_phrases(name, file)?;
        }
        Ok(read)
    }

<<<<<<< HEAD
    /// Every name that refers to another part of the vocabulary must find it there.
    fn check(&self, file: &str) -> Result<(), VocabularyError> {
        let wrong = |key: String, problem: String| VocabularyError::Wrong { file: file.to_owned(), key, problem };
        let known = |key: String, name: &str| {
            if self.fields.contains_key(name) {
                return Ok(());
            }
            Err(wrong(key, format!("there is no field {name:?}; add [fields.{name}] or correct the name")))
        };
        let dimension = |name: &str| self.units.values().any(|unit| unit.dimension == name);
        if let Some(selector) = &self.element.selector {
            known("element.selector".into(), selector)?;
        }
        known("goal.requested.field".into(), &self.goal.requested.field)?;
        for field in self.goal.pressure.fields.iter().chain(&self.hints) {
            known("goal.pressure.fields or hints".into(), field)?;
        }
        for (name, field) in &self.fields {
            let key = |part: &str| format!("fields.{name}.{part}");
            for (part, other) in
                [("stands_for", &field.stands_for), ("inverse_of", &field.inverse_of), ("bounded", &field.bounded)]
            {
                if let Some(other) = other {
                    known(key(part), other)?;
                }
            }
            for step in field.up.iter().chain(&field.down) {
                known(key("up or down"), &step.field)?;
                // A formula that cannot be computed is found here and not in the middle of an answer.
                step.value.number(&Scope::new().with("x", 2.0)).map_err(|error| {
                    wrong(key("up or down"), format!("{error}; a step may use x, the present value"))
                })?;
            }
            let virtual_field = field.stands_for.is_some() || field.inverse_of.is_some();
            match field.kind {
                FieldKind::Limit if field.paths.is_empty() || field.bound.is_none() => {
                    return Err(wrong(key("paths"), "a limit needs `paths` and `bound`".into()));
                }
                FieldKind::Element | FieldKind::Outside if field.path.is_none() && !virtual_field => {
                    return Err(wrong(key("path"), "give the field its `path`".into()));
                }
                _ => {}
            }
            if let Some(base) = &field.base {
                let unit = self.units.get(base);
                if unit.is_none_or(|unit| Some(&unit.dimension) != field.unit.as_ref()) {
                    return Err(wrong(key("base"), format!("{base:?} is no unit of this field's dimension")));
                }
            }
        }
        for (name, unit) in &self.units {
            if let Some(field) = &unit.field {
                known(format!("units.{name}.field"), field)?;
            }
            if !(unit.factor.is_finite() && unit.factor > 0.0) {
                return Err(wrong(format!("units.{name}.factor"), "must be above zero".into()));
            }
        }
        for (name, direction) in &self.directions {
            let named =
                direction.field.iter().chain(&direction.fits).chain(&direction.reversed).chain(&direction.loose);
            for field in named.filter(|field| *field != "*") {
                known(format!("directions.{name}"), field)?;
            }
        }
        for (name, owner) in &self.owners {
            for field in owner.takes.iter().flat_map(|(from, to)| [from, to]).chain(&owner.allows) {
                known(format!("owners.{name}"), field)?;
            }
        }
        for forced in &self.forced {
            known("forced.field".into(), &forced.field)?;
            known("forced.changes".into(), &forced.changes)?;
            for formula in [&forced.when, &forced.value] {
                formula.eval(&Scope::new().with("x", 2.0)).map_err(|error| {
                    wrong("forced".into(), format!("{error}; a formula may use x, the present value"))
                })?;
            }
        }
        for (name, field) in &self.fields {
            if let Some(unit) = field.unit.as_ref().filter(|_| field.base.is_some()) {
                if !dimension(unit) {
                    return Err(wrong(format!("fields.{name}.unit"), format!("no unit measures {unit:?}")));
                }
            }
        }
        Ok(())
    }

    /// A field may always be called by the name it has in the document.
    fn add_contract_names(&mut self, file: &str) -> Result<(), VocabularyError> {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for (id, field) in &self.fields {
            for path in field.path.iter().chain(&field.paths) {
                if let Some(name) = path.last_field().filter(|name| name.contains('_')) {
                    // Two fields of one name need phrases of their own.
                    names
                        .entry(name.to_owned())
                        .and_modify(|other| {
                            if other != id {
                                other.clear();
                            }
                        })
                        .or_insert_with(|| id.clone());
                }
            }
        }
        for (name, id) in names {
            if !id.is_empty() {
                let sense = Sense::Field { field: id.clone(), hint: false };
                self.add(file, &format!("fields.{id}.path"), &name, &sense)?;
            }
        }
        Ok(())
    }

    fn add_phrases(&mut self, file: &str, phrases: PhraseFile) -> Result<(), VocabularyError> {
        for (role, words) in phrases.grammar {
            self.add_all(file, &format!("grammar.{role:?}").to_lowercase(), &words, &Sense::Role(role))?;
        }
        let groups: [(&str, Words, fn(String) -> Sense, Vec<String>); 6] = [
            (
                "fields",
                phrases.fields,
                |field| Sense::Field { field, hint: false },
                self.fields.keys().cloned().collect(),
            ),
            ("hints", phrases.hints, |field| Sense::Field { field, hint: true }, self.hints.clone()),
            (
                "unsupported",
                phrases.unsupported,
                |field| Sense::Unsupported { field },
                self.fields.keys().cloned().collect(),
            ),
            ("directions", phrases.directions, Sense::Direction, self.directions.keys().cloned().collect()),
            ("units", phrases.units, Sense::Unit, self.units.keys().cloned().collect()),
            ("owners", phrases.owners, Sense::Owner, self.owners.keys().cloned().collect()),
        ];
        for (group, entries, sense, known) in groups {
            for (name, words) in entries {
                let key = format!("{group}.{name}");
                if !known.contains(&name) {
                    return Err(unknown_name(file, key, &name));
                }
                self.add_all(file, &key, &words, &sense(name))?;
            }
        }
        for (name, words) in phrases.wishes {
            let key = format!("wishes.{name}");
            if !self.wishes.contains_key(&name) {
                return Err(unknown_name(file, key, &name));
            }
            self.add_all(file, &key, &words, &Sense::Wish(name))?;
        }
        for (field, values) in phrases.choices {
            for (value, words) in values {
                let key = format!("choices.{field}.{value}");
                if !self.fields.get(&field).is_some_and(|known| known.choices.contains_key(&value)) {
                    return Err(unknown_name(file, key, &value));
                }
                let value = match serde_json::from_str(&value) {
                    Ok(plain @ (Value::Bool(_) | Value::Number(_))) => plain,
                    _ => Value::String(value),
                };
                self.add_all(file, &key, &words, &Sense::Choice { field: field.clone(), value })?;
            }
        }
        Ok(())
    }

    fn add_all(&mut self, file: &str, key: &str, words: &[String], sense: &Sense) -> Result<(), VocabularyError> {
        words.iter().try_for_each(|word| self.add(file, key, word, sense))
    }

    fn add(&mut self, file: &str, key: &str, notation: &str, sense: &Sense) -> Result<(), VocabularyError> {
        let Some(spelled) = spell_out(notation) else {
            return Err(VocabularyError::Wrong {
                file: file.to_owned(),
                key: key.to_owned(),
                problem: format!("{notation:?}: brackets must match, stand side by side, and give at most 256 phrases"),
            });
        };
        for phrase in spelled {
            let chars = normalise_phrase(&phrase, &self.variants);
            if chars.is_empty() {
                continue;
            }
            self.lexicon.add(&chars, sense.clone(), &format!("{file}: {key}")).map_err(|other| {
                VocabularyError::Collision { file: file.to_owned(), key: key.to_owned(), phrase, other }
            })?;
        }
        Ok(())
    }

=======
>>>>>>> intake
    pub(crate) fn field(&self, id: &str) -> Option<&Field> {
        self.fields.get(id)
    }

    /// How an element is called in both languages.
    pub(crate) fn label(&self, id: &str) -> Text {
        self.field(id).map_or_else(|| Text::same(id), |field| field.label.clone())
    }
}
