//! Where one item of a batch stands.

use loopwright_configs::Text;
use loopwright_core::json::Digest;
use serde::{Deserialize, Serialize};

use super::item::{Item, title};
use crate::judgement::Judgement;
use crate::workflow::status::Status;
use crate::workflow::view::View;

/// Exit codes from the worst to the best; an item's code says how its verification would have ended alone.
pub const WORST_FIRST: [u8; 8] = [70, 6, 2, 5, 4, 3, 1, 0];
/// The code of an item that an interrupt left undone.
pub const UNDONE: u8 = 130;

/// Where one item stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// What the item is called.
    pub name: String,
    /// What kind of content it has.
    pub kind: String,
    /// What it is about, in a line.
    pub title: String,
    /// SHA-256 of its content.
    pub content_sha256: Digest,
    /// Its run; nothing where none was begun.
    pub run_id: Option<String>,
    /// Where its run stands.
    pub status: Option<Status>,
    /// How its verification would have ended alone.
    pub exit_code: u8,
    /// The checks that its newest candidate failed.
    pub failed_checks: Vec<FailedCheck>,
    /// Why it stands there, where a status does not say enough.
    pub message: Option<Text>,
    /// The folder of its evidence, seen from the data directory.
    pub evidence: Option<String>,
}

/// A check that was failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedCheck {
    /// The check's name.
    pub id: String,
    /// Its title.
    pub title: Text,
    /// What was expected.
    pub expected: serde_json::Value,
    /// What was found.
    pub actual: serde_json::Value,
}

/// What a standing means for whoever counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Every check passed.
    Passed,
    /// A verdict against the change: a check failed, the budget ran out, or something stands in the way.
    Failed,
    /// The item cannot be read; nothing was verified.
    Invalid,
    /// A person has to say something first.
    Waiting,
    /// The world, or this program, broke; there is no verdict.
    World,
    /// It was not begun, or an interrupt stopped it.
    Undone,
}

impl Class {
    /// Every class, in the order in which they are shown.
    pub const ALL: [Self; 6] = [Self::Passed, Self::Failed, Self::Invalid, Self::Waiting, Self::World, Self::Undone];

    /// The class's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Invalid => "invalid",
            Self::Waiting => "waiting",
            Self::World => "world",
            Self::Undone => "undone",
        }
    }

    /// What people call it.
    pub fn title(self) -> Text {
        match self {
            Self::Passed => Text::new("passed", "通过"),
            Self::Failed => Text::new("failed", "未通过"),
            Self::Invalid => Text::new("invalid input", "输入无效"),
            Self::Waiting => Text::new("waiting for a person", "等待人工"),
            Self::World => Text::new("failed with the world", "外部故障"),
            Self::Undone => Text::new("not run", "未运行"),
        }
    }
}

impl Standing {
    /// An item without a run.
    pub fn without_run(item: &Item, exit_code: u8, message: Option<Text>) -> Self {
        Self {
            name: item.name.clone(),
            kind: item.content.kind().to_owned(),
            title: title(item),
            content_sha256: item.content.digest(),
            run_id: None,
            status: None,
            exit_code,
            failed_checks: Vec::new(),
            message,
            evidence: None,
        }
    }

    /// An item whose run came somewhere.
    pub fn of(item: &Item, view: &View<'_>, exit_code: u8, message: Option<Text>) -> Self {
        let judgement = view.last_run().and_then(|run| run.judgement.as_ref());
        let failed = judgement.into_iter().flat_map(Judgement::failed).map(|check| FailedCheck {
            id: check.id.clone(),
            title: check.title.clone(),
            expected: check.expected.clone(),
            actual: check.actual.clone(),
        });
        Self {
            run_id: Some(view.history.id.to_string()),
            status: Some(view.status),
            failed_checks: failed.collect(),
            evidence: Some(format!("evidence/{}", view.history.id)),
            ..Self::without_run(item, exit_code, message)
        }
    }

    /// What the standing means.
    pub fn class(&self) -> Class {
        match self.exit_code {
            0 => Class::Passed,
            1 | 4 | 5 => Class::Failed,
            2 => Class::Invalid,
            3 => Class::Waiting,
            UNDONE => Class::Undone,
            _ => Class::World,
        }
    }
}

/// The worst of some exit codes; a code that is not known is as bad as a bug, one that is undone says nothing.
pub fn worst(codes: impl IntoIterator<Item = u8>) -> u8 {
    let badness = |code: u8| WORST_FIRST.iter().position(|known| *known == code).unwrap_or_default();
    let codes = codes.into_iter().filter(|code| *code != UNDONE);
    codes.map(badness).min().map_or(0, |worst| WORST_FIRST[worst])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_code_counts_and_not_the_largest() {
        let cases: [(&[u8], u8); 9] = [
            (&[], 0),
            (&[0, 0], 0),
            (&[0, 1, 0], 1),
            (&[1, 3], 3),
            (&[4, 3, 1], 4),
            (&[4, 5], 5),
            (&[5, 2, 4], 2),
            (&[2, 6, 5, 130], 6),
            (&[6, 70, 2], 70),
        ];
        for (codes, expected) in cases {
            assert_eq!(worst(codes.iter().copied()), expected, "{codes:?}");
        }
        assert_eq!(worst([9]), 70);
    }
}
