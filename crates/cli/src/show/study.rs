//! How far a study is: a bar with an estimate at a terminal, nothing elsewhere.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loopwright_configs::Lang;

use super::tr;
use crate::args::Format;

/// The bar; it appears with the first fight that is over and goes with the last.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    pub(crate) fn new(format: Format, lang: Lang) -> Self {
        if format != Format::Human || !io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("  {msg} {bar:30} {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(tr(lang, "trials", "试验").to_owned());
        Self(Some(bar))
    }

    pub(crate) fn heard(&self, done: u32, total: u32) {
        let Some(bar) = &self.0 else { return };
        bar.set_length(total.into());
        bar.set_position(done.into());
        if done == total {
            bar.finish_and_clear();
        }
    }
}
