//! Input that no designer types: it gets an answer or an error, always the same one, and never a panic.

use crate::support;

use std::sync::LazyLock;

use loopwright_intake::{Answer, Intake, IntakeError};
use proptest::prelude::*;
use serde_json::Value;

static INTAKE: LazyLock<(Intake, Value)> = LazyLock::new(|| (support::intake(), support::baseline()));

fn answer(text: &str) -> Result<Answer, IntakeError> {
    INTAKE.0.read(text, &INTAKE.1).map(|reading| reading.answer)
}

#[test]
fn odd_input_is_a_question() {
    let long_number = "9".repeat(3000);
    let many = "phase 1, ".repeat(440);
    for text in [
        "",
        " ",
        "\n\n",
        "\u{0}\u{1}\u{7f}",
        "，。！？",
        "...",
        "🔥🔥🔥",
        "مرحبا بالعالم",
        "\u{202E}abc",
        "-",
        "1",
        "%",
        "phase",
        "第",
        "和",
        "phase 99999999999999999999 faster or not",
        "((((((((",
        "p",
        "2",
        &long_number,
        &many,
        "{}",
        "%s%n",
    ] {
        assert!(matches!(answer(text), Ok(Answer::NeedsClarification { .. })), "{text:?}: {:?}", answer(text));
    }
}

#[test]
fn pictures_and_marks_around_a_sentence_change_nothing() {
    let plain = answer("phase 2 denser");
    for text in
        ["phase 2 denser 🔥", "\u{FEFF}phase 2 denser", "phase\u{0} 2\tdenser!!!", "PHASE 2 DENSER", "“phase 2” denser"]
    {
        assert_eq!(answer(text), plain, "{text:?}");
    }
}

#[test]
fn a_requirement_that_is_too_long_says_so() {
    let error = answer(&"快".repeat(1 << 20)).unwrap_err();
    assert_eq!(error, IntakeError::TooLong { length: 1 << 20 });
    assert!(error.to_string().contains("more than the 4000 that are read"));
}

#[test]
fn a_baseline_of_another_shape_is_answered_too() {
    for baseline in
        [Value::Null, serde_json::json!({}), serde_json::json!({"phases": 3}), serde_json::json!({"phases": [{}, 1]})]
    {
        let reading = INTAKE.0.read("phase 1 faster, denser, at most 300 bullets on screen", &baseline).unwrap();
        assert!(!matches!(reading.answer, Answer::Accepted { .. }), "{baseline}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gets_the_same_answer_twice(text in "\\PC{0,120}") {
        prop_assert_eq!(answer(&text), answer(&text));
    }

    #[test]
    fn any_mixture_of_known_words_gets_an_answer(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..24)) {
        let text = words.join(" ");
        let first = INTAKE.0.read(&text, &INTAKE.1).unwrap();
        prop_assert_eq!(&first.answer, &INTAKE.0.read(&text, &INTAKE.1).unwrap().answer);
        if let Answer::Accepted { candidate } = first.answer {
            for intent in &first.goal.intents {
                prop_assert!(intent.check(&support::layout(), &INTAKE.1, &candidate).passed, "{}: {:?}", text, intent);
            }
        }
    }

    #[test]
    fn an_unknown_word_is_never_passed_over(word in "[b-z]{9,12}") {
        let accepted = matches!(answer(&format!("phase 2 {word} denser")), Ok(Answer::Accepted { .. }));
        prop_assert!(!accepted);
    }
}

const WORDS: &[&str] = &[
    "phase",
    "2",
    "P1",
    "第三阶段",
    "the",
    "ring",
    "螺旋",
    "two-way",
    "单向",
    "faster",
    "慢一点",
    "denser",
    "更少",
    "to",
    "by",
    "from",
    "到",
    "10%",
    "3.5",
    "16",
    "bullets",
    "每波",
    "speed",
    "寿命",
    "layers",
    "间隔",
    "600 ms",
    "at most",
    "不低于",
    "FPS",
    "同屏",
    "hits",
    "keep",
    "不变",
    "not",
    "不要",
    "and",
    "、",
    "，",
    ".",
    ":",
    "all",
    "others",
    "except",
    "一半",
    "double",
    "change",
    "换成",
    "allow",
    "太",
    "5",
    "everything",
    "off",
    "remove",
    "-",
    "+4",
    "respectively",
    "第",
    "last",
];
