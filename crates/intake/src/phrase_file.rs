//! A language's phrase file: which phrases stand under which key, and how they come into the lexicon.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::normalise::normalise_phrase;
use crate::phrase::{Role, Sense, spell_out};
use crate::vocabulary::{Vocabulary, VocabularyError};

/// A part of the file: its name, its phrases, what they mean, and the names that may stand in it.
type Group = (&'static str, Words, fn(String) -> Sense, Vec<String>);

type Words = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhraseFile {
    /// Characters and the ones that are read in their place.
    #[serde(default)]
    pub(crate) variants: BTreeMap<char, char>,
    #[serde(default)]
    grammar: BTreeMap<Role, Vec<String>>,
    #[serde(default)]
    fields: Words,
    #[serde(default)]
    hints: Words,
    #[serde(default)]
    choices: BTreeMap<String, Words>,
    #[serde(default)]
    unsupported: Words,
    #[serde(default)]
    directions: Words,
    #[serde(default)]
    units: Words,
    #[serde(default)]
    owners: Words,
    #[serde(default)]
    wishes: Words,
}

impl Vocabulary {
    /// A field may always be called by the name it has in the document.
    pub(crate) fn add_contract_names(&mut self, file: &str) -> Result<(), VocabularyError> {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for (id, field) in &self.fields {
            for path in field.path.iter().chain(&field.paths) {
                let last = path.last_field().filter(|name| name.contains('_'));
                let above = path.parent().and_then(|parent| parent.last_field().map(str::to_owned));
                let whole = last.zip(above).map(|(last, above)| format!("{above} {last}"));
                for name in last.map(str::to_owned).into_iter().chain(whole) {
                    // Two fields of one name need phrases of their own.
                    names
                        .entry(name)
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

    pub(crate) fn add_phrases(&mut self, file: &str, phrases: PhraseFile) -> Result<(), VocabularyError> {
        for (role, words) in phrases.grammar {
            self.add_all(file, &format!("grammar.{role:?}").to_lowercase(), &words, &Sense::Role(role))?;
        }
        let groups: [Group; 6] = [
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
}

fn unknown_name(file: &str, key: String, name: &str) -> VocabularyError {
    let problem = format!("the vocabulary has no {name:?} of this kind; add it there or correct the name");
    VocabularyError::Wrong { file: file.to_owned(), key, problem }
}
