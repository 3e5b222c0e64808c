//! The fairness map: safe spots over the arena, with walls and near misses marked by their times.

use super::RenderError;
use super::camera::{Camera, pixels};
use super::canvas::{Anchor, Canvas, text_width};
use super::palette::{self, Rgb};
use super::panel::{HEIGHT, WIDTH};
use super::{panel, stage};
use crate::config::FightConfig;
use crate::fairness::{Fairness, SafeSpots};
use crate::number::single;
use crate::trajectory::Trajectory;

const LEFT: f32 = 28.0;
const RIGHT: f32 = 768.0;
const ROW: f32 = 20.0;
/// Rows of a list; what does not fit is counted.
const ROWS: usize = 6;
/// Height of the times on the map.
const TIME: f32 = 9.0;
/// How much of the heat scale first hits use, so that its lightest end stays apart from safe spots.
const SCALE: f32 = 0.62;

/// Draws what is known about a fight's fairness, [`WIDTH`](super::WIDTH) x [`HEIGHT`](super::HEIGHT) pixels.
///
/// Places are coloured by the time of a still player's first hit, safe ones yellow. A square with a cross marks where the
/// last way out of a wall closes, a ring where a bullet was nearest; each with its time in seconds. `label` is drawn in
/// the corner unless it is empty.
pub fn fairness_map(config: &FightConfig, fairness: &Fairness, label: &str) -> Result<Vec<u8>, RenderError> {
    let camera = panel::camera(config);
    let mut stage = stage::arena(&camera)?;
    spots(&mut stage, config, &camera, &fairness.safe_spots);
    stage::border(&mut stage, &camera);
    stage::boss(&mut stage, config, &camera, 0);
    path(&mut stage, config, &camera);
    let walls = fairness.walls.iter().map(|wall| (camera.place(wall.place), wall.closed.seconds));
    let misses = fairness.near_misses.iter().map(|miss| (camera.place(miss.position), miss.at.seconds));
    let marks: Vec<([f32; 2], f32)> = walls.chain(misses).collect();
    for wall in &fairness.walls {
        wall_mark(&mut stage, camera.place(wall.place), palette::phase(wall.emitted_by));
    }
    for miss in &fairness.near_misses {
        miss_mark(&mut stage, camera.place(miss.position), palette::phase(miss.phase));
    }
    write_times(&mut stage, &marks);

    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette::BACKGROUND)?;
    canvas.paste(&stage, panel::STAGE_AT[0], panel::STAGE_AT[1]);
    panel::label(&mut canvas, label);
    lists(&mut canvas, fairness);
    legend(&mut canvas, config, &fairness.safe_spots);
    Ok(canvas.png())
}

fn spots(stage: &mut Canvas, config: &FightConfig, camera: &Camera, spots: &SafeSpots) {
    let [width, height] = spots.cell().map(|side| single(side) * camera.scale);
    let [left, top, ..] = camera.rectangle(camera.arena);
    let duration = single(config.scenario().duration_seconds);
    for (row, cells) in (0..).zip(spots.first_hits().chunks(usize::try_from(spots.columns()).unwrap_or(1))) {
        for (column, first_hit) in (0..).zip(cells) {
            let colour =
                first_hit.map_or(palette::SAFE, |at| palette::heat(SCALE * (at.seconds / duration).clamp(0.0, 1.0)));
            let corner = [left + pixels(column) * width, top + pixels(row) * height];
            // Whole pixels, so that no seams show between cells.
            let [x, y] = corner.map(f32::round);
            let [right, bottom] = [(corner[0] + width).round(), (corner[1] + height).round()];
            stage.rectangle([x, y, right - x, bottom - y], colour);
        }
    }
}

/// The fixed path, on which walls and near misses are looked for.
fn path(stage: &mut Canvas, config: &FightConfig, camera: &Camera) {
    let path = Trajectory::new(config);
    let duration = config.scenario().duration_seconds;
    // Ten points a second are as smooth as the eye can tell.
    let points: Vec<[f32; 2]> = (0..=1200_u32)
        .map(|tenth| f64::from(tenth) / 10.0)
        .take_while(|seconds| *seconds <= duration)
        .map(|seconds| camera.place(path.at(single(seconds))))
        .collect();
    stage.line(&points, 0.9, palette::TEXT);
}

fn wall_mark(canvas: &mut Canvas, [x, y]: [f32; 2], colour: Rgb) {
    canvas.rectangle([x - 8.0, y - 8.0, 16.0, 16.0], palette::BACKGROUND);
    canvas.frame([x - 7.0, y - 7.0, 14.0, 14.0], 2.0, colour);
    canvas.line(&[[x - 3.5, y - 3.5], [x + 3.5, y + 3.5]], 2.0, palette::TEXT);
    canvas.line(&[[x - 3.5, y + 3.5], [x + 3.5, y - 3.5]], 2.0, palette::TEXT);
}

fn miss_mark(canvas: &mut Canvas, place: [f32; 2], colour: Rgb) {
    canvas.disc(place, 7.5, palette::BACKGROUND);
    canvas.ring(place, 5.5, 2.0, colour);
    canvas.disc(place, 1.75, palette::TEXT);
}

/// Writes the time of each mark beside it, where neither a mark nor an earlier time is in the way.
fn write_times(stage: &mut Canvas, marks: &[([f32; 2], f32)]) {
    let mut taken: Vec<[f32; 4]> = marks.iter().map(|([x, y], _)| [x - 8.0, y - 8.0, 16.0, 16.0]).collect();
    let side = pixels(panel::STAGE);
    for &([x, y], seconds) in marks {
        let text = format!("{seconds:.1}");
        let (width, height) = (text_width(&text, TIME) + 6.0, TIME + 6.0);
        let places = [
            [x + 10.0, y - height / 2.0],
            [x - 10.0 - width, y - height / 2.0],
            [x - width / 2.0, y - 10.0 - height],
            [x - width / 2.0, y + 10.0],
            [x + 9.0, y - 9.0 - height],
            [x + 9.0, y + 9.0],
            [x - 9.0 - width, y - 9.0 - height],
            [x - 9.0 - width, y + 9.0],
        ];
        let free = places.into_iter().find(|[left, top]| {
            let inside = *left >= 0.0 && *top >= 0.0 && left + width <= side && top + height <= side;
            inside && !taken.iter().any(|other| overlap(*other, [*left, *top, width, height]))
        });
        // Where everything is taken the list beside the map still tells the time.
        if let Some([left, top]) = free {
            stage.rectangle([left, top, width, height], palette::BACKGROUND);
            stage.text(&text, [left + 3.0, top + 3.0], TIME, Anchor::Left, palette::TEXT);
            taken.push([left, top, width, height]);
        }
    }
}

fn overlap(a: [f32; 4], b: [f32; 4]) -> bool {
    a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}

/// Walls and near misses in words.
fn lists(canvas: &mut Canvas, fairness: &Fairness) {
    panel::caption(canvas, "WALLS", [LEFT, 88.0]);
    let mut top = 110.0;
    if fairness.walls.is_empty() {
        canvas.text("NONE", [LEFT, top], 11.0, Anchor::Left, palette::TEXT);
    }
    for wall in fairness.walls.iter().take(ROWS) {
        wall_mark(canvas, [LEFT + 8.0, top + 5.5], palette::phase(wall.emitted_by));
        let text = format!("{:.2} S", wall.closed.seconds);
        canvas.text(&text, [LEFT + 26.0, top], 11.0, Anchor::Left, palette::TEXT);
        let phase = format!("PHASE {}", wall.emitted_by + 1);
        canvas.text(&phase, [LEFT + 104.0, top], 9.0, Anchor::Left, palette::QUIET_TEXT);
        top += ROW;
    }
    more(canvas, fairness.walls.len(), top);
    panel::caption(canvas, "NEAREST MISSES", [LEFT, 288.0]);
    top = 310.0;
    if fairness.near_misses.is_empty() {
        canvas.text("NONE", [LEFT, top], 11.0, Anchor::Left, palette::TEXT);
    }
    for miss in fairness.near_misses.iter().take(ROWS) {
        miss_mark(canvas, [LEFT + 8.0, top + 5.5], palette::phase(miss.phase));
        canvas.text(&format!("{:.2} S", miss.at.seconds), [LEFT + 26.0, top], 11.0, Anchor::Left, palette::TEXT);
        let distance = format!("BY {:.3}", miss.distance);
        canvas.text(&distance, [LEFT + 104.0, top], 9.0, Anchor::Left, palette::QUIET_TEXT);
        top += ROW;
    }
    more(canvas, fairness.near_misses.len(), top);
    canvas.line(&[[LEFT, 496.5], [LEFT + 16.0, 496.5]], 1.5, palette::TEXT);
    canvas.text("FIXED PATH", [LEFT + 26.0, 492.0], 9.0, Anchor::Left, palette::QUIET_TEXT);
}

fn more(canvas: &mut Canvas, of: usize, top: f32) {
    if of > ROWS {
        let text = format!("AND {} MORE", of - ROWS);
        canvas.text(&text, [LEFT + 26.0, top], 9.0, Anchor::Left, palette::QUIET_TEXT);
    }
}

/// What the colours stand for.
fn legend(canvas: &mut Canvas, config: &FightConfig, spots: &SafeSpots) {
    const TOP: f32 = 190.0;
    const LENGTH: f32 = 240.0;
    panel::caption(canvas, "A STILL PLAYER", [RIGHT, 88.0]);
    canvas.rectangle([RIGHT, 112.0, 22.0, 22.0], palette::SAFE);
    canvas.text("NEVER HIT", [RIGHT + 34.0, 111.0], 11.0, Anchor::Left, palette::TEXT);
    let share = format!("{:.1}% OF PLACES", spots.safe_share() * 100.0);
    canvas.text(&share, [RIGHT + 34.0, 129.0], 9.0, Anchor::Left, palette::QUIET_TEXT);
    panel::caption(canvas, "FIRST HIT AFTER", [RIGHT, 166.0]);
    let lines = 120_u32;
    for line in 0..lines {
        let share = (pixels(line) + 0.5) / pixels(lines);
        canvas.rectangle([RIGHT, TOP + pixels(line) * 2.0, 22.0, 2.0], palette::heat(SCALE * share));
    }
    canvas.frame([RIGHT, TOP, 22.0, LENGTH], 1.0, palette::BORDER);
    let duration = config.scenario().duration_seconds;
    for quarter in 0..=4_u8 {
        let y = TOP + LENGTH * f32::from(quarter) / 4.0;
        canvas.line(&[[RIGHT + 22.0, y], [RIGHT + 29.0, y]], 1.5, palette::BORDER);
        let text = format!("{:.0} S", duration * f64::from(quarter) / 4.0);
        canvas.text(&text, [RIGHT + 38.0, y - 5.0], 10.0, Anchor::Left, palette::TEXT);
    }
    let [width, height] = spots.cell();
    canvas.text(&format!("CELL {width:.2} / {height:.2}"), [RIGHT, 452.0], 9.0, Anchor::Left, palette::QUIET_TEXT);
    canvas.text("COLOURED MARKS:", [RIGHT, 474.0], 9.0, Anchor::Left, palette::QUIET_TEXT);
    let mut x = RIGHT;
    for index in 0..config.phases().len().min(5) {
        canvas.disc([x + 5.0, 497.0], 5.0, palette::phase(index));
        canvas.text(&format!("{}", index + 1), [x + 14.0, 492.0], 10.0, Anchor::Left, palette::TEXT);
        x += 33.0;
    }
}
