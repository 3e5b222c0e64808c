//! What somebody asked of a place, as a check of candidate against baseline.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diff::same_value;
use crate::layout::Layout;
use crate::path::Path;
use crate::text::plain;

/// What a place should be, compared with the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum Expect {
    /// A larger number than the baseline's.
    Above,
    /// A smaller number than the baseline's.
    Below,
    /// Exactly this value; numbers are compared to two decimals.
    Equals(Value),
    /// The baseline's value.
    Unchanged,
}

/// One clause of a requirement, as a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intent {
    /// The place it is about.
    pub path: Path,
    /// What it should be.
    pub expect: Expect,
    /// The words it came from.
    pub clause: String,
}

/// How an intent fared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IntentResult {
    /// The place.
    pub path: Path,
    /// What was expected: a value, or text such as `> 4`.
    pub expected: Value,
    /// The candidate's value, `null` where it has none.
    pub actual: Value,
    /// Whether the candidate does what was asked.
    pub passed: bool,
    /// The words it came from.
    pub clause: String,
}

impl Intent {
    /// Checks a candidate against its baseline. A place that does not exist fails, except where both lack it and
    /// nothing was to change.
    pub fn check(&self, layout: &Layout, baseline: &Value, candidate: &Value) -> IntentResult {
        let before = layout.get(baseline, &self.path);
        let after = layout.get(candidate, &self.path);
        let numbers = before.and_then(Value::as_f64).zip(after.and_then(Value::as_f64));
        let shown = || before.map_or_else(|| "?".to_owned(), plain);
        let (expected, passed) = match &self.expect {
            Expect::Above => (format!("> {}", shown()).into(), numbers.is_some_and(|(before, after)| after > before)),
            Expect::Below => (format!("< {}", shown()).into(), numbers.is_some_and(|(before, after)| after < before)),
            Expect::Equals(wanted) => (wanted.clone(), after.is_some_and(|after| equals(wanted, after))),
            Expect::Unchanged => (
                before.cloned().unwrap_or(Value::Null),
                match (before, after) {
                    (Some(before), Some(after)) => same_value(before, after),
                    (before, after) => before.is_none() && after.is_none(),
                },
            ),
        };
        let actual = after.cloned().unwrap_or(Value::Null);
        IntentResult { path: self.path.clone(), expected, actual, passed, clause: self.clause.clone() }
    }
}

/// Repairs and computed values are rounded to two decimals, so a request is met to two decimals as well.
fn equals(wanted: &Value, actual: &Value) -> bool {
    match (wanted.as_f64(), actual.as_f64()) {
        (Some(wanted), Some(actual)) => {
            let rounded = |number: f64| crate::expr::round_dec(number, 2.0).unwrap_or(number);
            (rounded(wanted) - rounded(actual)).abs() <= 1e-9
        }
        _ => same_value(wanted, actual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::tests::{doc, layout};
    use serde_json::json;

    #[test]
    fn intents_compare_candidate_and_baseline() {
        let cases = [
            (Expect::Above, json!(4.14), true, json!("> 3.6")),
            (Expect::Above, json!(3.6), false, json!("> 3.6")),
            (Expect::Above, json!("fast"), false, json!("> 3.6")),
            (Expect::Below, json!(3.06), true, json!("< 3.6")),
            (Expect::Equals(json!(2.6)), json!(2.600_000_1), true, json!(2.6)),
            (Expect::Equals(json!(2.6)), json!(2.61), false, json!(2.6)),
            (Expect::Equals(json!(16)), json!(16.0), true, json!(16)),
            (Expect::Equals(json!("x")), json!("x"), true, json!("x")),
            (Expect::Equals(json!(true)), json!(false), false, json!(true)),
            (Expect::Unchanged, json!(3.6), true, json!(3.6)),
            (Expect::Unchanged, json!(3.61), false, json!(3.6)),
        ];
        for (expect, value, passed, expected) in cases {
            let path: Path = "phases[two].pattern.speed".parse().unwrap();
            let mut candidate = doc();
            layout().set(&mut candidate, &path, value.clone()).unwrap();
            let intent = Intent { path, expect, clause: "as asked".into() };
            let result = intent.check(&layout(), &doc(), &candidate);
            assert_eq!((result.passed, &result.expected, &result.actual), (passed, &expected, &value), "{intent:?}");
        }
    }

    #[test]
    fn a_missing_place_fails_unless_nothing_was_to_change() {
        let path: Path = "phases[three].pattern.speed".parse().unwrap();
        for (expect, passed) in [(Expect::Above, false), (Expect::Equals(json!(1)), false), (Expect::Unchanged, true)] {
            let intent = Intent { path: path.clone(), expect, clause: String::new() };
            assert_eq!(intent.check(&layout(), &doc(), &doc()).passed, passed);
        }
    }

    #[test]
    fn intents_have_one_written_form() {
        let intent = Intent { path: "a.b".parse().unwrap(), expect: Expect::Equals(json!(16)), clause: "16".into() };
        let text = r#"{"path":"a.b","expect":{"kind":"equals","value":16},"clause":"16"}"#;
        assert_eq!(serde_json::to_string(&intent).unwrap(), text);
        assert_eq!(serde_json::from_str::<Intent>(text).unwrap(), intent);
        let above: Expect = serde_json::from_str(r#"{"kind":"above"}"#).unwrap();
        assert_eq!(above, Expect::Above);
    }
}
