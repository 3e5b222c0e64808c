//! Stage 3b: how much: "16 pieces", "-10%", "三分之一", "x1.5", "八折", "double", with the unit that was said.

use crate::number::Numeral;
use crate::phrase::{Role, Sense};
use crate::token::Token;

/// The size of an amount, before anybody knows what it is an amount of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Size {
    /// A plain number, in its unit.
    Number(f64),
    /// A part of the whole: a half.
    Part(f64),
    /// So many hundredths.
    Percent(f64),
    /// So many times as much.
    Times(f64),
    /// "N 倍": after a word of change it can be read in two ways.
    Multiple(f64),
    /// A factor that needs no word of change: double, halve, 八折.
    Factor(f64),
}

/// What an amount was led in by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Lead {
    /// Nothing.
    #[default]
    None,
    /// "to", "into", "at", a colon: the new value.
    To,
    /// "by": a difference.
    By,
    /// "from": the old value.
    From,
}

/// An amount in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Amount {
    pub(crate) size: Size,
    /// A sign that was written: minus is `true`.
    pub(crate) sign: Option<bool>,
    pub(crate) unit: Option<String>,
    pub(crate) lead: Lead,
    /// What it counts where a factor makes no sense: "seen twice", "5 times".
    pub(crate) count: Option<f64>,
    /// "55+": or more.
    pub(crate) or_more: bool,
}

/// The amount at `at` and the token after it.
pub(crate) fn read(tokens: &[Token], at: usize) -> Option<(Amount, usize)> {
    let token = |at: usize| tokens.get(at);
    let is = |at: usize, role: Role| token(at).is_some_and(|token| token.is(role));
    let mark = |at: usize, mark: char| token(at).is_some_and(|token| token.is_mark(mark));
    let bare = |size: Size, next: usize| {
        Some((Amount { size, sign: None, unit: None, lead: Lead::None, count: None, or_more: false }, next))
    };
    // "每秒两次": the unit stands before its number, and what is counted after it.
    if let Some(unit) = token(at)?.unit()
        && let Some(Numeral::Cardinal(value)) = token(at + 1).and_then(|token| token.number)
        && let Some(counted) = token(at + 2).filter(|counted| counted.unit().is_none())
        && counted.senses.iter().any(|sense| matches!(sense, Sense::Field { hint: true, .. }))
    {
        let (size, unit) = (Size::Number(value), Some(unit.to_owned()));
        return Some((Amount { size, sign: None, unit, lead: Lead::None, count: None, or_more: false }, at + 3));
    }
    if is(at, Role::Double) {
        let counted = bare(Size::Factor(2.0), at + 1);
        let count = token(at)?.number.is_some().then_some(2.0);
        return counted.map(|(amount, next)| (Amount { count, ..amount }, next));
    }
    if is(at, Role::Halve) {
        return bare(Size::Factor(0.5), at + 1);
    }
    if is(at, Role::Times)
        && let Some(Numeral::Cardinal(factor)) = token(at + 1)?.number
    {
        return bare(Size::Times(factor), at + 2);
    }
    // A sign belongs to the number that it touches.
    let touches = token(at)?.to == token(at + 1).map_or(usize::MAX, |next| next.from);
    let signed = (mark(at, '-') || mark(at, '+')) && touches;
    let sign = signed.then(|| mark(at, '-'));
    let at = at + usize::from(signed);
    let number = token(at)?.number?;
    let mut next = at + 1;
    let mut unit = None;
    let mut size = match number {
        Numeral::Ordinal(_) => return None,
        Numeral::Bare(value) => {
            token(next).and_then(Token::unit)?;
            Size::Number(f64::from(value))
        }
        Numeral::Percent(value) => Size::Percent(value),
        Numeral::Fraction(part) => match token(next).and_then(Token::unit) {
            Some(name) => {
                unit = Some(name.to_owned());
                next += 1;
                Size::Number(part)
            }
            None => Size::Part(part),
        },
        Numeral::Cardinal(value) => {
            let slash = mark(next, '/').then(|| token(next + 1)).flatten().and_then(|token| token.number);
            let size = match slash {
                Some(Numeral::Cardinal(parts)) if value < parts => {
                    next += 2;
                    return bare(Size::Part(value / parts), next);
                }
                _ if is(next, Role::Percent) => Some(Size::Percent(value)),
                _ if is(next, Role::Tenth) && value <= 10.0 => Some(Size::Percent(value * 10.0)),
                _ if is(next, Role::Remains) && value < 100.0 => {
                    Some(Size::Factor(if value < 10.0 { value / 10.0 } else { value / 100.0 }))
                }
                _ if is(next, Role::Times) => Some(Size::Times(value)),
                _ if is(next, Role::Multiple) => Some(Size::Multiple(value)),
                _ => None,
            };
            next += usize::from(size.is_some());
            size.unwrap_or(Size::Number(value))
        }
    };
    let count = match size {
        Size::Times(value) if token(next - 1).is_some_and(|times| times.unit().is_some()) => Some(value),
        _ => None,
    };
    let or_more = mark(next, '+') && token(next + 1).is_none_or(|after| after.number.is_none());
    next += usize::from(or_more);
    if let (Size::Number(_), None) = (size, &unit) {
        // A measure word says nothing about the unit.
        let measured = next + usize::from(is(next, Role::Measure));
        if let Some(name) = token(measured).and_then(Token::unit) {
            unit = Some(name.to_owned());
            next = measured + 1;
            // "四秒半": the half is one of the unit.
            let half =
                token(next).filter(|half| half.number == Some(Numeral::Fraction(0.5)) && half.to - half.from == 1);
            if half.is_some_and(|half| token(measured).is_some_and(|unit| unit.to == half.from)) {
                size = match size {
                    Size::Number(value) => Size::Number(value + 0.5),
                    other => other,
                };
                next += 1;
            }
        } else {
            next = measured;
        }
    }
    let or_more_after = !or_more && mark(next, '+') && token(next + 1).is_none_or(|after| after.number.is_none());
    next += usize::from(or_more_after);
    Some((Amount { size, sign, unit, lead: Lead::None, count, or_more: or_more || or_more_after }, next))
}
