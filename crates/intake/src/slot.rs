//! The slots of a clause: what it says of whom, before anybody asks what that means.

use serde_json::Value;

use crate::amount::Amount;
use crate::element::Elements;
use crate::item::Break;
use crate::phrase::Role;

/// A value of a choice as it was said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pick {
    pub(crate) field: String,
    pub(crate) value: Value,
    /// Said after a word that leads to something new.
    pub(crate) new: bool,
    /// Said of a thing that is there already: "the square", "the square's".
    pub(crate) known: bool,
    /// How many words that lead to something new came before it.
    pub(crate) becomes: u32,
    pub(crate) at: usize,
}

/// Which side of a number is meant, and whether the number itself is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    AtMost,
    AtLeast,
    Under,
    Over,
}

impl Bound {
    pub(crate) fn of(roles: &[Role]) -> Option<Self> {
        roles.iter().find_map(|role| match role {
            Role::AtMost => Some(Self::AtMost),
            Role::AtLeast => Some(Self::AtLeast),
            Role::Under => Some(Self::Under),
            Role::Over => Some(Self::Over),
            _ => None,
        })
    }

    /// "not below" is at least; what is denied always leaves the number itself.
    pub(crate) fn denied(self) -> Self {
        match self {
            Self::AtMost | Self::Under => Self::AtLeast,
            Self::AtLeast | Self::Over => Self::AtMost,
        }
    }
}

/// A field as it was named.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    pub(crate) field: String,
    pub(crate) hint: bool,
}

/// One statement of a sentence.
#[expect(clippy::struct_excessive_bools, reason = "each is a word that was said or not")]
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Statement {
    pub(crate) elements: Option<Elements>,
    /// The elements were named before anything was said of them.
    pub(crate) elements_lead: bool,
    /// The elements come from another statement.
    pub(crate) inherited: bool,
    pub(crate) fields: Vec<Named>,
    pub(crate) picks: Vec<Pick>,
    /// Values that a choice is known not to have, with their characters.
    pub(crate) unsupported: Vec<(String, usize, usize)>,
    pub(crate) directions: Vec<String>,
    pub(crate) amounts: Vec<Amount>,
    pub(crate) bounds: Vec<Bound>,
    /// A direction was said after the bound: "the upper limit down 50".
    pub(crate) bound_moves: bool,
    pub(crate) owner: Option<String>,
    pub(crate) wishes: Vec<String>,
    pub(crate) unknown: Vec<(usize, usize)>,
    pub(crate) keep: bool,
    /// "keep the speed" rather than "the speed stays": more objects may follow.
    pub(crate) keep_leads: bool,
    pub(crate) still: bool,
    pub(crate) change: bool,
    pub(crate) becomes: bool,
    pub(crate) negated: bool,
    pub(crate) allow: bool,
    pub(crate) too: bool,
    /// It only says why; nothing in it is a request.
    pub(crate) reason: bool,
    /// It says how things are, in a phrase of its own.
    pub(crate) remark: bool,
    pub(crate) code: bool,
    pub(crate) everything: bool,
    pub(crate) rest: bool,
    /// A word that adds, removes or moves whole elements, ...
    pub(crate) structure: bool,
    /// ... said of elements, and not of what they hold.
    pub(crate) structure_of_elements: bool,
    /// The word for an element stood without a number or a name.
    pub(crate) element_word: bool,
    /// What a choice without part may mean is open: the reading that was not taken.
    pub(crate) doubtful: Option<String>,
    pub(crate) emphasis: bool,
    pub(crate) respectively: bool,
    pub(crate) each: bool,
    pub(crate) stray: bool,
    pub(crate) colon: bool,
    /// What stands before it.
    pub(crate) after: Option<Break>,
    /// The characters it takes.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Statement {
    /// Whether it says something of its objects.
    pub(crate) fn says_something(&self) -> bool {
        self.reason
            || self.remark
            || !self.directions.is_empty()
            || !self.amounts.is_empty()
            || !self.picks.is_empty()
            || !self.unsupported.is_empty()
            || self.keep
            || self.code
            || self.structure
            || self.too
            || !self.wishes.is_empty()
            || !self.unknown.is_empty()
    }

    /// Whether nothing but names and amounts is in it, so that another statement can take it over whole.
    pub(crate) fn only_amounts(&self) -> bool {
        self.unknown.is_empty()
            && self.wishes.is_empty()
            && self.unsupported.is_empty()
            && !self.still
            && !self.negated
            && !self.allow
            && !self.too
            && !self.remark
            && !self.reason
            && !self.code
            && !self.structure
            && !self.stray
            && self.owner.is_none()
    }

    /// Whether it holds nothing that asks for anything.
    pub(crate) fn is_empty(&self) -> bool {
        !self.says_something()
            && self.elements.is_none()
            && self.fields.iter().all(|named| named.hint)
            && self.bounds.is_empty()
            && self.owner.is_none()
            && !self.negated
            && !self.change
            && !self.allow
            && !self.everything
            && !self.stray
            && !self.becomes
    }

    /// Its fields that are not only hinted at.
    pub(crate) fn strong(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|named| !named.hint).map(|named| named.field.as_str())
    }

    /// Whether it only names things.
    pub(crate) fn only_objects(&self) -> bool {
        !self.says_something()
            && self.bounds.is_empty()
            && !self.negated
            && !self.change
            && !self.allow
            && !self.becomes
            && (!self.fields.is_empty() || self.elements.is_some())
    }
}
