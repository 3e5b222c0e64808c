//! Sentences about broken schema keywords, in English and Chinese.

use jsonschema::error::ValidationErrorKind as Broken;
use serde_json::Value;

use crate::text::{Text, plain};

pub(super) fn required(name: &str) -> Text {
    Text::new(format!("the field `{name}` is required and missing"), format!("缺少必填字段 `{name}`"))
}

pub(super) fn unknown(name: &str, known: &[String]) -> Text {
    if known.is_empty() {
        return Text::new(format!("`{name}` is not a field of this contract"), format!("`{name}` 不是契约中的字段"));
    }
    let list = known.join(", ");
    Text::new(
        format!("`{name}` is not a field of this contract; the fields here are {list}"),
        format!("`{name}` 不是契约中的字段；此处的字段有 {list}"),
    )
}

/// What is wrong with a value that is there. `allowed` is what a report shows as the limit; `reason` says what made a
/// conditional rule apply.
pub(super) fn of(kind: &Broken, actual: &Value, allowed: Option<&Value>, reason: Option<&str>) -> Text {
    let value = plain(actual);
    let limit = allowed.map(list).unwrap_or_default();
    let text = match kind {
        Broken::Minimum { .. }
        | Broken::Maximum { .. }
        | Broken::ExclusiveMinimum { .. }
        | Broken::ExclusiveMaximum { .. } => {
            Text::new(format!("{value} is outside {limit}"), format!("{value} 超出允许范围 {limit}"))
        }
        Broken::Type { .. } => Text::new(
            format!("{value} is {}, but {limit} is expected", kind_of(actual).en),
            format!("{value} 是{}，应为 {limit}", kind_of(actual).zh),
        ),
        Broken::Enum { .. } => {
            Text::new(format!("{value} is none of {limit}"), format!("{value} 不在可选值 {limit} 之中"))
        }
        Broken::Constant { .. } => Text::new(format!("{value} must be {limit}"), format!("{value} 必须为 {limit}")),
        Broken::MinItems { .. } | Broken::MaxItems { .. } => {
            let count = actual.as_array().map_or(0, Vec::len);
            Text::new(
                format!("there are {count} items, but {limit} are allowed"),
                format!("共有 {count} 项，应为 {limit} 项"),
            )
        }
        Broken::MinLength { .. } | Broken::MaxLength { .. } => {
            let count = actual.as_str().map_or(0, |text| text.chars().count());
            Text::new(
                format!("the text has {count} characters, but {limit} are allowed"),
                format!("文本有 {count} 个字符，应为 {limit} 个"),
            )
        }
        Broken::Pattern { .. } => Text::new(
            format!("the text {value:?} does not have the form {limit}"),
            format!("文本 {value:?} 不符合格式 {limit}"),
        ),
        Broken::MultipleOf { .. } => {
            Text::new(format!("{value} is not a multiple of {limit}"), format!("{value} 不是 {limit} 的倍数"))
        }
        Broken::UniqueItems => Text::new("an item stands twice", "存在重复项"),
        Broken::FalseSchema => Text::new("nothing may stand here", "此处不允许有值"),
        other => Text::new(
            format!("{value} breaks the rule `{}`", other.keyword()),
            format!("{value} 违反规则 `{}`", other.keyword()),
        ),
    };
    match reason {
        None => text,
        Some(reason) => Text::new(format!("{} where {reason}", text.en), format!("{}（当 {reason} 时）", text.zh)),
    }
}

/// A limit for people: lists as `a, b, c`, everything else as it is.
fn list(limit: &Value) -> String {
    match limit {
        Value::Array(choices) => choices.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => plain(other),
    }
}

fn kind_of(value: &Value) -> Text {
    match value {
        Value::Null => Text::new("null", "空值"),
        Value::Bool(_) => Text::new("a boolean", "布尔值"),
        Value::Number(_) => Text::new("a number", "数字"),
        Value::String(_) => Text::new("text", "文本"),
        Value::Array(_) => Text::new("an array", "数组"),
        Value::Object(_) => Text::new("an object", "对象"),
    }
}
