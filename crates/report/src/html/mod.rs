//! One self-contained page: opens from disk, asks nobody for anything, prints, and speaks both languages.
//!
//! Styles and scripts are files of their own under `assets/`, put into the page as they stand. What the page loads is
//! bounded by its own content security policy: nothing but inline styles, inline scripts and embedded pictures.

mod data;
mod distribution;
mod frame;
mod limits;
mod markup;
mod pictures;
mod plain;
mod scene;
mod series;
mod strip;
mod timeline;

use loopwright_configs::{Lang, Text};

use crate::model::{Block, Fact, Report, Role, Section, Tone, Verdict};
use crate::words;
use markup::Markup;

const STYLE: &str = include_str!("assets/page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("assets/page.js"),
    include_str!("assets/plot.js"),
    include_str!("assets/pictures.js"),
    include_str!("assets/scene.js"),
];
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The whole page, as the bytes of one file.
pub fn page(report: &Report) -> String {
    let mut page = Markup::new(report.lang);
    head(&mut page, report);
    top(&mut page, report);
    page.raw("<main id=\"main\">\n");
    verdict(&mut page, &report.verdict);
    contents(&mut page, &report.sections);
    for section in &report.sections {
        self::section(&mut page, section);
    }
    page.raw("</main>\n");
    foot(&mut page, &report.generated_from);
    page.raw("<script>\n");
    for script in SCRIPTS {
        page.raw(script);
    }
    page.raw("</script>\n</body>\n</html>\n");
    page.finish()
}

fn head(page: &mut Markup, report: &Report) {
    let (lang, key) = match report.lang {
        Lang::En => ("en", "en"),
        Lang::Zh => ("zh-CN", "zh"),
    };
    page.put(format_args!("<!doctype html>\n<html lang=\"{lang}\" data-lang=\"{key}\">\n<head>\n"));
    page.raw("<meta charset=\"utf-8\">\n");
    page.put(format_args!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title");
    if report.title.en != report.title.zh {
        page.raw(" data-en=\"").text(&report.title.en).raw("\" data-zh=\"").text(&report.title.zh).raw("\"");
    }
    page.raw(">").text(report.title.get(report.lang)).raw("</title>\n<style>\n").raw(STYLE);
    page.raw("</style>\n</head>\n<body>\n");
}

fn top(page: &mut Markup, report: &Report) {
    page.raw("<a class=\"skip\" href=\"#main\">").words(words::SKIP).raw("</a>\n<header class=\"top\">\n<div>");
    page.raw("<h1>").both(&report.title).raw("</h1><p class=\"run\">").words(words::RUN).raw(" <code>");
    page.text(&report.run_id).raw("</code></p></div>\n<div class=\"switches\">");
    page.raw("<div class=\"choice\" role=\"group\"").attribute("aria-label", &words::text(words::LANGUAGE)).raw(">");
    page.raw("<button type=\"button\" data-set-lang=\"en\" lang=\"en\">English</button>");
    page.raw("<button type=\"button\" data-set-lang=\"zh\" lang=\"zh-CN\">中文</button></div>");
    page.raw("<div class=\"choice\" role=\"group\"").attribute("aria-label", &words::text(words::LOOK)).raw(">");
    for (name, label) in [("auto", words::AUTO), ("light", words::LIGHT), ("dark", words::DARK)] {
        page.put(format_args!("<button type=\"button\" data-set-theme=\"{name}\">")).words(label).raw("</button>");
    }
    page.raw("</div></div>\n</header>\n");
}

fn verdict(page: &mut Markup, verdict: &Verdict) {
    page.put(format_args!("<section class=\"verdict {}\" aria-labelledby=\"verdict\">\n", tone_class(verdict.tone)));
    page.raw("<p class=\"status\">");
    sign(page, verdict.tone);
    page.raw("<code>").text(&verdict.status).raw("</code></p>\n<h2 id=\"verdict\">").both(&verdict.headline);
    page.raw("</h2>\n<p class=\"decide\">").both(&verdict.decide).raw("</p>\n");
    if !verdict.commands.is_empty() {
        page.raw("<pre class=\"commands\">");
        for (index, command) in verdict.commands.iter().enumerate() {
            page.raw(if index == 0 { "<code>" } else { "\n<code>" }).text(command).raw("</code>");
        }
        page.raw("</pre>\n");
    }
    page.raw("</section>\n");
}

fn contents(page: &mut Markup, sections: &[Section]) {
    if sections.len() < 3 {
        return;
    }
    page.raw("<nav class=\"contents\"").attribute("aria-label", &words::text(words::CONTENTS)).raw("><ol>");
    for section in sections {
        page.raw("<li><a href=\"#s-").text(&section.id).raw("\">").both(&section.title).raw("</a></li>");
    }
    page.raw("</ol></nav>\n");
}

fn section(page: &mut Markup, section: &Section) {
    page.raw("<section id=\"s-").text(&section.id).raw("\">\n");
    page.raw(if section.folded { "<details><summary><h2>" } else { "<h2>" }).both(&section.title);
    page.raw(if section.folded { "</h2></summary>\n" } else { "</h2>\n" });
    if let Some(intro) = &section.intro {
        page.raw("<p class=\"intro\">").both(intro).raw("</p>\n");
    }
    for block in &section.blocks {
        self::block(page, block);
    }
    page.raw(if section.folded { "</details>\n</section>\n" } else { "</section>\n" });
}

fn block(page: &mut Markup, block: &Block) {
    match block {
        Block::Paragraph(block) => plain::paragraph(page, block),
        Block::Facts(block) => plain::facts(page, &block.facts),
        Block::Table(block) => plain::table(page, block),
        Block::Limits(block) => limits::limits(page, block),
        Block::Series(block) => series::series(page, block),
        Block::Pictures(block) => pictures::pictures(page, block),
        Block::Scene(block) => scene::scene(page, block),
        Block::Distribution(block) => distribution::distribution(page, block),
        Block::Timeline(block) => timeline::timeline(page, block),
    }
}

fn foot(page: &mut Markup, facts: &[Fact]) {
    page.raw("<footer>\n");
    if !facts.is_empty() {
        page.raw("<h2>").words(words::MADE_FROM).raw("</h2>\n");
        plain::facts(page, facts);
    }
    page.raw("</footer>\n");
}

/// The class that colours something by how it is to be taken.
fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Neutral => "neutral",
    }
}

/// The class that colours something by its side.
fn role_class(role: Role) -> &'static str {
    match role {
        Role::Baseline => "baseline",
        Role::Candidate => "candidate",
        Role::Other => "other",
    }
}

/// A tone as a sign with a spoken name, for those who do not see colours.
fn sign(page: &mut Markup, tone: Tone) {
    let (sign, name) = match tone {
        Tone::Good => ("✓", words::PASSED),
        Tone::Bad => ("✗", words::FAILED),
        Tone::Neutral => ("–", words::NOT_JUDGED),
    };
    page.put(format_args!("<span class=\"sign {}\" role=\"img\"", tone_class(tone)));
    page.attribute("aria-label", &words::text(name)).raw(">").raw(sign).raw("</span>");
}

/// The heading of a block.
fn caption(page: &mut Markup, caption: &Text) {
    page.raw("<h3>").both(caption).raw("</h3>\n");
}
