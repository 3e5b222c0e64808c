//! Why a statement gives no change: it is refused, needs an answer, or is not understood.

use loopwright_configs::{Path, Range, Text};
use serde_json::Value;

use crate::combine::value_label;
use crate::document::Document;

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionCode {
    /// The requirement is empty.
    Empty,
    /// Nothing in it can be related to the document.
    Unrelated,
    /// Too vague: no field, no direction.
    Vague,
    /// At least one clause was not understood.
    NotUnderstood,
    /// It is open which element is meant.
    WhichElement,
    /// Two clauses cannot both hold.
    Contradiction,
    /// A field without direction or value.
    MissingValue,
    /// A looser limit without a word that permits it.
    Loosening,
    /// The change would change nothing.
    NoEffect,
    /// A number could be in two units, or be meant for two fields.
    Ambiguous,
}

/// Why a requirement is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockCode {
    /// A value that the contract doesn't allow.
    OutOfRange,
    /// A field that sentences may not change.
    OutsideScope,
    /// An element that doesn't exist.
    UnknownElement,
    /// A value that a choice doesn't have.
    UnsupportedValue,
    /// Elements would be added, removed, renamed or moved.
    Structure,
    /// A request for a program.
    Code,
}

/// What is refused.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) field: Option<String>,
    pub(crate) asked: Option<Value>,
    pub(crate) allowed: Option<String>,
    pub(crate) reason: Text,
    pub(crate) code: BlockCode,
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self::Blocked(Box::new(refusal))
    }
}

/// Why a statement gives no change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    Blocked(Box<Refusal>),
    Ask { question: Text, code: QuestionCode },
    NotUnderstood(Text),
}

fn same(text: impl Into<String>) -> Text {
    Text::same(text)
}

impl Trouble {
    fn ask(code: QuestionCode, text: &Text, values: &[(&str, Text)]) -> Self {
        Self::Ask { question: text.fill(values), code }
    }

    /// Which element? With all there are and what they are now.
    pub(crate) fn which_element(document: &Document) -> Self {
        let text = Text::new("which {word}: {choices}?", "指哪个{word}：{choices}？");
        let choices = choices(document);
        Self::ask(
            QuestionCode::WhichElement,
            &text,
            &[("word", document.vocabulary.element.word.clone()), ("choices", choices)],
        )
    }

    pub(crate) fn contradiction(field: &Text) -> Self {
        let text = Text::new(
            "the requirement asks for different things of {field}; which one counts?",
            "对{field}的要求互相矛盾，以哪个为准？",
        );
        Self::ask(QuestionCode::Contradiction, &text, &[("field", field.clone())])
    }

    /// Two clauses that cannot both hold, as they were said.
    pub(crate) fn contradicting(field: &Text, clauses: &[String]) -> Self {
        let text = Text::new(
            "{clauses}: these ask for different things of {field}; which one counts?",
            "{clauses}：对{field}的要求互相矛盾，以哪个为准？",
        );
        let list = clauses.iter().take(3).map(|clause| format!("\u{201c}{clause}\u{201d}")).collect::<Vec<_>>();
        Self::ask(
            QuestionCode::Contradiction,
            &text,
            &[("clauses", Text::new(list.join(", "), list.join("、"))), ("field", field.clone())],
        )
    }

    pub(crate) fn missing_value(field: &Text) -> Self {
        let text = Text::new("should {field} go up or down, and by how much?", "{field}要调高还是调低，调多少？");
        Self::ask(QuestionCode::MissingValue, &text, &[("field", field.clone())])
    }

    pub(crate) fn missing_limit(field: &Text) -> Self {
        let text = Text::new("which limit for {field}? give a number", "{field}的限制是多少？请给出数值");
        Self::ask(QuestionCode::MissingValue, &text, &[("field", field.clone())])
    }

    pub(crate) fn vague() -> Self {
        let text = Text::new(
            "what should change? name a figure and a direction or a value",
            "要改什么？请说出哪一项，以及方向或数值",
        );
        Self::ask(QuestionCode::Vague, &text, &[])
    }

    pub(crate) fn loosening(field: &Text, now: &str, asked: &str) -> Self {
        let text = Text::new(
            "{field}: {asked} is looser than the present limit of {now}; if that is meant, say \u{201c}relax\u{201d} or \u{201c}allow\u{201d}",
            "{field}：{asked} 比现在的限制 {now} 更宽松；确实要放宽的话，请写明“放宽”或“允许”",
        );
        let values = [("field", field.clone()), ("now", same(now)), ("asked", same(asked))];
        Self::ask(QuestionCode::Loosening, &text, &values)
    }

    pub(crate) fn no_effect(field: &Text, value: &str) -> Self {
        let text = Text::new(
            "{field} would stay at {value}; which value should it have?",
            "{field}仍会是 {value}；要改成多少？",
        );
        Self::ask(QuestionCode::NoEffect, &text, &[("field", field.clone()), ("value", same(value))])
    }

    pub(crate) fn unit(field: &Text, value: f64, base: &Text, other: &Text) -> Self {
        let text =
            Text::new("{field}: {value} {base} or {value} {other}?", "{field}：{value} {base}还是 {value} {other}？");
        let values = [
            ("field", field.clone()),
            ("value", same(value.to_string())),
            ("base", base.clone()),
            ("other", other.clone()),
        ];
        Self::ask(QuestionCode::Ambiguous, &text, &values)
    }

    pub(crate) fn by_or_to(field: &Text, value: f64) -> Self {
        let text =
            Text::new("should {field} move by {value} or to {value}?", "{field}是变动 {value}，还是改到 {value}？");
        let values = [("field", field.clone()), ("value", same(value.to_string()))];
        Self::ask(QuestionCode::Ambiguous, &text, &values)
    }

    pub(crate) fn two_values(field: &Text, now: &str) -> Self {
        let text =
            Text::new("{field} is {now} now; which one value should it have?", "{field}现在是 {now}；要改成哪一个值？");
        Self::ask(QuestionCode::Ambiguous, &text, &[("field", field.clone()), ("now", same(now))])
    }

    pub(crate) fn limit_or_field(limit: &Text, field: &Text) -> Self {
        let text = Text::new("is this meant for {field} or for {limit}?", "指的是{field}还是{limit}？");
        Self::ask(QuestionCode::Ambiguous, &text, &[("field", field.clone()), ("limit", limit.clone())])
    }

    /// `path` has `asked`, which is outside `range`.
    pub(crate) fn out_of_range(field: &Text, path: String, asked: &Value, range: &Range) -> Self {
        Self::not_allowed(field, path, asked, range.to_string())
    }

    pub(crate) fn not_allowed(field: &Text, path: String, asked: &Value, allowed: String) -> Self {
        let asked = plain(asked);
        let text = Text::new(
            "{field} cannot be {asked}: allowed is {allowed} ({path})",
            "{field}不能是 {asked}，允许范围：{allowed}（{path}）",
        );
        let reason = text.fill(&[
            ("field", field.clone()),
            ("asked", same(shown(&asked))),
            ("allowed", spoken(&allowed)),
            ("path", same(path.clone())),
        ]);
        Refusal { field: Some(path), asked: Some(asked), allowed: Some(allowed), reason, code: BlockCode::OutOfRange }
            .into()
    }

    /// A direction leads beyond the end of the range that the value is at.
    pub(crate) fn at_the_end(field: &Text, path: String, now: &Value, range: &Range) -> Self {
        let text = Text::new(
            "{field} is {now} already, the end of what is allowed: {allowed} ({path})",
            "{field}已经是 {now}，到了允许范围的端点：{allowed}（{path}）",
        );
        let (now, allowed) = (plain(now), range.to_string());
        let reason = text.fill(&[
            ("field", field.clone()),
            ("now", same(shown(&now))),
            ("allowed", spoken(&allowed)),
            ("path", same(path.clone())),
        ]);
        Refusal { field: Some(path), asked: None, allowed: Some(allowed), reason, code: BlockCode::OutOfRange }.into()
    }

    pub(crate) fn outside(field: &Text, path: String, asked: Option<&Value>, scope: &[Path]) -> Self {
        let scope = scope.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let text = Text::new(
            "{field} ({path}) cannot be changed by a requirement, only {scope}",
            "{field}（{path}）不能通过需求修改；可改的是 {scope}",
        );
        let reason =
            text.fill(&[("field", field.clone()), ("path", same(path.clone())), ("scope", same(scope.clone()))]);
        let asked = asked.map(plain);
        Refusal { field: Some(path), asked, allowed: Some(scope), reason, code: BlockCode::OutsideScope }.into()
    }

    pub(crate) fn unknown_element(document: &Document, path: String) -> Self {
        let text = Text::new("there is no {id}; there are {choices}", "没有 {id}；现有 {choices}");
        let id = path.split_once('[').map_or(path.as_str(), |(_, rest)| rest.trim_end_matches(']'));
        let reason = text.fill(&[("id", same(id)), ("choices", choices(document))]);
        let allowed = document.elements.iter().map(Document::id).collect::<Vec<_>>().join(" | ");
        Refusal { field: Some(path), asked: None, allowed: Some(allowed), reason, code: BlockCode::UnknownElement }
            .into()
    }

    pub(crate) fn structure(document: &Document) -> Self {
        let element = &document.vocabulary.element;
        let text = Text::new(
            "no {word} can be added, removed, renamed or moved; there are {choices}",
            "不能新增、删除、改名或调换{word}；现有 {choices}",
        );
        let reason = text.fill(&[("word", element.word.clone()), ("choices", choices(document))]);
        let allowed = document.elements.iter().map(Document::id).collect::<Vec<_>>().join(" | ");
        Refusal {
            field: Some(element.collection.clone()),
            asked: None,
            allowed: Some(allowed),
            reason,
            code: BlockCode::Structure,
        }
        .into()
    }

    pub(crate) fn unsupported(document: &Document, name: &str, element: Option<&Path>, asked: &str) -> Self {
        let label = document.vocabulary.label(name);
        let field = document.vocabulary.field(name);
        let path =
            field.and_then(|field| Document::place(field, element)).map_or_else(String::new, |path| path.to_string());
        let values: Vec<String> = field.map(|field| field.choices.keys().cloned().collect()).unwrap_or_default();
        let allowed = values.join(" | ");
        let text = Text::new(
            "{field} \u{201c}{asked}\u{201d} is not supported: allowed is {allowed}",
            "不支持{field}“{asked}”，可选：{allowed}",
        );
        let names: Vec<&Text> = field.map(|field| field.choices.values().collect()).unwrap_or_default();
        let list = |lang: fn(&Text) -> &str, between: &str| {
            names.iter().map(|name| lang(name)).collect::<Vec<_>>().join(between)
        };
        let names = Text::new(list(|name| &name.en, ", "), list(|name| &name.zh, "、"));
        let reason = text.fill(&[("field", label), ("asked", same(asked)), ("allowed", names)]);
        let asked = Some(Value::from(asked));
        Refusal { field: Some(path), asked, allowed: Some(allowed), reason, code: BlockCode::UnsupportedValue }.into()
    }

    pub(crate) fn code() -> Self {
        let reason =
            Text::new("a requirement can change figures, not ask for code", "需求只能修改数值，不能要求编写代码");
        Refusal { field: None, asked: None, allowed: None, reason, code: BlockCode::Code }.into()
    }
}

/// Every element with what its selector says now: "`part_1` (square), …".
pub(crate) fn choices(document: &Document) -> Text {
    let selector = document.vocabulary.element.selector.as_deref().and_then(|id| document.vocabulary.field(id));
    let shown: Vec<Text> = document
        .elements
        .iter()
        .map(|element| {
            let id = Document::id(element);
            let value = selector.and_then(|field| Some((field, document.value_in(document.value, field, element)?)));
            match value.map(|(field, value)| value_label(field, &value)) {
                Some(value) => Text::new(format!("{id} ({})", value.en), format!("{id}（{}）", value.zh)),
                None => same(id),
            }
        })
        .collect();
    let list = |lang: fn(&Text) -> &str, between: &str| shown.iter().map(lang).collect::<Vec<_>>().join(between);
    Text::new(list(|text| &text.en, ", "), list(|text| &text.zh, "、"))
}

/// A range as people say it; the answer's own field keeps the short form.
fn spoken(range: &str) -> Text {
    if let Some((low, high)) = range.split_once("..=").filter(|(low, _)| !low.starts_with('>')) {
        return Text::new(format!("{low} to {high}"), format!("{low} 到 {high}"));
    }
    match range.strip_prefix("<=") {
        Some(most) => Text::new(format!("at most {most}"), format!("至多 {most}")),
        None => same(range),
    }
}

/// Whole numbers without a fraction.
pub(crate) fn plain(value: &Value) -> Value {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e15 =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 1e15")]
            Value::from(number as i64)
        }
        _ => value.clone(),
    }
}

/// A value as people read it.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.chars().take(80).collect(),
        other => plain(other).to_string().chars().take(80).collect(),
    }
}
