//! The pack's own reader of requirements: a grammar over its phrases, no model.

use std::sync::Arc;

use loopwright_configs::{Path, Text};
use loopwright_intake::{Answer as Given, Intake, MOST_CHARACTERS, Vocabulary, VocabularyError};
use serde_json::{Value, json};

use super::reading::{Answer, Blocked, Clause, Reading, RequirementReader};
use crate::goal::{Goal, Proposer};
use crate::pack::Pack;

/// The file of a pack that says what can be asked for.
const VOCABULARY: &str = "vocabulary.toml";
/// What the names of its phrase files begin with.
const PHRASES: &str = "phrases.";

/// Reads requirements by a pack's phrases.
#[derive(Debug, Clone)]
pub struct Rules {
    intake: Option<Intake>,
    limits: Vec<Path>,
}

/// The most characters a requirement may have.
pub const LONGEST_REQUIREMENT: usize = MOST_CHARACTERS;

impl Rules {
    /// The rules of a pack; a pack without a vocabulary understands no sentence.
    pub fn of(pack: &Pack) -> Result<Self, VocabularyError> {
        let files = pack.files();
        let limits = pack.manifest().limits.iter().map(|limit| limit.path.clone()).collect();
        let Some(vocabulary) = files.text(VOCABULARY) else { return Ok(Self { intake: None, limits }) };
        let names = files.names().filter(|name| name.starts_with(PHRASES));
        let phrases: Vec<_> = names.filter_map(|name| Some((name, files.text(name)?))).collect();
        let vocabulary = Vocabulary::read((VOCABULARY, vocabulary), &phrases)?;
        let scope = pack.manifest().scopes.of(Proposer::Intake).to_vec();
        let intake = Intake::new(vocabulary, pack.layout().clone(), Arc::clone(pack.schema()), scope);
        Ok(Self { intake: Some(intake), limits })
    }
}

impl RequirementReader for Rules {
    fn read(&self, requirement: &str, baseline: &Value) -> Reading {
        let Some(intake) = &self.intake else {
            return unread(Text::new(
                "this pack understands no sentences; bring a candidate with --candidate or --set",
                "此数据包不支持自然语言需求；请用 --candidate 或 --set 给出候选配置",
            ));
        };
        match intake.read(requirement, baseline) {
            Ok(read) => reading(read, &self.limits),
            Err(error) => {
                unread(Text::new(error.to_string(), format!("需求过长，最多读取 {LONGEST_REQUIREMENT} 个字符，请精简")))
            }
        }
    }
}

/// A requirement that was not read at all.
fn unread(question: Text) -> Reading {
    Reading {
        answer: Answer::NeedsClarification { question },
        structured_goal: json!(null),
        goal: Goal::default(),
        understood: Vec::new(),
        not_understood: Vec::new(),
        notes: Vec::new(),
    }
}

/// The intake's reading in the words of this workflow.
fn reading(read: loopwright_intake::Reading, limits: &[Path]) -> Reading {
    let answer = match read.answer {
        Given::Accepted { candidate } => Answer::Accepted { candidate },
        Given::NeedsClarification { question, .. } => Answer::NeedsClarification { question },
        Given::Blocked { field, asked, allowed, reason, .. } => {
            Answer::Blocked { blocked: Blocked { field, asked, allowed: allowed.map(Value::from), reason } }
        }
    };
    let goal = Goal {
        intents: read.goal.intents.clone(),
        named: read.goal.named.clone(),
        // A requirement names a limit once; the config may keep it in several places.
        loosened: limits
            .iter()
            .filter(|path| read.goal.loosened.iter().any(|name| path.last_field() == Some(name)))
            .cloned()
            .collect(),
    };
    let understood = read.understood.into_iter().map(|clause| Clause {
        clause: clause.clause,
        meaning: clause.meaning,
        loosened: clause.loosened,
    });
    let not_understood = read.not_understood.into_iter().map(|clause| Clause {
        clause: clause.clause,
        meaning: clause.why,
        loosened: false,
    });
    Reading {
        answer,
        structured_goal: read.goal.to_json(),
        goal,
        understood: understood.collect(),
        not_understood: not_understood.collect(),
        notes: read.notes,
    }
}
