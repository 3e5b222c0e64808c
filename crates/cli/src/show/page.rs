//! A text for people under way: lines and titles in one language.

use loopwright_configs::Lang;

use super::{STRONG, styled, tr};

/// Lines so far.
pub(super) struct Page {
    pub(super) lang: Lang,
    pub(super) text: String,
}

impl Page {
    pub(super) fn new(lang: Lang) -> Self {
        Self { lang, text: String::new() }
    }

    /// One of two texts, by the page's language.
    pub(super) fn tr<'a>(&self, en: &'a str, zh: &'a str) -> &'a str {
        tr(self.lang, en, zh)
    }

    /// Adds a line.
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// Adds a title after an empty line.
    pub(super) fn title(&mut self, en: &str, zh: &str) {
        let title = styled(STRONG, self.tr(en, zh));
        self.line("");
        self.line(&title);
    }
}
