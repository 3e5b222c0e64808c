//! Workflow commands: lines that GitHub's runner turns into annotations of a change.

use std::fmt::Write as _;

use crate::junit::{checks, message};
use crate::model::{Report, Tone};

/// One line per failed check and one for the verdict, in the report's language. With a `file` (a path in the
/// repository, such as the requirement's) the annotations stand there.
pub fn lines(report: &Report, file: Option<&str>) -> String {
    let place = file.map(|file| format!("file={},", property(file))).unwrap_or_default();
    let mut out = String::new();
    let mut line = |kind: &str, title: &str, text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "::{kind} {place}title={}::{}", property(title), data(text));
    };
    for check in checks(report).filter(|check| check.tone == Tone::Bad) {
        line("error", check.label.get(report.lang), &message(check, report.lang));
    }
    let verdict = &report.verdict;
    let kind = if verdict.tone == Tone::Bad || verdict.world_failed { "error" } else { "notice" };
    let text = format!("{}\n{}", verdict.headline.get(report.lang), verdict.decide.get(report.lang));
    line(kind, &format!("{} {}", report.run_id, verdict.status), text.trim_end());
    out
}

/// A message: percent signs and line ends would end or change it.
fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            // A line for a terminal: escape sequences would be obeyed.
            _ if character.is_control() && character != '\t' => (),
            _ => out.push(character),
        }
    }
    out
}

/// A property: also bounded by colons and commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
