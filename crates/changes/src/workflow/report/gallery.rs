//! What the engine showed: curves, pictures side by side, and the replay.

use loopwright_configs::Text;
use loopwright_engines::artifact::ArtifactKind;
use loopwright_report::model::{
    Axis, Block, LimitLine, Line, Mark, Picture, Pictures, Role, Scene, Section, Series, Shape, Shot, Side,
};
use loopwright_runtime::artifacts::{ArtifactError, Artifacts};

use super::checks::bound;
use super::section;
use crate::workflow::evidence::pictures::{FOLDER, file_name};
use crate::workflow::view::{ArtifactRecord, Gallery, View};

/// The scenes of the baseline and of the newest candidate that has one, each with one side.
pub(super) fn scenes(view: &View<'_>, artifacts: &dyn Artifacts) -> Result<Vec<Scene>, ArtifactError> {
    let mut scenes = Vec::new();
    for gallery in sides(view).into_iter().flatten() {
        for record in gallery.artifacts.iter().filter(|record| record.kind == ArtifactKind::Scene) {
            let bytes = artifacts.get(&record.sha256)?;
            // A scene that cannot be read was written by another version; the rest of the report stands without it.
            scenes.extend(serde_json::from_slice::<Scene>(&bytes).ok());
        }
    }
    Ok(scenes)
}

/// The galleries of the baseline and of the newest candidate.
fn sides<'a>(view: &'a View<'_>) -> [Option<&'a Gallery>; 2] {
    let baseline = view.galleries.iter().find(|gallery| gallery.iteration == 0);
    let candidate = view.galleries.iter().rev().find(|gallery| gallery.iteration > 0);
    [baseline, candidate]
}

/// Every counter of the scenes over time, both sides in one chart, with bands, marks and the limit that bounds it.
pub(super) fn curves(view: &View<'_>, scenes: &[Scene]) -> Vec<Section> {
    let sides: Vec<(f64, &Side)> =
        scenes.iter().flat_map(|scene| scene.sides.iter().map(move |side| (scene.step_seconds, side))).collect();
    let Some((_, first)) = sides.first() else { return Vec::new() };
    let chart = |counter: &loopwright_report::model::Counter| {
        let of = |side: &Side| side.counters.iter().find(|other| other.id == counter.id).cloned();
        let line = |(step, side): &(f64, &Side)| {
            let values = of(side)?.values;
            Some(Line {
                role: side.role,
                label: side.label.clone(),
                points: steps(&values, *step),
                shape: Shape::Steps,
            })
        };
        Block::Series(Series {
            caption: counter.label.clone(),
            description: None,
            x: Axis { label: Text::new("time", "时间"), unit: Some(Text::new("s", "秒")) },
            y: Axis { label: counter.label.clone(), unit: None },
            lines: sides.iter().filter_map(line).collect(),
            bands: sides.iter().flat_map(|(_, side)| side.bands.clone()).collect(),
            limits: limits(view, &counter.id),
            marks: sides.iter().flat_map(|(_, side)| marks(side)).collect(),
        })
    };
    let blocks = first.counters.iter().map(chart).collect();
    vec![section("curves", Text::new("Over time", "随时间变化"), blocks)]
}

/// The points at which a figure changes, and the last one; a figure that stays needs no points between.
pub(super) fn steps(values: &[f64], step: f64) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut at = 0.0;
    for (index, value) in values.iter().enumerate() {
        let last = index + 1 == values.len();
        if last || points.last().is_none_or(|[_, before]| before.total_cmp(value).is_ne()) {
            points.push([at, *value]);
        }
        at += step;
    }
    points
}

fn limits(view: &View<'_>, counter: &str) -> Vec<LimitLine> {
    let judgement = view.last_run().and_then(|run| run.judgement.as_ref());
    let bounds = |check: &&crate::checks::CheckResult| check.counter.as_deref() == Some(counter);
    let checks = judgement.into_iter().flat_map(|judgement| judgement.checks.iter().filter(bounds));
    let line = |check: &crate::checks::CheckResult| {
        let (sense, value) = bound(&check.expected);
        Some(LimitLine { label: check.title.clone(), value: value.as_f64()?, sense })
    };
    checks.filter_map(line).collect()
}

fn marks(side: &Side) -> Vec<Mark> {
    let mark = |mark: &loopwright_report::model::SideMark| Mark {
        role: side.role,
        at: mark.at,
        label: mark.label.clone(),
        tone: mark.tone,
    };
    side.marks.iter().map(mark).collect()
}

/// The pictures of both sides, in pairs.
pub(super) fn pictures(view: &View<'_>, artifacts: &dyn Artifacts) -> Result<Vec<Section>, ArtifactError> {
    let [baseline, candidate] = sides(view);
    let mut blocks = Vec::new();
    let kinds = [
        (ArtifactKind::Capture, Text::new("Side by side", "并排对照")),
        (ArtifactKind::Map, Text::new("Over the whole run", "整段汇总")),
        (ArtifactKind::Filmstrip, Text::new("Filmstrip", "连环画")),
    ];
    for (kind, caption) in kinds {
        let of = |gallery: Option<&Gallery>| -> Vec<(String, ArtifactRecord)> {
            let records =
                gallery.into_iter().flat_map(|gallery| gallery.artifacts.iter().map(|it| (gallery.side(), it)));
            records.filter(|(_, record)| record.kind == kind).map(|(side, record)| (side, record.clone())).collect()
        };
        let shots = pairs(&of(baseline), &of(candidate), artifacts)?;
        if !shots.is_empty() {
            blocks.push(Block::Pictures(Pictures { caption, shots }));
        }
    }
    Ok(vec![section("pictures", Text::new("Pictures", "画面"), blocks)])
}

/// Pictures of the same label beside each other; one that has no partner stands alone. Each comes with the beginning
/// of its file name.
pub(super) fn pairs(
    left: &[(String, ArtifactRecord)],
    right: &[(String, ArtifactRecord)],
    artifacts: &dyn Artifacts,
) -> Result<Vec<Shot>, ArtifactError> {
    let mut shots = Vec::new();
    for (side, record) in left {
        let partner = right.iter().find(|(_, other)| other.label == record.label);
        let right = partner.map(|(side, partner)| picture(side, partner, Role::Candidate, artifacts)).transpose()?;
        let left = picture(side, record, Role::Baseline, artifacts)?;
        shots.push(Shot { label: record.label.clone(), left, right });
    }
    for (side, record) in right.iter().filter(|(_, record)| left.iter().all(|(_, other)| other.label != record.label)) {
        let alone = picture(side, record, Role::Candidate, artifacts)?;
        shots.push(Shot { label: record.label.clone(), left: alone, right: None });
    }
    Ok(shots)
}

fn picture(
    side: &str,
    record: &ArtifactRecord,
    role: Role,
    artifacts: &dyn Artifacts,
) -> Result<Picture, ArtifactError> {
    let label = match role {
        Role::Baseline => Text::new("baseline", "基线"),
        Role::Candidate | Role::Other => Text::new("candidate", "候选"),
    };
    let alt = Text::new(format!("{}: {}", label.en, record.label.en), format!("{}：{}", label.zh, record.label.zh));
    let file = Some(format!("{FOLDER}/{}", file_name(side, record)));
    Ok(Picture { label, alt, file, png: artifacts.get(&record.sha256)? })
}

/// Both scenes in one, in step.
pub(super) fn replay(scenes: Vec<Scene>) -> Option<Section> {
    let mut scenes = scenes.into_iter();
    let mut replay = scenes.next()?;
    for other in scenes {
        replay.steps = replay.steps.max(other.steps);
        replay.sides.extend(other.sides);
    }
    let intro = Text::new(
        "Exact: drawn from what was emitted, step by step, not from video.",
        "精确回放：由逐步的发射记录绘制，不是录像。",
    );
    let blocks = vec![Block::Scene(replay)];
    Some(Section { intro: Some(intro), ..section("replay", Text::new("Replay", "回放"), blocks) })
}
