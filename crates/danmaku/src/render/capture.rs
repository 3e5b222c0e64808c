//! Captures: pictures of a fight at some times, with figures beside the stage.

use super::RenderError;
use super::canvas::Canvas;
pub use super::panel::{HEIGHT, WIDTH};
use super::snapshot::{Photographer, Snapshot, alive};
use super::{palette, panel, stage};
use crate::config::{FightConfig, PatternKind};
use crate::run::{RunOptions, run_observed};

/// One picture of a fight.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// The time that was asked for, in seconds.
    pub asked: f64,
    /// The time that is shown, as the fight counts it, in seconds: the end of the step nearest to the time asked for.
    pub time: f64,
    /// The step that is shown, from 1.
    pub step: u32,
    /// The phase at that time.
    pub phase_id: String,
    /// The pattern of that phase.
    pub pattern_type: PatternKind,
    /// Bullets alive: as many as are drawn.
    pub alive: u32,
    /// Hits so far.
    pub hits: u32,
    /// The picture, [`WIDTH`] x [`HEIGHT`] pixels.
    pub png: Vec<u8>,
}

/// The pictures of a fight, and the times of which there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Captures {
    /// One for each time that the fight reached, in the order in which they were asked for.
    pub taken: Vec<Capture>,
    /// The times that the fight never reached.
    pub missing: Vec<f64>,
}

/// Runs a fight and takes pictures at some times, in seconds since its start.
///
/// `label` is drawn in the corner (`BASELINE`, `CANDIDATE`) unless it is empty. The camera depends on the arena alone.
pub fn captures(
    config: &FightConfig,
    options: &RunOptions,
    times: &[f64],
    label: &str,
) -> Result<Captures, RenderError> {
    let mut photographer = Photographer::new(times);
    run_observed(config, options, &mut photographer);
    let mut captures = Captures { taken: Vec::new(), missing: Vec::new() };
    for (snapshot, &asked) in photographer.finish().iter().zip(times) {
        match snapshot {
            Some(snapshot) => captures.taken.push(capture(config, snapshot, label)?),
            None => captures.missing.push(asked),
        }
    }
    Ok(captures)
}

fn capture(config: &FightConfig, scene: &Snapshot, label: &str) -> Result<Capture, RenderError> {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette::BACKGROUND)?;
    let stage = stage::draw(config, &panel::camera(config), scene)?;
    canvas.paste(&stage, panel::STAGE_AT[0], panel::STAGE_AT[1]);
    panel::label(&mut canvas, label);
    panel::draw(&mut canvas, config, scene);
    let phase = &config.phases()[scene.phase];
    Ok(Capture {
        asked: scene.asked,
        time: f64::from(scene.at.seconds),
        step: scene.at.step,
        phase_id: phase.phase_id.clone(),
        pattern_type: phase.pattern.kind,
        alive: alive(scene),
        hits: scene.hits,
        png: canvas.png(),
    })
}
