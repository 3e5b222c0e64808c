//! Stage 8: one of three answers, with everything that was understood and everything that was not.

use loopwright_configs::{Expect, Intent, Path, Text};
use serde_json::Value;

use crate::combine::{Combined, Combiner};
use crate::document::Document;
use crate::goal::{GoalChange, Kept, StructuredGoal};
use crate::meaning::{Demand, Interpreter, Meaning, Op, Rest};
use crate::reading::{Answer, NotUnderstood, Reading, Understood};
use crate::slot::Statement;
use crate::trouble::{QuestionCode, Refusal, Trouble};
use crate::vocabulary::{FieldKind, Way};

/// What the answer is made from.
pub(crate) struct Answerer<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) interpreter: Interpreter<'a>,
    pub(crate) requirement: &'a str,
    pub(crate) statements: &'a [Statement],
    /// The text of each statement.
    pub(crate) clauses: Vec<String>,
}

impl Answerer<'_> {
    pub(crate) fn answer(&self, quote: &dyn Fn(usize, usize) -> String) -> Reading {
        let mut meanings: Vec<(usize, Meaning)> = Vec::new();
        let mut troubles: Vec<(Option<usize>, Trouble)> = Vec::new();
        let mut said: Vec<Path> = Vec::new();
        for (index, statement) in self.statements.iter().enumerate() {
            match self.interpreter.read(index, statement, &said, quote) {
                Ok(meaning) => {
                    said.extend(meaning.named.iter().cloned());
                    meanings.push((index, meaning));
                }
                Err(trouble) => troubles.push((Some(index), trouble)),
            }
        }
        let demands: Vec<Demand> = meanings.iter().flat_map(|(_, meaning)| meaning.demands.clone()).collect();
        troubles.retain(|(index, _)| !index.is_some_and(|index| self.is_answered(index, &demands)));
        let keeps = self.kept_leaves(&meanings);
        let all = Combiner { document: self.document, schema: self.interpreter.schema, clauses: &self.clauses };
        let combined = match all.combine(&demands, &keeps) {
            Ok(together) => together,
            Err(found) => {
                troubles.extend(found.into_iter().map(|trouble| (None, trouble)));
                Combined { candidate: self.document.value.clone(), ..Combined::default() }
            }
        };
        if troubles.is_empty() {
            troubles.extend(self.faults(&combined).map(|trouble| (None, trouble)));
        }
        if troubles.is_empty() && demands.is_empty() && meanings.iter().all(|(_, meaning)| meaning.is_silent()) {
            let empty = self.statements.is_empty();
            troubles.push((None, if empty { self.nothing_asked() } else { Trouble::vague() }));
        }
        self.reading(&meanings, combined, &troubles)
    }

    /// "too fast, slow it down": a complaint that another statement answers asks for nothing more.
    fn is_answered(&self, index: usize, demands: &[Demand]) -> bool {
        let Some(statement) = self.statements.get(index) else { return false };
        if let Some(elements) = self.interpreter.remark(statement) {
            return demands.iter().any(|demand| {
                let about = |element| elements.is_empty() || elements.contains(element);
                demand.element.as_ref().is_some_and(about) && !matches!(demand.op, Op::Keep(_))
            });
        }
        let Some((fields, way)) = self.interpreter.complaint(statement) else { return false };
        let vocabulary = self.document.vocabulary;
        let base = |name: &str| {
            let stands_for = vocabulary.field(name).and_then(|field| field.stands_for.as_deref());
            stands_for.unwrap_or(name).to_owned()
        };
        let about = statement.elements.as_ref().filter(|_| !statement.inherited);
        let about = about.and_then(|elements| self.document.resolve(elements, &[]).ok());
        demands.iter().any(|demand| {
            let elsewhere = |elements: &Vec<Path>| demand.element.as_ref().is_some_and(|one| !elements.contains(one));
            if about.as_ref().is_some_and(elsewhere) {
                return false;
            }
            let towards = match &demand.op {
                Op::Set(value) if demand.way.is_none() => {
                    let field = vocabulary.field(&base(&demand.field));
                    let before = field.zip(demand.element.as_ref()).and_then(|(field, element)| {
                        self.document.value_in(self.document.value, field, element)?.as_f64()
                    });
                    match before.zip(value.as_f64()) {
                        Some((before, after)) if after > before => Some(Way::Up),
                        Some((before, after)) if after < before => Some(Way::Down),
                        _ => None,
                    }
                }
                Op::Step(way) => Some(*way),
                Op::Scale(factor) => Some(if *factor < 1.0 { Way::Down } else { Way::Up }),
                Op::Shift(by) => Some(if *by < 0.0 { Way::Down } else { Way::Up }),
                Op::Set(_) | Op::Keep(_) => demand.way,
            };
            fields.iter().any(|field| base(field) == base(&demand.field)) && towards == Some(way.turned())
        })
    }

    /// The places below what is kept whole, as far as a sentence could change them.
    fn kept_leaves(&self, meanings: &[(usize, Meaning)]) -> Vec<(usize, Path)> {
        let mut leaves = Vec::new();
        for (statement, meaning) in meanings {
            for (place, _) in &meaning.keeps {
                let inside: Vec<Path> =
                    self.scope_leaves().into_iter().filter(|leaf| leaf.starts_with(place)).collect();
                if inside.is_empty() {
                    leaves.push((*statement, place.clone()));
                }
                leaves.extend(inside.into_iter().map(|leaf| (*statement, leaf)));
            }
        }
        leaves
    }

    fn scope_leaves(&self) -> Vec<Path> {
        let scope = self.interpreter.scope.iter();
        scope.flat_map(|pattern| self.document.layout.expand(self.document.value, pattern)).collect()
    }

    /// A first candidate that the schema refuses is refused with the tightest thing it says.
    fn faults(&self, combined: &Combined) -> Option<Trouble> {
        let schema = self.interpreter.schema;
        let known = schema.faults(self.document.layout, self.document.value);
        let fault = schema
            .faults(self.document.layout, &combined.candidate)
            .into_iter()
            .find(|fault| !known.iter().any(|known| known.path == fault.path && known.rule == fault.rule))?;
        let field = self
            .document
            .vocabulary
            .fields
            .values()
            .find(|field| field.path.iter().chain(&field.paths).any(|pattern| fault.path.matches(pattern)));
        let label = field.map_or_else(|| Text::same(fault.path.to_string()), |field| field.label.clone());
        let allowed = fault.limit.as_ref().map_or_else(String::new, crate::trouble::shown);
        Some(Trouble::not_allowed(&label, fault.path.to_string(), &fault.actual.unwrap_or(Value::Null), allowed))
    }

    fn nothing_asked(&self) -> Trouble {
        let code = if self.requirement.trim().is_empty() { QuestionCode::Empty } else { QuestionCode::Vague };
        match Trouble::vague() {
            Trouble::Ask { question, .. } => Trouble::Ask { question, code },
            other => other,
        }
    }

    fn reading(
        &self,
        meanings: &[(usize, Meaning)],
        combined: Combined,
        troubles: &[(Option<usize>, Trouble)],
    ) -> Reading {
        let goal = self.goal(meanings, &combined);
        let mut notes: Vec<Text> = combined.notes.clone();
        for note in meanings.iter().flat_map(|(_, meaning)| &meaning.notes) {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        let not_understood: Vec<NotUnderstood> = troubles
            .iter()
            .filter_map(|(index, trouble)| match (index, trouble) {
                (Some(index), Trouble::NotUnderstood(why)) => {
                    Some(NotUnderstood { clause: self.clause(*index), why: why.clone() })
                }
                _ => None,
            })
            .collect();
        let understood = self.understood(meanings, &combined);
        let answer = self.decide(combined, troubles, &not_understood);
        Reading { answer, understood, not_understood, notes, goal }
    }

    fn decide(&self, combined: Combined, troubles: &[(Option<usize>, Trouble)], lost: &[NotUnderstood]) -> Answer {
        let blocked = troubles.iter().find_map(|(_, trouble)| match trouble {
            Trouble::Blocked(refusal) => Some(Refusal::clone(refusal)),
            _ => None,
        });
        if let Some(Refusal { field, asked, allowed, reason, code }) = blocked {
            return Answer::Blocked { field, asked, allowed, reason, code };
        }
        let mut questions: Vec<(Text, QuestionCode)> = Vec::new();
        if !lost.is_empty() {
            questions.push((
                self.ask_about(lost),
                if self.unrelated() { QuestionCode::Unrelated } else { QuestionCode::NotUnderstood },
            ));
        }
        for (_, trouble) in troubles {
            if let Trouble::Ask { question, code } = trouble
                && !questions.iter().any(|(known, _)| known == question)
                && questions.len() < 4
            {
                questions.push((question.clone(), *code));
            }
        }
        match questions.first() {
            None => Answer::Accepted { candidate: combined.candidate },
            Some((_, code)) => {
                let join = |lang: fn(&Text) -> &str, between: &str| {
                    questions.iter().map(|(text, _)| lang(text)).collect::<Vec<_>>().join(between)
                };
                let question = Text::new(join(|text| &text.en, " "), join(|text| &text.zh, ""));
                Answer::NeedsClarification { question, code: *code }
            }
        }
    }

    /// Whether nothing in the requirement is a thing of this document.
    fn unrelated(&self) -> bool {
        self.statements.iter().all(|statement| {
            statement.fields.is_empty()
                && statement.elements.is_none()
                && statement.picks.is_empty()
                && statement.directions.is_empty()
                && statement.wishes.is_empty()
        })
    }

    fn ask_about(&self, lost: &[NotUnderstood]) -> Text {
        let mut told: Vec<&NotUnderstood> = Vec::new();
        for one in lost {
            // Pieces of one sentence have one reason.
            if told.len() < 3 && !told.iter().any(|known| known.why == one.why) {
                told.push(one);
            }
        }
        let quoted = |lang: fn(&Text) -> &str, quotes: (&str, &str), brackets: (&str, &str), between: &str| {
            told.iter()
                .map(|one| {
                    let (clause, why) = (shortened(&one.clause), lang(&one.why));
                    format!("{}{clause}{}{}{why}{}", quotes.0, quotes.1, brackets.0, brackets.1)
                })
                .collect::<Vec<_>>()
                .join(between)
        };
        let quotes = ("\u{201c}", "\u{201d}");
        let list = Text::new(
            quoted(|text| &text.en, quotes, (" (", ")"), "; "),
            quoted(|text| &text.zh, quotes, ("（", "）"), "；"),
        );
        let Some(example) = &self.document.vocabulary.example else {
            return Text::new("Not understood: {list}.", "没有理解：{list}。").fill(&[("list", list)]);
        };
        let text = Text::new(
            "Not understood: {list}. Say it like \u{201c}{example}\u{201d}.",
            "没有理解：{list}。可以这样写：“{example}”。",
        );
        text.fill(&[("list", list), ("example", example.clone())])
    }

    fn clause(&self, index: usize) -> String {
        self.clauses.get(index).cloned().unwrap_or_default()
    }

    fn understood(&self, meanings: &[(usize, Meaning)], combined: &Combined) -> Vec<Understood> {
        let mut understood = Vec::new();
        for (index, meaning) in meanings {
            let effects: Vec<_> = combined.effects.iter().filter(|effect| effect.statement == *index).collect();
            let mut texts: Vec<Text> = effects.iter().map(|effect| effect.text.clone()).collect();
            texts.extend(
                meaning
                    .keeps
                    .iter()
                    .map(|(_, label)| Text::new("{label} stays", "{label}保持不变").fill(&[("label", label.clone())])),
            );
            texts.extend(meaning.keep_rest.iter().map(|_| Text::new("everything else stays", "其余保持不变")));
            texts.extend(meaning.flags.iter().map(|flag| self.document.vocabulary.label(flag)));
            if texts.is_empty() {
                continue;
            }
            let join =
                |lang: fn(&Text) -> &str, between: &str| texts.iter().map(lang).collect::<Vec<_>>().join(between);
            understood.push(Understood {
                clause: self.clause(*index),
                meaning: Text::new(join(|text| &text.en, "; "), join(|text| &text.zh, "；")),
                step: effects.iter().any(|effect| effect.step),
                loosened: effects.iter().any(|effect| effect.loosened),
            });
        }
        understood
    }

    fn goal(&self, meanings: &[(usize, Meaning)], combined: &Combined) -> StructuredGoal {
        let vocabulary = self.document.vocabulary;
        let mut asked: Vec<_> = combined.asked.iter().collect();
        asked.sort_by_key(|change| change.statement);
        let changes = asked
            .iter()
            .map(|change| GoalChange {
                element: Document::id(&change.element),
                field: change.field.clone(),
                direction: change.way.map(|way| if way == Way::Up { "up" } else { "down" }),
                value: change.value.clone(),
                clause: self.clause(change.statement),
            })
            .collect();
        let mut keeps: Vec<Kept> = Vec::new();
        let mut intents: Vec<(usize, Intent)> = combined.intents.clone();
        for (index, meaning) in meanings {
            let clause = self.clause(*index);
            keeps.extend(meaning.keeps.iter().map(|(path, _)| Kept { path: path.to_string(), clause: clause.clone() }));
            if let Some(of) = &meaning.keep_rest {
                for path in self.rest(of, combined) {
                    if !intents.iter().any(|(_, known)| known.path == path) {
                        intents.push((*index, Intent { path, expect: Expect::Unchanged, clause: clause.clone() }));
                    }
                }
                keeps.extend(
                    self.interpreter.scope.iter().map(|path| Kept { path: path.to_string(), clause: clause.clone() }),
                );
            }
        }
        let whole: Vec<usize> =
            meanings.iter().filter(|(_, meaning)| !meaning.keeps.is_empty()).map(|(index, _)| *index).collect();
        for (index, intent) in &combined.intents {
            if intent.expect == Expect::Unchanged && !whole.contains(index) {
                keeps.push(Kept { path: intent.path.to_string(), clause: intent.clause.clone() });
            }
        }
        intents.sort_by_key(|(index, _)| *index);
        let flags = vocabulary
            .fields
            .iter()
            .filter(|(_, field)| field.kind == FieldKind::Flag)
            .map(|(id, _)| (id.clone(), meanings.iter().any(|(_, meaning)| meaning.flags.contains(id))))
            .collect();
        let named = self
            .document
            .elements
            .iter()
            .filter(|element| combined.asked.iter().any(|change| change.element == **element))
            .map(Document::id)
            .collect();
        StructuredGoal {
            source_text: self.requirement.to_owned(),
            changes,
            keeps,
            constraints: combined.limits.clone(),
            flags,
            loosened: combined.loosened.clone(),
            intents: intents.into_iter().map(|(_, intent)| intent).collect(),
            named,
            keys: vocabulary.goal.clone(),
        }
    }

    /// What nobody asked to change.
    fn rest(&self, of: &Rest, combined: &Combined) -> Vec<Path> {
        let touched = |element: &Path| combined.changed.iter().any(|path| path.starts_with(element));
        let element_of = |leaf: &Path| self.document.elements.iter().find(|element| leaf.starts_with(element));
        let mut leaves = self.scope_leaves();
        leaves.retain(|leaf| {
            let Some(element) = element_of(leaf) else { return false };
            !combined.changed.contains(leaf)
                && match of {
                    Rest::Everything => true,
                    Rest::OtherElements => !touched(element),
                    Rest::Of(elements) => elements.contains(element),
                }
        });
        leaves
    }
}

/// A clause as a question quotes it.
fn shortened(clause: &str) -> String {
    const MOST: usize = 60;
    let mut text: String = clause.chars().take(MOST).collect();
    if clause.chars().nth(MOST).is_some() {
        text.push('…');
    }
    text
}
