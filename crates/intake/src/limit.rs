//! Stage 6c: limits: which side is bounded, whether the number itself counts, and whether a looser one was permitted.

use crate::amount::{Amount, Lead, Size};
use crate::meaning::{Demand, Interpreter, Meaning, Op, Read};
use crate::message;
use crate::slot::{Bound, Statement};
use crate::trouble::Trouble;
use crate::vocabulary::{Field, Side, Way};

/// The number of an amount that was said without a lead.
fn statement_number(amount: &Amount) -> f64 {
    match amount.size {
        Size::Number(value) => value,
        _ => 0.0,
    }
}

impl Interpreter<'_> {
    /// A statement about a limit.
    pub(crate) fn limit(
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
        let (old, old_is_sure) = self.old(statement, name);
        let mut push = |op: Op, way: Option<Way>| {
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
        };
        let Some(amount) = Self::amount(statement)? else {
            if statement.keep && way.is_none() && statement.bounds.is_empty() {
                push(Op::Keep(None), None);
                return Ok(());
            }
            return Err(Trouble::missing_limit(&field.label));
        };
        // "at most twice" counts, it does not multiply.
        let counted = amount.count.map(|count| Amount { size: Size::Number(count), unit: None, ..amount.clone() });
        let amount = counted.as_ref().unwrap_or(amount);
        let loose_word = matches!(way, Some(Way::Looser | Way::Tighter));
        let way = way.map(|way| match way {
            Way::Looser => loosening,
            Way::Tighter => loosening.turned(),
            way => way,
        });
        let bounded = !statement.bounds.is_empty();
        let bare = amount.lead == Lead::None && amount.sign.is_none() && matches!(amount.size, Size::Number(_));
        // "relax the limit 5", "allow 5 more": by so much or to so much?
        let open = loose_word || statement.allow && way.is_some();
        if bare && open && (!bounded || statement.bound_moves) {
            return Err(Trouble::by_or_to(&field.label, statement_number(amount)));
        }
        // "the upper limit down 50" is a difference; "fewer, at most 50" is a value.
        let moves = matches!(amount.size, Size::Number(_))
            && (amount.lead == Lead::By
                || (amount.lead == Lead::None && (amount.sign.is_some() || statement.bound_moves)));
        let op = match amount.size {
            Size::Number(_) if moves => {
                let plain = Statement { keep: false, ..statement.clone() };
                self.op(&plain, name, field, way, false)?
            }
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

    /// "at most 300 pieces": a limit in the words of a field, unless the number could be meant for the field.
    pub(crate) fn bounded(
        &self,
        index: usize,
        statement: &Statement,
        field: &Field,
        base: &Field,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let amount = Self::amount(statement)?;
        let limit = field.bounded.as_ref().and_then(|id| Some((id, self.document.vocabulary.field(id)?)));
        let (Some(amount), Some((name, limit))) = (amount, limit) else {
            return Err(Trouble::missing_value(&field.label));
        };
        let range = base.path.as_ref().and_then(|path| self.schema.range(path));
        if let Size::Number(value) = amount.size
            && range.is_none_or(|range| !range.holds(value))
        {
            let way = self.way(statement, name)?;
            return self.limit(index, statement, name, limit, way, meaning);
        }
        Err(Trouble::limit_or_field(&limit.label, &base.label))
    }
}
