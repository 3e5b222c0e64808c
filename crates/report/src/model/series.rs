//! Figures over an axis, usually time.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::{Role, Sense, Tone};

/// A chart of lines.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// What the chart shows; its heading and its accessible name.
    pub caption: Text,
    /// What a reader who cannot see it should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Text>,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from bottom to top.
    pub y: Axis,
    /// The lines, later ones on top.
    pub lines: Vec<Line>,
    /// Labelled ranges of the x axis, per side.
    #[serde(default)]
    pub bands: Vec<Band>,
    /// Limits of the y axis.
    #[serde(default)]
    pub limits: Vec<LimitLine>,
    /// Moments on the x axis.
    #[serde(default)]
    pub marks: Vec<Mark>,
}

/// An axis' name and unit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// What it counts.
    pub label: Text,
    /// In what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Text>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The side it belongs to.
    pub role: Role,
    /// Its name.
    pub label: Text,
    /// `[x, y]`, with x never falling. A point with a number that is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
    /// How neighbouring points are joined.
    #[serde(default)]
    pub shape: Shape,
}

/// How neighbouring points are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Straight from point to point.
    #[default]
    Straight,
    /// A value holds until the next point: counts and states.
    Steps,
}

/// A labelled range of the x axis.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// The side it belongs to.
    pub role: Role,
    /// Its name.
    pub label: Text,
    /// Where it begins, in units of the x axis.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// A limit of the y axis.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitLine {
    /// What is limited.
    pub label: Text,
    /// The limit, in units of the y axis.
    pub value: f64,
    /// On which side of it a value has to stand. The label stands on the other side.
    #[serde(default)]
    pub sense: Sense,
}

/// A moment on the x axis.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The side it belongs to.
    pub role: Role,
    /// When, in units of the x axis.
    pub at: f64,
    /// What happened.
    pub label: Text,
    /// How it is to be taken.
    #[serde(default)]
    pub tone: Tone,
}

impl Axis {
    /// The label with its unit in brackets.
    pub fn title(&self) -> Text {
        match &self.unit {
            None => self.label.clone(),
            Some(unit) => {
                Text::new(format!("{} ({})", self.label.en, unit.en), format!("{}（{}）", self.label.zh, unit.zh))
            }
        }
    }
}
