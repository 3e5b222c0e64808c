//! What was asked, what was understood, and what it changes.

use loopwright_configs::Text;
use loopwright_configs::text::plain;
use loopwright_report::model::{Block, Column, Manner, Row, Section, Table, Tone};
use serde_json::Value;

use super::{section, words};
use crate::workflow::reading::Clause;
use crate::workflow::view::View;

pub(super) fn requirement(view: &View<'_>) -> Section {
    let mut blocks = Vec::new();
    match &view.brief.requirement {
        Some(requirement) => blocks.push(words(Text::same(requirement.clone()), Manner::Quote, Tone::Neutral)),
        None => blocks.push(words(
            Text::new("A person brought the candidate; no sentence was read.", "候选由人直接给出，没有需求语句。"),
            Manner::Plain,
            Tone::Neutral,
        )),
    }
    if let Some(reading) = &view.reading {
        let rows: Vec<_> = reading
            .understood
            .iter()
            .map(|clause| row(clause, if clause.loosened { Tone::Bad } else { Tone::Good }))
            .chain(reading.not_understood.iter().map(|clause| row(clause, Tone::Bad)))
            .collect();
        if !rows.is_empty() {
            let columns =
                vec![Column::words(Text::new("said", "原话")), Column::words(Text::new("understood as", "理解为"))];
            blocks.push(Block::Table(Table { caption: None, columns, rows }));
        }
        blocks.extend(reading.notes.iter().map(|note| words(note.clone(), Manner::Note, Tone::Neutral)));
    }
    section("requirement", Text::new("Requirement", "需求"), blocks)
}

fn row(clause: &Clause, tone: Tone) -> Row {
    Row { tone, ..Row::plain([Text::same(clause.clause.clone()), clause.meaning.clone()]) }
}

/// The diff as a designer reads it: item, parameter, before, after, unit.
pub(super) fn diff(view: &View<'_>) -> Section {
    let names = &view.brief.names;
    let side = |side: &Option<Value>| Text::same(side.as_ref().map_or_else(|| "–".to_owned(), plain));
    let row = |change: &loopwright_configs::Change| {
        let (item, label) = names.parts(&change.path);
        let unit = names.unit(&change.path).cloned().unwrap_or_default();
        Row::plain([item.unwrap_or_default(), label, side(&change.before), side(&change.after), unit])
    };
    let rows: Vec<_> = view.diff().iter().map(row).collect();
    let mut blocks = Vec::new();
    if rows.is_empty() && !view.candidates.is_empty() {
        let text = Text::new("None: the candidate is the baseline.", "无：候选与基线相同。");
        blocks.push(words(text, Manner::Plain, Tone::Neutral));
    } else if !rows.is_empty() {
        let columns = vec![
            Column::words(Text::new("where", "位置")),
            Column::words(Text::new("parameter", "参数")),
            Column::figures(Text::new("before", "改前")),
            Column::figures(Text::new("after", "改后")),
            Column::words(Text::new("unit", "单位")),
        ];
        blocks.push(Block::Table(Table { caption: None, columns, rows }));
    }
    section("changes", Text::new("Changes to the baseline", "相对基线的改动"), blocks)
}
