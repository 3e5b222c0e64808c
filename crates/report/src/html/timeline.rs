//! What happened, in order.

use super::markup::Markup;
use super::{caption, sign};
use crate::model::{Timeline, Tone};
use crate::words;

pub(super) fn timeline(page: &mut Markup, block: &Timeline) {
    if let Some(text) = &block.caption {
        caption(page, text);
    }
    page.raw("<div class=\"wide\"><table class=\"timeline\">\n<thead><tr>");
    for word in [words::TIME, words::WHO, words::WHAT] {
        page.raw("<th scope=\"col\">").words(word).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for entry in &block.entries {
        page.raw("<tr><td class=\"when\">").text(&entry.time).raw("</td><td class=\"who\">").both(&entry.who);
        page.raw("</td><td>");
        if entry.tone != Tone::Neutral {
            sign(page, entry.tone);
            page.raw(" ");
        }
        page.both(&entry.text).raw("</td></tr>\n");
    }
    page.raw("</tbody></table></div>\n");
}
