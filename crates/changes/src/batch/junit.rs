//! A batch as a JUnit file, for whoever runs it at night.
//!
//! A verdict against a change is a `failure`; what has no verdict is an `error` (an item that cannot be read, a
//! failure of the world) or `skipped` (a person is awaited, or it was not run).

use std::fmt::Write as _;

use loopwright_configs::text::plain;

use super::markup::escape;
use super::standing::{Class, Standing};
use super::summary::Summary;

/// The file's text; the same summary gives the same text.
pub fn junit(summary: &Summary) -> String {
    let count = |classes: &[Class]| classes.iter().map(|class| summary.of(*class).count()).sum::<usize>();
    let tests = summary.items.len();
    let (failures, errors) = (count(&[Class::Failed]), count(&[Class::Invalid, Class::World]));
    let skipped = count(&[Class::Waiting, Class::Undone]);
    let name = escape(&summary.batch);
    let totals = format!(r#"tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}""#);
    let cases: String = summary.items.iter().map(|item| case(&name, item)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"loopwright\" {totals}>\n  \
         <testsuite name=\"{name}\" {totals}>\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

fn case(batch: &str, item: &Standing) -> String {
    let head = format!("    <testcase classname=\"{batch}\" name=\"{}\"", escape(&item.name));
    let status = item.status.map_or("", |status| status.name());
    let why = escape(&reason(item));
    let element = match item.class() {
        Class::Passed => return format!("{head}/>\n"),
        Class::Failed => format!("<failure type=\"{status}\" message=\"{why}\">{}</failure>", details(item)),
        Class::Invalid => format!("<error type=\"invalid_input\" message=\"{why}\"/>"),
        Class::World => format!("<error type=\"world\" message=\"{why}\"/>"),
        Class::Waiting => format!("<skipped message=\"{}\"/>", escape(&Class::Waiting.title().en)),
        Class::Undone => format!("<skipped message=\"{}\"/>", escape(&Class::Undone.title().en)),
    };
    format!("{head}>{element}</testcase>\n")
}

fn reason(item: &Standing) -> String {
    match &item.message {
        Some(message) => message.en.clone(),
        None => item.failed_checks.iter().map(|check| check.title.en.as_str()).collect::<Vec<_>>().join(", "),
    }
}

fn details(item: &Standing) -> String {
    let mut text = String::new();
    for check in &item.failed_checks {
        let line =
            format!("{}: {} where {} was expected", check.title.en, plain(&check.actual), plain(&check.expected));
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}", escape(&line));
    }
    if let Some(evidence) = &item.evidence {
        let _ = writeln!(text, "{}", escape(evidence));
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::batch::summary::tests::example;

    #[test]
    fn every_class_has_its_element() {
        let text = super::junit(&example());
        assert!(
            text.contains("<testsuite name=\"b\" tests=\"6\" failures=\"1\" errors=\"2\" skipped=\"2\">"),
            "{text}"
        );
        let cases = [
            "<testcase classname=\"b\" name=\"fine\"/>",
            "name=\"&lt;script&gt;alert(1)&lt;/script&gt;\"><failure type=\"\" message=\"Load &amp; more\">Load &amp; more: 4 where &lt;= 3 was expected\nevidence/r1\n</failure>",
            "name=\"bad\"><error type=\"invalid_input\" message=\"the disk is full\"/>",
            "name=\"asked\"><skipped message=\"waiting for a person\"/>",
            "name=\"far\"><error type=\"world\" message=\"the disk is full\"/>",
            "name=\"left\"><skipped message=\"not run\"/>",
        ];
        for case in cases {
            assert!(text.contains(case), "{case}\n{text}");
        }
    }
}
