//! Stage 3: tokens become items: element names, amounts, fields, directions, words of the grammar, breaks.
//!
//! An item may keep several roles; which one counts is decided where its clause is known.

use serde_json::Value;

use crate::amount::{self, Amount};
use crate::element::{Elements, Reader};
use crate::normalise::STOP;
use crate::phrase::{Role, Sense};
use crate::token::Token;

/// What stands between clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// The end of a sentence.
    Stop,
    Comma,
    /// "and", "、": may join a list or two statements.
    And,
    /// "then", "but": always starts another statement.
    Then,
    /// Explains what was just said; what follows is its value.
    Colon,
}

/// What an item is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    Elements(Elements),
    Amount(Amount),
    Field {
        field: String,
        hint: bool,
    },
    Choice {
        field: String,
        value: Value,
    },
    Unsupported {
        field: String,
    },
    Direction(String),
    Owner(String),
    Wish(String),
    Break(Break),
    /// Only its roles matter.
    Word,
    Unknown,
}

/// A unit of meaning and the characters it came from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) what: What,
    pub(crate) roles: Vec<Role>,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Item {
    pub(crate) fn is(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}

/// Reads all items of a text.
pub(crate) fn items(tokens: &[Token], chars: &[char], selector: Option<&str>, total: usize) -> Vec<Item> {
    let spoken: Vec<Token> = tokens.iter().filter(|token| !only_filler(token)).cloned().collect();
    let reader = Reader { tokens: &spoken, selector, total, chars };
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(token) = spoken.get(at) {
        let (what, roles, next) = if let Some((elements, next)) = reader.read(at) {
            let roles = token.senses.iter().filter_map(role).filter(|role| *role == Role::Rest).collect();
            (What::Elements(elements), roles, next)
        } else if let Some((amount, next)) = amount::read(&spoken, at) {
            (What::Amount(amount), Vec::new(), next)
        } else {
            let (what, roles) = single(token);
            (what, roles, at + 1)
        };
        let to = spoken.get(next - 1).map_or(token.to, |last| last.to);
        items.push(Item { what, roles, from: token.from, to });
        at = next;
    }
    items
}

fn only_filler(token: &Token) -> bool {
    token.number.is_none()
        && !token.senses.is_empty()
        && token.senses.iter().all(|sense| *sense == Sense::Role(Role::Filler))
}

fn role(sense: &Sense) -> Option<Role> {
    match sense {
        Sense::Role(role) => Some(*role),
        _ => None,
    }
}

/// An item of one token.
fn single(token: &Token) -> (What, Vec<Role>) {
    if let Some(mark) = token.mark {
        let what = match mark {
            STOP => What::Break(Break::Stop),
            ',' => What::Break(Break::Comma),
            '、' | '/' | '&' | '+' => What::Break(Break::And),
            ':' => What::Break(Break::Colon),
            _ => What::Unknown,
        };
        return (what, Vec::new());
    }
    let roles: Vec<Role> = token.senses.iter().filter_map(role).collect();
    let what = token
        .senses
        .iter()
        .filter_map(|sense| content(sense, token).map(|what| (rank(sense), what)))
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, what)| what);
    match what {
        Some(what) => (what, roles),
        // A word that only makes sense beside a number, and none is there.
        None if roles.iter().all(|role| needs_number(*role)) => (What::Unknown, Vec::new()),
        None if roles.contains(&Role::Then) => (What::Break(Break::Then), roles),
        None if roles.contains(&Role::And) => (What::Break(Break::And), roles),
        None => (What::Word, roles),
    }
}

fn needs_number(role: Role) -> bool {
    use Role::{First, Glued, Last, Multiple, Ordinal, Percent, Remains, Tenth, TheFirst, TheLast, Times};
    matches!(role, First | Glued | Last | Multiple | Ordinal | Percent | Remains | Tenth | TheFirst | TheLast | Times)
}

fn content(sense: &Sense, token: &Token) -> Option<What> {
    Some(match sense {
        Sense::Field { field, hint } => What::Field { field: field.clone(), hint: *hint },
        Sense::Choice { field, value } => What::Choice { field: field.clone(), value: value.clone() },
        Sense::Unsupported { field } => What::Unsupported { field: field.clone() },
        Sense::Direction(direction) => What::Direction(direction.clone()),
        Sense::Owner(owner) => What::Owner(owner.clone()),
        Sense::Wish(wish) => What::Wish(wish.clone()),
        // A unit without a number says nothing that could be used.
        Sense::Unit(_) if token.senses.len() == 1 => What::Unknown,
        Sense::Unit(_) | Sense::Role(_) | Sense::Named(_) => return None,
    })
}

fn rank(sense: &Sense) -> u8 {
    match sense {
        Sense::Choice { .. } => 0,
        Sense::Unsupported { .. } => 1,
        Sense::Field { hint: false, .. } => 2,
        Sense::Direction(_) => 3,
        Sense::Field { hint: true, .. } => 4,
        Sense::Wish(_) => 5,
        _ => 6,
    }
}
