//! Text that people read, in every language the project speaks.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// A language people may be answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// The same sentence in English and Chinese.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Text {
    /// Both languages at once.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// The same text in both languages: names, ids and figures.
    pub fn same(text: impl Into<String>) -> Self {
        let en = text.into();
        Self { zh: en.clone(), en }
    }

    /// The text in one language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }

    /// Fills every `{name}` that is among `values`; other braces stay as they are, and values are never filled again.
    #[must_use]
    pub fn fill(&self, values: &[(&str, Text)]) -> Self {
        let find =
            |lang: Lang| move |name: &str| Some(values.iter().find(|(key, _)| *key == name)?.1.get(lang).to_owned());
        Self { en: fill(&self.en, find(Lang::En)), zh: fill(&self.zh, find(Lang::Zh)) }
    }
}

fn fill(template: &str, find: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        if let Some((value, tail)) = after.split_once('}').and_then(|(name, tail)| Some((find(name)?, tail))) {
            out.push_str(&value);
            rest = tail;
        } else {
            out.push('{');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A JSON value as people read it: text without quotes, whole numbers without a fraction, long values cut short.
pub fn plain(value: &serde_json::Value) -> String {
    const LONGEST: usize = 80;
    let whole = match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) => match number.as_f64() {
            // `Display` of a double is its shortest decimal form, and whole ones have no fraction.
            Some(double) if number.is_f64() => double.to_string(),
            _ => number.to_string(),
        },
        other => other.to_string(),
    };
    if whole.chars().count() <= LONGEST {
        return whole;
    }
    let mut cut: String = whole.chars().take(LONGEST).collect();
    // Writing to a string cannot fail.
    let _ = write!(cut, "…");
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn placeholders_are_filled_once_and_the_rest_stays() {
        let cases = [
            ("{a} and {b}", "1 and {a}"),
            ("{unknown} {a}", "{unknown} 1"),
            ("{a", "{a"),
            ("{{a}}", "{1}"),
            ("no braces }", "no braces }"),
        ];
        for (template, expected) in cases {
            let filled = Text::same(template).fill(&[("a", Text::same("1")), ("b", Text::same("{a}"))]);
            assert_eq!(filled.get(Lang::En), expected);
            assert_eq!(filled.get(Lang::Zh), expected);
        }
        let named = Text::new("the {noun}", "这个{noun}").fill(&[("noun", Text::new("item", "条目"))]);
        assert_eq!((named.en.as_str(), named.zh.as_str()), ("the item", "这个条目"));
    }

    #[test]
    fn values_read_plainly() {
        for (value, expected) in [
            (json!(36.0), "36"),
            (json!(2.6), "2.6"),
            (json!(16), "16"),
            (json!("旋灯"), "旋灯"),
            (json!(true), "true"),
            (json!([1, 2]), "[1,2]"),
        ] {
            assert_eq!(plain(&value), expected);
        }
        assert_eq!(plain(&json!("x".repeat(500))).chars().count(), 81);
    }
}
