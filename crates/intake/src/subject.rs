//! Stage 6a: which fields a statement is about.
//!
//! A field that is named counts first, then one that a direction names by itself, then one that a hint or a unit
//! suggests. Whose it is may move it to another field.

use crate::meaning::{Interpreter, Read};
use crate::message;
use crate::slot::Statement;
use crate::trouble::Trouble;

impl Interpreter<'_> {
    /// The fields a statement is about.
    pub(crate) fn fields(&self, statement: &Statement) -> Read<Vec<String>> {
        let vocabulary = self.document.vocabulary;
        let directions: Vec<_> =
            statement.directions.iter().filter_map(|name| vocabulary.directions.get(name)).collect();
        let implied = directions.iter().find_map(|direction| direction.field.clone());
        let mut fields: Vec<String> = Vec::new();
        for field in statement.strong() {
            // "pattern: round" names the field and its value.
            let said = statement.picks.iter().any(|pick| pick.field == field);
            if !said && !fields.iter().any(|known| known == field) {
                fields.push(field.to_owned());
            }
        }
        if fields.is_empty() {
            let hinted = |fits: &dyn Fn(&str) -> bool| {
                let known = |hint: &&String| statement.fields.iter().any(|named| named.field == **hint);
                vocabulary.hints.iter().filter(known).find(|hint| fits(hint)).cloned()
            };
            let measured = |field: &str| statement.amounts.iter().all(|amount| self.measures(amount, field));
            let unit_field = || {
                let unit = statement.amounts.iter().find_map(|amount| vocabulary.units.get(amount.unit.as_ref()?));
                let beside = unit
                    .and_then(|unit| statement.fields.iter().find_map(|named| unit.beside.get(&named.field)))
                    .filter(|_| statement.picks.is_empty());
                beside.or(unit.and_then(|unit| unit.field.as_ref())).cloned()
            };
            let specific = directions.iter().any(|direction| !direction.any());
            let chosen = if specific {
                let fits =
                    |hint: &str| measured(hint) && directions.iter().all(|direction| direction.way_for(hint).is_some());
                hinted(&fits).or(implied)
            } else if statement.keep || !statement.amounts.is_empty() || !statement.directions.is_empty() {
                hinted(&measured).or_else(unit_field)
            } else {
                None
            };
            let counted = statement.amounts.iter().any(|amount| amount.unit.is_some());
            let wish = directions.iter().find_map(|direction| direction.of_hints.as_ref());
            if let Some(wish) = wish.filter(|_| !counted && statement.fields.iter().any(|named| named.hint)) {
                return Err(Trouble::NotUnderstood(vocabulary.wishes.get(wish).cloned().unwrap_or_default()));
            }
            fields.extend(chosen);
        }
        // "pieces last longer" is not about how long the owner lasts.
        for hint in
            statement.fields.iter().filter(|named| named.hint).filter_map(|named| vocabulary.field(&named.field))
        {
            for field in &mut fields {
                if let Some(own) = hint.takes.get(field).filter(|_| statement.owner.is_none()) {
                    field.clone_from(own);
                }
            }
        }
        if let Some(owner) = statement.owner.as_ref().and_then(|owner| vocabulary.owners.get(owner)) {
            for field in &mut fields {
                if let Some(own) = owner.takes.get(field) {
                    field.clone_from(own);
                }
                let beside = statement.fields.iter().any(|named| named.hint && owner.beside.contains(&named.field));
                if !owner.allows.contains(field) && !beside {
                    return Err(Trouble::NotUnderstood(message::not_of_owner(&owner.label, &vocabulary.label(field))));
                }
            }
            let limits = statement.picks.iter().all(|pick| owner.allows.contains(&pick.field));
            if fields.is_empty() && (statement.picks.is_empty() || !limits) {
                return Err(Trouble::NotUnderstood(message::which_field()));
            }
        }
        Ok(fields)
    }
}
