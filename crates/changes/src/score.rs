//! One comparable number for a run: better runs compare larger.

use crate::checks::{CheckResult, Status};

/// Parts per million.
const PPM: f64 = 1e6;

/// The number of passed checks, then minus the sum of relative violations in parts per million; compared in that
/// order, larger is better.
///
/// A violation is relative to its limit, or to 1 where the limit is smaller; a missing figure counts as 1.
pub fn score(checks: &[(CheckResult, f64)]) -> Vec<i64> {
    let passed = checks.iter().filter(|(check, _)| check.status == Status::Passed).count();
    let violations: f64 = checks.iter().map(|(_, violation)| violation).sum();
    // Far beyond any real sum, and within what an integer and a double both hold exactly.
    let parts = (violations * PPM).round_ties_even().clamp(0.0, 9e15);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within the clamped range")]
    let parts = parts as i64;
    vec![i64::try_from(passed).unwrap_or(i64::MAX), -parts]
}
