//! Still pictures: one shot at a time, a pair side by side or divided by a slider. Print shows every shot.

use super::caption;
use super::markup::Markup;
use crate::model::{Picture, Pictures, Shot};
use crate::words;

pub(super) fn pictures(page: &mut Markup, block: &Pictures) {
    page.raw("<figure class=\"pictures\">\n");
    caption(page, &block.caption);
    let pairs = block.shots.iter().any(|shot| shot.right.is_some());
    if pairs || block.shots.len() > 1 {
        choices(page, block, pairs);
    }
    for shot in &block.shots {
        self::shot(page, shot);
    }
    page.raw("</figure>\n");
}

fn choices(page: &mut Markup, block: &Pictures, pairs: bool) {
    page.raw("<div class=\"bar no-print\">");
    if block.shots.len() > 1 {
        page.raw("<div class=\"choice\" role=\"group\"").attribute("aria-label", &words::text(words::PICTURE)).raw(">");
        for (index, shot) in block.shots.iter().enumerate() {
            page.put(format_args!("<button type=\"button\" data-shot=\"{index}\">")).both(&shot.label).raw("</button>");
        }
        page.raw("</div>");
    }
    if pairs {
        page.raw("<div class=\"choice\" role=\"group\"").attribute("aria-label", &words::text(words::VIEW)).raw(">");
        page.raw("<button type=\"button\" data-view=\"beside\">").words(words::BESIDE).raw("</button>");
        page.raw("<button type=\"button\" data-view=\"slider\">").words(words::SLIDER).raw("</button></div>");
    }
    page.raw("</div>\n");
}

fn shot(page: &mut Markup, shot: &Shot) {
    let pair = if shot.right.is_some() { " pair" } else { "" };
    page.put(format_args!("<div class=\"shot{pair}\">\n<p class=\"shot-name\">")).both(&shot.label).raw("</p>\n");
    page.raw("<div class=\"frames\">");
    picture(page, &shot.left, "left");
    if let Some(right) = &shot.right {
        picture(page, right, "right");
    }
    page.raw("</div>\n");
    if shot.right.is_some() {
        page.raw("<input class=\"divide no-print\" type=\"range\" min=\"0\" max=\"100\" step=\"0.5\" value=\"50\"");
        page.attribute("aria-label", &words::text(words::DIVIDE)).raw(">\n");
    }
    page.raw("</div>\n");
}

fn picture(page: &mut Markup, picture: &Picture, place: &str) {
    page.put(format_args!("<figure class=\"{place}\"><img"));
    if let Some((width, height)) = picture.size() {
        page.put(format_args!(" width=\"{width}\" height=\"{height}\""));
    }
    // Base64 holds no character that markup knows.
    page.attribute("alt", &picture.alt).raw(" src=\"").raw(&picture.data_uri()).raw("\"><figcaption>");
    page.both(&picture.label).raw("</figcaption></figure>");
}
