//! Words and tables: paragraphs, facts, tables.

use super::markup::Markup;
use super::{caption, sign, tone_class};
use crate::model::{Fact, Manner, Paragraph, Table, Tone};

pub(super) fn paragraph(page: &mut Markup, block: &Paragraph) {
    let tone = tone_class(block.tone);
    match block.manner {
        Manner::Plain => page.put(format_args!("<p class=\"words {tone}\">")).both(&block.text).raw("</p>\n"),
        Manner::Quote => page.raw("<blockquote><p class=\"words\">").both(&block.text).raw("</p></blockquote>\n"),
        Manner::Note => {
            page.put(format_args!("<p class=\"words note {tone}\">"));
            if block.tone != Tone::Neutral {
                sign(page, block.tone);
                page.raw(" ");
            }
            page.both(&block.text).raw("</p>\n")
        }
    };
}

pub(super) fn facts(page: &mut Markup, facts: &[Fact]) {
    page.raw("<dl class=\"facts\">");
    for fact in facts {
        page.raw("<div><dt>").both(&fact.label).raw("</dt><dd>");
        page.raw(if fact.code { "<code>" } else { "" }).both(&fact.value).raw(if fact.code { "</code>" } else { "" });
        page.raw("</dd></div>");
    }
    page.raw("</dl>\n");
}

pub(super) fn table(page: &mut Markup, block: &Table) {
    if let Some(text) = &block.caption {
        caption(page, text);
    }
    page.raw("<div class=\"wide\"><table>\n<thead><tr>");
    for column in &block.columns {
        page.raw(if column.numeric { "<th scope=\"col\" class=\"figure\">" } else { "<th scope=\"col\">" });
        page.both(&column.title).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for row in &block.rows {
        page.put(format_args!("<tr class=\"{}\">", tone_class(row.tone)));
        for (index, cell) in row.cells.iter().enumerate() {
            let (tag, scope) = if index == 0 { ("th", " scope=\"row\"") } else { ("td", "") };
            let figure = if block.columns.get(index).is_some_and(|column| column.numeric) { "figure " } else { "" };
            page.put(format_args!("<{tag}{scope} class=\"{figure}{}\">", tone_class(cell.tone)));
            if index == 0 && row.tone != Tone::Neutral {
                sign(page, row.tone);
                page.raw(" ");
            } else if cell.tone != Tone::Neutral {
                sign(page, cell.tone);
                page.raw(" ");
            }
            page.both(&cell.text).put(format_args!("</{tag}>"));
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>\n");
}
