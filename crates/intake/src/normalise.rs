//! Stage 1: one spelling for every way to type the same thing.
//!
//! Full-width forms become half-width, letters lower case, sentence ends one character, dashes and underscores inside
//! words a space. Each character keeps the place it came from, so that answers can quote the sentence as it was typed.
//! Nothing here knows a language's words; a pack's list of character variants is the only data.

use std::collections::BTreeMap;

/// Ends a sentence, whatever mark or line break was typed.
pub(crate) const STOP: char = '\n';

/// A normalised text and, for each of its characters, the byte range it came from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Normal {
    pub(crate) chars: Vec<char>,
    origin: Vec<(usize, usize)>,
}

impl Normal {
    /// The piece of `source` that the characters `from..to` came from.
    pub(crate) fn quote<'s>(&self, source: &'s str, from: usize, to: usize) -> &'s str {
        let range = self.origin.get(from..to).unwrap_or_default();
        let (Some(first), Some(last)) = (range.first(), range.last()) else { return "" };
        source.get(first.0..last.1).unwrap_or("").trim_matches(|c: char| c.is_whitespace() || ",，、:：;；".contains(c))
    }
}

/// Normalises `source`; `variants` maps characters to the ones the phrases use.
pub(crate) fn normalise(source: &str, variants: &BTreeMap<char, char>) -> Normal {
    let raw: Vec<(char, usize, usize)> = source
        .char_indices()
        .filter_map(|(at, c)| fold(c, variants).map(|folded| (folded, at, at + c.len_utf8())))
        .collect();
    let mut normal = Normal::default();
    let mut line_start = true;
    let mut at = 0;
    while let Some(&(c, from, to)) = raw.get(at) {
        if line_start {
            let marker = list_marker(&raw, at);
            if marker > 0 {
                at += marker;
                line_start = false;
                continue;
            }
        }
        let before = at.checked_sub(1).and_then(|index| raw.get(index)).map_or(' ', |entry| entry.0);
        let after = raw.get(at + 1).map_or(' ', |entry| entry.0);
        let later = raw.get(at + 2).map_or(' ', |entry| entry.0);
        let c = settle(c, before, after, later);
        let double_space = c == ' ' && normal.chars.last().is_none_or(|last| *last == ' ' || *last == STOP);
        if !double_space {
            normal.chars.push(c);
            normal.origin.push((from, to));
        }
        line_start = c == STOP || (line_start && c == ' ');
        at += 1;
    }
    normal
}

/// A phrase of a pack, in the form the sentences are read in.
pub(crate) fn normalise_phrase(phrase: &str, variants: &BTreeMap<char, char>) -> Vec<char> {
    let mut chars = normalise(phrase, variants).chars;
    while chars.last() == Some(&' ') {
        chars.pop();
    }
    chars
}

/// What stands at the start of a line of a list ("- ", "1. ", "2) "): so many characters to skip.
fn list_marker(raw: &[(char, usize, usize)], at: usize) -> usize {
    let rest = raw.get(at..).unwrap_or_default();
    let char_at = |index: usize| rest.get(index).map(|entry| entry.0);
    let digits_from = |from: usize| rest.iter().skip(from).take_while(|entry| entry.0.is_ascii_digit()).count();
    let digits = digits_from(0);
    // "1、" and "(1)" need no space; "1、2" is no marker.
    let counted = (1..3).contains(&digits) && char_at(digits) == Some('、');
    if counted && char_at(digits + 1).is_some_and(|next| !next.is_ascii_digit()) {
        return digits + 1;
    }
    let inside = digits_from(1);
    // An opening bracket has been folded to a colon.
    if char_at(0) == Some(':') && (1..3).contains(&inside) && char_at(inside + 1) == Some(')') {
        return inside + 2;
    }
    let marked = match char_at(digits) {
        Some('.' | ')') if digits > 0 && digits < 3 => true,
        Some('-' | '*' | '•' | '·') => digits == 0,
        _ => false,
    };
    if marked && char_at(digits + 1) == Some(' ') { digits + 2 } else { 0 }
}

/// One character by itself; nothing where it carries no meaning.
fn fold(c: char, variants: &BTreeMap<char, char>) -> Option<char> {
    let c = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    let folded = match c {
        // Numbers in circles open the items of a list.
        '\n' | '\r' | '。' | '！' | '!' | '?' | '；' | ';' | '…' | '①'..='⑳' => STOP,
        c if c.is_control() || c.is_whitespace() => ' ',
        '"' | '“' | '”' | '「' | '」' | '『' | '』' | '《' | '》' | '`' => ' ',
        '‘' | '’' => '\'',
        '(' | '【' | '[' | '{' => ':',
        '】' | ']' | '}' | '—' | '―' => ',',
        '–' | '−' | '‐' | '‑' => '-',
        '～' | '〜' => '~',
        '×' | '✕' | '＊' => '×',
        'º' | '˚' => '°',
        // Pictures and invisible marks ask for nothing.
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{2600}'..='\u{27BF}'
        | '\u{1F000}'..='\u{1FAFF}' => return None,
        c => variants.get(&c).copied().unwrap_or(c),
    };
    Some(folded.to_lowercase().next().unwrap_or(folded))
}

/// One character among its neighbours.
fn settle(c: char, before: char, after: char, later: char) -> char {
    let word = |c: char| c.is_ascii_alphanumeric();
    match c {
        '.' if after.is_ascii_digit() && !before.is_ascii_alphabetic() => '.',
        // "item_2.speed" is a name, not two sentences.
        '.' if before.is_ascii_alphanumeric() && after.is_ascii_lowercase() => ' ',
        '.' if before == ',' && after.is_ascii_lowercase() => ' ',
        '.' => STOP,
        '_' => ' ',
        ')' => ',',
        '-' | '=' if after == '>' => '→',
        '>' if before == '-' || before == '=' => ' ',
        '-' if before == '-' || after == '-' => ',',
        // "a - b" is a break, "p1-p3" a range.
        '-' if before == ' ' && after == ' ' => ',',
        '-' if before.is_ascii_digit() && after.is_ascii_alphabetic() && later.is_ascii_digit() => '-',
        // Inside a word a dash joins it; between digits it is a range; otherwise it is a minus.
        '-' if word(before) && word(after) && !(before.is_ascii_digit() && after.is_ascii_digit()) => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_each_way_to_type() {
        let cases = [
            ("第１部分，２０％。", "第1部分,20%\n"),
            ("Two-way  ROUND", "two way round"),
            ("item_2: -10%, 3.5s.", "item 2: -10%, 3.5s\n"),
            ("700->600 => 5 ≥ 3", "700→ 600 → 5 ≥ 3"),
            ("- a\n2. b\n3) c", "a\nb\nc"),
            ("a 🔥\u{200F}b", "a b"),
            ("don’t", "don't"),
            ("1-3", "1-3"),
            ("p1-p3, 5-way", "p1-p3, 5 way"),
            ("a - b", "a , b"),
            ("a -- b", "a ,, b"),
            ("①a②b", "\na\nb"),
            ("1、a\n(2)b\n1、2", "a\nb\n1、2"),
        ];
        for (typed, expected) in cases {
            let normal: String = normalise(typed, &BTreeMap::new()).chars.iter().collect();
            assert_eq!(normal, expected, "{typed}");
        }
    }

    #[test]
    fn a_quote_is_the_text_as_it_was_typed() {
        let source = "Ａ， second 部分";
        let normal = normalise(source, &BTreeMap::new());
        assert_eq!(normal.quote(source, 0, 1), "Ａ");
        assert_eq!(normal.quote(source, 2, normal.chars.len()), "second 部分");
    }
}
