//! A replay: canvases, one clock for all sides, and the data the script draws from.

use loopwright_configs::Text;

use super::markup::Markup;
use super::strip::Strip;
use super::{caption, data, role_class};
use crate::model::{Scene, Side};
use crate::words;

pub(super) fn scene(page: &mut Markup, block: &Scene) {
    let id = page.id();
    let last = block.steps.saturating_sub(1);
    page.put(format_args!("<figure class=\"scene\" data-scene=\"{id}\" tabindex=\"0\""));
    page.attribute("aria-label", &block.caption).raw(">\n");
    caption(page, &block.caption);
    page.raw("<noscript><p class=\"intro\">")
        .words(words::NEEDS_SCRIPTS)
        .raw("</p></noscript>\n<div class=\"sides\">\n");
    let field = &block.field;
    let height = if field.width > 0.0 { (960.0 * field.height / field.width).clamp(120.0, 1920.0) } else { 540.0 };
    for side in &block.sides {
        self::side(page, block, side, height);
    }
    page.raw("</div>\n<div class=\"strips\">\n");
    let seconds = f64::from(last) * block.step_seconds;
    for side in &block.sides {
        let strip = Strip {
            role: side.role,
            bands: side.bands.iter().map(|band| (&band.label, band.from, band.to)).collect(),
            marks: side.marks.iter().map(|mark| (&mark.label, mark.at, mark.tone)).collect(),
            unit: Text::same(" s"),
        };
        if !strip.is_empty() && seconds > 0.0 {
            strip.write(page, 0.0, seconds);
        }
    }
    page.put(format_args!(
        "<div class=\"strip seek no-print\"><span class=\"strip-name\"></span><div class=\"strip-track\">\
         <input type=\"range\" min=\"0\" max=\"{last}\" step=\"1\" value=\"{}\"",
        block.still.min(last)
    ));
    page.attribute("aria-label", &words::text(words::POSITION)).raw("></div></div>\n</div>\n");
    controls(page);
    page.put(format_args!("<script type=\"application/json\" class=\"scene-data\">{}</script>\n", data::scene(block)));
    page.raw("</figure>\n");
}

fn side(page: &mut Markup, scene: &Scene, side: &Side, height: f32) {
    page.put(format_args!("<div class=\"side {}\">\n<p class=\"side-name\">", role_class(side.role)));
    page.put(format_args!("<i class=\"swatch {}\"></i>", role_class(side.role))).both(&side.label);
    page.raw(" <span class=\"now\">");
    for band in &side.bands {
        page.raw("<span hidden>").both(&band.label).raw("</span>");
    }
    page.raw("</span> <span class=\"ended\" hidden>").words(words::ENDED).raw("</span></p>\n");
    page.put(format_args!("<canvas width=\"960\" height=\"{height:.0}\" role=\"img\""));
    let name = |caption: &str, side: &str| format!("{caption}: {side}");
    let name = Text::new(name(&scene.caption.en, &side.label.en), name(&scene.caption.zh, &side.label.zh));
    page.attribute("aria-label", &name).raw("></canvas>\n<p class=\"legend\">");
    for (index, group) in side.groups.iter().enumerate() {
        page.put(format_args!("<span><i class=\"swatch dot g{}\"></i>", index % 8)).both(&group.label).raw("</span>");
    }
    for (index, actor) in side.actors.iter().enumerate() {
        page.put(format_args!("<span><i class=\"swatch ring a{}\"></i>", index % 4));
        page.raw("<span class=\"actor-name\">").both(&actor.label).raw("</span></span>");
    }
    page.raw("</p>\n<dl class=\"counters\">");
    // Where a side counts what is there itself, the drawing's own count would only say it twice.
    if !side.counters.iter().any(|counter| counter.id == "alive") {
        page.raw("<div><dt>").words(words::DRAWN_NOW).raw("</dt><dd class=\"drawn-now\">–</dd></div>");
    }
    for counter in &side.counters {
        page.raw("<div><dt>").both(&counter.label).raw("</dt><dd data-counter=\"").text(&counter.id);
        page.raw("\">–</dd></div>");
    }
    page.raw("</dl>\n</div>\n");
}

fn controls(page: &mut Markup) {
    page.raw("<div class=\"bar no-print\"><button type=\"button\" class=\"play\"><span class=\"to-play\">▶ ");
    page.words(words::PLAY).raw("</span><span class=\"to-pause\" hidden>❚❚ ").words(words::PAUSE);
    page.raw("</span></button><div class=\"choice\">");
    for (class, sign, word) in [("back", "−1", words::BACK), ("forth", "+1", words::FORTH)] {
        let word = words::text(word);
        page.put(format_args!("<button type=\"button\" class=\"{class}\"")).attribute("aria-label", &word);
        page.attribute("title", &word).raw(">").raw(sign).raw("</button>");
    }
    page.raw("</div><label>").words(words::SPEED).raw(" <select class=\"speed\">");
    for (value, chosen) in [("0.1", ""), ("0.25", ""), ("0.5", ""), ("1", " selected"), ("2", ""), ("4", "")] {
        page.put(format_args!("<option value=\"{value}\"{chosen}>{value}×</option>"));
    }
    page.raw("</select></label><output class=\"clock\"></output><span class=\"keys\">").words(words::KEYS);
    page.raw("</span></div>\n");
}
