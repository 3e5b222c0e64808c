//! Stage 7a: fields with named values, and what the contract forces when one changes.

use loopwright_configs::{Expect, Scope, Text};
use serde_json::Value;

use crate::combine::{Combined, Combiner, Group, asked, value_label};
use crate::document::Document;
use crate::meaning::Op;
use crate::trouble::{Trouble, plain, shown};

impl Combiner<'_> {
    pub(crate) fn settle_choice(&self, group: &Group, out: &mut Combined) -> Result<(), Trouble> {
        let Some((field, element)) = self.field(group) else { return Ok(()) };
        let before = self.document.value_in(self.document.value, field, element).unwrap_or(Value::Null);
        let mut value: Option<&Value> = None;
        let mut kept = false;
        for demand in &group.demands {
            let wanted = match &demand.op {
                Op::Set(wanted) => wanted,
                Op::Keep(wanted) => {
                    kept |= wanted.is_none();
                    wanted.as_ref().unwrap_or(&before)
                }
                Op::Scale(_) | Op::Shift(_) | Op::Step(_) => return Err(Trouble::contradiction(&field.label)),
            };
            if value.is_some_and(|value| value != wanted) {
                return Err(Trouble::contradiction(&field.label));
            }
            value = Some(wanted);
        }
        let Some(value) = value else { return Ok(()) };
        let only_kept = group.demands.iter().all(|demand| matches!(demand.op, Op::Keep(_)));
        if only_kept && *value != before {
            return Err(Trouble::contradiction(&field.label));
        }
        let Some(place) = Document::place(field, Some(element)) else { return Ok(()) };
        if let Some(range) = self.schema.range(&place).filter(|range| !range.contains(value)) {
            return Err(Trouble::out_of_range(&field.label, place.to_string(), value, &range));
        }
        if *value != before {
            self.write(out, &place, value.clone());
        }
        for demand in &group.demands {
            let expect = if matches!(demand.op, Op::Keep(_)) && *value == before {
                Expect::Unchanged
            } else {
                Expect::Equals(value.clone())
            };
            self.intend(out, demand.statement, &place, expect);
            Self::tell(out, demand, field, element, &before, value, false);
        }
        if !kept && let Some(demand) = group.demands.iter().find(|demand| matches!(demand.op, Op::Set(_))) {
            out.asked.push(asked(demand, element, None, Some(value.clone())));
        }
        Ok(())
    }

    /// What the contract forces on a new value of a choice, where the sentence says nothing about that field.
    pub(crate) fn force(&self, groups: &[Group], out: &mut Combined, troubles: &mut Vec<Trouble>) {
        for forced in &self.document.vocabulary.forced {
            let Some(changes) = self.document.vocabulary.field(&forced.changes) else { continue };
            let Some(choice) = self.document.vocabulary.field(&forced.field) else { continue };
            for element in &self.document.elements {
                let now = self.document.value_in(&out.candidate, choice, element);
                let before = self.document.value_in(self.document.value, choice, element);
                if now.as_ref() != Some(&forced.becomes) || now == before {
                    continue;
                }
                let said = groups.iter().any(|group| {
                    group.field == forced.changes
                        && group.element.as_ref() == Some(element)
                        && group.demands.iter().any(|demand| matches!(demand.op, Op::Set(_) | Op::Keep(_)))
                });
                let Some(x) = self.document.value_in(&out.candidate, changes, element) else { continue };
                let scope = Scope::new().with("x", x.clone());
                match (forced.when.truth(&scope), forced.value.number(&scope)) {
                    (Ok(true), Ok(value)) if !said => {
                        let value = plain(&Value::from(value));
                        if let Some(place) = Document::place(changes, Some(element)) {
                            let text = Text::new(
                                "{id}, {field}: {before} -> {after} ({value} does not allow {before})",
                                "{id}，{field}：{before} -> {after}（{value}不允许 {before}）",
                            );
                            out.notes.push(text.fill(&[
                                ("id", Text::same(Document::id(element))),
                                ("field", changes.label.clone()),
                                ("before", Text::same(shown(&x))),
                                ("after", Text::same(shown(&value))),
                                ("value", value_label(choice, &forced.becomes)),
                            ]));
                            self.write(out, &place, value);
                        }
                    }
                    (Err(_), _) | (_, Err(_)) => troubles.push(Trouble::vague()),
                    _ => {}
                }
            }
        }
    }
}
