//! Stage 4: items become statements: at most one thing is said of one list of fields and one list of elements.
//!
//! A break ends a statement that says something; one that has only named things so far goes on ("speed and lifetime
//! are 10% up"). Where people leave out the comma, a new statement starts where the next item no longer fits.

use crate::amount::{Amount, Lead, Size};
use crate::boundary::next_is_object;
use crate::element::Elements;
use crate::item::{Break, Item, What};
use crate::number::whole;
use crate::phrase::Role;
use crate::slot::{Bound, Named, Pick, Statement};
use crate::vocabulary::{Direction, Vocabulary};

/// Cuts items into statements.
pub(crate) fn statements(items: &[Item], vocabulary: &Vocabulary) -> Vec<Statement> {
    let mut builder = Builder {
        vocabulary,
        done: Vec::new(),
        now: Statement::default(),
        lead: Lead::None,
        weak_lead: false,
        colon_lead: false,
        switched: false,
        turned: false,
        pick_last: false,
        becomes: 0,
        bare_amount: false,
        after_names: false,
        denied: false,
        definite: false,
        keep_last: false,
        too_last: false,
        names_next: false,
    };
    for (at, item) in items.iter().enumerate() {
        let after = items.iter().skip(at + 1).find(|next| !(next.is(Role::Definite) && next.what == What::Word));
        builder.names_next = after.is_some_and(|next| matches!(next.what, What::Elements(_)));
        builder.take(item, items.get(at + 1), at);
    }
    builder.close(Some(Break::Stop));
    builder.done
}

#[expect(clippy::struct_excessive_bools, reason = "what was said last, each thing by itself")]
pub(crate) struct Builder<'v> {
    pub(crate) vocabulary: &'v Vocabulary,
    done: Vec<Statement>,
    pub(crate) now: Statement,
    /// How the next amount was led in.
    pub(crate) lead: Lead,
    /// Whether only the next item can take the lead: "at", "is".
    pub(crate) weak_lead: bool,
    /// The lead is a colon: it explains plain numbers, unless a direction comes in between.
    colon_lead: bool,
    /// An "on" waits for the choice that it switches.
    switched: bool,
    /// A "but" was said since this statement began.
    turned: bool,
    /// Nothing but words of the grammar came after the last choice.
    pick_last: bool,
    /// Words that led to something new in this statement so far.
    becomes: u32,
    /// The last thing said was a number without unit or lead.
    bare_amount: bool,
    /// A list of names was just broken off: a bare number may be one more of them.
    after_names: bool,
    /// A "not" waits for what it denies.
    denied: bool,
    /// A "the" was just said.
    definite: bool,
    /// The last thing said was that something stays.
    pub(crate) keep_last: bool,
    /// The last thing said was a complaint's "too".
    too_last: bool,
    /// The next thing said, but for a "the", is the name of elements.
    names_next: bool,
}

impl Builder<'_> {
    fn take(&mut self, item: &Item, next: Option<&Item>, at: usize) {
        if let What::Break(kind) = item.what {
            let listed = self.now.respectively && matches!(next.map(|next| &next.what), Some(What::Amount(_)));
            self.bare_amount = false;
            self.after_names = self.now.elements.is_some() && self.now.only_objects() && self.now.fields.is_empty();
            if !listed {
                self.take_break(kind);
            }
            return;
        }
        if item.is(Role::Because) && !self.now.reason {
            self.close(Some(Break::Then));
            self.now.reason = true;
        }
        if self.now.reason {
            self.take_reason(item);
            return;
        }
        if self.starts_new(item, next) {
            self.close(None);
        }
        if self.now == Statement::default() || self.now.to == 0 {
            self.now.from = item.from;
        }
        self.now.to = item.to;
        let definite = std::mem::replace(&mut self.definite, item.is(Role::Definite));
        match &item.what {
            What::Elements(elements) => {
                // A bare number right before a name is part of neither: "一三部分".
                self.now.stray |= std::mem::take(&mut self.bare_amount) && self.now.fields.is_empty();
                self.now.elements_lead = !self.now.says_something();
                match &mut self.now.elements {
                    // "P1 P3": names side by side are a list; with anything between them they are not.
                    Some(known) if self.now.fields.is_empty() && !self.turned => {
                        known.named.extend(elements.named.iter().cloned());
                        known.except.extend(elements.except.iter().cloned());
                    }
                    known => {
                        self.now.stray |= known.is_some();
                        *known = Some(elements.clone());
                    }
                }
                self.now.rest |= item.is(Role::Rest);
            }
            What::Amount(amount) => self.take_amount(amount, next),
            What::Field { field, hint } => {
                self.now.fields.push(Named { field: field.clone(), hint: *hint });
                if self.denied && next.is_none_or(|next| matches!(next.what, What::Break(_))) {
                    self.now.negated = true;
                }
            }
            What::Choice { field, value } => {
                let denied = std::mem::take(&mut self.denied);
                let value = match (denied, value) {
                    (true, serde_json::Value::Bool(on)) => serde_json::Value::Bool(!on),
                    (true, value) => {
                        self.now.negated |= denied;
                        value.clone()
                    }
                    (false, value) => value.clone(),
                };
                let known = definite || next.is_some_and(|next| next.is(Role::Of) && next.what == What::Word);
                let new = self.now.becomes || (self.lead == Lead::To && !self.weak_lead && !self.colon_lead);
                let becomes = self.becomes + u32::from(new && !self.now.becomes);
                self.now.picks.push(Pick { field: field.clone(), value, new, known, becomes, at });
            }
            What::Unsupported { field } => self.now.unsupported.push((field.clone(), item.from, item.to)),
            What::Direction(direction) => {
                self.now.negated |= std::mem::take(&mut self.denied);
                if std::mem::take(&mut self.colon_lead) {
                    self.lead = Lead::None;
                }
                self.now.directions.push(direction.clone());
                self.now.bound_moves = !self.now.bounds.is_empty() && self.now.amounts.is_empty();
            }
            What::Owner(owner) => {
                // "the owner's last part": whose part it is.
                let of_element = next.is_some_and(|next| matches!(next.what, What::Elements(_)))
                    && self.vocabulary.owners.get(owner).is_some_and(|known| known.has_elements);
                if !of_element {
                    self.now.owner = Some(owner.clone());
                }
            }
            What::Wish(wish) => self.now.wishes.push(wish.clone()),
            What::Unknown => self.now.unknown.push((item.from, item.to)),
            What::Word | What::Break(_) => {}
        }
        self.take_roles(item, next);
        self.after_names = false;
        self.bare_amount = matches!(&item.what, What::Amount(amount)
            if matches!(amount.size, Size::Number(_)) && amount.unit.is_none() && amount.sign.is_none())
            && self.now.amounts.last().is_some_and(|amount| amount.lead == Lead::None);
        if self.weak_lead && !matches!(item.what, What::Word) {
            self.lead = Lead::None;
            self.weak_lead = false;
        }
        if !matches!(item.what, What::Word) {
            self.pick_last = matches!(item.what, What::Choice { .. });
            self.keep_last = false;
        } else if item.is(Role::Keep) {
            self.keep_last = true;
        }
    }

    /// A reason may name things and judge them. Whatever could be a request in it keeps it from being only a reason.
    fn take_reason(&mut self, item: &Item) {
        if self.now.to == 0 {
            self.now.from = item.from;
        }
        self.now.to = item.to;
        let judged = std::mem::take(&mut self.too_last);
        match &item.what {
            What::Elements(elements) => {
                let known = self.now.elements.get_or_insert_with(Elements::default);
                known.named.extend(elements.named.iter().cloned());
                known.except.extend(elements.except.iter().cloned());
            }
            What::Field { field, hint } => self.now.fields.push(Named { field: field.clone(), hint: *hint }),
            What::Direction(_) => self.now.stray |= !judged,
            What::Unknown | What::Wish(_) | What::Owner(_) => {}
            What::Word => {
                use Role::{At, Because, Count, Definite, Element, Emphasis, Filler, Not, Of, Remark, Too};
                let plain = [At, Because, Count, Definite, Element, Emphasis, Filler, Not, Of, Remark, Too]
                    .iter()
                    .any(|role| item.is(*role));
                self.now.stray |= !plain;
                self.too_last = item.is(Too) || judged && item.is(Emphasis);
            }
            What::Amount(_) | What::Choice { .. } | What::Unsupported { .. } | What::Break(_) => self.now.stray = true,
        }
    }

    fn take_break(&mut self, kind: Break) {
        if self.now.reason {
            self.close(Some(kind));
            return;
        }
        // "too easy: part 1 denser": what follows is the remedy, not a value.
        let complained = self.now.too || self.now.remark;
        if kind == Break::Colon && complained {
            self.close(Some(Break::Comma));
            return;
        }
        if kind == Break::Colon {
            // What follows explains: its numbers are new values.
            self.now.colon = true;
            (self.lead, self.weak_lead, self.colon_lead) = (Lead::To, false, true);
            return;
        }
        self.turned |= kind == Break::Then;
        if self.now.says_something() {
            self.close(Some(kind));
        } else if self.now.only_objects() {
            self.end_of_list(kind);
            if kind == Break::Stop && !self.now.fields.is_empty() {
                self.close(Some(kind));
            }
        } else if kind == Break::Stop || self.now.is_empty() {
            self.close(Some(kind));
        }
    }

    /// "keep the speed, lifetime and layers": objects that follow a word that governs a list belong to it.
    fn end_of_list(&mut self, kind: Break) {
        if kind == Break::And || !matches!(self.now.after, Some(Break::And | Break::Comma)) {
            return;
        }
        let Some(last) = self.done.last_mut() else { return };
        let governs = (last.keep && last.keep_leads) || (!last.directions.is_empty() && last.amounts.is_empty());
        let one_place = self.now.elements.is_none() || last.elements.is_none();
        let wants_fields = !last.fields.is_empty() && !self.now.fields.is_empty() && one_place;
        let trails = last.elements.is_some() && (!last.elements_lead || last.keep_leads);
        let wants_elements = trails && self.now.fields.is_empty() && last.picks.is_empty();
        if !governs
            || !(wants_fields && (last.keep_leads || !last.elements_lead || last.elements.is_some()) || wants_elements)
        {
            return;
        }
        let more = std::mem::take(&mut self.now);
        last.to = more.to;
        last.fields.extend(more.fields);
        if let Some(elements) = more.elements {
            let known = last.elements.get_or_insert_with(Elements::default);
            known.named.extend(elements.named);
            known.except.extend(elements.except);
        }
        self.now.after = Some(kind);
    }

    fn take_amount(&mut self, amount: &Amount, next: Option<&Item>) {
        let mut amount = amount.clone();
        let more = next.is_some_and(|next| {
            matches!(&next.what, What::Direction(direction)
            if self.vocabulary.directions.get(direction).is_some_and(Direction::any))
        });
        let place = matches!(amount.size, Size::Number(value) if whole(value).is_some_and(|value| value < 10));
        self.now.stray |= self.after_names && place && amount.unit.is_none() && amount.sign.is_none() && !more;
        let plain = matches!(amount.size, Size::Number(_) | Size::Multiple(_) | Size::Times(_));
        // "with 4 more" and "is 20% up" are differences in spite of their lead.
        let relative = next.is_some_and(|next| matches!(next.what, What::Direction(_)));
        let weak = self.weak_lead || self.colon_lead;
        let old = self.colon_lead && next.is_some_and(|next| next.is(Role::To));
        // "part 2: +2 pieces" is a difference; where values have signs it is a value.
        let signed = self.now.strong().any(|field| self.vocabulary.field(field).is_some_and(|field| field.signed));
        let relative = relative || (self.colon_lead && amount.sign.is_some() && !signed);
        amount.lead = if old || weak && (!plain || relative) { Lead::None } else { self.lead };
        if amount.or_more {
            self.now.bounds.push(Bound::AtLeast);
        }
        (self.lead, self.weak_lead, self.colon_lead) = (Lead::None, false, false);
        self.now.amounts.push(amount);
    }

    fn take_roles(&mut self, item: &Item, next: Option<&Item>) {
        if let Some(bound) = Bound::of(&item.roles) {
            let bound = if std::mem::take(&mut self.denied) { bound.denied() } else { bound };
            self.now.bound_moves = false;
            if !self.now.bounds.contains(&bound) {
                self.now.bounds.push(bound);
            }
        }
        if item.is(Role::Change) && self.denied {
            self.denied = false;
            self.now.keep_leads = self.now.fields.is_empty() && self.now.elements.is_none();
            self.now.keep = true;
            self.keep_last = true;
        }
        let word = item.what == What::Word;
        for role in &item.roles {
            match role {
                Role::To => (self.lead, self.weak_lead, self.colon_lead) = (Lead::To, false, false),
                Role::At if self.lead == Lead::None => (self.lead, self.weak_lead) = (Lead::To, true),
                Role::By => (self.lead, self.weak_lead, self.colon_lead) = (Lead::By, false, false),
                Role::From => (self.lead, self.weak_lead, self.colon_lead) = (Lead::From, false, false),
                Role::Become => {
                    self.now.becomes = true;
                    self.becomes += 1;
                    if self.lead == Lead::None {
                        (self.lead, self.weak_lead) = (Lead::To, true);
                    }
                }
                Role::Keep => {
                    if !self.now.keep {
                        self.now.keep_leads = self.now.fields.is_empty()
                            && self.now.picks.is_empty()
                            && (self.now.elements.is_none() || next_is_object(next));
                    }
                    self.now.keep = true;
                    self.now.negated |= std::mem::take(&mut self.denied);
                }
                Role::Still => self.now.still = true,
                Role::Not => {
                    // Denied twice is more than a designer means.
                    self.now.negated |= self.denied;
                    self.denied = true;
                }
                Role::Change => self.now.change = true,
                Role::Allow => self.now.allow = true,
                Role::Remark => self.now.remark |= word,
                Role::Too => {
                    self.now.too = true;
                    self.now.negated |= std::mem::take(&mut self.denied);
                }
                Role::Except => self.now.stray |= word,
                Role::On if word => self.switched = true,
                Role::Off if word => self.off(),
                Role::Rest => self.now.rest = true,
                Role::Everything if word => self.now.everything = true,
                Role::Structure => {
                    self.now.structure |= word;
                    let leads = self.names_next || next.is_some_and(|next| next.is(Role::Element));
                    let trails = (word || item.is(Role::Off))
                        && self.now.elements.is_some()
                        && self.now.fields.is_empty()
                        && next.is_none_or(|next| {
                            matches!(next.what, What::Break(_)) || word && (next.is(Role::To) || next.is(Role::Become))
                        });
                    self.now.structure_of_elements |= leads || trails;
                    // "new", "insert": said of anything but elements, nothing here knows what it means.
                    self.now.stray |= word && !leads && !trails && !item.is(Role::Off) && !item.is(Role::Become);
                }
                Role::Element if word => self.now.element_word = true,
                Role::Code if word => {
                    let denied = std::mem::take(&mut self.denied);
                    self.now.code |= !denied;
                }
                Role::Emphasis => self.now.emphasis = true,
                Role::Each => self.now.each = true,
                Role::Respectively => self.now.respectively = true,
                _ => {}
            }
        }
    }

    /// "two-way off" and "off two-way": the choice turns.
    fn off(&mut self) {
        match self.now.picks.last_mut() {
            Some(Pick { value: serde_json::Value::Bool(on), .. }) if self.pick_last => *on = !*on,
            _ => self.denied = true,
        }
    }

    fn close(&mut self, kind: Option<Break>) {
        self.now.negated |= std::mem::take(&mut self.denied) && !self.now.keep;
        let switched = std::mem::take(&mut self.switched);
        self.now.stray |= switched && !self.now.picks.iter().any(|pick| pick.value.is_boolean());
        if self.now.only_objects() {
            self.end_of_list(kind.unwrap_or(Break::Comma));
        }
        let now = std::mem::take(&mut self.now);
        // What no comma parts from a wish may belong to it: "faster when health is below 10 %".
        if kind.is_none() {
            self.now.wishes.clone_from(&now.wishes);
        }
        if !now.is_empty() {
            self.done.push(now);
        }
        self.now.after = kind;
        self.becomes = 0;
        (self.bare_amount, self.turned) = (false, false);
        (self.lead, self.weak_lead, self.colon_lead) = (Lead::None, false, false);
        (self.definite, self.keep_last, self.too_last) = (false, false, false);
    }
}
