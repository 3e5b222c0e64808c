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
        self.refuse(statement, quote)?;
        let elements = self.elements(statement, said)?;
        if let Some(elements) = elements.as_ref().filter(|_| !statement.inherited) {
            meaning.named.clone_from(elements);
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

<<<<<<< HEAD
    /// What is refused whatever else the clause says: code, whole elements, fields outside the scope.
    fn refuse(&self, statement: &Statement, quote: &dyn Fn(usize, usize) -> String) -> Read<()> {
        if statement.code {
            return Err(Trouble::code());
        }
        let selector = self.document.vocabulary.element.selector.as_deref();
        let bare =
            statement.fields.is_empty() && statement.picks.iter().all(|pick| Some(pick.field.as_str()) == selector);
        let plain =
            statement.amounts.iter().all(|amount| matches!(amount.size, Size::Number(_)) && amount.unit.is_none());
        let whole = statement.structure_of_elements && statement.amounts.is_empty()
            || (statement.structure && statement.element_word && statement.elements.is_none() && plain);
        if whole && bare && !statement.keep && !statement.negated {
            return Err(Trouble::structure(self.document));
        }
        if let Some((field, from, to)) = statement.unsupported.first().filter(|_| !statement.negated) {
            return Err(self.unsupported(statement, field, &quote(*from, *to)));
        }
        // A new kind that no phrase knows: "换成十字弹".
        if let (Some((from, to)), true) = (statement.unknown.first(), statement.becomes) {
            let choice = statement.strong().find(|field| self.is_choice(field));
            if let Some(field) = choice.filter(|_| statement.picks.is_empty() && statement.wishes.is_empty()) {
                return Err(self.unsupported(statement, field, &quote(*from, *to)));
            }
        }
        Ok(())
    }

    fn unsupported(&self, statement: &Statement, field: &str, asked: &str) -> Trouble {
        let element = statement
            .elements
            .as_ref()
            .and_then(|elements| self.document.resolve(elements, &[]).ok())
            .and_then(|elements| elements.first().cloned());
        Trouble::unsupported(self.document, field, element.as_ref(), asked)
    }

    /// Why a clause counts as not understood although its slots could be filled.
    fn doubt(&self, statement: &Statement, quote: &dyn Fn(usize, usize) -> String) -> Read<()> {
        if let Some((from, to)) = statement.unknown.first() {
            return Err(Trouble::NotUnderstood(message::unknown_word(&quote(*from, *to))));
        }
        if let Some(wish) = statement.wishes.first() {
            let text = self.document.vocabulary.wishes.get(wish).cloned().unwrap_or_default();
            return Err(Trouble::NotUnderstood(text));
        }
        if statement.negated {
            return Err(Trouble::NotUnderstood(message::negated()));
        }
        if statement.too {
            return Err(Trouble::NotUnderstood(message::complaint()));
        }
        if let Some(field) = &statement.doubtful {
            return Err(Trouble::NotUnderstood(message::doubtful(&self.document.vocabulary.label(field))));
        }
        if statement.stray {
            return Err(Trouble::NotUnderstood(message::unclear()));
        }
        Ok(())
    }

=======
>>>>>>> intake
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
        for field in &fields {
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
<<<<<<< HEAD
            meaning.keep_rest = Some(words.then(Vec::new));
=======
            meaning.keep_rest = Some(if words { Rest::OtherElements } else { Rest::Everything });
>>>>>>> intake
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

<<<<<<< HEAD
    /// The fields a statement is about.
    fn fields(&self, statement: &Statement) -> Read<Vec<String>> {
        let vocabulary = self.document.vocabulary;
        let directions: Vec<_> =
            statement.directions.iter().filter_map(|name| vocabulary.directions.get(name)).collect();
        let implied = directions.iter().find_map(|direction| direction.field.clone());
        let mut fields: Vec<String> = Vec::new();
        for field in statement.strong() {
            // "pattern: spiral" names the field and its value.
            let said = statement.picks.iter().any(|pick| pick.field == field);
            if !said && !fields.iter().any(|known| known == field) {
                fields.push(field.to_owned());
            }
        }
        if fields.is_empty() {
            let hinted = |fits: &dyn Fn(&str) -> bool| {
                let known = |hint: &&String| statement.fields.iter().any(|named| named.field == **hint);
                vocabulary.hints.iter().filter(known).find(|hint| fits(hint)).cloned()
            };
            let measured = |field: &str| statement.amounts.iter().all(|amount| self.measures(amount, field));
            let unit_field = || {
                let unit = statement.amounts.iter().find_map(|amount| vocabulary.units.get(amount.unit.as_ref()?));
                unit.and_then(|unit| unit.field.clone())
            };
            let specific = directions.iter().any(|direction| !direction.any());
            let chosen = if specific {
                let fits =
                    |hint: &str| measured(hint) && directions.iter().all(|direction| direction.way_for(hint).is_some());
                hinted(&fits).or(implied)
            } else if statement.keep || !statement.amounts.is_empty() || !statement.directions.is_empty() {
                hinted(&measured).or_else(unit_field)
            } else {
                None
            };
            fields.extend(chosen);
        }
        if let Some(owner) = statement.owner.as_ref().and_then(|owner| vocabulary.owners.get(owner)) {
            for field in &mut fields {
                if let Some(own) = owner.takes.get(field) {
                    field.clone_from(own);
                }
                if !owner.allows.contains(field) {
                    return Err(Trouble::NotUnderstood(message::not_of_owner(&owner.label, &vocabulary.label(field))));
                }
            }
            let limits = statement.picks.iter().all(|pick| owner.allows.contains(&pick.field));
            if fields.is_empty() && (statement.picks.is_empty() || !limits) {
                return Err(Trouble::NotUnderstood(message::which_field()));
            }
        }
        Ok(fields)
    }

=======
>>>>>>> intake
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

<<<<<<< HEAD
    /// The one direction of a statement, as it reads for this field.
    fn way(&self, statement: &Statement, field: &str) -> Read<Option<Way>> {
        let mut way = None;
        for direction in statement.directions.iter().filter_map(|name| self.document.vocabulary.directions.get(name)) {
            let here = direction
                .way_for(field)
                .or_else(|| (direction.field.is_none() && self.is_limit(field)).then_some(direction.way))
                .or_else(|| {
                    matches!(direction.way, Way::Looser | Way::Tighter)
                        .then_some(direction.way)
                        .filter(|_| self.is_limit(field))
                });
            match (here, way) {
                (None, _) => {
                    return Err(Trouble::NotUnderstood(message::does_not_fit(&self.document.vocabulary.label(field))));
                }
                (Some(here), Some(known)) if here != known => {
                    return Err(Trouble::contradiction(&self.document.vocabulary.label(field)));
                }
                (Some(here), _) => way = Some(here),
            }
        }
        Ok(way)
    }

    /// What happens to the value of a field.
    fn op(&self, statement: &Statement, target: &str, field: &Field, way: Option<Way>, inverse: bool) -> Read<Op> {
        let vague = || Trouble::missing_value(&field.label);
        if matches!(way, Some(Way::Looser | Way::Tighter)) {
            return Err(Trouble::NotUnderstood(message::does_not_fit(&field.label)));
        }
        let Some(amount) = self.amount(statement)? else {
            return match way {
                Some(_) if statement.keep => Err(Trouble::contradiction(&field.label)),
                Some(way) => Ok(Op::Step(if inverse { way.turned() } else { way })),
                None if statement.keep || statement.still => Ok(Op::Keep(None)),
                None => Err(vague()),
            };
        };
        let up = way == Some(Way::Up);
        let unclear = || Trouble::NotUnderstood(message::unclear());
        let scale = |factor: f64| Op::Scale(if inverse { 1.0 / factor } else { factor });
        let op = match (amount.size, way) {
            (Size::Number(_), _) if inverse => {
                return Err(Trouble::NotUnderstood(message::rate_needs_percent(&field.label)));
            }
            (Size::Number(_), _) => {
                let value = self.in_units(amount, target)?;
                let difference = amount.lead == Lead::By || (amount.lead == Lead::None && way.is_some());
                match (amount.sign, way) {
                    (Some(minus), _) if !field.signed && amount.lead != Lead::To => {
                        if way.is_some() && minus == up {
                            return Err(Trouble::contradiction(&field.label));
                        }
                        Op::Shift(if minus { -value } else { value })
                    }
                    (Some(true), None) => Op::Set((-value).into()),
                    (None, Some(_)) if difference => Op::Shift(if up { value } else { -value }),
                    (_, None) if amount.lead == Lead::By => return Err(vague()),
                    (Some(true), _) => return Err(unclear()),
                    _ if statement.keep => Op::Keep(Some(value.into())),
                    _ => Op::Set(value.into()),
                }
            }
            (Size::Percent(percent), _) if amount.lead == Lead::To => scale(percent / 100.0),
            (Size::Percent(percent), way) => {
                let minus = match (amount.sign, way) {
                    (Some(minus), None) => minus,
                    (Some(minus), Some(_)) if minus != up => minus,
                    (None, Some(_)) => !up,
                    (Some(_), Some(_)) => return Err(Trouble::contradiction(&field.label)),
                    (None, None) => return Err(vague()),
                };
                scale(if minus { 1.0 - percent / 100.0 } else { 1.0 + percent / 100.0 })
            }
            (Size::Part(part), Some(way)) if amount.lead != Lead::To => {
                scale(if way == Way::Up { 1.0 + part } else { 1.0 - part })
            }
            (Size::Part(part), _) => scale(part),
            (Size::Times(factor), Some(Way::Down)) if amount.lead != Lead::To => scale(1.0 / factor),
            (Size::Times(factor), _) => scale(factor),
            (Size::Multiple(factor), Some(way)) if amount.lead != Lead::To => match way {
                Way::Up if factor <= 1.0 => scale(1.0 + factor),
                _ => return Err(Trouble::NotUnderstood(message::two_readings())),
            },
            (Size::Multiple(factor), _) => scale(factor),
            (Size::Factor(factor), Some(_)) if (factor > 1.0) != up => {
                return Err(Trouble::contradiction(&field.label));
            }
            (Size::Factor(factor), _) => scale(factor),
        };
        if statement.keep && !matches!(op, Op::Keep(_)) {
            return Err(Trouble::contradiction(&field.label));
        }
        match op {
            Op::Scale(factor) if !factor.is_finite() || factor < 0.0 => Err(unclear()),
            op => Ok(op),
        }
    }

    /// The amount that counts; of an old and a new one, the new one.
    fn amount<'s>(&self, statement: &'s Statement) -> Read<Option<&'s Amount>> {
        let mut amounts: Vec<&Amount> = statement.amounts.iter().filter(|amount| amount.lead != Lead::From).collect();
        let pair = matches!(amounts.as_slice(), [old, new] if old.lead == Lead::None && new.lead == Lead::To
            && matches!(old.size, Size::Number(_)));
        if pair {
            amounts.remove(0);
        }
        match amounts.as_slice() {
            [] if !statement.amounts.is_empty() => Err(Trouble::NotUnderstood(message::unclear())),
            [] => Ok(None),
            [one] => Ok(Some(one)),
            [first, rest @ ..] if rest.iter().all(|other| other.size == first.size && other.unit == first.unit) => {
                Ok(Some(first))
            }
            _ => Err(Trouble::NotUnderstood(message::several_values())),
        }
    }

    /// A plain number in the unit of a field.
    fn in_units(&self, amount: &Amount, field: &str) -> Read<f64> {
        let (Size::Number(value), Some(known)) = (amount.size, self.document.vocabulary.field(field)) else {
            return Err(Trouble::NotUnderstood(message::unclear()));
        };
        if !self.measures(amount, field) {
            return Err(Trouble::NotUnderstood(message::wrong_unit(&known.label)));
        }
        let units = &self.document.vocabulary.units;
        let base = known.base.as_ref().and_then(|base| units.get(base)).map_or(1.0, |unit| unit.factor);
        let Some(unit) = amount.unit.as_ref().and_then(|unit| units.get(unit)) else {
            return self.guess_unit(value, field, known).map_or(Ok(value), Err);
        };
        Ok((value * unit.factor / base * 1e9).round() / 1e9)
    }

    /// "interval 0.8": no value in the field's own unit, but one in another.
    fn guess_unit(&self, value: f64, name: &str, field: &Field) -> Option<Trouble> {
        let units = &self.document.vocabulary.units;
        let base = units.get(field.base.as_ref()?)?;
        let range = self.range(name)?;
        if range.contains(&Value::from(value)) || range.contains(&Value::from(value.round())) && value.fract() == 0.0 {
            return None;
        }
        let other = units
            .values()
            .find(|unit| unit.dimension == base.dimension && range.holds(value * unit.factor / base.factor))?;
        Some(Trouble::unit(&field.label, value, &base.label, &other.label))
    }

    fn measures(&self, amount: &Amount, field: &str) -> bool {
        let Some(unit) = amount.unit.as_ref().and_then(|unit| self.document.vocabulary.units.get(unit)) else {
            return true;
        };
        let field = self.document.vocabulary.field(field);
        let base =
            field.and_then(|field| field.inverse_of.as_deref()).and_then(|id| self.document.vocabulary.field(id));
        base.or(field).and_then(|field| field.unit.as_ref()) == Some(&unit.dimension)
    }

    /// "at most 300 bullets": a limit in the words of a field, unless the number could be meant for the field.
    fn bounded(
        &self,
        index: usize,
        statement: &Statement,
        field: &Field,
        base: &Field,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let amount = self.amount(statement)?;
        let limit = field.bounded.as_ref().and_then(|id| Some((id, self.document.vocabulary.field(id)?)));
        let (Some(amount), Some((name, limit))) = (amount, limit) else {
            return Err(Trouble::missing_value(&field.label));
        };
        let range = base.path.as_ref().and_then(|path| self.schema.range(path));
        if let Size::Number(value) = amount.size {
            if range.is_none_or(|range| !range.holds(value)) {
                let way = self.way(statement, name)?;
                return self.limit(index, statement, name, limit, way, meaning);
            }
        }
        Err(Trouble::limit_or_field(&limit.label, &base.label))
    }

    /// A statement about a limit.
    fn limit(
        &self,
        index: usize,
        statement: &Statement,
        name: &str,
        field: &Field,
        way: Option<Way>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let side = field.bound.unwrap_or(Side::Max);
        let loosening = if side == Side::Max { Way::Up } else { Way::Down };
        let allowed = statement.allow || way.is_some_and(|way| way == Way::Looser || way == loosening);
        let fits = |bound: &Bound| match side {
            Side::Max => matches!(bound, Bound::AtMost | Bound::Under),
            Side::Min => matches!(bound, Bound::AtLeast | Bound::Over),
        };
        if !statement.bounds.iter().all(fits) {
            return Err(Trouble::NotUnderstood(message::wrong_side(&field.label, side)));
        }
        let mut push = |op: Op, way: Option<Way>| {
            meaning.demands.push(Demand { statement: index, field: name.to_owned(), element: None, op, way, allowed });
        };
        let Some(amount) = self.amount(statement)? else {
            if statement.keep && way.is_none() && statement.bounds.is_empty() {
                push(Op::Keep(None), None);
                return Ok(());
            }
            return Err(Trouble::missing_limit(&field.label));
        };
        let way = way.map(|way| match way {
            Way::Looser => loosening,
            Way::Tighter => loosening.turned(),
            way => way,
        });
        let bounded = !statement.bounds.is_empty();
        let op = match amount.size {
            Size::Number(_)
                if bounded
                    || amount.lead == Lead::To
                    || (way.is_none() && amount.sign.is_none())
                    || statement.allow =>
            {
                let value = self.in_units(amount, name)?;
                let away = statement.bounds.iter().any(|bound| matches!(bound, Bound::Under | Bound::Over));
                let step = field.exclusive.filter(|_| away).unwrap_or(0.0);
                let value = match side {
                    Side::Max if away && value.fract() != 0.0 && field.integer => value.floor(),
                    Side::Max => value - step,
                    Side::Min => value + step,
                };
                Op::Set(value.into())
            }
            _ => {
                let plain = Statement { keep: false, ..statement.clone() };
                self.op(&plain, name, field, way, false)?
            }
        };
        push(op, way);
        Ok(())
    }

    /// A field that sentences may name but not change.
    fn outside(
        &self,
        statement: &Statement,
        field: &Field,
        elements: Option<&[Path]>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let element = elements.and_then(<[Path]>::first);
        let place = self.document.place(field, element);
        let changes = !statement.amounts.is_empty() || !statement.directions.is_empty();
        if (statement.keep || statement.still) && !changes {
            meaning.keeps.extend(place.map(|place| (place, field.label.clone())));
            return Ok(());
        }
        if !changes && !statement.change && !statement.becomes && statement.bounds.is_empty() && !statement.structure {
            return Err(Trouble::missing_value(&field.label));
        }
        let asked = self.amount(statement).ok().flatten().and_then(|amount| match amount.size {
            Size::Number(value) if amount.lead == Lead::To || statement.directions.is_empty() => {
                Some(Value::from(value))
            }
            _ => None,
        });
        let path = place.map_or_else(|| field.label.en.clone(), |place| place.to_string());
        Err(Trouble::outside(&field.label, path, asked, self.scope))
    }

    /// One demand for each element.
    #[expect(clippy::too_many_arguments, reason = "the parts of one demand, each of another source")]
    fn each(
=======
    /// One demand for each element.
    #[expect(clippy::too_many_arguments, reason = "the parts of one demand, each of another source")]
    pub(crate) fn each(
>>>>>>> intake
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

<<<<<<< HEAD
    fn is_choice(&self, field: &str) -> bool {
=======
    pub(crate) fn is_choice(&self, field: &str) -> bool {
>>>>>>> intake
        self.document
            .vocabulary
            .field(field)
            .is_some_and(|field| field.kind == FieldKind::Element && !field.choices.is_empty())
    }

    pub(crate) fn is_limit(&self, field: &str) -> bool {
        self.document.vocabulary.field(field).is_some_and(|field| field.kind == FieldKind::Limit)
    }
}
