//! How a run's telemetry fares against the pack's checks.

use std::fmt;

use loopwright_configs::text::plain;
use loopwright_configs::{ExprError, Scope, Text};
use loopwright_core::json::normalise_whole_numbers;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pack::{Check, Pack};

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The figure keeps its limit.
    Passed,
    /// It does not, or it is missing.
    Failed,
    /// The engine could not measure it and says so.
    NotEvaluated,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::NotEvaluated => "not_evaluated",
        })
    }
}

/// One check with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The check's name.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// What was expected: a value, or text such as `<= 350`.
    pub expected: Value,
    /// What was found; `null` where the figure is missing.
    pub actual: Value,
    /// The unit of both.
    pub unit: Option<Text>,
    /// The figure over time that the limit bounds, where an engine brings one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// What the figure rests on, where the pack asks for it: that it was measured, or modelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// The verdict.
    pub status: Status,
    /// Where the figure stands: a path into the telemetry for checks of a run, into the config for intents.
    pub evidence: String,
    /// Why there was nothing to compare, where that is so.
    pub note: Option<Text>,
}

/// A check with its verdict, and by how much it is missed relative to its limit (0 where it is not failed).
pub fn judge(pack: &Pack, check: &Check, config: &Value, telemetry: &Value) -> (CheckResult, f64) {
    let scope = Scope::new().with("config", config.clone()).with("telemetry", telemetry.clone());
    let mut result = CheckResult {
        id: check.id.clone(),
        title: check.title.clone(),
        expected: Value::Null,
        actual: Value::Null,
        unit: check.unit.clone(),
        counter: check.counter.clone(),
        basis: None,
        status: Status::Failed,
        evidence: check.figure.to_string(),
        note: None,
    };
    match compare(pack, check, telemetry, &scope, &mut result) {
        Ok(violation) => (result, violation),
        Err(error) => {
            // Telemetry comes from outside: a figure of the wrong kind fails its check, as a missing one does.
            result.status = Status::Failed;
            result.note = Some(Text::new(format!("cannot be compared: {error}"), format!("无法比较：{error}")));
            (result, 1.0)
        }
    }
}

fn compare(
    pack: &Pack,
    check: &Check,
    telemetry: &Value,
    scope: &Scope,
    result: &mut CheckResult,
) -> Result<f64, ExprError> {
    let limit = whole(check.limit.eval(scope)?);
    result.expected = match &check.expected {
        None => limit.clone(),
        Some(template) => Value::from(Text::same(template).fill(&[("limit", Text::same(plain(&limit)))]).en),
    };
    if let Some(skip) = &check.skip
        && skip.truth(scope)?
    {
        result.status = Status::NotEvaluated;
        result.note = Some(Text::new("the engine did not measure it", "引擎未测量该指标"));
        return Ok(0.0);
    }
    let figure = pack.layout().get(telemetry, &check.figure).filter(|figure| !figure.is_null());
    let Some(figure) = figure else {
        result.note = Some(Text::new("the figure is missing from the telemetry", "遥测中缺少该指标"));
        return Ok(1.0);
    };
    let actual = match &check.actual {
        Some(actual) => whole(actual.eval(scope)?),
        None => figure.clone(),
    };
    result.actual = actual.clone();
    if let Some(basis) = check.basis.as_ref().and_then(|basis| pack.layout().get(telemetry, basis)) {
        result.basis = Some(plain(basis));
    }
    let scope = scope.clone().with("actual", actual).with("limit", limit.clone());
    if check.passed.truth(&scope)? {
        result.status = Status::Passed;
        return Ok(0.0);
    }
    let violation = check.violation.number(&scope)?.max(0.0);
    Ok(violation / limit.as_f64().unwrap_or(1.0).max(1.0))
}

/// A computed value with whole numbers written as such.
pub(crate) fn whole(mut value: Value) -> Value {
    normalise_whole_numbers(&mut value);
    value
}
