//! Stage 7b: the documented step of a direction without a value, as the pack writes it down.

use loopwright_configs::{Expect, Path, Scope};
use serde_json::Value;

use crate::combine::{Combined, Combiner, Group, asked, clamped, close, rounded, with_defaults};
use crate::document::Document;
use crate::meaning::{Demand, Op};
use crate::trouble::{Trouble, plain, shown};
use crate::vocabulary::{Field, Step, Way};

/// One part of a step, placed in the document.
struct Part<'p> {
    step: &'p Step,
    field: &'p Field,
    element: &'p Path,
    place: Path,
    /// The baseline's value.
    before: f64,
    /// The value after everything else in the sentence.
    x: f64,
    scope: Scope,
}

impl Combiner<'_> {
    /// Takes the documented step of a group that says a direction and no value.
    pub(crate) fn step(
        &self,
        group: &Group,
        demands: &[Demand],
        kept: &[Path],
        out: &mut Combined,
    ) -> Result<(), Trouble> {
        let Some((field, element)) = self.field(group) else { return Ok(()) };
        let way = one_way(group).ok_or_else(|| Trouble::contradiction(&field.label))?;
        let steps = if way == Way::Up { &field.up } else { &field.down };
        if steps.is_empty() {
            return Err(Trouble::missing_value(&field.label));
        }
        let mut took = false;
        for (position, step) in steps.iter().enumerate() {
            let Some(part) = self.part(step, element, &out.candidate) else { continue };
            let primary = position == 0;
            let keeps = kept.contains(&part.place);
            if keeps || self.said_otherwise(&part, group, demands, primary) {
                if primary && !keeps {
                    return self.replaced(&part, group, way, out);
                }
                continue;
            }
            let value = part.step.value.number(&part.scope);
            let range = self.schema.range(&part.place);
            let value = rounded(part.field, clamped(value.unwrap_or(part.x), range.as_ref()));
            if close(value, part.x) {
                if primary && steps.len() == 1 {
                    let beyond = if way == Way::Up { part.x + 1e-6 } else { part.x - 1e-6 };
                    let (label, now) = (&part.field.label, Value::from(part.x));
                    return Err(match range.filter(|range| !range.holds(beyond)) {
                        Some(range) => Trouble::at_the_end(label, part.place.to_string(), &now, &range),
                        None => Trouble::no_effect(label, &shown(&now)),
                    });
                }
                continue;
            }
            // What the contract forced may have led further the other way.
            if (value > part.before) != (value > part.x) || close(value, part.before) {
                return Err(Trouble::contradiction(&field.label));
            }
            self.take(&part, group, value, !std::mem::replace(&mut took, true), out);
        }
        if !took {
            return Err(Trouble::contradiction(&field.label));
        }
        out.asked.extend(group.demands.first().map(|demand| asked(demand, element, Some(way), None)));
        Ok(())
    }

    /// Places a part; nothing where the pack leaves it out here.
    fn part<'p>(&'p self, step: &'p Step, element: &'p Path, candidate: &Value) -> Option<Part<'p>> {
        let field = self.document.vocabulary.field(&step.field)?;
        let place = Document::place(field, Some(element))?;
        let before = self.document.value_in(self.document.value, field, element)?.as_f64()?;
        let x = self.document.value_in(candidate, field, element)?.as_f64()?;
        let item = self.document.layout.get(candidate, element).cloned().unwrap_or(Value::Null);
        let scope = Scope::new().with("x", x).with("item", with_defaults(self.document, element, item));
        let left_out = step.when.as_ref().is_some_and(|when| when.truth(&scope) != Ok(true));
        (!left_out).then_some(Part { step, field, element, place, before, x, scope })
    }

    /// Whether another demand says a value of this part, or an earlier step has moved it already.
    fn said_otherwise(&self, part: &Part, group: &Group, demands: &[Demand], primary: bool) -> bool {
        demands
            .iter()
            .filter(|demand| demand.element.as_ref() == Some(part.element))
            .filter(|demand| self.base(&demand.field) == part.step.field)
            .any(|demand| match demand.op {
                Op::Step(_) => primary && demand.field != group.field && !close(part.x, part.before),
                _ => true,
            })
    }

    /// A value or a step said for the same thing replaces this one, if it leads the same way.
    fn replaced(&self, part: &Part, group: &Group, way: Way, out: &mut Combined) -> Result<(), Trouble> {
        if close(part.x, part.before) || (part.x > part.before) != (way == Way::Up) {
            return Err(Trouble::contradiction(&part.field.label));
        }
        let (before, after) = (plain(&Value::from(part.before)), plain(&Value::from(part.x)));
        for demand in &group.demands {
            let expect = if way == Way::Up { Expect::Above } else { Expect::Below };
            self.intend(out, demand.statement, &part.place, expect);
            Self::tell(out, demand, part.field, part.element, &before, &after, false);
            out.asked.push(asked(demand, part.element, Some(way), None));
        }
        Ok(())
    }

    /// Writes a part. The clause asked for the first one; the others only go with it and are no checks of their own.
    fn take(&self, part: &Part, group: &Group, value: f64, first: bool, out: &mut Combined) {
        let (before, new) = (plain(&Value::from(part.before)), plain(&Value::from(value)));
        self.write(out, &part.place, new.clone());
        for demand in &group.demands {
            if first {
                let expect = if value > part.before { Expect::Above } else { Expect::Below };
                self.intend(out, demand.statement, &part.place, expect);
            }
            Self::tell(out, demand, part.field, part.element, &before, &new, true);
        }
    }
}

/// The direction that all demands of a group agree on.
fn one_way(group: &Group) -> Option<Way> {
    let mut ways = group.demands.iter().map(|demand| match demand.op {
        Op::Step(way) => Some(way),
        _ => None,
    });
    let first = ways.next()??;
    ways.all(|way| way == Some(first)).then_some(first)
}
