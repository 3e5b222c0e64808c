//! The text renderings, word for word.

use crate::support::{HOSTILE, hostile, small};
use loopwright_report::{Lang, Report, annotations, junit, markdown};

#[test]
fn a_comment_in_english() {
    insta::assert_snapshot!("comment_en", markdown::comment(&small(Lang::En)));
}

#[test]
fn a_comment_in_chinese() {
    insta::assert_snapshot!("comment_zh", markdown::comment(&small(Lang::Zh)));
}

#[test]
fn a_suite() {
    insta::assert_snapshot!("suite", junit::suite(&small(Lang::En)));
}

#[test]
fn the_world_failing_is_no_verdict() {
    let mut report = small(Lang::Zh);
    report.verdict.world_failed = true;
    report.sections.clear();
    insta::assert_snapshot!("suite_world_failed", junit::suite(&report));
}

#[test]
fn annotations_name_what_failed() {
    let report = small(Lang::En);
    insta::assert_snapshot!("annotations", annotations::lines(&report, Some("wishes/a,b:c.txt")));
}

#[test]
fn a_suite_of_many_counts_them_all() {
    let reports = [small(Lang::En), small(Lang::En)];
    let xml = junit::suites(&reports);
    assert!(
        xml.contains("<testsuites name=\"loopwright\" tests=\"8\" failures=\"4\" errors=\"0\" skipped=\"2\">"),
        "{xml}"
    );
    assert_eq!(xml.matches("<testsuite ").count(), 2);
}

#[test]
fn hostile_text_stays_text_everywhere() {
    let report = hostile();
    let xml = junit::suite(&report);
    assert!(!xml.contains('\u{0}') && !xml.contains('\u{1b}') && !xml.contains("<img"), "{xml}");
    assert!(xml.contains("&lt;/script&gt;"));

    let lines = annotations::lines(&report, Some(HOSTILE));
    assert!(lines.lines().all(|line| line.starts_with("::notice ") || line.starts_with("::error ")), "{lines}");
    assert!(!lines.contains("%0A::error::\u{202E}") && lines.contains("%250A%3A%3Aerror"), "{lines}");

    let comment = markdown::comment(&report);
    // What stands in code is shown as it is; `HOSTILE` holds single ticks, so that its code is fenced by two.
    let outside_code: String = comment.replace("```", "").split("``").step_by(2).collect();
    for alive in ["<img", "</script>", "@all", "#12", "[x]("] {
        assert!(!outside_code.contains(alive), "{alive}");
    }
    // Each row of a table has as many unescaped pipes as its head.
    for table in comment.split("\n\n").filter(|part| part.starts_with('|')) {
        let pipes = |line: &str| line.replace("\\|", "").matches('|').count();
        let counts: Vec<usize> = table.lines().filter(|line| line.starts_with('|')).map(pipes).collect();
        assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
        assert_eq!(
            counts.len(),
            table.trim_end().lines().count(),
            "a row broke: {}",
            table.lines().last().unwrap_or_default()
        );
    }
}

#[test]
fn a_comment_too_long_leaves_whole_sections_out() {
    let mut report: Report = small(Lang::En);
    let long = report.sections[1].clone();
    report.sections = (0..800).map(|_| long.clone()).collect();
    let comment = markdown::comment(&report);
    assert!(comment.chars().count() <= 65_536);
    assert!(comment.contains("Only in the full report: Checks"));
    assert!(comment.contains("Made from"), "the foot is kept");
}
