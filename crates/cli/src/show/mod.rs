//! Text for people: words in both languages, columns, colours. No decisions are made here.

pub(crate) mod batch;
pub(crate) mod comparison;
mod page;
pub(crate) mod progress;
mod standing;
pub(crate) mod study;
pub(crate) mod summary;
mod values;

use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use loopwright_configs::{Fault, Lang};
use unicode_width::UnicodeWidthStr;

pub(crate) use standing::why;
pub(crate) use values::{amount, limit, value};

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const STRONG: Style = Style::new().bold();

/// Whether some of the answer could not be written.
static CUT: AtomicBool = AtomicBool::new(false);

/// Prints to standard output; colours are left out where it is no terminal or `NO_COLOR` is set.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout();
    let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) else { return };
    // A reader that has gone away (`| head`) is no error of ours.
    if error.kind() == ErrorKind::BrokenPipe {
        return;
    }
    // What a run has come to is in its journal; that its answer is cut must not stop it, but must be told once.
    if !CUT.swap(true, Ordering::Relaxed) {
        eprintln!("error: cannot write the answer: {error}");
    }
}

/// Whether some of the answer could not be written, to a full disk for instance.
pub(crate) fn is_cut() -> bool {
    CUT.load(Ordering::Relaxed)
}

/// The language of whoever writes a requirement, or of the terminal where nothing was written.
pub(crate) fn language_of(requirement: Option<&str>) -> Lang {
    let chinese = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
    let zh = match requirement {
        Some(text) => text.chars().any(chinese),
        None => ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
            .is_some_and(|value| value.starts_with("zh")),
    };
    if zh { Lang::Zh } else { Lang::En }
}

/// Whether a GitHub workflow reads what is printed.
pub(crate) fn in_github() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// One of two texts.
pub(crate) fn tr<'a>(lang: Lang, en: &'a str, zh: &'a str) -> &'a str {
    match lang {
        Lang::En => en,
        Lang::Zh => zh,
    }
}

/// A text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

/// A text filled up with spaces; Chinese characters are two columns wide.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// A text on one line, cut to some characters, without anything that could steer a terminal.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let plain = harmless(text);
    if plain.chars().count() <= most {
        return plain;
    }
    plain.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A text of a person or a file without control characters.
pub(crate) fn harmless(text: &str) -> String {
    // Marks that turn the direction of writing could make one text look like another.
    let turns = |letter| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|letter| if letter.is_control() || turns(letter) { ' ' } else { letter }).collect()
}

/// A fault of a config on one line.
pub(crate) fn fault(fault: &Fault, lang: Lang) -> String {
    let (path, message) = (fault.path.to_string(), fault.message.get(lang));
    // Most messages name their place themselves.
    if message.starts_with(&path) { harmless(message) } else { harmless(&format!("{path}: {message}")) }
}
