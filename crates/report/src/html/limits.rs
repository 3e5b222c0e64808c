//! Checks against limits: a table whose last column draws where both sides stand.

use super::markup::Markup;
use super::{caption, sign, tone_class};
use crate::model::{Figure, Limit, Limits, Sense};
use crate::words;

/// The drawing's width and height in its own units; it is stretched to the column.
const WIDTH: f64 = 100.0;
const HEIGHT: u32 = 20;

pub(super) fn limits(page: &mut Markup, block: &Limits) {
    if let Some(text) = &block.caption {
        caption(page, text);
    }
    if block.checks.iter().any(|check| scale(check).is_some()) {
        page.raw("<p class=\"legend\"><span><i class=\"swatch baseline\"></i>").words(words::BASELINE);
        page.raw("</span><span><i class=\"swatch candidate\"></i>").words(words::CANDIDATE);
        page.raw("</span><span><i class=\"swatch limit\"></i>").words(words::LIMIT);
        page.raw("</span><span><i class=\"swatch forbidden\"></i>").words(words::FORBIDDEN).raw("</span></p>\n");
    }
    page.raw("<div class=\"wide\"><table class=\"limits\" role=\"table\">\n<thead role=\"rowgroup\"><tr role=\"row\">");
    let figures = [(words::LIMIT, "figure"), (words::BASELINE, "figure"), (words::CANDIDATE, "figure")];
    for (word, class) in std::iter::once((words::CHECK, "")).chain(figures).chain([(words::DRAWN, "drawn")]) {
        page.put(format_args!("<th scope=\"col\" role=\"columnheader\" class=\"{class}\">")).words(word).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody role=\"rowgroup\">\n");
    for check in &block.checks {
        row(page, check);
    }
    page.raw("</tbody></table></div>\n");
}

fn row(page: &mut Markup, check: &Limit) {
    page.put(format_args!("<tr role=\"row\" class=\"{}\">", tone_class(check.tone)));
    page.raw("<th scope=\"row\" role=\"rowheader\">");
    sign(page, check.tone);
    page.raw(" ").both(&check.label);
    if let Some(note) = &check.note {
        page.raw("<small>").both(note).raw("</small>");
    }
    page.raw("</th>");
    let sides = [
        (words::LIMIT, "", &check.limit, check.bound()),
        (words::BASELINE, "", &check.baseline, check.measured(check.baseline.as_ref())),
        (words::CANDIDATE, " candidate-figure", &check.candidate, check.measured(check.candidate.as_ref())),
    ];
    for (word, class, figure, text) in sides {
        let kind = if matches!(figure, Some(Figure::Word(_))) { "figure word" } else { "figure" };
        // On a narrow screen the column's head is out of sight, so that each figure brings its own.
        page.put(format_args!("<td role=\"cell\" class=\"{kind}{class}\"><span class=\"own-head\">")).words(word);
        page.raw("</span>").both(&text).raw("</td>");
    }
    page.raw("<td role=\"cell\" class=\"drawn\">");
    drawing(page, check);
    page.raw("</td></tr>\n");
}

/// The ends of a check's drawing; `None` where there is nothing to draw.
fn scale(check: &Limit) -> Option<(f64, f64)> {
    let number = |figure: &Option<Figure>| figure.as_ref().and_then(Figure::number);
    let limit = number(&check.limit)?;
    let sides = [number(&check.baseline), number(&check.candidate)];
    if sides == [None, None] {
        return None;
    }
    let all = || sides.into_iter().flatten().chain([limit, 0.0]);
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    // A tenth of air, so that the limit never lies on the edge.
    let air = if high > low { (high - low) * 0.1 } else { 1.0 };
    Some((if low < 0.0 { low - air } else { 0.0 }, high + air))
}

fn drawing(page: &mut Markup, check: &Limit) {
    let Some((low, high)) = scale(check) else { return };
    let number = |figure: &Option<Figure>| figure.as_ref().and_then(Figure::number);
    let place = |value: f64| (value - low) / (high - low) * WIDTH;
    let limit = number(&check.limit).map_or(0.0, place);
    page.put(format_args!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"));
    page.put(format_args!("<rect class=\"track\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>"));
    let forbidden = match check.sense {
        Sense::AtMost | Sense::Below => Some((limit, WIDTH - limit)),
        Sense::AtLeast | Sense::Above => Some((0.0, limit)),
        Sense::Equal => None,
    };
    if let Some((from, width)) = forbidden {
        let shape = format!("x=\"{from:.2}\" width=\"{width:.2}\" height=\"{HEIGHT}\"");
        page.put(format_args!("<rect class=\"forbidden\" {shape}/>"));
    }
    for (side, figure, top, thick) in [("baseline", &check.baseline, 4, 4), ("candidate", &check.candidate, 10, 7)] {
        if let Some(value) = number(figure) {
            let (from, to) = (place(value.min(0.0)), place(value.max(0.0)));
            // A value of zero stays visible as a sliver.
            let width = (to - from).max(0.6);
            let shape = format!("x=\"{from:.2}\" y=\"{top}\" width=\"{width:.2}\" height=\"{thick}\"");
            page.put(format_args!("<rect class=\"{side}\" {shape}/>"));
        }
    }
    page.put(format_args!(
        "<line class=\"limit\" x1=\"{limit:.2}\" x2=\"{limit:.2}\" y1=\"0\" y2=\"{HEIGHT}\"/></svg>"
    ));
}
