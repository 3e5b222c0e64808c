//! The panels beside the stage: time, phase and boss on the left, alive bullets, hits and the legend on the right.

use super::camera::Camera;
use super::canvas::{Anchor, Canvas, text_width};
use super::palette::{self, Rgb};
use super::snapshot::{Snapshot, alive, share};
use super::stage::dot;
use crate::config::{FightConfig, PatternKind};
use crate::number::{count, single};

/// Pixels of a picture across.
pub const WIDTH: u32 = 960;
/// Pixels of a picture down.
pub const HEIGHT: u32 = 540;
/// Pixels of the square stage in the middle.
pub(super) const STAGE: u32 = 520;
/// Where the stage begins, in pixels from the left and from the top.
pub(super) const STAGE_AT: [i32; 2] = [220, 10];

const LEFT: f32 = 28.0;
const RIGHT: f32 = 768.0;
const PANEL: f32 = 164.0;
const CAPTION: f32 = 10.0;
const FIGURE: f32 = 32.0;
const NAME: f32 = 13.0;

/// The camera of every picture with panels.
pub(super) fn camera(config: &FightConfig) -> Camera {
    Camera::new(config.scenario(), STAGE, STAGE)
}

/// The label of a picture, such as `BASELINE`; nothing where it is empty.
pub(super) fn label(canvas: &mut Canvas, text: &str) {
    if text.is_empty() {
        return;
    }
    // A long label is written smaller rather than over the stage.
    let height = (NAME * (PANEL - 22.0) / text_width(text, NAME).max(1.0)).min(NAME);
    let width = text_width(text, height) + 22.0;
    canvas.rectangle([LEFT, 28.0, width, 29.0], palette::TEXT);
    canvas.text(text, [LEFT + 11.0, 28.0 + (29.0 - height) / 2.0], height, Anchor::Left, palette::BACKGROUND);
}

/// The small words above a figure.
pub(super) fn caption(canvas: &mut Canvas, text: &str, at: [f32; 2]) {
    canvas.text(text, at, CAPTION, Anchor::Left, palette::QUIET_TEXT);
}

/// Everything about one snapshot that is not on the stage.
pub(super) fn draw(canvas: &mut Canvas, config: &FightConfig, scene: &Snapshot) {
    time(canvas, config, scene);
    phase(canvas, config, scene);
    boss(canvas, config, scene);
    figures(canvas, config, scene);
    legend(canvas, config, Some(scene.phase));
}

fn time(canvas: &mut Canvas, config: &FightConfig, scene: &Snapshot) {
    caption(canvas, "TIME", [LEFT, 88.0]);
    let text = format!("{:.2}", scene.at.seconds);
    canvas.text(&text, [LEFT, 110.0], FIGURE, Anchor::Left, palette::TEXT);
    canvas.text(
        "S",
        [LEFT + text_width(&text, FIGURE) + 10.0, 110.0 + FIGURE - NAME],
        NAME,
        Anchor::Left,
        palette::QUIET_TEXT,
    );
    let duration = config.scenario().duration_seconds;
    bar(canvas, 158.0, single(f64::from(scene.at.seconds) / duration), palette::TEXT);
    canvas.text(&format!("STEP {}", scene.at.step), [LEFT, 172.0], CAPTION, Anchor::Left, palette::QUIET_TEXT);
    canvas.text(&format!("{duration:.0} S"), [LEFT + PANEL, 172.0], CAPTION, Anchor::Right, palette::QUIET_TEXT);
}

fn phase(canvas: &mut Canvas, config: &FightConfig, scene: &Snapshot) {
    caption(canvas, "PHASE", [LEFT, 216.0]);
    let colour = palette::phase(scene.phase);
    let text = format!("{}", scene.phase + 1);
    canvas.text(&text, [LEFT, 238.0], FIGURE, Anchor::Left, colour);
    let of = format!("/ {}", config.phases().len());
    let after = LEFT + text_width(&text, FIGURE) + 10.0;
    canvas.text(&of, [after, 238.0 + FIGURE - NAME], NAME, Anchor::Left, palette::QUIET_TEXT);
    let name = kind_name(config.phases()[scene.phase].pattern.kind);
    canvas.text(name, [LEFT, 286.0], NAME, Anchor::Left, colour);
}

fn boss(canvas: &mut Canvas, config: &FightConfig, scene: &Snapshot) {
    caption(canvas, "BOSS", [LEFT, 342.0]);
    let left_over = share(scene.boss_health, config.boss().max_health);
    canvas.text(&format!("{:.0}%", left_over * 100.0), [LEFT, 364.0], FIGURE, Anchor::Left, palette::TEXT);
    bar(canvas, 412.0, left_over, palette::BOSS);
    // Where the other phases begin.
    for (index, phase) in config.phases().iter().enumerate().skip(1) {
        let x = LEFT + PANEL * single(phase.trigger.value.min(1.0));
        canvas.rectangle([x - 1.0, 408.0, 2.0, 14.0], palette::phase(index));
    }
}

fn figures(canvas: &mut Canvas, config: &FightConfig, scene: &Snapshot) {
    caption(canvas, "ALIVE", [RIGHT, 88.0]);
    canvas.text(&alive(scene).to_string(), [RIGHT, 110.0], FIGURE, Anchor::Left, palette::TEXT);
    caption(canvas, "HITS", [RIGHT, 216.0]);
    let colour = if scene.just_hit { palette::HIT } else { palette::TEXT };
    canvas.text(&scene.hits.to_string(), [RIGHT, 238.0], FIGURE, Anchor::Left, colour);
    let health = config.player().max_health;
    if health > 20 {
        canvas.text(
            &format!("HEALTH {}", scene.player_health),
            [RIGHT, 286.0],
            NAME,
            Anchor::Left,
            palette::QUIET_TEXT,
        );
        return;
    }
    // One mark for each health, ten in a row; what is lost is hollow.
    for index in 0..health {
        let x = RIGHT + 16.0 * single(f64::from(index % 10));
        let y = if index < 10 { 286.0 } else { 302.0 };
        if index < scene.player_health {
            canvas.rectangle([x, y, 11.0, 11.0], palette::TEXT);
        } else {
            canvas.frame([x + 0.75, y + 0.75, 9.5, 9.5], 1.5, palette::BORDER);
        }
    }
}

/// The phases with their bullets, one row each; the current one stands out.
fn legend(canvas: &mut Canvas, config: &FightConfig, current: Option<usize>) {
    caption(canvas, "BULLETS", [RIGHT, 342.0]);
    let row = 26.0_f32.min(170.0 / single(f64::from(count(config.phases().len()))));
    let mut y = 374.0;
    for (index, phase) in config.phases().iter().enumerate() {
        let mut x = RIGHT + 6.0;
        for layer in 0..phase.pattern.layer_count.min(4) {
            dot(canvas, [x, y], 5.0, palette::shape(layer), palette::bullet(index, layer));
            x += 14.0;
        }
        let bright = current.is_none_or(|current| current == index);
        let colour = if bright { palette::TEXT } else { palette::QUIET_TEXT };
        let text = format!("{} {}", index + 1, kind_name(phase.pattern.kind));
        canvas.text(&text, [RIGHT + 62.0, y - 5.0], 10.0_f32.min(row * 0.5), Anchor::Left, colour);
        y += row;
    }
}

fn bar(canvas: &mut Canvas, top: f32, share: f32, colour: Rgb) {
    canvas.rectangle([LEFT, top, PANEL, 6.0], palette::TRACK);
    canvas.rectangle([LEFT, top, PANEL * share.clamp(0.0, 1.0), 6.0], colour);
}

/// The name of a pattern as the pictures write it.
fn kind_name(kind: PatternKind) -> &'static str {
    match kind {
        PatternKind::Ring => "RING",
        PatternKind::AimedFan => "AIMED FAN",
        PatternKind::Spiral => "SPIRAL",
        PatternKind::Petal => "PETAL",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_lies_between_the_panels() {
        let [left, top] = STAGE_AT.map(f64::from);
        assert!(f64::from(LEFT + PANEL) < left && left + f64::from(STAGE) < f64::from(RIGHT));
        assert!(f64::from(RIGHT + PANEL) < f64::from(WIDTH));
        assert!((2.0 * top + f64::from(STAGE) - f64::from(HEIGHT)).abs() < f64::EPSILON);
    }
}
