//! What is refused whatever else a clause says, and what keeps a clause from counting as understood.

use loopwright_configs::Path;
use serde_json::Value;

use crate::amount::{Lead, Size};
use crate::document::Document;
use crate::meaning::{Interpreter, Meaning, Read};
use crate::message;
use crate::slot::Statement;
use crate::trouble::Trouble;
use crate::vocabulary::{Field, Way};

impl Interpreter<'_> {
    /// What is refused whatever else the clause says: code, whole elements, fields outside the scope.
    pub(crate) fn refuse(&self, statement: &Statement, quote: &dyn Fn(usize, usize) -> String) -> Read<()> {
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
        // A new kind that no phrase knows: "换成三角".
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
    pub(crate) fn doubt(&self, statement: &Statement, quote: &dyn Fn(usize, usize) -> String) -> Read<()> {
        if let Some((from, to)) = statement.unknown.first() {
            return Err(Trouble::NotUnderstood(message::unknown_word(&quote(*from, *to))));
        }
        if let Some(wish) = statement.wishes.first() {
            let text = self.document.vocabulary.wishes.get(wish).cloned().unwrap_or_default();
            return Err(Trouble::NotUnderstood(text));
        }
        if statement.remark {
            return Err(Trouble::NotUnderstood(message::complaint()));
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

    /// The elements of a bare remark or judgement, which asks for nothing: "躲不开", "part 2 is too hard". Nothing where
    /// the statement says more than that; no elements where it names none.
    pub(crate) fn remark(&self, statement: &Statement) -> Option<Vec<Path>> {
        let judges = |wish: &String| self.document.vocabulary.judgements.contains(wish);
        let judged = statement.too && !statement.wishes.is_empty() && statement.wishes.iter().all(judges);
        let bare = statement.directions.iter().all(|name| judged && self.undirected(name))
            && statement.fields.iter().all(|named| named.hint)
            && statement.amounts.is_empty()
            && statement.picks.is_empty()
            && statement.unsupported.is_empty()
            && statement.bounds.is_empty()
            && statement.unknown.is_empty()
            && (judged || statement.wishes.is_empty());
        let quiet = !statement.keep
            && !statement.still
            && !statement.change
            && !statement.becomes
            && !statement.negated
            && !statement.allow
            && !statement.code
            && !statement.structure
            && !statement.everything
            && !statement.stray;
        if !(statement.remark || judged) || !bare || !quiet {
            return None;
        }
        match statement.elements.as_ref().filter(|_| !statement.inherited) {
            Some(elements) => self.document.resolve(elements, &[]).ok(),
            None => Some(Vec::new()),
        }
    }

    fn undirected(&self, direction: &str) -> bool {
        self.document.vocabulary.directions.get(direction).is_some_and(crate::vocabulary::Direction::any)
    }

    /// What a complaint is about and where it says things have gone: "too fast".
    pub(crate) fn complaint(&self, statement: &Statement) -> Option<(Vec<String>, Way)> {
        let plain = statement.too && statement.amounts.is_empty() && !statement.negated && !statement.keep;
        if !plain || !statement.unknown.is_empty() || !statement.wishes.is_empty() || statement.stray {
            return None;
        }
        let fields = self.fields(statement).ok()?;
        let way = self.way(statement, fields.first()?).ok()??;
        Some((fields, way))
    }

    /// A field that sentences may name but not change.
    pub(crate) fn outside(
        &self,
        statement: &Statement,
        field: &Field,
        elements: Option<&[Path]>,
        meaning: &mut Meaning,
    ) -> Read<()> {
        let element = elements.and_then(<[Path]>::first);
        // "part 2 at 50 % health" is about when part 2 begins.
        let share = statement.amounts.iter().any(|amount| {
            matches!(amount.size, Size::Percent(_)) && (amount.lead == Lead::To || statement.directions.is_empty())
        });
        let own = field.of_elements.as_ref().and_then(|own| self.document.vocabulary.field(own));
        let field = own.filter(|_| share && element.is_some() && !statement.inherited).unwrap_or(field);
        let place = Document::place(field, element);
        let changes = !statement.amounts.is_empty() || !statement.directions.is_empty();
        if (statement.keep || statement.still) && !changes {
            meaning.keeps.extend(place.map(|place| (place, field.label.clone())));
            return Ok(());
        }
        if !changes && !statement.change && !statement.becomes && statement.bounds.is_empty() && !statement.structure {
            return Err(Trouble::missing_value(&field.label));
        }
        // A condition beside it: nobody asks to change it.
        if let Some(wish) = statement.wishes.first() {
            let text = self.document.vocabulary.wishes.get(wish).cloned().unwrap_or_default();
            return Err(Trouble::NotUnderstood(text));
        }
        // Somebody was named beside words that nothing explains: a question, not a refusal.
        if statement.owner.is_some() && !statement.unknown.is_empty() {
            return Err(Trouble::NotUnderstood(message::unclear()));
        }
        let asked = Self::amount(statement).ok().flatten().and_then(|amount| match amount.size {
            Size::Number(value) if amount.lead == Lead::To || statement.directions.is_empty() => {
                Some(Value::from(value))
            }
            _ => None,
        });
        let path = place.map_or_else(|| field.label.en.clone(), |place| place.to_string());
        Err(Trouble::outside(&field.label, path, asked.as_ref(), self.scope))
    }
}
