//! Filmstrips: a whole fight as small frames with their times.

use super::RenderError;
use super::camera::{Camera, pixels};
use super::canvas::{Anchor, Canvas};
use super::panel::WIDTH;
use super::snapshot::{Photographer, Snapshot, alive, evenly, seconds};
use super::{palette, stage};
use crate::config::FightConfig;
use crate::fight::REACH;
use crate::run::{RunOptions, run_observed};

/// Frames in a row, at most.
const COLUMNS: u32 = 6;
/// The most frames of one strip.
const MOST: u32 = 120;
/// Pixels around each frame.
const GAP: u32 = 12;
/// Pixels of the line of text below a frame.
const FOOT: u32 = 24;
/// Pixels of the label above the frames.
const HEAD: u32 = 44;

/// Runs a fight and draws `frames` small frames of it, spread evenly over the configured duration.
///
/// The picture is [`WIDTH`](super::WIDTH) pixels wide and as high as its rows need. A frame after the fight's end stays
/// empty and says so. At least one frame is drawn, and at most 120.
pub fn filmstrip(config: &FightConfig, options: &RunOptions, frames: u32, label: &str) -> Result<Vec<u8>, RenderError> {
    let frames = frames.clamp(1, MOST);
    let times = evenly(frames, config.scenario().duration_seconds);
    let mut photographer = Photographer::new(&times);
    run_observed(config, options, &mut photographer);

    let columns = frames.min(COLUMNS);
    let width = (WIDTH - GAP) / columns - GAP;
    let camera = Camera::new(config.scenario(), width, frame_height(config, width));
    let head = if label.is_empty() { GAP } else { HEAD };
    let row = camera.height + FOOT + GAP;
    let mut canvas = Canvas::new(WIDTH, head + frames.div_ceil(columns) * row, palette::BACKGROUND)?;
    canvas.text(label, [pixels(GAP), 15.0], 14.0, Anchor::Left, palette::TEXT);
    for (index, (snapshot, &time)) in (0..frames).zip(photographer.finish().iter().zip(&times)) {
        let left = GAP + (index % columns) * (width + GAP);
        let top = head + (index / columns) * row;
        let picture = match snapshot {
            Some(scene) => stage::draw(config, &camera, scene)?,
            None => stage::arena(&camera)?,
        };
        canvas.paste(&picture, left.cast_signed(), top.cast_signed());
        foot(&mut canvas, snapshot.as_ref(), time, [left, top + camera.height, width]);
    }
    Ok(canvas.png())
}

/// The time and figures below a frame, with the phase as a coloured line.
fn foot(canvas: &mut Canvas, snapshot: Option<&Snapshot>, time: f64, [left, top, width]: [u32; 3]) {
    let [left, top, width] = [left, top, width].map(pixels);
    let colour = snapshot.map_or(palette::TRACK, |scene| palette::phase(scene.phase));
    canvas.rectangle([left, top, width, 3.0], colour);
    let line = top + 10.0;
    canvas.text(&seconds(time, 1), [left, line], 10.0, Anchor::Left, palette::TEXT);
    let right = match snapshot {
        Some(scene) if scene.hits == 1 => format!("{} / 1 HIT", alive(scene)),
        Some(scene) => format!("{} / {} HITS", alive(scene), scene.hits),
        None => "OVER".to_owned(),
    };
    canvas.text(&right, [left + width, line], 9.0, Anchor::Right, palette::QUIET_TEXT);
}

/// As high as the region of the bullets is at that width, but no narrow or flat arena makes a frame of extremes.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the ratio is clamped first")]
fn frame_height(config: &FightConfig, width: u32) -> u32 {
    let scenario = config.scenario();
    let ratio = (scenario.arena_height * REACH).max(0.5) / (scenario.arena_width * REACH).max(0.5);
    (f64::from(width) * ratio.clamp(0.5, 1.6)).round() as u32
}
