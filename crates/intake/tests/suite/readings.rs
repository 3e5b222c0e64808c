//! What comes with an answer: the summary, the goal and its checks, the texts of questions and refusals.

use crate::support;

use loopwright_configs::{Lang, Layout, Schema};
use loopwright_intake::{Answer, BlockCode, QuestionCode, Reading};
use serde_json::{Value, json};

fn read(text: &str) -> Reading {
    support::intake().read(text, &support::baseline()).unwrap()
}

fn examples() -> Vec<String> {
    [
        include_str!("../data/intake_examples.jsonl"),
        include_str!("../data/more_examples.jsonl"),
        include_str!("../data/designers.jsonl"),
    ]
    .iter()
    .flat_map(|file| file.lines())
    .map(|line| serde_json::from_str::<Value>(line).unwrap()["text"].as_str().unwrap().to_owned())
    .collect()
}

#[test]
fn both_headline_sentences_give_the_same_goal() {
    for text in [
        "第二阶段改为双向螺旋弹，提高密度，但同时存在的子弹不能超过 350 发，低分位 FPS 不能低于 55",
        "make phase 2 a two-way spiral, denser, but never more than 350 bullets alive and at least 55 FPS",
    ] {
        let reading = read(text);
        let Answer::Accepted { candidate } = &reading.answer else { panic!("{text}: {:?}", reading.answer) };
        let pattern = &candidate["phases"][1]["pattern"];
        assert_eq!(pattern["bullets_per_wave"], 16);
        assert_eq!(pattern["wave_interval_ms"], 700, "a two-way pattern keeps its interval");
        let goal = reading.goal.to_json();
        assert_eq!(goal["target_phase_id"], "phase_2");
        assert_eq!(goal["requested_pattern"], "spiral");
        assert_eq!(goal["increase_pressure"], true);
        assert_eq!(goal["constraints"], json!({"max_alive_bullets": 350, "min_fps": 55}));
        assert_eq!(reading.goal.named, ["phase_2"]);
        assert_eq!(reading.understood.len(), 4);
        assert!(reading.understood[1].step, "a bare direction took the documented step");
        let intents = json!(reading.goal.intents);
        let expected = [
            ("phases[phase_2].pattern.bidirectional", json!({"kind": "equals", "value": true})),
            ("phases[phase_2].pattern.type", json!({"kind": "equals", "value": "spiral"})),
            ("phases[phase_2].pattern.bullets_per_wave", json!({"kind": "above"})),
        ];
        assert_eq!(intents.as_array().unwrap().len(), expected.len(), "{intents}");
        for (intent, (path, expect)) in intents.as_array().unwrap().iter().zip(expected) {
            assert_eq!((intent["path"].as_str(), &intent["expect"]), (Some(path), &expect));
        }
    }
}

#[test]
fn every_goal_fits_its_schema_and_every_accepted_candidate_its_intents() {
    let schema = Schema::compile(serde_json::from_str(&support::pack("goal.schema.json")).unwrap()).unwrap();
    let documents = Schema::compile(serde_json::from_str(&support::pack("schema.json")).unwrap()).unwrap();
    let (intake, baseline, layout) = (support::intake(), support::baseline(), support::layout());
    for text in examples() {
        let reading = intake.read(&text, &baseline).unwrap();
        let faults = schema.faults(&Layout::default(), &reading.goal.to_json());
        assert!(faults.is_empty(), "{text}: {faults:?}");
        if let Answer::Accepted { candidate } = &reading.answer {
            assert!(documents.faults(&layout, candidate).is_empty(), "{text}");
            assert!(reading.not_understood.is_empty(), "{text}");
            for intent in &reading.goal.intents {
                assert!(intent.check(&layout, &baseline, candidate).passed, "{text}: {intent:?}");
            }
        }
    }
}

#[test]
fn every_text_exists_in_both_languages() {
    let intake = support::intake();
    for text in examples() {
        let reading = intake.read(&text, &support::baseline()).unwrap();
        let mut texts: Vec<_> = reading.understood.iter().map(|one| one.meaning.clone()).collect();
        texts.extend(reading.not_understood.iter().map(|one| one.why.clone()));
        texts.extend(reading.notes.clone());
        match reading.answer {
            Answer::NeedsClarification { question, .. } => texts.push(question),
            Answer::Blocked { reason, .. } => texts.push(reason),
            Answer::Accepted { .. } => {}
        }
        for said in texts {
            for lang in [Lang::En, Lang::Zh] {
                let said = said.get(lang);
                assert!(!said.is_empty() && !said.contains('{'), "{text}: {said}");
            }
        }
    }
}

#[test]
fn refusals_name_field_value_and_range() {
    let cases = [
        ("每波 200 发", "phases[*].pattern.bullets_per_wave", Some(json!(200)), "1..=64", BlockCode::OutOfRange),
        (
            "phase 2: a wave every 0.02 s",
            "phases[phase_2].pattern.wave_interval_ms",
            Some(json!(20)),
            "100..=5000",
            BlockCode::OutOfRange,
        ),
        ("同屏不超过 400", "constraints.max_alive_bullets", Some(json!(400)), "1..=350", BlockCode::OutOfRange),
        (
            "phase 1 as a petal with 1 layer",
            "phases[phase_1].pattern.layer_count",
            Some(json!(1)),
            "2..=4",
            BlockCode::OutOfRange,
        ),
        ("boss health 9000", "boss.max_health", Some(json!(9000)), "phases[*].pattern.*", BlockCode::OutsideScope),
        ("第七阶段快一点", "phases[phase_7]", None, "phase_1 | phase_2 | phase_3", BlockCode::UnknownElement),
        (
            "phase 2 as a laser",
            "phases[phase_2].pattern.type",
            Some(json!("laser")),
            "aimed_fan | petal | ring | spiral",
            BlockCode::UnsupportedValue,
        ),
        ("delete phase 3", "phases", None, "phase_1 | phase_2 | phase_3", BlockCode::Structure),
    ];
    for (text, field, asked, allowed, code) in cases {
        let Answer::Blocked { field: named, asked: value, allowed: range, code: kind, .. } = read(text).answer else {
            panic!("{text} is not blocked")
        };
        assert_eq!((named.as_deref(), value, kind), (Some(field), asked, code), "{text}");
        assert!(range.unwrap().starts_with(allowed), "{text}");
    }
}

#[test]
fn questions_say_what_they_are_about() {
    let cases = [
        ("", QuestionCode::Empty, "what should change"),
        ("faster", QuestionCode::WhichElement, "which phase: phase_1 (ring), phase_2 (spiral), phase_3 (petal)?"),
        ("phase 1 lifetime", QuestionCode::MissingValue, "up or down"),
        ("at least 50 FPS", QuestionCode::Loosening, "50 is looser than the present limit of 55"),
        ("phase 2 faster, phase 2 slower", QuestionCode::Contradiction, "bullet speed"),
        ("phase 2 interval 0.8", QuestionCode::Ambiguous, "0.8 ms or 0.8 s"),
        ("phase 2 faster with bells on", QuestionCode::NotUnderstood, "bells"),
        ("who won the match?", QuestionCode::Unrelated, "won"),
    ];
    for (text, code, part) in cases {
        let Answer::NeedsClarification { question, code: kind } = read(text).answer else {
            panic!("{text} is no question")
        };
        assert_eq!(kind, code, "{text}: {}", question.en);
        assert!(question.en.contains(part), "{text}: {}", question.en);
    }
}

#[test]
fn a_loosened_limit_is_marked_and_a_forced_change_is_told() {
    let reading = read("Relax the hit limit to 5, phase 3 as an aimed fan");
    assert!(reading.understood[0].loosened);
    assert_eq!(reading.goal.loosened, ["max_player_hits"]);
    assert_eq!(reading.notes.len(), 1);
    assert!(reading.notes[0].en.contains("spread (°): 360 -> 100"), "{}", reading.notes[0].en);
}

#[test]
fn a_word_nobody_knows_is_never_passed_over_wherever_it_stands() {
    let (intake, baseline) = (support::intake(), support::baseline());
    let accepted = |text: &str| matches!(intake.read(text, &baseline).unwrap().answer, Answer::Accepted { .. });
    // Inside a reason any word may stand; the answer quotes it as one.
    let reasons = |text: &str| {
        let notes = intake.read(text, &baseline).unwrap().notes;
        notes.iter().any(|note| note.en.contains("read as a reason"))
    };
    for (number, text) in examples().iter().filter(|text| accepted(text) && !reasons(text)).enumerate() {
        // A third of the places of each, another third with each next one.
        for (at, _) in text.char_indices().skip(number % 3).step_by(3) {
            let (head, tail) = text.split_at(at);
            assert!(!accepted(&format!("{head}齉{tail}")), "{head}齉{tail}");
        }
        for doubt in ["如果能赢", "or not", "sometimes", "unless it is boring"] {
            assert!(!accepted(&format!("{text} {doubt}")), "{text} {doubt}");
        }
    }
}
