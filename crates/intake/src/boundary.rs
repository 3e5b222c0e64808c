//! Stage 4a: where a statement ends although no mark says so: the next item no longer fits it.

use crate::amount::{Amount, Lead, Size};
use crate::clause::Builder;
use crate::item::{Item, What};
use crate::phrase::Role;
use crate::slot::Bound;
use crate::vocabulary::FieldKind;

impl Builder<'_> {
    /// Whether `item` no longer fits the statement at hand.
    pub(crate) fn starts_new(&self, item: &Item, next: Option<&Item>) -> bool {
        let now = &self.now;
        let content = !matches!(item.what, What::Word);
        if now.keep && self.keep_last && !now.keep_leads && content {
            return true;
        }
        let has_amount = !now.amounts.is_empty();
        let limited = now.strong().any(|field| self.kind(field) == Some(FieldKind::Limit));
        match &item.what {
            What::Elements(_) => now.elements.is_some() && now.says_something(),
            What::Amount(_) => {
                let from = now.amounts.last().is_some_and(|last| last.lead == Lead::From);
                let pair = from || self.lead == Lead::From || (self.lead == Lead::To && !self.weak_lead);
                has_amount && !(now.amounts.len() == 1 && pair) && !now.respectively
            }
            What::Field { field, hint: true } => {
                // "16 pieces every 600 ms": the hint leads to an amount of its own.
                let leads = matches!(next.map(|next| &next.what), Some(What::Amount(amount))
                    if amount.unit.is_some() && self.measures(amount, field));
                has_amount && (leads || (now.strong().next().is_some() && now.directions.is_empty() && !limited))
            }
            What::Field { field, hint: false } => self.field_is_new(field),
            What::Direction(direction) => self.direction_is_new(direction),
            // "denser without changing the interval"
            What::Word if item.is(Role::Keep) && !now.keep => {
                let said = has_amount || !now.directions.is_empty() || !now.picks.is_empty();
                said && (next_is_object(next) || next.is_some_and(|next| next.is(Role::Definite)))
            }
            What::Word if Bound::of(&item.roles).is_some() => {
                let bound_already = !now.bounds.is_empty() && has_amount && limited;
                let said = !now.picks.is_empty()
                    || self.implied().next().is_some()
                    || (!limited && now.strong().next().is_some() && (has_amount || !now.directions.is_empty()))
                    || (has_amount
                        && now.fields.iter().any(|named| named.hint)
                        && !limited
                        && now.bounds.is_empty()
                        && !next.is_none_or(|next| matches!(next.what, What::Break(_))));
                bound_already && next.is_some_and(|next| !matches!(next.what, What::Break(_))) || said
            }
            _ => false,
        }
    }

    fn field_is_new(&self, field: &str) -> bool {
        let now = &self.now;
        let has_amount = !now.amounts.is_empty();
        let has_field = now.strong().next().is_some();
        if now.keep {
            return false;
        }
        if has_field && (has_amount || !now.directions.is_empty()) {
            // "raise the cap on pieces alive": two names of one field stay together.
            return !now.strong().any(|known| known == field);
        }
        if let Some(amount) = now.amounts.last().filter(|_| now.bounds.is_empty() && now.directions.is_empty()) {
            let counts = matches!(amount.size, Size::Number(_));
            let takes_numbers = |id: &str| self.vocabulary.field(id).is_some_and(|field| field.inverse_of.is_none());
            let hinted = counts
                && now.fields.iter().any(|named| named.hint && named.field != field && takes_numbers(&named.field));
            let other_unit = amount.unit.is_some() && !self.measures(amount, field);
            return (hinted && !self.same_unit_hint(field)) || other_unit;
        }
        let fits = |direction: &String| {
            self.vocabulary.directions.get(direction).is_none_or(|known| known.way_for(field).is_some())
        };
        self.implied().next().is_some() && !now.directions.iter().all(fits)
    }

    /// "250 pieces on screen": the hint and the field count the same thing.
    fn same_unit_hint(&self, field: &str) -> bool {
        let unit = |id: &str| self.vocabulary.field(id).and_then(|field| field.unit.clone());
        self.now.fields.iter().filter(|named| named.hint).all(|named| unit(&named.field) == unit(field))
    }

    fn direction_is_new(&self, direction: &str) -> bool {
        let now = &self.now;
        let Some(new) = self.vocabulary.directions.get(direction) else { return false };
        if !now.directions.is_empty() {
            let same = now.directions.iter().all(|known| {
                self.vocabulary
                    .directions
                    .get(known)
                    .is_some_and(|known| known.way == new.way && (known.any() || new.any() || known.field == new.field))
            });
            return !same;
        }
        let fits = |field: &str| new.way_for(field).is_some();
        if !now.amounts.is_empty() {
            if now.strong().next().is_some() {
                return !now.strong().all(fits);
            }
            // "16 pieces, faster": the amount counts something else.
            let target = new.field.as_deref();
            return target.is_some_and(|field| {
                now.amounts.iter().any(|amount| amount.unit.is_some() && !self.measures(amount, field))
            });
        }
        false
    }

    /// The fields that the directions so far name by themselves.
    fn implied(&self) -> impl Iterator<Item = &str> {
        self.now
            .directions
            .iter()
            .filter_map(|direction| self.vocabulary.directions.get(direction))
            .filter_map(|direction| direction.field.as_deref())
    }

    pub(crate) fn measures(&self, amount: &Amount, field: &str) -> bool {
        let dimension =
            amount.unit.as_ref().and_then(|unit| self.vocabulary.units.get(unit)).map(|unit| &unit.dimension);
        let field = self.vocabulary.field(field);
        if field.is_some_and(|field| field.inverse_of.is_some() && field.unit.as_ref() == dimension) {
            return true;
        }
        let inverse = field.and_then(|field| field.inverse_of.as_deref()).and_then(|id| self.vocabulary.field(id));
        dimension.is_none() || dimension == inverse.or(field).and_then(|field| field.unit.as_ref())
    }

    fn kind(&self, field: &str) -> Option<FieldKind> {
        self.vocabulary.field(field).map(|field| field.kind)
    }
}

pub(crate) fn next_is_object(next: Option<&Item>) -> bool {
    next.is_some_and(|next| matches!(next.what, What::Field { .. } | What::Choice { .. } | What::Elements(_)))
}
