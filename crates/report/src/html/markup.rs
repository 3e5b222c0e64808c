//! Writing markup: escaping, and texts in both languages. The only room where text becomes markup.

use std::fmt::{self, Write as _};

use loopwright_configs::{Lang, Text};

/// Markup in the making.
pub(super) struct Markup {
    out: String,
    lang: Lang,
    ids: usize,
}

impl Markup {
    pub(super) fn new(lang: Lang) -> Self {
        Self { out: String::new(), lang, ids: 0 }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// Markup as it stands. Never for text that came from outside.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Markup with numbers and fixed words in it. Never for text that came from outside.
    pub(super) fn put(&mut self, markup: fmt::Arguments<'_>) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(markup);
        self
    }

    /// Text in one language, or none: an id, a command.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        escape(&mut self.out, text);
        self
    }

    /// Text in both languages, of which the page shows one. What is the same in both stands once. Every text is
    /// isolated, so that its writing direction ends where it ends.
    pub(super) fn both(&mut self, text: &Text) -> &mut Self {
        if text.en == text.zh {
            return self.raw("<bdi>").text(&text.en).raw("</bdi>");
        }
        self.raw("<bdi lang=\"en\">").text(&text.en).raw("</bdi>");
        self.raw("<bdi lang=\"zh-CN\">").text(&text.zh).raw("</bdi>")
    }

    /// Fixed words in both languages.
    pub(super) fn words(&mut self, (en, zh): (&str, &str)) -> &mut Self {
        self.both(&Text::new(en, zh))
    }

    /// An attribute that is read out or shown, in the language the page shows.
    pub(super) fn attribute(&mut self, name: &str, text: &Text) -> &mut Self {
        let lang = self.lang;
        self.raw(" ").raw(name).raw("=\"").text(text.get(lang)).raw("\"");
        if text.en != text.zh {
            self.raw(" data-en-").raw(name).raw("=\"").text(&text.en);
            self.raw("\" data-zh-").raw(name).raw("=\"").text(&text.zh).raw("\"");
        }
        self
    }

    /// What a drawing says when it is pointed at.
    pub(super) fn hover(&mut self, text: &Text) -> &mut Self {
        self.raw("<title");
        if text.en != text.zh {
            self.raw(" data-en=\"").text(&text.en).raw("\" data-zh=\"").text(&text.zh).raw("\"");
        }
        let lang = self.lang;
        self.raw(">").text(text.get(lang)).raw("</title>")
    }

    /// A number no other element of the page has.
    pub(super) fn id(&mut self) -> usize {
        self.ids += 1;
        self.ids
    }
}

fn escape(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            // Other control characters mean nothing on a page, and some may not stand there.
            _ if character.is_control() => out.push('\u{FFFD}'),
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let cases = [
            ("</script><script>x()</script>", "&lt;/script&gt;&lt;script&gt;x()&lt;/script&gt;"),
            ("a \"b\" 'c' & d", "a &quot;b&quot; &#39;c&#39; &amp; d"),
            ("nul\0bell\u{7}", "nul\u{FFFD}bell\u{FFFD}"),
            ("\u{202E}evil 😀", "\u{202E}evil 😀"),
        ];
        for (text, expected) in cases {
            let mut markup = Markup::new(Lang::En);
            markup.text(text);
            assert_eq!(markup.finish(), expected);
        }
    }

    #[test]
    fn attributes_carry_both_languages() {
        let mut markup = Markup::new(Lang::Zh);
        markup.attribute("alt", &Text::new("a \"b\"", "甲"));
        assert_eq!(markup.finish(), " alt=\"甲\" data-en-alt=\"a &quot;b&quot;\" data-zh-alt=\"甲\"");
    }
}
