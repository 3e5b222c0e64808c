//! Two changes in one report: configs, checks, curves and figures, the first run in grey and the second in blue.

use loopwright_configs::Text;
use loopwright_configs::text::plain;
use loopwright_report::Report;
use loopwright_report::model::{
    Axis, Block, Column, Line, Manner, Role, Row, Scene, Section, Series, Shape, Table, Tone, Verdict,
};
use loopwright_runtime::artifacts::{ArtifactError, Artifacts};
use serde_json::Value;

use super::{gallery, section, words};
use crate::workflow::compare::{CheckSide, Comparison};
use crate::workflow::view::View;

/// The report of a comparison.
pub fn comparison_report(
    sides: [&View<'_>; 2],
    comparison: &Comparison,
    artifacts: &dyn Artifacts,
) -> Result<Report, ArtifactError> {
    let ids = sides.map(|view| view.history.id.to_string());
    let mut sections = vec![notes(comparison), configs(comparison, &ids), checks(comparison, &ids)];
    sections.push(curves(sides, &ids, artifacts)?);
    sections.push(figures(comparison, &ids));
    sections.retain(|section| !section.blocks.is_empty());
    let [one, other] = &comparison.runs;
    let headline = Text::same(format!("{}: {} · {}: {}", ids[0], one.status, ids[1], other.status));
    let decide = if comparison.comparable {
        Text::new("Both ran under the same terms.", "两次运行的条件相同。")
    } else {
        Text::new("The two cannot be compared figure by figure; see the notes.", "两次运行不可逐项比较，见说明。")
    };
    let status = if comparison.comparable { "comparable" } else { "not_comparable" };
    let (tone, status) = (Tone::Neutral, status.to_owned());
    Ok(Report {
        title: Text::new("Two runs side by side", "两次运行对比"),
        run_id: ids.join(" · "),
        lang: sides[0].brief.lang,
        generated_from: Vec::new(),
        verdict: Verdict { tone, status, headline, decide, commands: Vec::new(), world_failed: false },
        sections,
    })
}

fn notes(comparison: &Comparison) -> Section {
    let blocks = comparison.notes.iter().map(|note| words(note.message.clone(), Manner::Note, Tone::Neutral)).collect();
    section("notes", Text::new("Notes", "说明"), blocks)
}

fn table(columns: Vec<Column>, rows: Vec<Row>) -> Vec<Block> {
    if rows.is_empty() { Vec::new() } else { vec![Block::Table(Table { caption: None, columns, rows })] }
}

fn shown(value: Option<&Value>) -> Text {
    Text::same(value.map_or_else(|| "–".to_owned(), plain))
}

fn side_columns(first: Vec<Column>, ids: &[String; 2]) -> Vec<Column> {
    first.into_iter().chain(ids.iter().map(|id| Column::figures(Text::same(id.clone())))).collect()
}

fn configs(comparison: &Comparison, ids: &[String; 2]) -> Section {
    let rows = comparison.config_diff.iter().map(|row| {
        let [one, other] = &row.candidate;
        Row::plain([row.label.clone(), shown(row.baseline[0].as_ref()), shown(one.as_ref()), shown(other.as_ref())])
    });
    let first = vec![Column::words(Text::new("parameter", "参数")), Column::figures(Text::new("baseline", "基线"))];
    section("configs", Text::new("Configs", "配置"), table(side_columns(first, ids), rows.collect()))
}

fn checks(comparison: &Comparison, ids: &[String; 2]) -> Section {
    let side = |side: &Option<CheckSide>| match side {
        Some(side) => Text::same(format!("{} ({}, {})", plain(&side.actual), plain(&side.expected), side.status)),
        None => Text::same("–"),
    };
    let row = |row: &crate::workflow::compare::CheckRow| {
        Row::plain([row.title.clone(), side(&row.sides[0]), side(&row.sides[1])])
    };
    let rows = comparison.checks.iter().map(row).collect();
    let columns = side_columns(vec![Column::words(Text::new("check", "检查"))], ids);
    section("checks", Text::new("Checks", "检查"), table(columns, rows))
}

fn figures(comparison: &Comparison, ids: &[String; 2]) -> Section {
    let rows = comparison.figures.iter().filter(|row| row.differs).map(|row| {
        let [one, other] = &row.values;
        Row::plain([Text::same(row.path.to_string()), shown(one.as_ref()), shown(other.as_ref())])
    });
    let columns = side_columns(vec![Column::words(Text::new("figure", "数值"))], ids);
    section("figures", Text::new("Figures that differ", "不同的数值"), table(columns, rows.collect()))
}

/// Every counter of both newest candidates over time; a run without a scene has no line.
fn curves(sides: [&View<'_>; 2], ids: &[String; 2], artifacts: &dyn Artifacts) -> Result<Section, ArtifactError> {
    let mut scenes: Vec<(Role, &String, Scene)> = Vec::new();
    for ((view, id), role) in sides.into_iter().zip(ids).zip([Role::Baseline, Role::Candidate]) {
        let of_candidate = gallery::scenes(view, artifacts)?
            .into_iter()
            .rev()
            .find(|scene| scene.sides.iter().any(|side| side.role == Role::Candidate));
        scenes.extend(of_candidate.map(|scene| (role, id, scene)));
    }
    let counters = scenes.first().and_then(|(_, _, scene)| scene.sides.first()).map(|side| side.counters.clone());
    let chart = |counter: loopwright_report::model::Counter| {
        let line = |(role, id, scene): &(Role, &String, Scene)| {
            let values = &scene.sides.first()?.counters.iter().find(|other| other.id == counter.id)?.values;
            let points = gallery::steps(values, scene.step_seconds);
            Some(Line { role: *role, label: Text::same((*id).clone()), points, shape: Shape::Steps })
        };
        Block::Series(Series {
            x: Axis { label: Text::new("time", "时间"), unit: Some(Text::new("s", "秒")) },
            y: Axis { label: counter.label.clone(), unit: None },
            lines: scenes.iter().filter_map(line).collect(),
            caption: counter.label.clone(),
            ..Series::default()
        })
    };
    let blocks = counters.unwrap_or_default().into_iter().map(chart).collect();
    Ok(section("curves", Text::new("Over time", "随时间变化"), blocks))
}
