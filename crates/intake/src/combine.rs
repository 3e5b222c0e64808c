//! Stage 7: the demands of all statements together, applied to the baseline.
//!
//! Choices first, then what they force, then values, then the documented steps of directions without a value. Two
//! demands that cannot both hold are a question; a value outside its range is refused.

use std::collections::BTreeMap;

use loopwright_configs::expr::{round_dec, round_even};
use loopwright_configs::{Expect, Intent, Path, Schema, Text, same_value};
use serde_json::Value;

use crate::document::Document;
use crate::meaning::{Demand, Op};
use crate::message;
use crate::trouble::{QuestionCode, Trouble, plain, shown};
use crate::vocabulary::{Field, FieldKind, Side, Way};

/// What a value was before and is now.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effect {
    pub(crate) statement: usize,
    pub(crate) text: Text,
    /// The documented step was taken.
    pub(crate) step: bool,
    pub(crate) loosened: bool,
}

/// A change of the structured goal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) statement: usize,
    pub(crate) element: Path,
    pub(crate) field: String,
    pub(crate) way: Option<Way>,
    pub(crate) value: Option<Value>,
}

/// The candidate and how it came about.
#[derive(Debug, Default)]
pub(crate) struct Combined {
    pub(crate) candidate: Value,
    pub(crate) effects: Vec<Effect>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) limits: BTreeMap<String, Value>,
    pub(crate) loosened: Vec<String>,
    pub(crate) intents: Vec<(usize, Intent)>,
    pub(crate) notes: Vec<Text>,
    pub(crate) changed: Vec<Path>,
}

/// Applies demands to a document.
pub(crate) struct Combiner<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) schema: &'a Schema,
    pub(crate) clauses: &'a [String],
}

/// The demands on one value.
pub(crate) struct Group<'d> {
    pub(crate) field: String,
    pub(crate) element: Option<Path>,
    pub(crate) demands: Vec<&'d Demand>,
}

impl Combiner<'_> {
    pub(crate) fn combine(&self, demands: &[Demand], keeps: &[(usize, Path)]) -> Result<Combined, Vec<Trouble>> {
        let mut out = Combined { candidate: self.document.value.clone(), ..Combined::default() };
        let mut troubles = Vec::new();
        let groups = self.groups(demands);
        let choice = |group: &&Group| {
            self.document
                .vocabulary
                .field(&group.field)
                .is_some_and(|field| field.kind == FieldKind::Element && !field.choices.is_empty())
        };
        for group in groups.iter().filter(choice) {
            troubles.extend(self.settle_choice(group, &mut out).err().map(|trouble| self.quoting(group, trouble)));
        }
        self.force(&groups, &mut out, &mut troubles);
        let steps = |group: &&Group| group.demands.iter().all(|demand| matches!(demand.op, Op::Step(_)));
        for group in groups.iter().filter(|group| !choice(group) && !steps(group)) {
            troubles.extend(self.settle(group, &mut out).err().map(|trouble| self.quoting(group, trouble)));
        }
        let kept: Vec<Path> =
            keeps.iter().map(|(_, path)| path.clone()).chain(kept_places(self.document, demands)).collect();
        for group in groups.iter().filter(|group| !choice(group) && steps(group)) {
            troubles
                .extend(self.step(group, demands, &kept, &mut out).err().map(|trouble| self.quoting(group, trouble)));
        }
        for (statement, path) in keeps {
            self.keep_place(*statement, path, &mut out, &mut troubles);
        }
        if troubles.is_empty() { Ok(out) } else { Err(troubles) }
    }

    /// A contradiction between clauses quotes them.
    fn quoting(&self, group: &Group, trouble: Trouble) -> Trouble {
        let field = self.document.vocabulary.field(&group.field);
        let mut clauses: Vec<String> = Vec::new();
        for clause in group.demands.iter().filter_map(|demand| self.clauses.get(demand.statement)) {
            if !clauses.contains(clause) {
                clauses.push(clause.clone());
            }
        }
        match (&trouble, field) {
            (Trouble::Ask { code: QuestionCode::Contradiction, .. }, Some(field)) if clauses.len() > 1 => {
                Trouble::contradicting(&field.label, &clauses)
            }
            _ => trouble,
        }
    }

    /// Demands on the same value, in the order in which they were first said.
    fn groups<'d>(&self, demands: &'d [Demand]) -> Vec<Group<'d>> {
        let mut groups: Vec<Group> = Vec::new();
        for demand in demands {
            let field = match (&demand.op, self.document.vocabulary.field(&demand.field)) {
                // Only a bare step of such a field is more than a change of the field it stands for.
                (
                    Op::Set(_) | Op::Scale(_) | Op::Shift(_) | Op::Keep(_),
                    Some(Field { stands_for: Some(base), .. }),
                ) => base.clone(),
                _ => demand.field.clone(),
            };
            match groups.iter_mut().find(|group| group.field == field && group.element == demand.element) {
                Some(group) => group.demands.push(demand),
                None => groups.push(Group { field, element: demand.element.clone(), demands: vec![demand] }),
            }
        }
        groups
    }

    /// Values, percentages, differences and keeps of one value.
    fn settle(&self, group: &Group, out: &mut Combined) -> Result<(), Trouble> {
        let Some(field) = self.document.vocabulary.field(&group.field) else { return Ok(()) };
        let place = match (&group.element, field.paths.first()) {
            (None, Some(path)) => Some(path.clone()),
            (element, _) => Document::place(field, element.as_ref()),
        };
        let Some(place) = place else { return Ok(()) };
        let number = |document: &Value| self.document.layout.get(document, &place).and_then(Value::as_f64);
        let (Some(before), Some(base)) = (number(self.document.value), number(&out.candidate)) else { return Ok(()) };
        let Some((value, computed)) = wanted(group, field, (before, base), &mut out.notes)? else { return Ok(()) };
        let contradiction = || Trouble::contradiction(&field.label);
        let only_kept = group.demands.iter().all(|demand| matches!(demand.op, Op::Keep(_)));
        if only_kept && !close(value, before) {
            return Err(contradiction());
        }
        self.check_range(field, &place, value)?;
        let ways = group.demands.iter().filter_map(|demand| match demand.op {
            Op::Step(way) => Some(way),
            _ => demand.way,
        });
        for way in ways {
            let follows = if way == Way::Up { value > before } else { value < before };
            if !follows {
                return Err(
                    if group.demands.iter().any(|demand| matches!(demand.op, Op::Set(_) | Op::Keep(_) | Op::Step(_))) {
                        contradiction()
                    } else {
                        Trouble::no_effect(&field.label, &shown(&Value::from(before)))
                    },
                );
            }
        }
        if computed && close(value, before) && !only_kept {
            return Err(Trouble::no_effect(&field.label, &shown(&Value::from(before))));
        }
        let new = plain(&Value::from(value));
        let loosened = record_limit(group, field, before, value, &new, out)?;
        let places = if field.paths.is_empty() { vec![place] } else { field.paths.clone() };
        for place in &places {
            if !self.document.layout.get(&out.candidate, place).is_some_and(|now| same_value(now, &new)) {
                self.write(out, place, new.clone());
            }
        }
        for demand in &group.demands {
            let kept = matches!(demand.op, Op::Keep(_));
            for place in places.iter().filter(|_| field.kind == FieldKind::Element || kept) {
                let expect = match (&demand.op, demand.way) {
                    (Op::Keep(_), _) => Expect::Unchanged,
                    (Op::Step(Way::Up), _) => Expect::Above,
                    (Op::Step(_), _) => Expect::Below,
                    _ => Expect::Equals(new.clone()),
                };
                self.intend(out, demand.statement, place, expect);
            }
            let none = Path::root();
            let element = group.element.as_ref().unwrap_or(&none);
            Self::tell(out, demand, field, element, &plain(&Value::from(before)), &new, false);
            if let Some(effect) = out.effects.last_mut().filter(|_| loosened) {
                effect.loosened = true;
                effect.text.en.push_str(" (loosened)");
                effect.text.zh.push_str("（放宽）");
            }
            if let (Some(element), false) = (&group.element, kept) {
                let way = demand.way.or(match demand.op {
                    Op::Scale(_) | Op::Shift(_) if value > before => Some(Way::Up),
                    Op::Scale(_) | Op::Shift(_) => Some(Way::Down),
                    _ => None,
                });
                out.asked.push(asked(demand, element, way, Some(new.clone())));
            }
        }
        Ok(())
    }

    fn check_range(&self, field: &Field, place: &Path, value: f64) -> Result<(), Trouble> {
        let asked = plain(&Value::from(value));
        if let Some(range) = self.schema.range(place).filter(|range| !range.contains(&asked)) {
            return Err(Trouble::out_of_range(&field.label, place.to_string(), &asked, &range));
        }
        let ceiling = field
            .ceiling
            .as_ref()
            .and_then(|path| self.document.layout.get(self.document.value, path))
            .and_then(Value::as_f64);
        match (ceiling, &field.ceiling) {
            (Some(most), Some(path)) if value > most => {
                let allowed = format!("<={} ({path})", shown(&Value::from(most)));
                Err(Trouble::not_allowed(&field.label, place.to_string(), &asked, allowed))
            }
            _ => Ok(()),
        }
    }

    /// A place that was to stay, whole or single: whatever else changed it contradicts.
    fn keep_place(&self, statement: usize, path: &Path, out: &mut Combined, troubles: &mut Vec<Trouble>) {
        let before = self.document.layout.get(self.document.value, path);
        let after = self.document.layout.get(&out.candidate, path);
        if before != after {
            let label = self
                .document
                .vocabulary
                .fields
                .values()
                .find(|field| field.path.as_ref().is_some_and(|pattern| path.matches(pattern)));
            troubles.push(Trouble::contradiction(
                &label.map_or_else(|| Text::same(path.to_string()), |field| field.label.clone()),
            ));
            return;
        }
        self.intend(out, statement, path, Expect::Unchanged);
    }

    pub(crate) fn base<'f>(&'f self, field: &'f str) -> &'f str {
        self.document.vocabulary.field(field).and_then(|field| field.stands_for.as_deref()).unwrap_or(field)
    }

    pub(crate) fn field<'g>(&'g self, group: &'g Group) -> Option<(&'g Field, &'g Path)> {
        Some((self.document.vocabulary.field(&group.field)?, group.element.as_ref()?))
    }

    pub(crate) fn write(&self, out: &mut Combined, place: &Path, value: Value) {
        if self.document.layout.set(&mut out.candidate, place, value).is_ok() && !out.changed.contains(place) {
            out.changed.push(place.clone());
        }
    }

    pub(crate) fn intend(&self, out: &mut Combined, statement: usize, path: &Path, expect: Expect) {
        let clause = self.clauses.get(statement).cloned().unwrap_or_default();
        let intent = Intent { path: path.clone(), expect, clause };
        if !out.intents.iter().any(|(_, known)| known.path == intent.path && known.expect == intent.expect) {
            out.intents.push((statement, intent));
        }
    }

    pub(crate) fn tell(
        out: &mut Combined,
        demand: &Demand,
        field: &Field,
        element: &Path,
        before: &Value,
        after: &Value,
        step: bool,
    ) {
        let id = Document::id(element);
        let id = if element.is_root() { Text::same("") } else { Text::new(format!("{id}, "), format!("{id}，")) };
        let (before_shown, after_shown) = (value_label(field, before), value_label(field, after));
        let text = match (&demand.op, same_value(before, after), step) {
            (Op::Keep(_), ..) => Text::new("{id}{field}: stays {after}", "{id}{field}：保持 {after}"),
            (_, true, _) => Text::new("{id}{field}: {after}, as it is now", "{id}{field}：{after}，与现在相同"),
            (_, _, true) => Text::new(
                "{id}{field}: {before} -> {after} (documented step)",
                "{id}{field}：{before} -> {after}（预设步长）",
            ),
            _ => Text::new("{id}{field}: {before} -> {after}", "{id}{field}：{before} -> {after}"),
        };
        let text =
            text.fill(&[("id", id), ("field", field.label.clone()), ("before", before_shown), ("after", after_shown)]);
        out.effects.push(Effect { statement: demand.statement, text, step, loosened: false });
    }
}

/// The value that a group of demands comes to, and whether it was computed from the present one.
///
/// `before` is the baseline's value, `base` the one after what the contract forced: percentages are of that one.
fn wanted(
    group: &Group,
    field: &Field,
    (before, base): (f64, f64),
    notes: &mut Vec<Text>,
) -> Result<Option<(f64, bool)>, Trouble> {
    let contradiction = || Trouble::contradiction(&field.label);
    let mut value: Option<f64> = None;
    let mut computed = false;
    for demand in &group.demands {
        let wanted = match &demand.op {
            Op::Set(wanted) => wanted.as_f64().unwrap_or(before),
            Op::Keep(wanted) => wanted.as_ref().and_then(Value::as_f64).unwrap_or(before),
            Op::Scale(factor) => base * factor,
            Op::Shift(difference) => base + difference,
            Op::Step(_) => continue,
        };
        let relative = matches!(demand.op, Op::Scale(_) | Op::Shift(_));
        // Twice 10 % may be meant once or twice.
        if relative && value.is_some() {
            return Err(contradiction());
        }
        computed |= relative;
        if let Some(old) = demand.old.filter(|old| !close(*old, before)) {
            let now = shown(&Value::from(before));
            if !demand.old_is_sure {
                return Err(Trouble::two_values(&field.label, &now));
            }
            notes.push(message::other_baseline(&field.label, &shown(&Value::from(old)), &now));
        }
        if value.is_some_and(|value| !close(value, wanted)) {
            return Err(contradiction());
        }
        value = Some(wanted);
    }
    Ok(value.map(|value| (if computed { rounded(field, value) } else { value }, computed)))
}

/// Records a limit; a looser one needs words that permit it.
fn record_limit(
    group: &Group,
    field: &Field,
    before: f64,
    value: f64,
    new: &Value,
    out: &mut Combined,
) -> Result<bool, Trouble> {
    if field.kind != FieldKind::Limit || group.demands.iter().all(|demand| matches!(demand.op, Op::Keep(_))) {
        return Ok(false);
    }
    let looser = match field.bound.unwrap_or(Side::Max) {
        Side::Max => value > before,
        Side::Min => value < before,
    };
    if looser && !group.demands.iter().any(|demand| demand.allowed) {
        return Err(Trouble::loosening(&field.label, &shown(&Value::from(before)), &shown(new)));
    }
    out.limits.insert(group.field.clone(), new.clone());
    if looser {
        out.loosened.push(group.field.clone());
    }
    Ok(looser)
}

pub(crate) fn asked(demand: &Demand, element: &Path, way: Option<Way>, value: Option<Value>) -> Asked {
    Asked { statement: demand.statement, element: element.clone(), field: demand.field.clone(), way, value }
}

/// The places that single statements keep.
fn kept_places(document: &Document, demands: &[Demand]) -> Vec<Path> {
    demands
        .iter()
        .filter(|demand| matches!(demand.op, Op::Keep(_)))
        .filter_map(|demand| {
            let field = document.vocabulary.field(&demand.field)?;
            let base = field.stands_for.as_deref().or(field.inverse_of.as_deref());
            Document::place(
                base.and_then(|base| document.vocabulary.field(base)).unwrap_or(field),
                demand.element.as_ref(),
            )
        })
        .collect()
}

/// Optional values that formulas may ask for.
pub(crate) fn with_defaults(document: &Document, element: &Path, item: Value) -> Value {
    let mut whole = document.value.clone();
    if document.layout.set(&mut whole, element, item.clone()).is_err() {
        return item;
    }
    for field in document.vocabulary.fields.values() {
        let (Some(default), Some(place)) = (&field.default, Document::place(field, Some(element))) else { continue };
        if document.layout.get(&whole, &place).is_none()
            && document.layout.set(&mut whole, &place, default.clone()).is_err()
        {
            return item;
        }
    }
    document.layout.get(&whole, element).cloned().unwrap_or(item)
}

pub(crate) fn value_label(field: &Field, value: &Value) -> Text {
    let name = shown(value);
    field.choices.get(&name).cloned().filter(|_| field.kind == FieldKind::Element).unwrap_or_else(|| Text::same(name))
}

pub(crate) fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9
}

/// Computed figures are rounded: whole ones half to even, others to two decimals.
pub(crate) fn rounded(field: &Field, value: f64) -> f64 {
    let result = if field.integer { round_even(value) } else { round_dec(value, 2.0) };
    result.unwrap_or(value)
}

pub(crate) fn clamped(value: f64, range: Option<&loopwright_configs::Range>) -> f64 {
    let Some(range) = range else { return value };
    let value = range.min.map_or(value, |min| value.max(min));
    range.max.map_or(value, |max| value.min(max))
}
