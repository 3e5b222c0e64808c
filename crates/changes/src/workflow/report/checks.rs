//! The layers before a run, what was asked, and the run's checks with both sides and the limit.

use loopwright_configs::Text;
use loopwright_configs::text::plain;
use loopwright_report::model::{Block, Column, Figure, Limit, Limits, Row, Section, Sense, Table, Tone};
use serde_json::Value;

use crate::checks::{CheckResult, Status};
use crate::workflow::view::View;

pub(super) fn section(view: &View<'_>) -> Section {
    let mut blocks: Vec<Block> = faults(view).into_iter().collect();
    if let Some(run) = view.last_run()
        && let Some(judgement) = &run.judgement
    {
        if !judgement.intents.is_empty() {
            blocks.push(asked(&judgement.intents));
        }
        let of_baseline = |id: &str| run.baseline_checks.iter().find(|check| check.id == id);
        let checks = judgement.checks.iter().map(|check| limit(check, of_baseline(&check.id))).collect();
        let caption = Text::new(
            format!("Candidate run {} beside the baseline", run.iteration),
            format!("第 {} 次候选运行与基线对照", run.iteration),
        );
        blocks.push(Block::Limits(Limits { caption: Some(caption), checks }));
    }
    super::section("checks", Text::new("Checks", "检查"), blocks)
}

/// What the four layers found, where they found something.
fn faults(view: &View<'_>) -> Option<Block> {
    let validation = view.validations.last()?;
    let row = |layer: &crate::layers::LayerResult, fault: &loopwright_configs::Fault| Row {
        tone: Tone::Bad,
        ..Row::plain([Text::same(layer.layer.name()), fault.message.clone()])
    };
    let rows: Vec<_> =
        validation.layers.iter().flat_map(|layer| layer.errors.iter().map(move |fault| row(layer, fault))).collect();
    let columns = vec![Column::words(Text::new("layer", "层")), Column::words(Text::new("what is wrong", "问题"))];
    let caption = Some(Text::new("Before any run", "运行前"));
    (!rows.is_empty()).then_some(Block::Table(Table { caption, columns, rows }))
}

fn asked(intents: &[CheckResult]) -> Block {
    let row = |check: &CheckResult| Row {
        tone: tone(check),
        ..Row::plain([check.title.clone(), Text::same(plain(&check.expected)), Text::same(plain(&check.actual))])
    };
    let columns = vec![
        Column::words(Text::new("what was asked", "所求")),
        Column::figures(Text::new("expected", "预期")),
        Column::figures(Text::new("candidate", "候选")),
    ];
    Block::Table(Table { caption: None, columns, rows: intents.iter().map(row).collect() })
}

pub(super) fn limit(check: &CheckResult, baseline: Option<&CheckResult>) -> Limit {
    let (sense, bound) = bound(&check.expected);
    Limit {
        id: check.id.clone(),
        label: check.title.clone(),
        unit: check.unit.clone(),
        limit: figure(&bound),
        sense,
        baseline: baseline.and_then(|check| figure(&check.actual)),
        candidate: figure(&check.actual),
        tone: tone(check),
        note: check.note.clone().or_else(|| check.basis.clone().map(Text::same)),
    }
}

/// A limit as it is written in a check (`<= 350`), taken apart.
pub(super) fn bound(expected: &Value) -> (Sense, Value) {
    let Value::String(text) = expected else { return (Sense::Equal, expected.clone()) };
    let signs = [("<=", Sense::AtMost), (">=", Sense::AtLeast), ("<", Sense::Below), (">", Sense::Above)];
    for (sign, sense) in signs {
        if let Some(rest) = text.strip_prefix(sign) {
            let rest = rest.trim();
            let value = rest.parse::<f64>().map_or_else(|_| Value::from(rest), Value::from);
            return (sense, value);
        }
    }
    (Sense::Equal, text.parse::<f64>().map_or_else(|_| expected.clone(), Value::from))
}

fn figure(value: &Value) -> Option<Figure> {
    match value {
        Value::Null => None,
        Value::Number(number) => number.as_f64().map(Figure::Number),
        other => Some(Figure::Word(Text::same(plain(other)))),
    }
}

fn tone(check: &CheckResult) -> Tone {
    match check.status {
        Status::Passed => Tone::Good,
        Status::Failed => Tone::Bad,
        Status::NotEvaluated => Tone::Neutral,
    }
}
