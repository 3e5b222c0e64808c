//! Stage 6: what each statement asks of the document, one field and one element at a time.
//!
//! Nothing is computed from the document's values here except what a statement compares itself with; what the demands
//! of all statements come to together is the next stage's business.

use loopwright_configs::{Path, Schema, Text};
use serde_json::Value;

use crate::amount::Size;
use crate::document::{Document, Lost};
use crate::element::Reference;
use crate::message;
use crate::slot::Statement;
use crate::trouble::Trouble;
use crate::vocabulary::{FieldKind, Way};

/// What happens to a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    Set(Value),
    Scale(f64),
    Shift(f64),
    Step(Way),
    /// Stays as it is; with a value, it was said what it is.
    Keep(Option<Value>),
}

/// One thing a statement asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Demand {
    /// The statement it came from.
    pub(crate) statement: usize,
    pub(crate) field: String,
    /// The element, for fields of elements.
    pub(crate) element: Option<Path>,
    pub(crate) op: Op,
    /// The direction that was said with a value.
    pub(crate) way: Option<Way>,
    /// The old value, where one was said, ...
    pub(crate) old: Option<f64>,
    /// ... and whether it was said to be the old one.
    pub(crate) old_is_sure: bool,
    /// Whether a looser limit was permitted in words.
    pub(crate) allowed: bool,
}

/// Everything a statement asks for, and what else is to be said about it.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    pub(crate) demands: Vec<Demand>,
    /// Whole places that stay: what is kept and how it is called.
    pub(crate) keeps: Vec<(Path, Text)>,
    /// What nobody asked to change stays.
    pub(crate) keep_rest: Option<Rest>,
    pub(crate) flags: Vec<String>,
    pub(crate) notes: Vec<Text>,
    /// The elements it names in so many words.
    pub(crate) named: Vec<Path>,
}

/// Of what the rest stays.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Rest {
    /// Of the whole document.
    Everything,
    /// Elements that change in nothing.
    OtherElements,
    /// The other fields of these elements.
    Of(Vec<Path>),
}

impl Meaning {
    /// Whether it asks for nothing at all.
    pub(crate) fn is_silent(&self) -> bool {
        self.demands.is_empty() && self.keeps.is_empty() && self.keep_rest.is_none() && self.flags.is_empty()
    }
}

/// Reads statements against a document.
pub(crate) struct Interpreter<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) schema: &'a Schema,
    /// What sentences may change.
    pub(crate) scope: &'a [Path],
}

/// A part of the reading, or why there is none.
pub(crate) type Read<T> = Result<T, Trouble>;

impl Interpreter<'_> {
    /// The meaning of one statement; `quote` gives the text of unknown words, `said` the elements named before.
    pub(crate) fn read(
        &self,
        index: usize,
        statement: &Statement,
        said: &[Path],
        quote: &dyn Fn(usize, usize) -> String,
    ) -> Read<Meaning> {
        let mut meaning = Meaning::default();
        if statement.reason {
            if statement.stray {
                return Err(Trouble::NotUnderstood(message::reason_with_request()));
            }
            meaning.named = self.elements(statement, said)?.unwrap_or_default();
            meaning.notes.push(message::reason(&quote(statement.from, statement.to)));
            return Ok(meaning);
        }
        self.refuse(statement, quote)?;
        let elements = self.elements(statement, said)?;
        if let Some(elements) = elements.as_ref().filter(|_| !statement.inherited) {
            meaning.named.clone_from(elements);
        }
        // "三部分各加两个": the third part, or three parts?
        if statement.each && statement.strong().count() < 2 && elements.as_ref().is_some_and(|one| one.len() == 1) {
            return Err(Trouble::which_element(self.document));
        }
        let result = self.demands(index, statement, elements.as_deref(), &mut meaning);
        // What is outside any range stays refused, whatever else the clause says.
        if let Err(refused @ Trouble::Blocked(_)) = result {
            return Err(refused);
        }
        self.doubt(statement, quote)?;
        result?;
        if statement.emphasis {
            meaning.notes.push(message::emphasis());
        }
        Ok(meaning)
    }

    fn elements(&self, statement: &Statement, said: &[Path]) -> Read<Option<Vec<Path>>> {
        let Some(elements) = &statement.elements else { return Ok(None) };
        if statement.keep && elements.named.iter().any(|one| matches!(one, Reference::Rest { .. })) {
            return Ok(None);
        }
        match self.document.resolve(elements, said) {
            Ok(found) if found.is_empty() => Err(Trouble::which_element(self.document)),
            Ok(found) => Ok(Some(found)),
            Err(Lost::Unknown(path)) => Err(Trouble::unknown_element(self.document, path)),
            Err(Lost::Unclear) => Err(Trouble::which_element(self.document)),
        }
    }

    fn demands(
        &self,
        index: usize,
        statement: &Statement,
        elements: Option<&[Path]>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let fields = self.fields(statement)?;
        let mut picked = false;
        let removed = statement.directions.iter().all(|direction| self.leads_down(direction));
        let removed = removed && !statement.directions.is_empty() && fields.is_empty();
        for pick in &statement.picks {
            picked = true;
            // "remove two-way" switches it off; what is off already cannot be removed.
            if removed && pick.value == Value::Bool(true) {
                self.each(index, statement, &pick.field, elements, &Op::Set(Value::Bool(false)), None, meaning)?;
                continue;
            }
            if removed && pick.value.is_boolean() {
                return Err(Trouble::NotUnderstood(message::unclear()));
            }
            let op = if statement.still || (statement.keep && fields.is_empty()) {
                Op::Keep(Some(pick.value.clone()))
            } else {
                Op::Set(pick.value.clone())
            };
            self.each(index, statement, &pick.field, elements, &op, None, meaning)?;
        }
        let generic_pick = picked && fields.is_empty() && !statement.directions.is_empty();
        if generic_pick && !statement.picks.iter().all(|pick| pick.value.is_boolean()) {
            return Err(Trouble::NotUnderstood(message::unclear()));
        }
        if picked && fields.is_empty() && !statement.amounts.is_empty() {
            return Err(Trouble::NotUnderstood(message::which_field()));
        }
        if fields.is_empty() && !picked {
            return self.without_field(statement, elements, meaning);
        }
        // Of two things outside the scope, the one that belongs to the elements is what a clause about them means.
        let of_elements = |name: &String| {
            let outside = self.document.vocabulary.field(name).filter(|field| field.kind == FieldKind::Outside);
            outside.is_some_and(|field| field.path.as_ref().is_some_and(|path| path.to_string().contains("[*]")))
        };
        let (first, others): (Vec<&String>, Vec<&String>) = fields.iter().partition(|name| of_elements(name));
        for field in first.into_iter().chain(others) {
            self.demand(index, statement, field, elements, meaning)?;
        }
        Ok(())
    }

    fn leads_down(&self, direction: &str) -> bool {
        self.document.vocabulary.directions.get(direction).is_some_and(|known| known.any() && known.way == Way::Down)
    }

    /// A statement that names no field: something whole is kept, or a field is missing.
    fn without_field(&self, statement: &Statement, elements: Option<&[Path]>, meaning: &mut Meaning) -> Read<()> {
        if !statement.amounts.is_empty() || !statement.directions.is_empty() {
            return Err(Trouble::NotUnderstood(message::which_field()));
        }
        let rest = statement
            .elements
            .as_ref()
            .is_some_and(|elements| elements.named.iter().any(|one| matches!(one, Reference::Rest { .. })));
        if statement.keep && rest {
            let words = statement
                .elements
                .as_ref()
                .is_some_and(|elements| elements.named.iter().any(|one| matches!(one, Reference::Rest { word: true })));
            meaning.keep_rest = Some(if words { Rest::OtherElements } else { Rest::Everything });
            return Ok(());
        }
        if statement.keep && statement.rest {
            let of = elements.filter(|_| !statement.inherited);
            meaning.keep_rest = Some(of.map_or(Rest::Everything, |elements| Rest::Of(elements.to_vec())));
            return Ok(());
        }
        let explicit = elements.filter(|_| !statement.inherited || !statement.everything);
        if statement.keep && (explicit.is_some() || statement.everything) {
            for element in explicit.unwrap_or(&self.document.elements) {
                meaning.keeps.push((element.clone(), Text::same(Document::id(element))));
            }
            return Ok(());
        }
        if statement.keep || statement.change || statement.everything {
            return Err(Trouble::vague());
        }
        Err(Trouble::NotUnderstood(message::unclear()))
    }

    /// What a statement asks of one field.
    fn demand(
        &self,
        index: usize,
        statement: &Statement,
        name: &str,
        elements: Option<&[Path]>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let vocabulary = self.document.vocabulary;
        let Some(field) = vocabulary.field(name) else { return Ok(()) };
        let way = if field.kind == FieldKind::Outside { None } else { self.way(statement, name)? };
        match field.kind {
            FieldKind::Flag if statement.keep || statement.still => {
                meaning.flags.push(name.to_owned());
                Ok(())
            }
            FieldKind::Flag => Err(Trouble::NotUnderstood(message::only_kept(&field.label))),
            FieldKind::Outside => self.outside(statement, field, elements, meaning),
            FieldKind::Limit => self.limit(index, statement, name, field, way, meaning),
            FieldKind::Element => {
                if let Some(base) = field.stands_for.as_ref().and_then(|base| vocabulary.field(base))
                    && !statement.bounds.is_empty()
                {
                    return self.bounded(index, statement, field, base, meaning);
                }
                if !statement.bounds.is_empty() {
                    return Err(Trouble::NotUnderstood(message::bound_on_field(&field.label)));
                }
                let (target, inverse) = match (&field.inverse_of, &field.stands_for) {
                    (Some(base), _) => (base.as_str(), true),
                    _ => (name, false),
                };
                if statement.respectively && statement.amounts.len() > 1 {
                    return self.respectively(index, statement, target, elements, meaning);
                }
                let op = self.op(statement, target, field, way, inverse)?;
                let way = way.map(|way| if inverse { way.turned() } else { way });
                self.each(index, statement, target, elements, &op, way, meaning)
            }
        }
    }

    /// "1, 2 and 3 at 3, 3.5 and 4 respectively".
    fn respectively(
        &self,
        index: usize,
        statement: &Statement,
        target: &str,
        elements: Option<&[Path]>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let elements = elements.unwrap_or_default();
        if elements.len() != statement.amounts.len() || !statement.directions.is_empty() {
            return Err(Trouble::NotUnderstood(message::unclear()));
        }
        for (element, amount) in elements.iter().zip(&statement.amounts) {
            let Size::Number(_) = amount.size else { return Err(Trouble::NotUnderstood(message::unclear())) };
            let value = self.in_units(amount, target)?;
            let op = Op::Set(value.into());
            self.each(index, statement, target, Some(std::slice::from_ref(element)), &op, None, meaning)?;
        }
        Ok(())
    }

    /// One demand for each element.
    #[expect(clippy::too_many_arguments, reason = "the parts of one demand, each of another source")]
    pub(crate) fn each(
        &self,
        index: usize,
        statement: &Statement,
        name: &str,
        elements: Option<&[Path]>,
        op: &Op,
        way: Option<Way>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let vocabulary = self.document.vocabulary;
        let Some(field) = vocabulary.field(name) else { return Ok(()) };
        let limit = field.kind == FieldKind::Limit;
        let allowed = statement.allow;
        if limit {
            let op = op.clone();
            let (old, old_is_sure) = (None, false);
            meaning.demands.push(Demand {
                statement: index,
                field: name.to_owned(),
                element: None,
                op,
                way,
                old,
                old_is_sure,
                allowed,
            });
            return Ok(());
        }
        let Some(elements) = elements else {
            // A value that no element may take is refused before anybody asks which one is meant.
            if let Op::Set(value) = op {
                let base = field.stands_for.as_deref().unwrap_or(name);
                if let Some(range) = self.range(base).filter(|range| !range.contains(value)) {
                    let path = vocabulary.field(base).and_then(|base| base.path.as_ref()).map(ToString::to_string);
                    return Err(Trouble::out_of_range(&field.label, path.unwrap_or_default(), value, &range));
                }
            }
            return Err(Trouble::which_element(self.document));
        };
        let (old, old_is_sure) = self.old(statement, name);
        for element in elements {
            meaning.demands.push(Demand {
                statement: index,
                field: name.to_owned(),
                element: Some(element.clone()),
                op: op.clone(),
                way,
                old,
                old_is_sure,
                allowed,
            });
        }
        Ok(())
    }

    pub(crate) fn range(&self, field: &str) -> Option<loopwright_configs::Range> {
        let field = self.document.vocabulary.field(field)?;
        self.schema.range(field.path.as_ref().or_else(|| field.paths.first())?)
    }

    pub(crate) fn is_choice(&self, field: &str) -> bool {
        self.document
            .vocabulary
            .field(field)
            .is_some_and(|field| field.kind == FieldKind::Element && !field.choices.is_empty())
    }

    pub(crate) fn is_limit(&self, field: &str) -> bool {
        self.document.vocabulary.field(field).is_some_and(|field| field.kind == FieldKind::Limit)
    }
}
