//! Many values of both sides.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::Axis;

/// The values of both sides, drawn as a histogram with a table of percentiles.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// What was measured many times.
    pub caption: Text,
    /// What the values count.
    pub axis: Axis,
    /// The baseline's values.
    pub baseline: Vec<f64>,
    /// The candidate's values.
    pub candidate: Vec<f64>,
    /// Whether value `i` of both sides belongs to the same trial. Then they are equally many, and a difference with a
    /// confidence interval is shown.
    #[serde(default)]
    pub paired: bool,
    /// The interval, where the caller has computed one; otherwise [`crate::statistics::paired_difference`] does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Interval>,
}

/// A mean difference, candidate minus baseline, and where it may lie.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// The mean of the differences.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence, such as 0.95.
    pub level: f64,
    /// How it was computed.
    pub method: Text,
}
