//! Stage 5: statements borrow from each other what people say once: the elements, the field, the word of change.
//!
//! Here a value of the selector ("the square", "圆形") is also told apart from a new value: it names elements where
//! something else is said of them, and it is a new value otherwise.

use serde_json::Value;

use crate::amount::{Amount, Lead, Size};
use crate::element::{Elements, Reference};
use crate::item::Break;
use crate::slot::{Named, Pick, Statement};
use crate::vocabulary::{FieldKind, Vocabulary};

/// Links statements; `selected` says which value the selector of given elements has now, if all have the same.
pub(crate) fn link(
    statements: Vec<Statement>,
    vocabulary: &Vocabulary,
    selected: &dyn Fn(&Elements) -> Option<Value>,
) -> Vec<Statement> {
    let all = Linker { vocabulary, selected };
    let mut linked = all.share_changes(statements);
    all.name_elements(&mut linked);
    all.share_fields(&mut linked);
    linked
}

struct Linker<'a> {
    vocabulary: &'a Vocabulary,
    selected: &'a dyn Fn(&Elements) -> Option<Value>,
}

impl Linker<'_> {
    /// "increase speed and lifetime by 10%", "denser, by 20%", "speed up by 10% and lifetime by 20%".
    fn share_changes(&self, statements: Vec<Statement>) -> Vec<Statement> {
        let mut linked: Vec<Statement> = Vec::new();
        for mut now in statements {
            let near = matches!(now.after, Some(Break::And | Break::Comma));
            let Some(last) = linked.last_mut().filter(|last| near && !last.reason && !now.reason) else {
                linked.push(now);
                continue;
            };
            // "faster, part 3": a name at the end belongs to what was just said.
            if now.only_objects() && now.fields.is_empty() && last.elements.is_none() && last.says_something() {
                last.elements = now.elements;
                last.elements_lead = false;
                last.to = now.to;
                continue;
            }
            let bare = now.directions.is_empty()
                && now.picks.is_empty()
                && now.bounds.is_empty()
                && !now.keep
                && now.only_amounts();
            let needs_change = bare && !now.amounts.is_empty() && now.amounts.iter().all(is_difference);
            let governed = !last.directions.is_empty() && !last.keep && last.picks.is_empty();
            let has_fields = now.strong().next().is_some();
            let alone = now.fields.is_empty() && now.elements.is_none();
            let own_field = now.amounts.iter().any(|amount| self.unit_field(amount).is_some());
            if needs_change && governed && has_fields && last.strong().next().is_some() {
                if last.amounts.is_empty() && (now.elements.is_none() || last.elements.is_none()) {
                    if let Some(elements) = now.elements.take() {
                        last.elements = Some(elements);
                    }
                    last.fields.append(&mut now.fields);
                    last.amounts = now.amounts;
                    last.emphasis |= now.emphasis;
                    last.to = now.to;
                    continue;
                }
                now.directions.clone_from(&last.directions);
            } else if bare
                && alone
                && !own_field
                && !now.amounts.is_empty()
                && last.amounts.is_empty()
                && (governed || last.strong().next().is_some())
            {
                last.amounts = now.amounts;
                last.emphasis |= now.emphasis;
                last.to = now.to;
                continue;
            }
            linked.push(now);
        }
        linked
    }

    fn unit_field(&self, amount: &Amount) -> Option<&str> {
        self.vocabulary.units.get(amount.unit.as_ref()?)?.field.as_deref()
    }

    /// Who each statement is about: named in it, by the selector's value, or in a statement before or after it.
    fn name_elements(&self, statements: &mut [Statement]) {
        let mut current: Option<Elements> = None;
        for at in 0..statements.len() {
            // "faster and denser in part 3"; what is only kept may also stand before: "same speed, part 3 denser".
            let only_kept =
                statements.get(at).is_some_and(|now| now.keep && now.directions.is_empty() && now.amounts.is_empty());
            let ahead = statements
                .get(at + 1)
                .filter(|next| {
                    (next.after == Some(Break::And) && !next.elements_lead)
                        || (next.reason && current.is_none() && next.after != Some(Break::Stop))
                        || (only_kept && current.is_none() && !matches!(next.after, Some(Break::Stop) | None))
                })
                .and_then(|next| next.elements.clone());
            let Some(now) = statements.get_mut(at) else { continue };
            if now.reason {
                // "because part 2 is weak, …" says which part is meant; after another part it leaves that open.
                match (&now.elements, &current) {
                    (Some(elements), None) => current = Some(elements.clone()),
                    (Some(elements), Some(known)) if elements != known => current = None,
                    _ => {}
                }
                continue;
            }
            self.read_selector(now, current.as_ref());
            match &now.elements {
                Some(elements) => current = Some(elements.clone()),
                None if !self.only_limits(now) => {
                    now.elements = ahead.or_else(|| current.clone());
                    now.inherited = now.elements.is_some();
                }
                None => {}
            }
        }
    }

    fn only_limits(&self, statement: &Statement) -> bool {
        let limit = |field: &str| self.vocabulary.field(field).is_some_and(|field| field.kind != FieldKind::Element);
        statement.picks.iter().all(|pick| limit(&pick.field))
            && statement.strong().all(limit)
            && (statement.strong().next().is_some() || !statement.bounds.is_empty() || !statement.picks.is_empty())
    }

    /// Tells a value that names elements from a new one.
    fn read_selector(&self, now: &mut Statement, current: Option<&Elements>) {
        let Some(selector) = self.vocabulary.element.selector.as_deref() else { return };
        let values: Vec<Pick> = now.picks.iter().filter(|pick| pick.field == selector).cloned().collect();
        let Some(first) = values.first() else { return };
        let relative = !now.directions.is_empty();
        if let Some(elements) = &now.elements {
            // "part 1's round, faster" where part 1 is a square: new pattern, or a slip?
            let present = (self.selected)(elements);
            let replaced =
                values.iter().skip(1).any(|pick| pick.becomes > first.becomes || (first.known && !pick.known));
            if present.as_ref() == Some(&first.value) && replaced {
                // "part 2: swap the round for a square": the first is what it is now.
                now.picks.retain(|pick| pick.field != selector || pick.value != first.value);
                return;
            }
            if relative
                && !first.new
                && !now.colon
                && !now.inherited
                && present.as_ref() != Some(&first.value)
                && now.picks.len() == 1
            {
                now.doubtful = Some(selector.to_owned());
            }
            return;
        }
        let named = if values.len() >= 2 {
            // "replace the square with a round", "方形换成圆形": the first is there now, the second is new.
            values.iter().skip(1).any(|pick| pick.becomes > first.becomes || (first.known && !pick.known))
        } else {
            let others_before = now.picks.iter().any(|pick| pick.field != selector && pick.at < first.at);
            let others_after = now.picks.iter().any(|pick| pick.field != selector && pick.at > first.at);
            let fields = now.strong().any(|field| field != selector && self.is_element_field(field));
            let said = relative || !now.amounts.is_empty() || fields || now.keep || others_after || now.too;
            let present = current.and_then(|elements| (self.selected)(elements));
            let same = present.as_ref() == Some(&first.value);
            if first.new || !said || others_before || now.still || now.strong().any(|field| field == selector) {
                false
            } else if first.known || current.is_none() {
                true
            } else if now.keep {
                !same
            } else if relative {
                true
            } else {
                if !same && !now.colon {
                    now.doubtful = Some(selector.to_owned());
                }
                false
            }
        };
        if named {
            let mut kept = Vec::new();
            for pick in now.picks.drain(..) {
                if now.elements.is_none() && pick.field == selector {
                    now.elements = Some(Elements { named: vec![Reference::Selected(pick.value)], except: Vec::new() });
                    now.elements_lead = true;
                } else {
                    kept.push(pick);
                }
            }
            now.picks = kept;
        }
    }

    fn is_element_field(&self, field: &str) -> bool {
        self.vocabulary.field(field).is_some_and(|field| field.kind == FieldKind::Element)
    }

    /// "part 1's speed to 2.5, part 3 to 3.5": the field is said once.
    fn share_fields(&self, statements: &mut [Statement]) {
        let mut last: Option<(Vec<Named>, Vec<String>)> = None;
        let mut valued = false;
        for at in 0..statements.len() {
            let ahead = statements.get(at + 1).filter(|next| self.ends_a_pair(next)).map(|next| next.fields.clone());
            let Some(now) = statements.get_mut(at) else { continue };
            if now.reason {
                let named: Vec<Named> = now.fields.iter().filter(|named| !named.hint).cloned().collect();
                last = (!named.is_empty()).then_some((named, Vec::new())).or(last);
                continue;
            }
            let directions = now.directions.iter().filter_map(|name| self.vocabulary.directions.get(name));
            let implied: Vec<Named> = directions
                .clone()
                .filter_map(|direction| direction.field.clone())
                .map(|field| Named { field, hint: false })
                .collect();
            let generic = directions.clone().all(|direction| direction.field.is_none());
            let unit_fields = now.amounts.iter().any(|amount| self.unit_field(amount).is_some());
            let says = !now.amounts.is_empty() || !now.directions.is_empty();
            let lacks = now.fields.is_empty() && generic && now.picks.is_empty() && now.owner.is_none();
            let had_value = std::mem::replace(&mut valued, !now.amounts.is_empty());
            let measured = last.as_ref().is_some_and(|(fields, _)| self.measure_again(now, fields, had_value));
            if let (true, true, Some(fields)) = (lacks && now.amounts.is_empty() && !unit_fields, says, ahead) {
                now.fields = fields;
            } else if let (true, true, Some((fields, _))) = (lacks && says, measured, &last) {
                now.fields.clone_from(fields);
            } else if lacks && says && !unit_fields && !now.structure_of_elements {
                if let Some((fields, ways)) = &last {
                    now.fields.clone_from(fields);
                    if now.directions.is_empty() && now.amounts.iter().any(is_difference) {
                        now.directions.clone_from(ways);
                    }
                }
            } else if now.fields.is_empty() && implied.is_empty() && unit_fields {
                let field = now.amounts.iter().find_map(|amount| self.unit_field(amount));
                let named = field.map(|field| Named { field: field.to_owned(), hint: true });
                last = Some((named.into_iter().collect(), now.directions.clone()));
            } else if !now.fields.is_empty() || !implied.is_empty() {
                let fields = if now.fields.iter().any(|named| !named.hint) || implied.is_empty() {
                    now.fields.clone()
                } else {
                    implied
                };
                last = Some((fields, now.directions.clone()));
            }
        }
    }
}

impl Linker<'_> {
    /// "fewer, faster pieces": what the first word is about stands after the second.
    fn ends_a_pair(&self, next: &Statement) -> bool {
        let specific =
            next.directions.iter().all(|name| self.vocabulary.directions.get(name).is_some_and(|known| !known.any()));
        matches!(next.after, Some(Break::And | Break::Comma | Break::Then))
            && next.elements.as_ref().is_none_or(|_| !next.elements_lead)
            && !next.directions.is_empty()
            && specific
            && next.amounts.is_empty()
            && !next.fields.is_empty()
            && next.fields.iter().all(|named| named.hint)
            && next.picks.is_empty()
    }

    /// "turn 20 degrees, part 2 15 degrees": a unit that measures the field just named speaks of it again.
    ///
    /// `valued` says whether it has a value already: then only another element can have one more.
    fn measure_again(&self, now: &Statement, fields: &[Named], valued: bool) -> bool {
        let dimension = |amount: &Amount| {
            let unit = self.vocabulary.units.get(amount.unit.as_ref()?)?;
            Some(unit.dimension.as_str())
        };
        let [Named { field, hint: false }] = fields else { return false };
        let known = self.vocabulary.field(field).filter(|known| known.kind == FieldKind::Element);
        let Some(unit) = known.and_then(|known| known.unit.as_deref()) else { return false };
        now.bounds.is_empty()
            && !now.amounts.is_empty()
            && (!valued || now.elements.is_some() && !now.inherited)
            && now.amounts.iter().all(|amount| dimension(amount) == Some(unit))
    }
}

/// Whether an amount needs a word of change to mean something.
fn is_difference(amount: &Amount) -> bool {
    let open = matches!(amount.size, Size::Percent(_)) && amount.sign.is_none() && amount.lead != Lead::To;
    open || amount.lead == Lead::By
}
