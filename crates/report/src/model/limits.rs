//! Checks against limits: what was allowed, and where both sides stand.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::Tone;

/// A list of checks. Figures are drawn as bars with the limit marked; words stand as they are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// What the checks are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<Text>,
    /// The checks, in the order they were judged.
    pub checks: Vec<Limit>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The check's name for programs.
    pub id: String,
    /// The check's name for people.
    pub label: Text,
    /// What its figures count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Text>,
    /// What is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Figure>,
    /// On which side of the limit a value has to stand.
    #[serde(default)]
    pub sense: Sense,
    /// Where the baseline stands, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Figure>,
    /// Where the candidate stands, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Figure>,
    /// The judgement, made elsewhere: good passed, bad failed, neutral was not evaluated.
    pub tone: Tone,
    /// Why, where a figure alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
}

/// A number to draw, or a word to show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// A number in the check's unit.
    Number(f64),
    /// A state, such as `completed`.
    Word(Text),
}

/// On which side of a limit a value has to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sense {
    /// The limit or less.
    AtMost,
    /// The limit or more.
    AtLeast,
    /// Less than the limit.
    Below,
    /// More than the limit.
    Above,
    /// The limit itself.
    #[default]
    Equal,
}

impl Sense {
    /// The sign in front of the limit; none for equality.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "≤ ",
            Self::AtLeast => "≥ ",
            Self::Below => "< ",
            Self::Above => "> ",
            Self::Equal => "",
        }
    }
}

impl Figure {
    /// The number, where it is one that can be drawn.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) if number.is_finite() => Some(*number),
            _ => None,
        }
    }

    /// The figure as people read it, without its unit.
    pub fn text(&self) -> Text {
        match self {
            Self::Number(number) => Text::same(crate::numbers::figure(*number)),
            Self::Word(word) => word.clone(),
        }
    }
}

impl Limit {
    /// A figure with this check's unit; a dash where nothing was measured.
    pub fn measured(&self, figure: Option<&Figure>) -> Text {
        match (figure, &self.unit) {
            (None, _) => Text::same("–"),
            (Some(Figure::Number(number)), Some(unit)) => {
                let number = crate::numbers::figure(*number);
                Text::new(format!("{number} {}", unit.en), format!("{number} {}", unit.zh))
            }
            (Some(figure), _) => figure.text(),
        }
    }

    /// The limit with its sign; a dash where there is none.
    pub fn bound(&self) -> Text {
        let Some(limit) = &self.limit else { return Text::same("–") };
        let text = limit.text();
        let sign = self.sense.sign();
        Text::new(format!("{sign}{}", text.en), format!("{sign}{}", text.zh))
    }
}
