//! A batch beside an earlier one.

use serde_json::json;

use crate::support::{Place, failing, fine, set};

#[test]
fn failures_are_new_still_there_or_fixed() {
    let place = Place::new();
    place.items("monday.jsonl", &[fine("a"), failing("b"), failing("c"), fine("d")]);
    place.batch(1, "monday.jsonl", &["--no-repair", "--name", "monday"]);
    place.items("tuesday.jsonl", &[failing("a"), failing("b"), set("c", &["phase_3.bullet_speed=4.3"])]);
    let args = ["--no-repair", "--name", "tuesday", "--against", "monday"];
    let document = place.batch(1, "tuesday.jsonl", &args);
    let expected = json!({
        "batch": "monday", "new_failures": ["a"], "still_failing": ["b"], "fixed": ["c"], "without_verdict": [],
        "gone": ["d"],
    });
    assert_eq!(document["against"], expected);
    let ran = place.run(1, &[&["verify-all", "tuesday.jsonl", "--authorize", "qa"], &args[..]].concat());
    for line in ["Against monday", "new failures         1", "still failing        1", "fixed                1"] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    place.write(".loopwright/batches/monday/summary.json", "{}");
    let ran = place.run(2, &["verify-all", "tuesday.jsonl", "--against", "monday"]);
    assert!(ran.err.contains("is no summary of a batch"), "{}", ran.err);
}
