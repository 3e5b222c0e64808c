//! What a pack's vocabulary must hold to be usable: every name leads somewhere, every formula has a value.

use loopwright_configs::Scope;

use crate::vocabulary::{FieldKind, Vocabulary, VocabularyError};

impl Vocabulary {
    /// Every name that refers to another part of the vocabulary must find it there.
    pub(crate) fn check(&self, file: &str) -> Result<(), VocabularyError> {
        let wrong = |key: String, problem: String| VocabularyError::Wrong { file: file.to_owned(), key, problem };
        let known = |key: String, name: &str| {
            if self.fields.contains_key(name) {
                return Ok(());
            }
            Err(wrong(key, format!("there is no field {name:?}; add [fields.{name}] or correct the name")))
        };
        let dimension = |name: &str| self.units.values().any(|unit| unit.dimension == name);
        if let Some(selector) = &self.element.selector {
            known("element.selector".into(), selector)?;
        }
        known("goal.requested.field".into(), &self.goal.requested.field)?;
        for field in self.goal.pressure.fields.iter().chain(&self.hints) {
            known("goal.pressure.fields or hints".into(), field)?;
        }
        for (name, field) in &self.fields {
            let key = |part: &str| format!("fields.{name}.{part}");
            for (part, other) in [
                ("stands_for", &field.stands_for),
                ("inverse_of", &field.inverse_of),
                ("bounded", &field.bounded),
                ("of_elements", &field.of_elements),
            ] {
                if let Some(other) = other {
                    known(key(part), other)?;
                }
            }
            for step in field.up.iter().chain(&field.down) {
                known(key("up or down"), &step.field)?;
                // A formula that cannot be computed is found here and not in the middle of an answer.
                step.value.number(&Scope::new().with("x", 2.0)).map_err(|error| {
                    wrong(key("up or down"), format!("{error}; a step may use x, the present value"))
                })?;
            }
            for other in field.takes.iter().flat_map(|(from, to)| [from, to]) {
                known(key("takes"), other)?;
            }
            let virtual_field = field.stands_for.is_some() || field.inverse_of.is_some();
            match field.kind {
                FieldKind::Limit if field.paths.is_empty() || field.bound.is_none() => {
                    return Err(wrong(key("paths"), "a limit needs `paths` and `bound`".into()));
                }
                FieldKind::Element | FieldKind::Outside if field.path.is_none() && !virtual_field => {
                    return Err(wrong(key("path"), "give the field its `path`".into()));
                }
                _ => {}
            }
            if let Some(base) = &field.base {
                let unit = self.units.get(base);
                if unit.is_none_or(|unit| Some(&unit.dimension) != field.unit.as_ref()) {
                    return Err(wrong(key("base"), format!("{base:?} is no unit of this field's dimension")));
                }
            }
        }
        for (name, unit) in &self.units {
            if let Some(field) = &unit.field {
                known(format!("units.{name}.field"), field)?;
            }
            for other in unit.beside.iter().flat_map(|(hint, field)| [hint, field]) {
                known(format!("units.{name}.beside"), other)?;
            }
            if !(unit.factor.is_finite() && unit.factor > 0.0) {
                return Err(wrong(format!("units.{name}.factor"), "must be above zero".into()));
            }
        }
        self.check_wishes(file)?;
        for (name, direction) in &self.directions {
            let named =
                direction.field.iter().chain(&direction.fits).chain(&direction.reversed).chain(&direction.loose);
            for field in named.filter(|field| *field != "*") {
                known(format!("directions.{name}"), field)?;
            }
        }
        for (name, owner) in &self.owners {
            for field in owner.takes.iter().flat_map(|(from, to)| [from, to]).chain(&owner.allows).chain(&owner.beside)
            {
                known(format!("owners.{name}"), field)?;
            }
        }
        for forced in &self.forced {
            known("forced.field".into(), &forced.field)?;
            known("forced.changes".into(), &forced.changes)?;
            for formula in [&forced.when, &forced.value] {
                formula.eval(&Scope::new().with("x", 2.0)).map_err(|error| {
                    wrong("forced".into(), format!("{error}; a formula may use x, the present value"))
                })?;
            }
        }
        for (name, field) in &self.fields {
            if let Some(unit) = field.unit.as_ref().filter(|_| field.base.is_some())
                && !dimension(unit)
            {
                return Err(wrong(format!("fields.{name}.unit"), format!("no unit measures {unit:?}")));
            }
        }
        Ok(())
    }

    /// Every wish that is referred to must have its words.
    fn check_wishes(&self, file: &str) -> Result<(), VocabularyError> {
        let of_hints = self.directions.values().filter_map(|direction| direction.of_hints.as_ref());
        let missing = self.judgements.iter().chain(of_hints).find(|wish| !self.wishes.contains_key(*wish));
        missing.map_or(Ok(()), |wish| {
            Err(VocabularyError::Wrong {
                file: file.to_owned(),
                key: "judgements or of_hints".into(),
                problem: format!("there is no wish {wish:?}; add it to [wishes] or correct the name"),
            })
        })
    }
}
