//! A thin strip along an axis: labelled ranges of one side, and its moments.

use loopwright_configs::Text;

use super::markup::Markup;
use super::{role_class, tone_class};
use crate::model::{Role, Tone};
use crate::numbers::figure;
use crate::words;

/// One side's strip.
pub(super) struct Strip<'a> {
    pub(super) role: Role,
    pub(super) bands: Vec<(&'a Text, f64, f64)>,
    pub(super) marks: Vec<(&'a Text, f64, Tone)>,
    /// The unit of the axis, as it follows a figure.
    pub(super) unit: Text,
}

impl Strip<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.bands.is_empty() && self.marks.is_empty()
    }

    /// Writes the strip over an axis from `low` to `high`.
    pub(super) fn write(&self, page: &mut Markup, low: f64, high: f64) {
        let marked = if self.marks.is_empty() { "" } else { " marked" };
        let part = |value: f64| ((value - low) / (high - low) * 100.0).clamp(0.0, 100.0);
        page.put(format_args!("<div class=\"strip {}{marked}\"><span class=\"strip-name\">", role_class(self.role)));
        if let Some(name) = words::role(self.role) {
            page.words(name);
        }
        page.raw("</span><div class=\"strip-track\">");
        for (label, from, to) in self.bands.iter().filter(|(_, from, to)| from.is_finite() && to.is_finite()) {
            let (left, width) = (part(*from), part(*to) - part(*from));
            page.put(format_args!("<span class=\"band\" style=\"left:{left:.3}%;width:{width:.3}%\""));
            page.attribute("title", &self.range(label, *from, *to)).raw(">").both(label).raw("</span>");
        }
        for (label, at, tone) in self.marks.iter().filter(|(_, at, _)| at.is_finite()) {
            let text = self.moment(label, *at);
            page.put(format_args!("<span class=\"mark {}\" style=\"left:{:.3}%\"", tone_class(*tone), part(*at)));
            page.raw(" role=\"img\"").attribute("aria-label", &text).attribute("title", &text).raw("></span>");
        }
        page.raw("</div></div>\n");
    }

    fn range(&self, label: &Text, from: f64, to: f64) -> Text {
        let (from, to) = (figure(from), figure(to));
        Text::new(
            format!("{}: {from} – {to}{}", label.en, self.unit.en),
            format!("{}：{from} – {to}{}", label.zh, self.unit.zh),
        )
    }

    fn moment(&self, label: &Text, at: f64) -> Text {
        let at = figure(at);
        Text::new(format!("{}: {at}{}", label.en, self.unit.en), format!("{}：{at}{}", label.zh, self.unit.zh))
    }
}
