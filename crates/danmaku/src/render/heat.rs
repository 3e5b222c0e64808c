//! The heat map: where bullets were over a whole fight.

use super::RenderError;
use super::camera::{Camera, pixels};
use super::canvas::{Anchor, Canvas};
use super::panel::{HEIGHT, WIDTH};
use super::{palette, panel, stage};
use crate::config::FightConfig;
use crate::fight::STEP_SECONDS;
use crate::number::{count, single};
use crate::observer::{Moment, Observer, Scene};

/// Pixels of one cell across and down.
const CELL: u32 = 4;
/// Cells in a row of the stage.
const CELLS: u32 = panel::STAGE / CELL;

/// The observer that counts where bullets are at the end of each step.
#[derive(Debug, Clone)]
pub struct Heat {
    camera: Camera,
    /// Bullet-steps in each cell of the stage, row by row from the top.
    counts: Vec<u32>,
}

impl Heat {
    /// Counts for one fight.
    pub fn new(config: &FightConfig) -> Self {
        let cells = (0..CELLS * CELLS).map(|_| 0);
        Self { camera: panel::camera(config), counts: cells.collect() }
    }

    /// The most bullet-seconds per square unit in any cell. Two heat maps compare where they share a `top`.
    pub fn peak(&self) -> f64 {
        f64::from(self.counts.iter().copied().max().unwrap_or(0)) * self.density_of_one()
    }

    /// The bullet-seconds per square unit that one bullet-step in a cell stands for.
    fn density_of_one(&self) -> f64 {
        let side = f64::from(CELL) / f64::from(self.camera.scale);
        f64::from(STEP_SECONDS) / (side * side)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the place is on the stage")]
    fn cell(&self, position: [f32; 2]) -> Option<usize> {
        let [x, y] = self.camera.place(position).map(|place| place / pixels(CELL));
        let side = pixels(CELLS);
        ((0.0..side).contains(&x) && (0.0..side).contains(&y))
            .then(|| (y as usize) * (CELLS as usize) + (x as usize).min(CELLS as usize - 1))
    }
}

impl Observer for Heat {
    fn stepped(&mut self, _at: Moment, scene: &Scene<'_>) {
        for (&x, &z) in scene.x.iter().zip(scene.z) {
            if let Some(cell) = self.cell([x, z]) {
                self.counts[cell] += 1;
            }
        }
    }
}

/// Draws a heat map, [`WIDTH`](super::WIDTH) x [`HEIGHT`](super::HEIGHT) pixels.
///
/// Colours follow the logarithm of bullet-seconds per square unit, from one bullet-step in a cell to `top`; what is
/// above has the last colour. `label` is drawn in the corner unless it is empty.
pub fn heat_map(config: &FightConfig, heat: &Heat, top: f64, label: &str) -> Result<Vec<u8>, RenderError> {
    let scale = Scale::new(heat, top);
    let mut stage = stage::arena(&heat.camera)?;
    let side = pixels(CELL);
    // Cells at the edge are drawn only as far as bullets live.
    let region = heat.camera.rectangle(heat.camera.region);
    for (cell, &steps) in (0..CELLS * CELLS).zip(&heat.counts) {
        if steps > 0 {
            let [left, down] = [pixels(cell % CELLS) * side, pixels(cell / CELLS) * side];
            let [right, bottom] = [(left + side).min(region[0] + region[2]), (down + side).min(region[1] + region[3])];
            let [left, down] = [left.max(region[0]), down.max(region[1])];
            stage.rectangle([left, down, right - left, bottom - down], palette::heat(scale.share(steps)));
        }
    }
    stage::border(&mut stage, &heat.camera);
    stage::boss(&mut stage, config, &heat.camera, 0);

    let mut canvas = Canvas::new(WIDTH, HEIGHT, palette::BACKGROUND)?;
    canvas.paste(&stage, panel::STAGE_AT[0], panel::STAGE_AT[1]);
    panel::label(&mut canvas, label);
    for (line, text) in ["WHERE BULLETS", "WERE OVER THE", "WHOLE FIGHT"].into_iter().enumerate() {
        let y = 92.0 + 20.0 * single(f64::from(count(line)));
        canvas.text(text, [28.0, y], 12.0, Anchor::Left, palette::TEXT);
    }
    scale.draw(&mut canvas, heat.peak());
    Ok(canvas.png())
}

/// The colours of a heat map and what they stand for.
struct Scale {
    /// Bullet-seconds per square unit of one bullet-step in a cell.
    one: f64,
    /// Decades from there to the last colour.
    decades: f64,
}

impl Scale {
    fn new(heat: &Heat, top: f64) -> Self {
        let one = heat.density_of_one();
        // At least one decade, so that a fight without bullets has a scale too.
        let decades = if top.is_finite() { libm::log10(top / one).max(1.0) } else { 1.0 };
        Self { one, decades: if decades.is_nan() { 1.0 } else { decades } }
    }

    fn share(&self, steps: u32) -> f32 {
        single(libm::log10(f64::from(steps)) / self.decades)
    }

    fn draw(&self, canvas: &mut Canvas, peak: f64) {
        const LEFT: f32 = 768.0;
        const TOP: f32 = 150.0;
        const LENGTH: f32 = 300.0;
        panel::caption(canvas, "BULLET SECONDS", [LEFT, 92.0]);
        panel::caption(canvas, "PER SQUARE UNIT", [LEFT, 109.0]);
        let lines = 150_u32;
        for line in 0..lines {
            let share = 1.0 - (pixels(line) + 0.5) / pixels(lines);
            canvas.rectangle([LEFT, TOP + pixels(line) * 2.0, 22.0, 2.0], palette::heat(share));
        }
        canvas.frame([LEFT, TOP, 22.0, LENGTH], 1.0, palette::BORDER);
        let mut exponent = libm::ceil(libm::log10(self.one));
        let last = libm::log10(self.one) + self.decades;
        while exponent <= last {
            let share = single((exponent - libm::log10(self.one)) / self.decades);
            let y = TOP + LENGTH * (1.0 - share);
            canvas.line(&[[LEFT + 22.0, y], [LEFT + 29.0, y]], 1.5, palette::BORDER);
            canvas.text(&plain(exponent), [LEFT + 38.0, y - 5.0], 10.0, Anchor::Left, palette::TEXT);
            exponent += 1.0;
        }
        canvas.text(&format!("PEAK {peak:.1}"), [LEFT, TOP + LENGTH + 18.0], 11.0, Anchor::Left, palette::QUIET_TEXT);
    }
}

/// Ten to a whole power, without an exponent where it is of a size that people read.
fn plain(exponent: f64) -> String {
    let value = libm::pow(10.0, exponent);
    if exponent < 0.0 {
        let decimals = if exponent >= -4.0 { 4 } else { 8 };
        let text = format!("{value:.decimals$}");
        text.trim_end_matches('0').to_owned()
    } else {
        format!("{value:.0}")
    }
}
