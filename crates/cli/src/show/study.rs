//! How far a study is: a bar with an estimate at a terminal, nothing elsewhere.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loopwright_configs::Lang;

use super::tr;
use crate::args::Format;

/// The bar; it appears with the first fight that is over and goes with the last.
pub(crate) struct Bar {
    lang: Lang,
    shown: bool,
    drawn: OnceLock<ProgressBar>,
}

impl Bar {
    pub(crate) fn new(format: Format, lang: Lang) -> Self {
        let shown = format == Format::Human && io::stderr().is_terminal();
        Self { lang, shown, drawn: OnceLock::new() }
    }

    pub(crate) fn heard(&self, done: u32, total: u32) {
        if !self.shown {
            return;
        }
        let bar = self.drawn.get_or_init(|| bar(self.lang, total));
        bar.set_position(done.into());
        if done == total {
            bar.finish_and_clear();
        }
    }
}

fn bar(lang: Lang, total: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total.into()), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("  {msg} {bar:30} {pos}/{len} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(tr(lang, "trials", "试验").to_owned());
    bar
}
