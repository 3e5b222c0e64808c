//! The intake without a model: a designer's sentence becomes an accepted change, a question, or a refusal.
//!
//! A small grammar over a pack's phrases, one stage a file: `normalise` -> `token` (with `number`) -> `item` (with
//! `element` and `amount`) -> `clause` (fills `slot`s) -> `link` -> `meaning` -> `combine` -> `answer` (and `goal`).
//! A clause that asks for a change and is not understood whole is never applied in part: every word of it has to be
//! known, and every slot has to fit. No word of any game stands in this crate; the `README.md` says how packs add theirs.

mod amount;
mod answer;
mod boundary;
mod choice;
mod clause;
mod combine;
mod document;
mod element;
mod goal;
mod item;
mod limit;
mod link;
mod meaning;
mod message;
mod normalise;
mod number;
mod phrase;
mod phrase_file;
mod quantity;
mod reading;
mod refuse;
mod slot;
mod step;
mod subject;
mod token;
mod trouble;
mod vocabulary;
mod vocabulary_check;

use std::sync::Arc;

use loopwright_configs::{Layout, Path, Schema};
use serde_json::Value;

pub use goal::{GoalChange, Kept, StructuredGoal};
pub use reading::{Answer, NotUnderstood, Reading, Understood};
pub use trouble::{BlockCode, QuestionCode};
pub use vocabulary::{Vocabulary, VocabularyError};

use crate::document::Document;

/// Characters of a requirement that are read; a sentence has a few hundred.
pub const MOST_CHARACTERS: usize = 4000;

/// A requirement that is not read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IntakeError {
    /// It is too long to be a requirement.
    #[error("the requirement has {length} characters, more than the {MOST_CHARACTERS} that are read; say it shorter")]
    TooLong {
        /// Its characters.
        length: usize,
    },
}

/// The characters of each statement with the fillers around it: up to the mark that ends it.
fn spans(statements: &[slot::Statement], chars: &[char]) -> Vec<(usize, usize)> {
    let mut from = 0;
    let mut spans = Vec::new();
    for (index, statement) in statements.iter().enumerate() {
        let next = statements.get(index + 1).map(|next| next.from);
        let gap = chars.get(statement.to..next.unwrap_or(chars.len())).unwrap_or_default();
        let mark = gap.iter().position(|c| [normalise::STOP, ',', '、'].contains(c));
        let to = match (mark, next) {
            (Some(mark), _) => statement.to + mark,
            (None, Some(_)) => statement.to,
            (None, None) => chars.len(),
        };
        spans.push((from, to));
        from = to;
    }
    spans
}

/// Reads requirements against documents of one kind.
#[derive(Debug, Clone)]
pub struct Intake {
    vocabulary: Arc<Vocabulary>,
    layout: Layout,
    schema: Arc<Schema>,
    scope: Vec<Path>,
}

impl Intake {
    /// An intake for documents of this layout and schema; `scope` are the patterns of what a requirement may change.
    pub fn new(vocabulary: Vocabulary, layout: Layout, schema: Arc<Schema>, scope: Vec<Path>) -> Self {
        Self { vocabulary: Arc::new(vocabulary), layout, schema, scope }
    }

    /// Reads a requirement against a baseline.
    pub fn read(&self, requirement: &str, baseline: &Value) -> Result<Reading, IntakeError> {
        let length = requirement.chars().count();
        if length > MOST_CHARACTERS {
            return Err(IntakeError::TooLong { length });
        }
        let vocabulary = self.vocabulary.as_ref();
        let document = Document::new(vocabulary, &self.layout, baseline);
        let normal = normalise::normalise(requirement, &vocabulary.variants);
        let names = self.names(&document);
        let tokens = token::tokenise(&normal.chars, &[&names, &vocabulary.lexicon]);
        let selector = vocabulary.element.selector.as_deref();
        let items = item::items(&tokens, &normal.chars, selector, document.elements.len());
        let statements =
            link::link(clause::statements(&items, vocabulary), vocabulary, &|elements| document.selected(elements));
        let quote = |from: usize, to: usize| normal.quote(requirement, from, to).to_owned();
        let clauses = spans(&statements, &normal.chars).into_iter().map(|(from, to)| quote(from, to)).collect();
        let interpreter = meaning::Interpreter { document: &document, schema: &self.schema, scope: &self.scope };
        let answerer =
            answer::Answerer { document: &document, interpreter, requirement, statements: &statements, clauses };
        Ok(answerer.answer(&quote))
    }

    /// The ids and names of the baseline's elements, as phrases.
    fn names(&self, document: &Document) -> phrase::Lexicon {
        let mut names = phrase::Lexicon::default();
        for (name, id) in document.names() {
            let chars = normalise::normalise_phrase(&name, &self.vocabulary.variants);
            // A name that two elements share names neither.
            let _ = names.add(&chars, phrase::Sense::Named(id), &name);
        }
        names
    }
}
