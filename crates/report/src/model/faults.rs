//! What does not add up in a model. Renderings draw what is there regardless; whoever fills a model asks here first.

use std::collections::BTreeSet;
use std::fmt;

use super::{Block, Report, Scene};

/// One thing that does not add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where: the section's id and the block's place in it.
    pub place: String,
    /// What is wrong there, and what was expected.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.what)
    }
}

impl Report {
    /// Everything that does not add up, in reading order; empty for a sound model.
    pub fn faults(&self) -> Vec<Fault> {
        let mut found = Vec::new();
        let mut ids = BTreeSet::new();
        for section in &self.sections {
            if !ids.insert(&section.id) {
                found.push(Fault { place: section.id.clone(), what: "a second section has this id".to_owned() });
            }
            for (index, block) in section.blocks.iter().enumerate() {
                let place = format!("{}[{index}]", section.id);
                found.extend(block.faults().into_iter().map(|what| Fault { place: place.clone(), what }));
            }
        }
        found
    }
}

impl Block {
    fn faults(&self) -> Vec<String> {
        match self {
            Self::Table(table) => {
                let columns = table.columns.len();
                let rows = table.rows.iter().enumerate();
                rows.filter(|(_, row)| row.cells.len() != columns)
                    .map(|(index, row)| format!("row {index} has {} cells for {columns} columns", row.cells.len()))
                    .collect()
            }
            Self::Series(series) => {
                let falls = |points: &[[f64; 2]]| points.windows(2).any(|pair| pair[1][0] < pair[0][0]);
                let lines = series.lines.iter().filter(|line| falls(&line.points));
                lines.map(|line| format!("x falls in the line `{}`", line.label.en)).collect()
            }
            Self::Pictures(pictures) => {
                let all = pictures.shots.iter().flat_map(|shot| std::iter::once(&shot.left).chain(&shot.right));
                all.filter(|picture| picture.size().is_none())
                    .map(|picture| format!("the picture `{}` is no PNG", picture.label.en))
                    .collect()
            }
            Self::Distribution(values) if values.paired && values.baseline.len() != values.candidate.len() => {
                vec![format!("{} values are paired with {}", values.baseline.len(), values.candidate.len())]
            }
            Self::Scene(scene) => scene_faults(scene),
            _ => Vec::new(),
        }
    }
}

fn scene_faults(scene: &Scene) -> Vec<String> {
    let mut found = Vec::new();
    if scene.steps == 0 || scene.step_seconds <= 0.0 || scene.field.width <= 0.0 || scene.field.height <= 0.0 {
        found.push("a scene needs steps, a length of a step and a field".to_owned());
    }
    for side in &scene.sides {
        let (name, particles) = (&side.label.en, &side.particles);
        let lengths = [&particles.x, &particles.y, &particles.dx, &particles.dy].map(Vec::len);
        let others = [particles.end.len(), particles.group.len()];
        if lengths.iter().chain(&others).any(|length| *length != particles.len()) {
            found.push(format!("the particle columns of `{name}` differ in length"));
            continue;
        }
        if particles.group.iter().any(|group| usize::from(*group) >= side.groups.len()) {
            found.push(format!("a particle of `{name}` belongs to a group that is not there"));
        }
        for actor in side.actors.iter().filter(|actor| actor.x.len() != actor.y.len()) {
            found.push(format!("the path of `{}` has {} x for {} y", actor.label.en, actor.x.len(), actor.y.len()));
        }
        // The figure an engine reports and the list it is drawn from must tell the same story.
        let alive = side.counters.iter().find(|counter| counter.id == "alive");
        let step = scene.last_step(side);
        if let Some(counted) = alive.and_then(|counter| counter.values.get(step as usize).or(counter.values.last())) {
            let drawn = particles.alive(step);
            #[expect(clippy::cast_precision_loss, reason = "particle counts are far below 2^53")]
            if (*counted - drawn as f64).abs() > 0.0 {
                found.push(format!("`{name}` counts {counted} alive in step {step}, its list has {drawn}"));
            }
        }
    }
    found
}
