//! What is said about a repair, in English and Chinese, always with the numbers.

use loopwright_configs::text::plain;
use loopwright_configs::{Path, Text};
use serde_json::json;

use super::attribution::Shares;
use super::choice::Situation;
use crate::checks::CheckResult;
use crate::pack::RepairRule;

pub(super) fn reason(check: &CheckResult, target: &Path, shares: &Shares) -> Text {
    let id = target.first_key().map(ToString::to_string).unwrap_or_default();
    let (actual, expected) = (plain(&check.actual), plain(&check.expected));
    let part = shares.get(&id).filter(|share| **share > 0.0).map(|share| plain(&json!(share)));
    let (en, zh) = match part {
        Some(part) => (format!("; {id} has the largest part ({part})"), format!("；{id} 占比最大（{part}）")),
        None => (format!("; {id} is chosen by estimate"), format!("；按估算选择 {id}")),
    };
    Text::new(
        format!("{} is {actual}, expected {expected}{en}", check.title.en),
        format!("“{}”为 {actual}，应为 {expected}{zh}", check.title.zh),
    )
}

pub(super) fn without_effect(situation: &Situation<'_>, rule: &RepairRule, target: &Path) -> Text {
    let values = rule.edits.iter().filter_map(|edit| {
        let path = edit.place(Some(target)).ok()?;
        let value = situation.pack.layout().get(situation.candidate, &path).map(plain)?;
        Some((situation.pack.label(&path), value))
    });
    let values: Vec<_> = values.collect();
    let list = |pick: &dyn Fn(&(Text, String)) -> String| values.iter().map(pick).collect::<Vec<_>>().join(", ");
    let (en, zh) = (
        list(&|(label, value)| format!("{} stays {value}", label.en)),
        list(&|(label, value)| format!("{}仍为 {value}", label.zh)),
    );
    let item = situation.pack.item_name(target).unwrap_or_default();
    Text::new(
        format!("{} would change nothing: {}, {en}", rule.title.en, item.en),
        format!("“{}”不会有任何变化：{} {zh}", rule.title.zh, item.zh),
    )
}

pub(super) fn no_repair_for(check: &CheckResult) -> Text {
    match &check.note {
        Some(note) => Text::new(
            format!("{} failed: {}", check.title.en, note.en),
            format!("“{}”未通过：{}", check.title.zh, note.zh),
        ),
        None => Text::new(
            format!(
                "{} is {}, expected {}, and the pack has no repair for it",
                check.title.en,
                plain(&check.actual),
                plain(&check.expected)
            ),
            format!(
                "“{}”为 {}，应为 {}，数据包没有对应的修复",
                check.title.zh,
                plain(&check.actual),
                plain(&check.expected)
            ),
        ),
    }
}
