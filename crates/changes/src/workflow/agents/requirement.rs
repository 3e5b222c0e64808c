//! The requirement agent: a requirement and a baseline in, a structured goal and a candidate out.
//!
//! What the sentence says in words is not for the model to claim. Whether it asks for what may not be, whether it loosens a
//! limit, and what it asks where the pack's rules understand all of it, is read by the rules.

use loopwright_configs::text::plain;
use loopwright_configs::{Expect, Intent, Text};
use loopwright_core::decision::Action;
use loopwright_core::machine::{Context, Planned};
use loopwright_runtime::perform::{Interrupt, Performed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::ask::Question;
use super::places;
use crate::goal::Goal;
use crate::pack::Pack;
use crate::workflow::brief::Names;
use crate::workflow::graph::READ_REQUIREMENT;
use crate::workflow::notes::{BadOutput, Note};
use crate::workflow::perform::{ChangePerformer, broken};
use crate::workflow::reading::{Answer, Clause, Reading};

/// The agent's name, which is its prompt's.
const AGENT: &str = "requirement_agent";
/// The longest question that is passed on, in characters.
const LONGEST_QUESTION: usize = 400;

/// How long a text of an answer may be where its schema names no end, in characters.
const LONGEST_TEXT: usize = 200;
/// How many entries a list of an answer may have where its schema names no end.
const MOST_ITEMS: usize = 32;

/// The agent's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposal {
    structured_goal: Value,
    candidate_config: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<String>,
}

/// The part of a structured goal that this workflow checks.
#[derive(Deserialize)]
struct Checked {
    #[serde(default)]
    intents: Vec<Intent>,
}

impl ChangePerformer<'_> {
    /// Asks the model for a proposal.
    pub(in crate::workflow) fn propose(
        &self,
        context: &Context,
        planned: &Planned,
        interrupt: &Interrupt,
    ) -> Performed {
        let Some(requirement) = &self.brief.requirement else {
            return broken("a run without a requirement has no intake");
        };
        // What may not be asked for is refused before anybody is asked for it.
        if matches!(self.reader.read(requirement, self.baseline).answer, Answer::Blocked { .. }) {
            return Self::decide_to_read();
        }
        let (Some(prompts), Some(goal_schema)) = (self.pack.prompts(), self.pack.goal_schema()) else {
            return broken("the pack has no prompts or no schema of a goal, so no model can be asked");
        };
        let question = Question {
            agent: AGENT,
            prompt: &prompts.requirement_agent,
            values: [
                ("requirement", requirement.clone()),
                ("baseline", format!("{:#}", self.baseline)),
                ("places", places::changeable(self.pack, self.baseline)),
                ("limits", places::limits(self.pack, self.baseline)),
                ("items", places::items(self.pack, self.baseline)),
            ]
            .into(),
            schema: schema(self.pack, goal_schema, longest_text(self.baseline).max(requirement.chars().count())),
        };
        let provider = self.provider();
        let note = Note::new(AGENT, &provider, 0, &["requirement", "baseline_config"], &[]);
        let reply = self.ask(&question, context, planned, interrupt);
        self.conclude(reply, note, decision, Self::decide_to_read)
    }

    /// What a proposal comes to beside the pack's own reading.
    pub(in crate::workflow) fn reading_of(&self, requirement: &str, action: &Action) -> Option<Reading> {
        let Proposal { mut structured_goal, candidate_config, question } =
            Proposal::deserialize(action.args.value()).ok()?;
        let own = self.reader.read(requirement, self.baseline);
        let Checked { intents } = Checked::deserialize(&structured_goal).ok()?;
        if let Some(source) = structured_goal.get_mut("source_text") {
            *source = requirement.into();
        }
        let question = question.filter(|question| !question.trim().is_empty());
        let answer = match question {
            Some(question) => Answer::NeedsClarification { question: Text::same(cut(&question)) },
            None => Answer::Accepted { candidate: candidate_config },
        };
        let goal = goal(self.pack, intents, &own);
        Some(Reading {
            answer,
            understood: clauses(&self.brief.names, &goal.intents),
            goal,
            notes: remarks(&own),
            structured_goal,
            not_understood: Vec::new(),
        })
    }
}

/// The schema of an answer: the pack's two schemas side by side, with an end to every text and list.
///
/// `longest` is what has to fit a text: the answer repeats the baseline's texts and the requirement.
fn schema(pack: &Pack, goal: &Value, longest: usize) -> Value {
    let longest = longest.max(LONGEST_TEXT);
    let part = |schema: &Value, name: &str| bounded(&inner(schema, name), longest);
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["structured_goal", "candidate_config"],
        "properties": {
            "structured_goal": part(goal, "structured_goal"),
            "candidate_config": part(pack.schema().source(), "candidate_config"),
            "question": {"type": "string", "maxLength": LONGEST_QUESTION},
        },
    })
}

/// The longest text of a config, in characters; what stands in the baseline has to fit an answer.
fn longest_text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(longest_text).max().unwrap_or_default(),
        Value::Object(fields) => fields.values().map(longest_text).max().unwrap_or_default(),
        _ => 0,
    }
}

/// The same schema with an end to every text and list that has none: a small model that loses its thread repeats itself
/// until it is stopped, and everything before that is lost.
fn bounded(schema: &Value, longest: usize) -> Value {
    match schema {
        Value::Object(fields) => {
            // What stands for itself is no schema.
            let plain = |keyword: &str| ["const", "enum", "default"].contains(&keyword);
            let of = |keyword: &str, value: &Value| {
                if plain(keyword) { value.clone() } else { self::bounded(value, longest) }
            };
            let mut bounded: Map<String, Value> =
                fields.iter().map(|(keyword, value)| (keyword.clone(), of(keyword, value))).collect();
            let is =
                |kind: &str| fields.get("type").is_some_and(|it| it == kind || it.get(0).is_some_and(|it| it == kind));
            if is("string") {
                bounded.entry("maxLength").or_insert_with(|| longest.into());
            }
            if is("array") {
                bounded.entry("maxItems").or_insert_with(|| MOST_ITEMS.into());
            }
            Value::Object(bounded)
        }
        Value::Array(items) => items.iter().map(|item| bounded(item, longest)).collect(),
        other => other.clone(),
    }
}

/// A whole schema as a part of another one: its references go on leading into itself.
fn inner(schema: &Value, name: &str) -> Value {
    let refers = schema.to_string().contains("\"$ref\"");
    let mut schema = schema.clone();
    if let Value::Object(fields) = &mut schema {
        fields.remove("$schema");
        fields.remove("$id");
        if refers {
            fields.insert("$id".to_owned(), format!("urn:loopwright:{name}").into());
        }
    }
    schema
}

/// An answer becomes the intake's one action.
fn decision(answer: &Value) -> Result<Value, BadOutput> {
    let wrong = |message: String| BadOutput { class: "wrong_type".to_owned(), message, raw: answer.to_string() };
    let proposal =
        Proposal::deserialize(answer).map_err(|error| wrong(format!("the answer cannot be read: {error}")))?;
    Checked::deserialize(&proposal.structured_goal)
        .map_err(|error| wrong(format!("structured_goal.intents cannot be read: {error}")))?;
    Ok(json!({"type": "act", "action": {"name": READ_REQUIREMENT, "args": proposal}}))
}

/// What is checked: what the model says was asked, and what the rules read where they understood the whole sentence.
///
/// Only words loosen a limit, so that part is the rules' alone.
fn goal(pack: &Pack, intents: Vec<Intent>, own: &Reading) -> Goal {
    let collection = &pack.manifest().target.collection;
    let item = |intent: &Intent| {
        intent.path.starts_with(collection).then(|| intent.path.first_key().map(ToString::to_string)).flatten()
    };
    let whole = is_whole(own);
    let mut goal =
        if whole { own.goal.clone() } else { Goal { loosened: own.goal.loosened.clone(), ..Goal::default() } };
    for intent in intents {
        let known = goal.intents.iter().any(|own| own.path == intent.path && own.expect == intent.expect);
        if !whole
            && intent.expect != Expect::Unchanged
            && let Some(id) = item(&intent)
            && !goal.named.contains(&id)
        {
            goal.named.push(id);
        }
        if !known {
            goal.intents.push(intent);
        }
    }
    goal
}

/// What is checked, clause by clause. How far a direction goes is the candidate's to say, and stands in the diff.
fn clauses(names: &Names, intents: &[Intent]) -> Vec<Clause> {
    let clause = |intent: &Intent| {
        let place = names.place(&intent.path);
        let meaning = |en: &str, zh: &str| Text::new(format!("{}: {en}", place.en), format!("{}：{zh}", place.zh));
        let meaning = match &intent.expect {
            Expect::Above => meaning("more than the baseline's", "大于基线"),
            Expect::Below => meaning("less than the baseline's", "小于基线"),
            Expect::Unchanged => meaning("as in the baseline", "与基线相同"),
            Expect::Equals(value) => meaning(&plain(value), &plain(value)),
        };
        Clause { clause: intent.clause.clone(), meaning, loosened: false }
    };
    intents.iter().map(clause).collect()
}

/// Whether the rules understood all of a sentence, so that their reading of it is held to.
fn is_whole(own: &Reading) -> bool {
    matches!(own.answer, Answer::Accepted { .. }) && own.not_understood.is_empty()
}

/// Where the pack's rules would have asked, whoever authorises the candidate is told so.
fn remarks(own: &Reading) -> Vec<Text> {
    match &own.answer {
        Answer::NeedsClarification { question } => vec![Text::new(
            format!("the candidate is a model's; the pack's rules would have asked: {}", question.en),
            format!("候选由模型提出；数据包规则本会先询问：{}", question.zh),
        )],
        Answer::Accepted { .. } | Answer::Blocked { .. } => Vec::new(),
    }
}

fn cut(question: &str) -> String {
    question.chars().filter(|sign| !sign.is_control()).take(LONGEST_QUESTION).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_and_list_of_an_answer_has_an_end() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"}, "short": {"type": "string", "maxLength": 5}, "kind": {"enum": ["a"]},
                "maybe": {"type": ["string", "null"]}, "list": {"type": "array", "items": {"type": "string"}},
            },
        });
        let bounded = bounded(&schema, 300);
        let at = |pointer: &str| bounded.pointer(pointer).cloned();
        assert_eq!(at("/properties/name/maxLength"), Some(json!(300)));
        assert_eq!(at("/properties/short/maxLength"), Some(json!(5)));
        assert_eq!(at("/properties/maybe/maxLength"), Some(json!(300)));
        assert_eq!(at("/properties/kind"), Some(json!({"enum": ["a"]})));
        assert_eq!(at("/properties/list/maxItems"), Some(json!(MOST_ITEMS)));
        assert_eq!(at("/properties/list/items/maxLength"), Some(json!(300)));
        assert_eq!(longest_text(&json!({"a": ["一二三", {"b": "xy"}]})), 3);
    }
}
