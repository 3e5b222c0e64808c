//! Values as people read them.

use loopwright_configs::text::plain;
use loopwright_configs::{Lang, Text};
use serde_json::Value;

/// A value, or a dash where there is none; numbers keep at most four decimals.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Number(number) if number.is_f64() => {
            let rounded = format!("{:.4}", number.as_f64().unwrap_or_default());
            rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        other => super::harmless(&plain(other)),
    }
}

/// A value with its unit.
pub(crate) fn amount(of: &Value, unit: Option<&Text>, lang: Lang) -> String {
    match unit {
        Some(unit) if !of.is_null() => format!("{} {}", value(of), unit.get(lang)),
        _ => value(of),
    }
}

/// A limit as it is shown in a table: `<= 350` becomes `≤ 350`.
pub(crate) fn limit(of: &Value) -> String {
    value(of).replace("<=", "≤").replace(">=", "≥")
}

/// A value, with yes and no in words.
pub(crate) fn yes_or_no(of: &Value, lang: Lang) -> String {
    match of {
        Value::Bool(true) => super::tr(lang, "yes", "是").to_owned(),
        Value::Bool(false) => super::tr(lang, "no", "否").to_owned(),
        other => value(other),
    }
}
