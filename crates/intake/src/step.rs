//! Stage 7b: the documented step of a direction without a value, as the pack writes it down.

use loopwright_configs::{Expect, Path, Scope};
use serde_json::Value;

use crate::combine::{Combined, Combiner, Group, asked, clamped, close, rounded, with_defaults};
use crate::meaning::{Demand, Op};
use crate::trouble::{Trouble, plain, shown};
use crate::vocabulary::Way;

impl Combiner<'_> {
    /// The documented step of a direction without a value.
    pub(crate) fn step(
        &self,
        group: &Group,
        demands: &[Demand],
        kept: &[Path],
        out: &mut Combined,
    ) -> Result<(), Trouble> {
        let Some((field, element)) = self.field(group) else { return Ok(()) };
        let ways: Vec<Way> = group
            .demands
            .iter()
            .filter_map(|demand| match demand.op {
                Op::Step(way) => Some(way),
                _ => None,
            })
            .collect();
        let Some(way) = ways.first().copied().filter(|first| ways.iter().all(|way| way == first)) else {
            return Err(Trouble::contradiction(&field.label));
        };
        let steps = if way == Way::Up { &field.up } else { &field.down };
        let mut took = false;
        for (position, step) in steps.iter().enumerate() {
            let Some(changed) = self.document.vocabulary.field(&step.field) else { continue };
            let Some(place) = self.document.place(changed, Some(element)) else { continue };
            let item = self.document.layout.get(&out.candidate, element).cloned().unwrap_or(Value::Null);
            let item = with_defaults(self.document, element, item);
            let (Some(before), Some(x)) = (
                self.document.value_in(self.document.value, changed, element).and_then(|value| value.as_f64()),
                self.document.value_in(&out.candidate, changed, element).and_then(|value| value.as_f64()),
            ) else {
                continue;
            };
            let scope = Scope::new().with("x", x).with("item", item);
            if step.when.as_ref().is_some_and(|when| when.truth(&scope) != Ok(true)) {
                continue;
            }
            let same = |demand: &&Demand| {
                demand.element.as_ref() == Some(element) && self.base(&demand.field) == step.field.as_str()
            };
            let is_step = |demand: &&Demand| matches!(demand.op, Op::Step(_));
            let keeps = kept.contains(&place);
            let said = keeps || demands.iter().filter(same).any(|demand| !is_step(&demand));
            let stepped = x.total_cmp(&before).is_ne()
                && demands.iter().filter(same).any(|demand| is_step(&demand) && demand.field != group.field);
            let primary = position == 0;
            if said || (stepped && primary) {
                // A value or a step said for the same thing replaces this one, if it leads the same way.
                if primary && !keeps {
                    if close(x, before) || (x > before) != (way == Way::Up) {
                        return Err(Trouble::contradiction(&field.label));
                    }
                    for demand in &group.demands {
                        self.intend(
                            out,
                            demand.statement,
                            &place,
                            if way == Way::Up { Expect::Above } else { Expect::Below },
                        );
                        self.tell(
                            out,
                            demand,
                            changed,
                            element,
                            &plain(&Value::from(before)),
                            &plain(&Value::from(x)),
                            false,
                        );
                    }
                    return Ok(());
                }
                continue;
            }
            let Ok(value) = step.value.number(&scope) else {
                return Err(Trouble::no_effect(&field.label, &shown(&Value::from(before))));
            };
            let range = self.schema.range(&place);
            let value = rounded(changed, clamped(value, range.as_ref()));
            if close(value, x) {
                if primary && steps.len() == 1 {
                    return Err(
                        match range.filter(|range| !range.holds(if way == Way::Up { x + 1e-6 } else { x - 1e-6 })) {
                            Some(range) => {
                                Trouble::at_the_end(&changed.label, place.to_string(), &Value::from(x), &range)
                            }
                            None => Trouble::no_effect(&field.label, &shown(&Value::from(x))),
                        },
                    );
                }
                continue;
            }
            let expect = if value > before { Expect::Above } else { Expect::Below };
            let towards = if value > x { Expect::Above } else { Expect::Below };
            if expect != towards {
                return Err(Trouble::contradiction(&field.label));
            }
            let new = plain(&Value::from(value));
            self.write(out, &place, new.clone());
            // The clause asked for the first part; the others only go with it.
            let asked_for = !std::mem::replace(&mut took, true);
            for demand in &group.demands {
                if asked_for {
                    self.intend(out, demand.statement, &place, expect.clone());
                }
                self.tell(out, demand, changed, element, &plain(&Value::from(before)), &new, true);
            }
        }
        if !took {
            return Err(Trouble::contradiction(&field.label));
        }
        if let Some(demand) = group.demands.first() {
            out.asked.push(asked(demand, element, Some(way), None));
        }
        Ok(())
    }
}
