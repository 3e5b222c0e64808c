//! The frame of a chart: axes, grid, and a plane for shapes.
//!
//! The shapes are SVG that is stretched to the frame, and every word stands beside it as page text placed by
//! percentages, so that a chart is as readable on a phone as on a desk, in either language.

use loopwright_configs::Text;

use super::markup::Markup;
use crate::model::Axis;
use crate::numbers::{Ticks, figure};

/// The plane's width and height in its own units.
pub(super) const WIDTH: f64 = 1000.0;
/// As [`WIDTH`].
pub(super) const HEIGHT: f64 = 400.0;

/// A chart's frame over two axes.
pub(super) struct Frame {
    pub(super) x: Ticks,
    pub(super) y: Ticks,
}

impl Frame {
    /// Where an x stands on the plane.
    pub(super) fn across(&self, x: f64) -> f64 {
        self.x.part(x) * WIDTH
    }

    /// Where a y stands on the plane, counted from the top.
    pub(super) fn down(&self, y: f64) -> f64 {
        (1.0 - self.y.part(y)) * HEIGHT
    }

    /// Opens the plane, with a grid; shapes follow, then [`Frame::close`].
    pub(super) fn open(&self, page: &mut Markup, name: &Text) {
        let (x, y) = (&self.x, &self.y);
        page.put(format_args!(
            "<div class=\"plot-body\" data-x=\"{} {}\" data-y=\"{} {}\">\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\"",
            x.low, x.high, y.low, y.high
        ));
        page.raw(" preserveAspectRatio=\"none\" role=\"img\"").attribute("aria-label", name).raw(">");
        for tick in &y.at {
            let down = self.down(*tick);
            let class = if tick.abs() < (y.high - y.low) * 1e-9 { "zero" } else { "grid" };
            page.put(format_args!(
                "<line class=\"{class}\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{down:.1}\" y2=\"{down:.1}\"/>"
            ));
        }
        page.raw("\n");
    }

    /// Ends the plane and writes the ticks and the axes' names beside it.
    pub(super) fn close(&self, page: &mut Markup, x: &Axis, y: &Axis, over: impl FnOnce(&mut Markup)) {
        page.raw("</svg>\n");
        for tick in &self.y.at {
            let part = self.y.part(*tick) * 100.0;
            page.put(format_args!("<span class=\"tick-y\" style=\"bottom:{part:.2}%\">{}</span>", figure(*tick)));
        }
        for (index, tick) in self.x.at.iter().enumerate() {
            let part = self.x.part(*tick) * 100.0;
            let class = if index % 2 == 1 && self.x.at.len() > 6 { "tick-x minor" } else { "tick-x" };
            page.put(format_args!("<span class=\"{class}\" style=\"left:{part:.2}%\">{}</span>", figure(*tick)));
        }
        over(page);
        page.raw("\n</div>\n<p class=\"axes\"><span>↑ ").both(&y.title());
        page.raw("</span><span>→ ").both(&x.title()).raw("</span></p>\n");
    }
}
