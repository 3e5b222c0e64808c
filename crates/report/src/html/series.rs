//! Figures over an axis, as lines with their bands, limits and marks.

use std::fmt::Write as _;

use loopwright_configs::Text;

use super::frame::{Frame, HEIGHT, WIDTH};
use super::markup::Markup;
use super::strip::Strip;
use super::{caption, role_class};
use crate::model::{Line, Role, Sense, Series, Shape};
use crate::numbers::{Ticks, figure};
use crate::words;

pub(super) fn series(page: &mut Markup, block: &Series) {
    page.raw("<figure class=\"plot\">\n");
    caption(page, &block.caption);
    if let Some(text) = &block.description {
        page.raw("<p class=\"intro\">").both(text).raw("</p>\n");
    }
    legend(page, block);
    let frame = frame(block);
    for role in [Role::Baseline, Role::Candidate, Role::Other] {
        let bands = block.bands.iter().filter(|band| band.role == role);
        let marks = block.marks.iter().filter(|mark| mark.role == role);
        let strip = Strip {
            role,
            bands: bands.map(|band| (&band.label, band.from, band.to)).collect(),
            marks: marks.map(|mark| (&mark.label, mark.at, mark.tone)).collect(),
            unit: words::unit_after(block.x.unit.as_ref()),
        };
        if !strip.is_empty() {
            strip.write(page, frame.x.low, frame.x.high);
        }
    }
    frame.open(page, &block.caption);
    shading(page, block, &frame);
    for limit in block.limits.iter().filter(|limit| limit.value.is_finite()) {
        let down = frame.down(limit.value);
        page.put(format_args!("<line class=\"limit\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{down:.1}\" y2=\"{down:.1}\"/>\n"));
    }
    for (index, line) in block.lines.iter().enumerate() {
        self::line(page, line, index, &frame, block);
    }
    frame.close(page, &block.x, &block.y, |page| {
        for limit in block.limits.iter().filter(|limit| limit.value.is_finite()) {
            let part = frame.y.part(limit.value) * 100.0;
            let side =
                if matches!(limit.sense, Sense::AtLeast | Sense::Above) { "limit-name under" } else { "limit-name" };
            page.put(format_args!("<span class=\"{side}\" style=\"bottom:{part:.2}%\">")).both(&limit.label);
            page.put(format_args!(" {}</span>", figure(limit.value)));
        }
    });
    page.raw("</figure>\n");
}

fn legend(page: &mut Markup, block: &Series) {
    page.raw("<p class=\"legend\">");
    for (index, line) in block.lines.iter().enumerate() {
        page.put(format_args!("<span><i class=\"swatch line {} l{}\"></i>", role_class(line.role), index % 6));
        page.both(&line.label).raw("</span>");
    }
    page.raw("</p>\n");
}

fn frame(block: &Series) -> Frame {
    let points = || block.lines.iter().flat_map(|line| &line.points).filter(|[x, y]| x.is_finite() && y.is_finite());
    let span = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (left, right) = span(&mut points().map(|point| point[0]));
    let limits = block.limits.iter().map(|limit| limit.value).filter(|value| value.is_finite());
    let (low, high) = span(&mut points().map(|point| point[1]).chain(limits));
    // A limit keeps some air, or its line and its label would lie on the frame. The axis begins at nought unless all
    // that is to be seen happens far above it.
    let air = (high - low) * 0.08;
    let limited = |edge: f64| block.limits.iter().any(|limit| limit.value.total_cmp(&edge).is_eq());
    let top = if limited(high) { high + air } else { high };
    let bottom = match () {
        () if low > 0.0 && low <= high * 0.6 => 0.0,
        () if limited(low) => low - air,
        () => low,
    };
    let mut x = Ticks::over(left, right, 10);
    if left <= right && left < right {
        // Time ends where the data end; only the ticks are round.
        (x.low, x.high) = (left, right);
        x.at.retain(|tick| (left..=right).contains(tick));
    }
    Frame { x, y: Ticks::over(bottom, top, 5) }
}

/// Every other band of the candidate, or of whichever side has bands, lightly shaded through the whole plane.
fn shading(page: &mut Markup, block: &Series, frame: &Frame) {
    let has = |role: Role| block.bands.iter().any(|band| band.role == role);
    let Some(role) = [Role::Candidate, Role::Baseline, Role::Other].into_iter().find(|role| has(*role)) else { return };
    for band in block.bands.iter().filter(|band| band.role == role).skip(1).step_by(2) {
        let from = frame.across(band.from).clamp(0.0, WIDTH);
        let width = frame.across(band.to).clamp(0.0, WIDTH) - from;
        if width > 0.0 {
            let shape = format!("x=\"{from:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\"");
            page.put(format_args!("<rect class=\"shade\" {shape}>")).hover(&band.label).raw("</rect>\n");
        }
    }
}

fn line(page: &mut Markup, line: &Line, index: usize, frame: &Frame, block: &Series) {
    let whole = line.points.iter().all(|point| point[1].fract() == 0.0 || !point[1].is_finite());
    let kind = if whole { " data-whole" } else { "" };
    let steps = if line.shape == Shape::Steps { " data-steps" } else { "" };
    page.put(format_args!("<path class=\"line {} l{}\"{kind}{steps}", role_class(line.role), index % 6));
    page.attribute("data-name", &line.label).raw(" d=\"").raw(&path(line, frame)).raw("\">");
    page.hover(&highest(line, block)).raw("</path>\n");
}

/// A line's name and its highest point, in words.
fn highest(line: &Line, block: &Series) -> Text {
    let finite = line.points.iter().filter(|[x, y]| x.is_finite() && y.is_finite());
    let top = finite.fold(None, |top: Option<&[f64; 2]>, point| match top {
        Some(held) if held[1] >= point[1] => Some(held),
        _ => Some(point),
    });
    let Some([x, y]) = top else { return line.label.clone() };
    let (at, value) = (figure(*x), figure(*y));
    let (after_x, after_y) = (words::unit_after(block.x.unit.as_ref()), words::unit_after(block.y.unit.as_ref()));
    let (name, max) = (&line.label, words::MAXIMUM);
    Text::new(
        format!("{}: {} {value}{} @ {at}{}", name.en, max.0, after_y.en, after_x.en),
        format!("{}：{} {value}{} @ {at}{}", name.zh, max.1, after_y.zh, after_x.zh),
    )
}

/// The line's path. What would be drawn on the same spot twice is drawn once; no other point is left out.
fn path(line: &Line, frame: &Frame) -> String {
    let mut path = String::new();
    let mut last: Option<(String, String)> = None;
    for [x, y] in &line.points {
        if !(x.is_finite() && y.is_finite()) {
            hold(&mut path, last.take(), line.shape);
            continue;
        }
        let (across, down) = (short(frame.across(*x)), short(frame.down(*y)));
        // Writing to a string cannot fail.
        let _ = match &last {
            Some((left, level)) if *left == across && *level == down => Ok(()),
            Some((_, level)) if line.shape == Shape::Steps && *level == down => Ok(()),
            Some(_) if line.shape == Shape::Steps => write!(path, "H{across}V{down}"),
            Some(_) => write!(path, "L{across} {down}"),
            None => write!(path, "M{across} {down}"),
        };
        last = Some((across, down));
    }
    hold(&mut path, last, line.shape);
    path
}

/// Draws the level that held until a line ends.
fn hold(path: &mut String, last: Option<(String, String)>, shape: Shape) {
    if let Some((across, _)) = last.filter(|_| shape == Shape::Steps) {
        path.push('H');
        path.push_str(&across);
    }
}

fn short(place: f64) -> String {
    let fixed = format!("{place:.2}");
    fixed.trim_end_matches('0').trim_end_matches('.').to_owned()
}
