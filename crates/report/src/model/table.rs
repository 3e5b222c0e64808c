//! Rows and columns of words.

use loopwright_configs::Text;
use serde::{Deserialize, Serialize};

use super::Tone;

/// A table. The first cell of a row names the row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What the table shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<Text>,
    /// The columns, from the left.
    pub columns: Vec<Column>,
    /// The rows, from the top; each has as many cells as there are columns.
    pub rows: Vec<Row>,
}

/// A column's head.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The heading.
    pub title: Text,
    /// Whether the column holds figures, which are set to the right.
    #[serde(default)]
    pub numeric: bool,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The cells, from the left.
    pub cells: Vec<Cell>,
    /// How the whole row is to be taken.
    #[serde(default)]
    pub tone: Tone,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// What stands there.
    pub text: Text,
    /// How this cell is to be taken.
    #[serde(default)]
    pub tone: Tone,
}

impl Column {
    /// A column of words.
    pub fn words(title: Text) -> Self {
        Self { title, numeric: false }
    }

    /// A column of figures.
    pub fn figures(title: Text) -> Self {
        Self { title, numeric: true }
    }
}

impl Row {
    /// A row of plain cells.
    pub fn plain(cells: impl IntoIterator<Item = Text>) -> Self {
        Self { cells: cells.into_iter().map(Cell::from).collect(), tone: Tone::Neutral }
    }
}

impl From<Text> for Cell {
    fn from(text: Text) -> Self {
        Self { text, tone: Tone::Neutral }
    }
}
