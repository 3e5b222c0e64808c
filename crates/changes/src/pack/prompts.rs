//! The prompts of a pack: what models are told, as data of the pack, versioned by the digest of its text.
//!
//! A prompt is a template. It is filled with text alone, and a name that nobody fills is a fault of the pack.

use std::collections::BTreeMap;

use loopwright_core::json::{Digest, Json};
use minijinja::{Environment, UndefinedBehavior};
use serde::Deserialize;
use serde_json::json;

/// What the requirement agent's prompt is filled with.
pub(super) const REQUIREMENT_VALUES: [&str; 5] = ["requirement", "baseline", "places", "limits", "items"];
/// What the quality reviewer's prompt is filled with.
pub(super) const REVIEW_VALUES: [&str; 7] =
    ["requirement", "goal", "diff", "checks", "repair_history", "repair_actions", "evidence"];
/// What the last part of both is filled with, where an answer could not be used.
const AGAIN_VALUE: &str = "error";

/// What a prompt is filled with, by name.
pub type Values = BTreeMap<&'static str, String>;

/// The prompts of a pack.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompts {
    /// Turns a requirement into a structured goal and a candidate.
    pub requirement_agent: Prompt,
    /// Reviews the run of a candidate.
    pub quality_reviewer: Prompt,
}

/// One prompt.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// The most tokens of an answer.
    pub answer_tokens: u64,
    /// The most tokens of a request, schema included; a longer one is not sent.
    pub prompt_tokens: u64,
    /// Who the model is and what it may do.
    pub system: String,
    /// The question.
    pub user: String,
    /// What is added to the question after an answer that could not be used.
    pub again: String,
}

/// A prompt that is filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Who the model is and what it may do.
    pub system: String,
    /// The question, and what was wrong with the last answer.
    pub user: String,
}

/// A prompt that cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the template `{part}` cannot be filled: {message}")]
pub struct PromptError {
    /// Which part of it.
    pub part: &'static str,
    /// Why.
    pub message: String,
}

impl Prompt {
    /// The prompt's version: SHA-256 over its texts.
    pub fn sha256(&self) -> Digest {
        Json::new(json!({"system": self.system, "user": self.user, "again": self.again})).digest()
    }

    /// Fills the templates. `error` is what was wrong with the last answer, where it could not be used.
    pub fn fill(&self, values: &Values, error: Option<&str>) -> Result<Filled, PromptError> {
        let mut user = fill("user", &self.user, values)?;
        if let Some(error) = error {
            user.push_str("\n\n");
            user.push_str(&fill("again", &self.again, &[(AGAIN_VALUE, error.to_owned())].into())?);
        }
        Ok(Filled { system: fill("system", &self.system, values)?, user })
    }

    /// What is wrong with the prompt: every template is filled once with nothing but names.
    pub(super) fn faults(&self, names: &[&'static str]) -> Vec<String> {
        let values = names.iter().map(|name| (*name, String::new())).collect();
        let mut faults: Vec<_> = self.fill(&values, Some("")).err().iter().map(ToString::to_string).collect();
        for (field, tokens) in [("answer_tokens", self.answer_tokens), ("prompt_tokens", self.prompt_tokens)] {
            if tokens == 0 {
                faults.push(format!("`{field}` has to be at least 1"));
            }
        }
        faults
    }
}

fn fill(part: &'static str, template: &str, values: &Values) -> Result<String, PromptError> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.render_str(template, values.clone()).map_err(|error| PromptError { part, message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(user: &str) -> Prompt {
        Prompt {
            answer_tokens: 10,
            prompt_tokens: 100,
            system: "Be brief.".to_owned(),
            user: user.to_owned(),
            again: "No: {{ error }}".to_owned(),
        }
    }

    fn what(text: &str) -> Values {
        [("what", text.to_owned())].into()
    }

    #[test]
    fn values_go_in_as_they_are() {
        let filled = prompt("Do {{ what }}").fill(&what("{{ x }} <b> \"你\""), None).unwrap();
        assert_eq!(filled.user, "Do {{ x }} <b> \"你\"");
        let again = prompt("Do {{ what }}").fill(&what("it"), Some("two objects")).unwrap();
        assert_eq!(again.user, "Do it\n\nNo: two objects");
    }

    #[test]
    fn a_name_that_nobody_fills_is_a_fault() {
        assert_eq!(prompt("Do {{ what }}").faults(&["what"]), Vec::<String>::new());
        assert_eq!(prompt("Do {{ that }}").faults(&["what"]).len(), 1);
        assert_eq!(prompt("Do {{ what ").faults(&["what"]).len(), 1);
        assert_eq!(Prompt { answer_tokens: 0, ..prompt("Do") }.faults(&[]).len(), 1);
    }

    #[test]
    fn another_text_is_another_version() {
        assert_eq!(prompt("a").sha256(), prompt("a").sha256());
        assert_ne!(prompt("a").sha256(), prompt("b").sha256());
        assert_eq!(prompt("a").sha256(), Prompt { answer_tokens: 20, ..prompt("a") }.sha256());
    }
}
