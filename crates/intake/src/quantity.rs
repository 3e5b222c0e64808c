//! Stage 6b: what happens to a value: the direction and the amount of a statement, read for one field.

use serde_json::Value;

use crate::amount::{Amount, Lead, Size};
use crate::meaning::{Interpreter, Op, Read};
use crate::message;
use crate::slot::Statement;
use crate::trouble::Trouble;
use crate::vocabulary::{Field, Way};

impl Interpreter<'_> {
    /// The one direction of a statement, as it reads for this field.
    pub(crate) fn way(&self, statement: &Statement, field: &str) -> Read<Option<Way>> {
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
    pub(crate) fn op(
        &self,
        statement: &Statement,
        target: &str,
        field: &Field,
        way: Option<Way>,
        inverse: bool,
    ) -> Read<Op> {
        let missing = || Trouble::missing_value(&field.label);
        if matches!(way, Some(Way::Looser | Way::Tighter)) {
            return Err(Trouble::NotUnderstood(message::does_not_fit(&field.label)));
        }
        let Some(amount) = Self::amount(statement)? else {
            return match way {
                Some(_) if statement.keep => Err(Trouble::contradiction(&field.label)),
                Some(way) => Ok(Op::Step(if inverse { way.turned() } else { way })),
                None if statement.keep || statement.still => Ok(Op::Keep(None)),
                None => Err(missing()),
            };
        };
        let up = way == Some(Way::Up);
        let unclear = || Trouble::NotUnderstood(message::unclear());
        let scale = |factor: f64| Op::Scale(if inverse { 1.0 / factor } else { factor });
        let op = match (amount.size, way) {
            (Size::Number(rate), _) if inverse && self.is_rate(amount, field) => {
                let product = field.product.unwrap_or_default();
                let set =
                    (way.is_none() || amount.lead == Lead::To) && amount.sign.is_none() && amount.lead != Lead::By;
                if !set || rate <= 0.0 || statement.keep {
                    return Err(unclear());
                }
                let value = product / rate;
                let whole = self.document.vocabulary.field(target).is_some_and(|target| target.integer);
                Op::Set(if whole { value.round_ties_even() } else { value }.into())
            }
            (Size::Number(_), _) if inverse => {
                return Err(Trouble::NotUnderstood(message::rate_needs_percent(&field.label)));
            }
            (Size::Number(_), _) => {
                let value = self.in_units(amount, target)?;
                let difference = amount.lead == Lead::By || (amount.lead == Lead::None && way.is_some());
                match (amount.sign, way) {
                    (Some(minus), _) if (!field.signed || !minus) && amount.lead != Lead::To => {
                        if way.is_some() && minus == up {
                            return Err(Trouble::contradiction(&field.label));
                        }
                        Op::Shift(if minus { -value } else { value })
                    }
                    // "with +2": a value or a difference?
                    (Some(false), None) if !field.signed => return Err(unclear()),
                    (Some(true), None) => Op::Set((-value).into()),
                    (None, Some(_)) if difference => Op::Shift(if up { value } else { -value }),
                    (_, None) if amount.lead == Lead::By => return Err(missing()),
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
                    (None, None) => return Err(missing()),
                };
                scale(if minus { 1.0 - percent / 100.0 } else { 1.0 + percent / 100.0 })
            }
            (Size::Part(part), Some(way)) if amount.lead != Lead::To => {
                scale(if way == Way::Up { 1.0 + part } else { 1.0 - part })
            }
            (Size::Part(part), _) => scale(part),
            (Size::Times(factor), Some(Way::Down)) if amount.lead != Lead::To => scale(1.0 / factor),
            (Size::Multiple(factor), Some(way)) if amount.lead != Lead::To => match way {
                Way::Up if factor <= 1.0 => scale(1.0 + factor),
                _ => return Err(Trouble::NotUnderstood(message::two_readings())),
            },
            (Size::Factor(factor), Some(_)) if (factor > 1.0) != up => {
                return Err(Trouble::contradiction(&field.label));
            }
            (Size::Times(factor) | Size::Multiple(factor) | Size::Factor(factor), _) => scale(factor),
        };
        if statement.keep && !matches!(op, Op::Keep(_)) {
            return Err(Trouble::contradiction(&field.label));
        }
        match op {
            Op::Scale(factor) if !factor.is_finite() || factor < 0.0 => Err(unclear()),
            op => Ok(op),
        }
    }

    /// The old value in "from 3 to 4" and "3 -> 4".
    pub(crate) fn old(&self, statement: &Statement, field: &str) -> (Option<f64>, bool) {
        match statement.amounts.as_slice() {
            [old, new] if old.lead == Lead::From || (old.lead == Lead::None && new.lead == Lead::To) => {
                // The unit is often said once: "from 1200 to 1000 ms".
                let unit = old.unit.clone().or_else(|| new.unit.clone());
                let old_value = self.in_units(&Amount { unit, ..old.clone() }, field).ok();
                (old_value, old.lead == Lead::From)
            }
            _ => (None, false),
        }
    }

    /// The amount that counts; of an old and a new one, the new one.
    pub(crate) fn amount(statement: &Statement) -> Read<Option<&Amount>> {
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
    pub(crate) fn in_units(&self, amount: &Amount, field: &str) -> Read<f64> {
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

    /// Whether an amount is in the own unit of the inverse of a field.
    fn is_rate(&self, amount: &Amount, field: &Field) -> bool {
        let unit = amount.unit.as_ref().and_then(|unit| self.document.vocabulary.units.get(unit));
        field.product.is_some() && unit.is_some_and(|unit| field.unit.as_ref() == Some(&unit.dimension))
    }

    pub(crate) fn measures(&self, amount: &Amount, field: &str) -> bool {
        let Some(unit) = amount.unit.as_ref().and_then(|unit| self.document.vocabulary.units.get(unit)) else {
            return true;
        };
        let field = self.document.vocabulary.field(field);
        if field.is_some_and(|field| field.inverse_of.is_some() && field.unit.as_ref() == Some(&unit.dimension)) {
            return true;
        }
        let base =
            field.and_then(|field| field.inverse_of.as_deref()).and_then(|id| self.document.vocabulary.field(id));
        base.or(field).and_then(|field| field.unit.as_ref()) == Some(&unit.dimension)
    }
}
