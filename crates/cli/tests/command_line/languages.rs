//! The texts for people in English and Chinese, word for word.

use crate::support::{FAILING, HEADLINE_EN, HEADLINE_ZH, Place, fixed, run_of};

#[test]
fn a_change_is_told_in_the_language_it_was_asked_in() {
    let failing = |more: &[&'static str]| [&FAILING[..], more].concat();
    let cases = [
        ("headline_zh", 0, vec![HEADLINE_ZH, "--authorize", "designer"]),
        ("headline_en", 0, vec![HEADLINE_EN, "--authorize", "designer"]),
        ("awaiting_en", 3, vec!["phase 1 denser, no more than 250 bullets on screen"]),
        ("awaiting_zh", 3, vec!["第一阶段更密，同屏不超过 250 发"]),
        ("conflict_en", 5, vec!["phase 3 two-way, faster", "--authorize", "designer"]),
        ("conflict_zh", 5, vec!["第三阶段改为双向，加快弹速", "--authorize", "designer"]),
        ("blocked_en", 5, vec!["phase 2 200 bullets a wave"]),
        ("blocked_zh", 5, vec!["第二阶段每波 200 发"]),
        ("unclear_en", 5, vec!["make it more exciting"]),
        ("unclear_zh", 5, vec!["更刺激一点"]),
        ("not_met_en", 1, failing(&["--no-repair", "--authorize", "qa"])),
        ("not_met_zh", 1, failing(&["--no-repair", "--authorize", "qa", "--lang", "zh"])),
        ("exhausted_en", 4, failing(&["--max-runs", "1", "--authorize", "qa"])),
        ("exhausted_zh", 4, failing(&["--max-runs", "2", "--authorize", "qa", "--lang", "zh"])),
        ("invalid_en", 5, vec!["--set", "phase_2.layer_count=5"]),
        ("invalid_zh", 5, vec!["--set", "phase_2.layer_count=5", "--lang", "zh"]),
    ];
    for (name, code, args) in cases {
        let place = Place::new();
        let ran = place.run(&[&["verify"], &args[..]].concat()).ends(code);
        assert_eq!(ran.err, "");
        insta::assert_snapshot!(name, fixed(&ran.out, run_of(&ran.out)));
    }
}

#[test]
fn a_run_keeps_its_language_unless_another_is_asked_for() {
    let place = Place::new();
    let run = place.begin(3, &[HEADLINE_ZH]);
    assert!(place.run(&["show", &run]).ends(0).out.contains("状态 awaiting_authorization"));
    assert!(place.run(&["show", &run, "--lang", "en"]).ends(0).out.contains("status awaiting_authorization"));
    let ran = place.run(&["authorize", &run, "--actor", "设计师"]).ends(0);
    insta::assert_snapshot!("authorized_zh", fixed(&ran.out, &run));
}

#[test]
fn without_a_sentence_the_terminals_language_counts() {
    let place = Place::new();
    for (lang, expected) in [("zh_CN.UTF-8", "状态"), ("en_US.UTF-8", "status"), ("", "status"), ("C", "status")] {
        let mut command = place.command(&["verify", "--set", "phase_3.bullet_speed=4.6"]);
        command.env("LANG", lang);
        let ran = crate::support::Ran::of(command).ends(3);
        assert!(ran.out.contains(&format!("{expected} awaiting_authorization")), "{lang}: {}", ran.out);
    }
}

/// Columns stay in line although Chinese characters are twice as wide.
#[test]
fn a_chinese_table_is_straight() {
    use unicode_width::UnicodeWidthStr as _;
    let place = Place::new();
    let out = place.run(&["verify", HEADLINE_ZH, "--authorize", "designer"]).ends(0).out;
    let table: Vec<_> = out.lines().skip_while(|line| !line.starts_with("检查：候选")).skip(1).take(8).collect();
    let columns: Vec<_> = table
        .iter()
        .map(|line| {
            let start = line.rsplit_once("  ").unwrap().0;
            start.width() + 2
        })
        .collect();
    assert_eq!(table.len(), 8);
    assert!(columns.iter().all(|column| *column == columns[0]), "{columns:?}\n{out}");
}
