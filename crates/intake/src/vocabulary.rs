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
    /// Wishes that with "too" only say why something is to change: "too hard".
    pub(crate) judgements: Vec<String>,
    /// A requirement that is understood, shown where one is not.
    pub(crate) example: Option<Text>,
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
    /// For an inverse with a unit of its own: its number times that of the field it is the inverse of.
    pub(crate) product: Option<f64>,
    /// The field that a share of this one means where it is said of elements.
    pub(crate) of_elements: Option<String>,
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
    /// The field it means beside a hint of another.
    #[serde(default)]
    pub(crate) beside: BTreeMap<String, String>,
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
    /// The wish that it is of things which are only hinted at: "bigger pieces" are no more pieces.
    pub(crate) of_hints: Option<String>,
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
    /// Right before an element it only says whose element it is.
    #[serde(default)]
    pub(crate) has_elements: bool,
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
    #[serde(default)]
    judgements: Vec<String>,
    example: Option<Text>,
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
            judgements: file.judgements,
            example: file.example,
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

    pub(crate) fn field(&self, id: &str) -> Option<&Field> {
        self.fields.get(id)
    }

    /// How an element is called in both languages.
    pub(crate) fn label(&self, id: &str) -> Text {
        self.field(id).map_or_else(|| Text::same(id), |field| field.label.clone())
    }
}
