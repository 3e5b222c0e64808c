//! The model of a report: plain data, serialisable, bilingual. One file per kind of evidence; no rendering here.

mod distribution;
mod fact;
mod faults;
mod limits;
mod paragraph;
mod pictures;
mod scene;
mod series;
mod table;
mod timeline;
mod verdict;

use loopwright_configs::{Lang, Text};
use serde::{Deserialize, Serialize};

pub use distribution::{Distribution, Interval};
pub use fact::{Fact, Facts};
pub use faults::Fault;
pub use limits::{Figure, Limit, Limits, Sense};
pub use paragraph::{Manner, Paragraph};
pub use pictures::{Picture, Pictures, Shot};
pub use scene::{Actor, Counter, Field, Group, Particles, Scene, Side, SideMark};
pub use series::{Axis, Band, LimitLine, Line, Mark, Series, Shape};
pub use table::{Cell, Column, Row, Table};
pub use timeline::{Entry, Timeline};
pub use verdict::Verdict;

/// Everything one run has to show, in reading order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// What was done, as a headline above the verdict.
    pub title: Text,
    /// The run the evidence belongs to.
    pub run_id: String,
    /// The language a reader meets first.
    #[serde(default)]
    pub lang: Lang,
    /// What the report was made from: digests, versions, seeds. Shown in the page's foot.
    #[serde(default)]
    pub generated_from: Vec<Fact>,
    /// How it ended, and what a person has to do now.
    pub verdict: Verdict,
    /// The evidence.
    #[serde(default)]
    pub sections: Vec<Section>,
}

/// A titled part of a report.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// A stable name for links; unique in the report.
    pub id: String,
    /// The heading.
    pub title: Text,
    /// One sentence that says how to read what follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intro: Option<Text>,
    /// Whether the section opens only on request. Print shows it whole.
    #[serde(default)]
    pub folded: bool,
    /// The evidence of this section.
    pub blocks: Vec<Block>,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    /// Words.
    Paragraph(Paragraph),
    /// Labelled values.
    Facts(Facts),
    /// Rows and columns.
    Table(Table),
    /// Checks against limits.
    Limits(Limits),
    /// Figures over time, or over any other axis.
    Series(Series),
    /// Still pictures, alone or in pairs.
    Pictures(Pictures),
    /// An exact animated replay.
    Scene(Scene),
    /// Many values of both sides.
    Distribution(Distribution),
    /// What happened, in order.
    Timeline(Timeline),
}

/// How something is to be taken. Renderings add a sign and never rely on colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Neither, or not judged.
    #[default]
    Neutral,
}

/// Which side of a comparison something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The configuration before.
    Baseline,
    /// The proposed one.
    Candidate,
    /// Anything else: a reference, an earlier run.
    #[default]
    Other,
}
