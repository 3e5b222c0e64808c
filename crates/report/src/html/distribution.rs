//! Many values of both sides: a histogram, percentiles, and the difference.

use loopwright_configs::Text;

use super::caption;
use super::frame::Frame;
use super::markup::Markup;
use crate::difference;
use crate::model::{Axis, Distribution, Interval};
use crate::numbers::{Ticks, figure};
use crate::statistics::{Histogram, Summary};
use crate::words;

pub(super) fn distribution(page: &mut Markup, block: &Distribution) {
    page.raw("<figure class=\"plot distribution\">\n");
    caption(page, &block.caption);
    match Histogram::of(&block.baseline, &block.candidate) {
        None => {
            page.raw("<p class=\"intro\">").words(words::NO_VALUES).raw("</p>\n");
        }
        Some(histogram) => {
            self::histogram(page, block, &histogram);
            percentiles(page, block);
            if block.paired {
                difference(page, block);
            }
        }
    }
    page.raw("</figure>\n");
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn histogram(page: &mut Markup, block: &Distribution, histogram: &Histogram) {
    page.raw("<p class=\"legend\">");
    for (class, word) in [("baseline", words::BASELINE), ("candidate", words::CANDIDATE)] {
        page.put(format_args!("<span><i class=\"swatch {class}\"></i>")).words(word).raw("</span>");
    }
    page.raw("</p>\n");
    let edges = &histogram.edges;
    let (Some(low), Some(high)) = (edges.first(), edges.last()) else { return };
    let most = histogram.baseline.iter().chain(&histogram.candidate).copied().max().unwrap_or(0);
    let mut x = Ticks::over(*low, *high, 10);
    (x.low, x.high) = (*low, *high);
    x.at.retain(|tick| (*low..=*high).contains(tick) && !(histogram.whole && tick.fract() != 0.0));
    let mut y = Ticks::over(0.0, most.max(1) as f64, 4);
    y.at.retain(|tick| tick.fract() == 0.0);
    let frame = Frame { x, y };
    frame.open(page, &block.caption);
    for bin in 0..edges.len() - 1 {
        let (left, right) = (frame.across(edges[bin]), frame.across(edges[bin + 1]));
        let half = (right - left) * 0.42;
        let middle = f64::midpoint(left, right);
        let sides =
            [("baseline", words::BASELINE, &histogram.baseline), ("candidate", words::CANDIDATE, &histogram.candidate)];
        for (index, (class, word, counts)) in sides.into_iter().enumerate() {
            let count = counts[bin];
            if count == 0 {
                continue;
            }
            let (from, top) = (if index == 0 { middle - half } else { middle }, frame.down(count as f64));
            page.put(format_args!(
                "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{half:.1}\" height=\"{:.1}\">",
                frame.down(0.0) - top
            ));
            let name = histogram.name(bin);
            page.hover(&Text::new(format!("{}, {name}: {count}", word.0), format!("{}，{name}：{count}", word.1)));
            page.raw("</rect>\n");
        }
    }
    let count = Axis { label: words::text(words::HOW_OFTEN), unit: None };
    frame.close(page, &block.axis, &count, |_| ());
}

fn percentiles(page: &mut Markup, block: &Distribution) {
    page.raw("<div class=\"wide\"><table class=\"percentiles\">\n<thead><tr><th scope=\"col\">").words(words::SIDE);
    page.raw("</th>");
    for word in words::summary_heads() {
        page.raw("<th scope=\"col\" class=\"figure\">").words(word).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    let sides = [("baseline", words::BASELINE, &block.baseline), ("candidate", words::CANDIDATE, &block.candidate)];
    for (class, word, values) in sides {
        let Some(summary) = Summary::of(values) else { continue };
        page.put(format_args!("<tr><th scope=\"row\"><i class=\"swatch {class}\"></i> ")).words(word).raw("</th>");
        page.put(format_args!("<td class=\"figure\">{}</td>", summary.count));
        for value in std::iter::once(summary.mean).chain(summary.percentiles) {
            page.put(format_args!("<td class=\"figure\">{}</td>", figure(difference::round(value))));
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>\n");
}

fn difference(page: &mut Markup, block: &Distribution) {
    let (Some(interval), Some(text)) = (difference::interval(block), difference::sentence(block)) else { return };
    whisker(page, &interval);
    page.raw("<p class=\"difference\">").both(&text).raw("</p>\n");
}

/// The interval beside nought; the sentence below says the same in words.
fn whisker(page: &mut Markup, interval: &Interval) {
    let ends = [interval.low, interval.mean, interval.high];
    if !ends.iter().all(|end| end.is_finite()) {
        return;
    }
    let (low, high) = (ends.into_iter().fold(0.0, f64::min), ends.into_iter().fold(0.0, f64::max));
    // Some air, so that nought never lies on the edge.
    let air = (high - low) * 0.15;
    let ticks = Ticks::over(low - air, high + air, 5);
    let part = |value: f64| ticks.part(value) * 100.0;
    page.raw("<div class=\"whisker\"><span class=\"whisker-name\">").words(words::DIFFERENCE).raw("</span>");
    page.raw(
        "<div class=\"whisker-track\"><svg viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    );
    let (zero, low, high) = (part(0.0), part(interval.low), part(interval.high));
    page.put(format_args!("<line class=\"grid\" x1=\"0\" x2=\"100\" y1=\"10\" y2=\"10\"/>"));
    page.put(format_args!("<line class=\"zero\" x1=\"{zero:.2}\" x2=\"{zero:.2}\" y1=\"0\" y2=\"20\"/>"));
    let width = (high - low).max(0.3);
    page.put(format_args!("<rect class=\"span\" x=\"{low:.2}\" width=\"{width:.2}\" y=\"6\" height=\"8\"/></svg>"));
    page.put(format_args!("<i class=\"mean\" style=\"left:{:.2}%\"></i>", part(interval.mean)));
    for tick in &ticks.at {
        page.put(format_args!("<span class=\"tick-x\" style=\"left:{:.2}%\">{}</span>", part(*tick), figure(*tick)));
    }
    page.raw("</div></div>\n");
}
