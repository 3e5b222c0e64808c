//! A test report: one suite per run, its checks as test cases, in the `JUnit` XML that build servers read.

use std::fmt::Write as _;

use loopwright_configs::Lang;

use crate::model::{Block, Limit, Report, Tone};

/// The test report of one run.
pub fn suite(report: &Report) -> String {
    suites([report])
}

/// The test report of several runs, one suite each.
///
/// A passed check is a passed case, a failed one a failure, one that was not judged is skipped. Each suite ends with
/// the case `verdict`: a failure where the outcome is bad, an error where the world failed and nothing was judged, and
/// skipped where a person has yet to act. So no run without good news is green, even where it has no checks at all.
pub fn suites<'a>(reports: impl IntoIterator<Item = &'a Report>) -> String {
    let suites: Vec<(&Report, Vec<Case>)> = reports.into_iter().map(|report| (report, cases(report))).collect();
    let all = Counts::of(suites.iter().flat_map(|(_, cases)| cases));
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"loopwright\" {all}>\n");
    for (report, cases) in &suites {
        let name = format!("{} ({})", report.title.get(report.lang), report.run_id);
        let counts = Counts::of(cases);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  <testsuite name=\"{}\" {counts}>", escape(&name));
        for fact in &report.generated_from {
            let (label, value) = (escape(&fact.label.en), escape(fact.value.get(report.lang)));
            let first = report.generated_from.first() == Some(fact);
            let last = report.generated_from.last() == Some(fact);
            let (open, close) =
                (if first { "    <properties>\n" } else { "" }, if last { "    </properties>\n" } else { "" });
            let _ = write!(out, "{open}      <property name=\"{label}\" value=\"{value}\"/>\n{close}");
        }
        for case in cases {
            case.write(&mut out, report.title.get(report.lang));
        }
        out.push_str("  </testsuite>\n");
    }
    out + "</testsuites>\n"
}

#[derive(PartialEq)]
enum Ending {
    Passed,
    Failed,
    Error,
    Skipped,
}

struct Case {
    name: String,
    ending: Ending,
    message: String,
}

impl Case {
    fn write(&self, out: &mut String, title: &str) {
        // The class is the title, which a later run of the same wish shares, so that build servers see one history.
        // They read dots in it as packages.
        let (name, message) = (escape(&self.name), escape(&self.message));
        let class = escape(&title.replace('.', "_"));
        let inside = match self.ending {
            Ending::Passed => String::new(),
            Ending::Failed => format!("<failure message=\"{message}\"/>"),
            Ending::Error => format!("<error message=\"{message}\"/>"),
            Ending::Skipped => format!("<skipped message=\"{message}\"/>"),
        };
        let _ = match inside.as_str() {
            "" => writeln!(out, "    <testcase name=\"{name}\" classname=\"loopwright.{class}\"/>"),
            _ => writeln!(out, "    <testcase name=\"{name}\" classname=\"loopwright.{class}\">{inside}</testcase>"),
        };
    }
}

struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn of<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        let mut counts = Self { tests: 0, failures: 0, errors: 0, skipped: 0 };
        for case in cases {
            counts.tests += 1;
            match case.ending {
                Ending::Passed => (),
                Ending::Failed => counts.failures += 1,
                Ending::Error => counts.errors += 1,
                Ending::Skipped => counts.skipped += 1,
            }
        }
        counts
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tests, failures, errors, skipped } = self;
        write!(out, "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
    }
}

fn cases(report: &Report) -> Vec<Case> {
    let mut cases: Vec<Case> = checks(report).map(|check| case(check, report.lang)).collect();
    let verdict = &report.verdict;
    let ending = match verdict.tone {
        _ if verdict.world_failed => Ending::Error,
        Tone::Good => Ending::Passed,
        Tone::Bad => Ending::Failed,
        Tone::Neutral => Ending::Skipped,
    };
    let message = format!("{}: {}", verdict.status, verdict.headline.get(report.lang));
    cases.push(Case { name: "verdict".to_owned(), ending, message });
    cases
}

/// Every check of a report, in reading order.
pub(crate) fn checks(report: &Report) -> impl Iterator<Item = &Limit> {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    blocks.filter_map(|block| if let Block::Limits(limits) = block { Some(&limits.checks) } else { None }).flatten()
}

fn case(check: &Limit, lang: Lang) -> Case {
    let ending = match check.tone {
        Tone::Good => Ending::Passed,
        Tone::Bad => Ending::Failed,
        Tone::Neutral => Ending::Skipped,
    };
    let name = if check.id.is_empty() { check.label.get(lang) } else { &check.id };
    Case { name: name.to_owned(), ending, message: message(check, lang) }
}

/// What a check found, in one sentence.
pub(crate) fn message(check: &Limit, lang: Lang) -> String {
    let (label, bound) = (check.label.get(lang), check.bound());
    let candidate = check.measured(check.candidate.as_ref());
    let baseline = check.measured(check.baseline.as_ref());
    let note = check.note.as_ref().map(|note| note.get(lang)).filter(|note| !note.is_empty());
    let (bound, candidate, baseline) = (bound.get(lang), candidate.get(lang), baseline.get(lang));
    match (lang, note) {
        (Lang::En, None) => format!("{label} is {candidate}, expected {bound} (baseline {baseline})"),
        (Lang::En, Some(note)) => format!("{label} is {candidate}, expected {bound} (baseline {baseline}): {note}"),
        (Lang::Zh, None) => format!("{label}为 {candidate}，应为 {bound}（基线 {baseline}）"),
        (Lang::Zh, Some(note)) => format!("{label}为 {candidate}，应为 {bound}（基线 {baseline}）：{note}"),
    }
}

/// Text as XML 1.0 may hold it in an attribute; what it may not hold is dropped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{FFFE}' | '\u{FFFF}' => (),
            _ if character.is_control() => (),
            _ => out.push(character),
        }
    }
    out
}
