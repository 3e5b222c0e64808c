//! Text inside XML and HTML.

/// A text without anything that markup would take for itself, and without what XML cannot hold at all.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_gets_out() {
        assert_eq!(super::escape("a<b>\"'&\n\u{0}\u{1b}\u{ffff}中"), "a&lt;b&gt;&quot;&#39;&amp; 中");
    }
}
