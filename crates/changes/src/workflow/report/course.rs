//! How it came about: repairs round by round, who said what, and everything that happened.

use loopwright_configs::Text;
use loopwright_configs::text::plain;
use loopwright_report::model::{Block, Column, Entry, Fact, Facts, Row, Section, Table, Timeline, Tone};
use serde_json::Value;

use super::section;
use crate::workflow::evidence::{entry, time};
use crate::workflow::view::View;

pub(super) fn repairs(view: &View<'_>) -> Section {
    let side = |side: &Option<Value>| side.as_ref().map_or_else(|| "–".to_owned(), plain);
    let row = |repair: &crate::workflow::state::RepairRecord| {
        let names = &view.brief.names;
        let change = |change: &loopwright_configs::Change| {
            let place = names.place(&change.path);
            let values = format!("{} → {}", side(&change.before), side(&change.after));
            Text::new(format!("{} {values}", place.en), format!("{} {values}", place.zh))
        };
        let changes: Vec<_> = repair.changes.iter().map(change).collect();
        let joined = Text::new(
            changes.iter().map(|text| text.en.as_str()).collect::<Vec<_>>().join(", "),
            changes.iter().map(|text| text.zh.as_str()).collect::<Vec<_>>().join("、"),
        );
        let applied =
            if repair.applied { Text::new("applied", "已应用") } else { Text::new("not applied", "未应用") };
        let tone = if repair.applied { Tone::Neutral } else { Tone::Bad };
        let round = Text::same(repair.iteration.to_string());
        let action = Text::same(repair.action.clone());
        Row { tone, ..Row::plain([round, action, joined, applied, repair.reason.clone()]) }
    };
    let rows: Vec<_> = view.repairs.iter().map(row).collect();
    let columns = vec![
        Column::figures(Text::new("after run", "第几轮后")),
        Column::words(Text::new("repair", "修复")),
        Column::words(Text::new("change", "改动")),
        Column::words(Text::new("applied", "是否应用")),
        Column::words(Text::new("why", "原因")),
    ];
    let blocks = if rows.is_empty() { Vec::new() } else { vec![Block::Table(Table { caption: None, columns, rows })] };
    section("repairs", Text::new("Repairs", "修复"), blocks)
}

pub(super) fn people(view: &View<'_>) -> Section {
    let mut facts = Vec::new();
    let note = |note: &Option<String>| note.as_ref().map(|note| format!(" — {note}")).unwrap_or_default();
    if let Some(given) = &view.authorization {
        let (actor, scope, at) = (&given.actor, &given.scope, time(given.at_ms));
        let runs = given.runs_granted;
        let said = note(&given.note);
        facts.push(Fact::new(
            Text::new("authorized", "授权"),
            Text::new(
                format!("{actor}, {scope}, {runs} engine runs, {at}{said}"),
                format!("{actor}，{scope}，{runs} 次引擎运行，{at}{said}"),
            ),
        ));
    }
    if let Some(taken) = &view.decision {
        let text = format!("{}, {}, {}{}", taken.decision, taken.actor, time(taken.at_ms), note(&taken.note));
        facts.push(Fact::new(Text::new("decided", "决定"), Text::same(text)));
    }
    let blocks = if facts.is_empty() { Vec::new() } else { vec![Block::Facts(Facts { facts })] };
    section("people", Text::new("Who said what", "谁说了什么"), blocks)
}

pub(super) fn timeline(view: &View<'_>) -> Section {
    let entries = view.history.facts.iter().map(|fact| {
        let line = entry(fact);
        let text = |field: &str| line.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let shown = ["seq", "at", "node", "event"];
        let details = line.as_object().into_iter().flatten().filter(|(field, value)| {
            !shown.contains(&field.as_str()) && !value.is_null() && value.as_object().is_none_or(|map| !map.is_empty())
        });
        let details: Vec<_> = details.map(|(field, value)| format!("{field}={}", plain(value))).collect();
        let node = text("node");
        Entry {
            time: text("at"),
            who: if node.is_empty() { Text::new("run", "运行") } else { Text::same(node) },
            text: Text::same(format!("{} {}", text("event"), details.join(" ")).trim_end().to_owned()),
            tone: Tone::Neutral,
        }
    });
    let entries: Vec<_> = entries.collect();
    let folded = true;
    let blocks = vec![Block::Timeline(Timeline { caption: None, entries })];
    Section { folded, ..section("timeline", Text::new("Everything that happened", "全部经过"), blocks) }
}
