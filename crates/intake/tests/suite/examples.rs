//! Requirements with their answers, compared by the rules of the data's own description: the decision, every listed
//! edit, every field that is not listed, every limit in both places, and the field of a refusal.

use crate::support;

use serde_json::Value;

/// All examples of a file that come out differently, with how.
fn failures(name: &str, text: &str) -> Vec<String> {
    let intake = support::intake();
    let baseline = support::baseline();
    let mut failures = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let example: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
        let text = example["text"].as_str().unwrap();
        let reading = intake.read(text, &baseline).unwrap();
        for difference in support::differences(&example, &reading) {
            failures.push(format!("{} {text}\n    {difference}", example["id"].as_str().unwrap()));
        }
    }
    failures
}

#[test]
fn the_sixty_examples_hold() {
    let text = include_str!("../data/intake_examples.jsonl");
    assert_eq!(text.lines().count(), 60);
    let failures = failures("intake_examples", text);
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn more_of_what_designers_type_holds() {
    let text = include_str!("../data/more_examples.jsonl");
    assert!(text.lines().count() >= 150);
    let failures = failures("more_examples", text);
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn short_and_long_requirements_of_designers_hold() {
    let text = include_str!("../data/designers.jsonl");
    assert!(text.lines().count() >= 200);
    let failures = failures("designers", text);
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
