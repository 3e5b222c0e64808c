//! What a model is asked: messages, the shape of the answer, and how much of it.

use loopwright_core::json::{Digest, Json};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What chat templates add around a message, at most, in tokens.
const AROUND_A_MESSAGE: u64 = 16;
/// What chat templates add around a conversation, at most, in tokens.
const AROUND_ALL: u64 = 64;

/// One question to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The prompt that the messages were made from.
    pub prompt: PromptReference,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// The shape of the answer; nothing for free text.
    pub schema: Option<AnswerSchema>,
    /// The most tokens that the answer may have.
    pub max_tokens: u64,
    /// The sampling temperature; nothing for the model's own.
    pub temperature: Option<f64>,
    /// The sampling seed; nothing for the model's own.
    pub seed: Option<u64>,
}

/// Which version of which prompt a request was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptReference {
    /// The prompt's name.
    pub name: String,
    /// SHA-256 of its text; this is its version.
    pub sha256: Digest,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// The text.
    pub content: String,
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Whoever instructs the model.
    System,
    /// Whoever asks it.
    User,
    /// The model itself, earlier.
    Assistant,
}

/// The shape that an answer must have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerSchema {
    /// A name for it: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON Schema (2020-12) of one object.
    pub schema: Json,
}

impl Request {
    /// SHA-256 of everything in the request; the same question always has the same one.
    pub fn digest(&self) -> Digest {
        Json::new(json!({
            "prompt": self.prompt, "messages": self.messages, "schema": self.schema, "max_tokens": self.max_tokens,
            "temperature": self.temperature, "seed": self.seed,
        }))
        .digest()
    }

    /// The most tokens that the request can have, schema included, under any tokenizer that works on bytes.
    ///
    /// A token stands for one byte at least, so this never estimates downward; for English it is about four times too
    /// much.
    pub fn most_prompt_tokens(&self) -> u64 {
        let messages = self.messages.iter().map(|message| message.content.len() as u64 + AROUND_A_MESSAGE);
        let schema = self.schema.as_ref().map_or(0, |schema| schema.schema.value().to_string().len() as u64);
        messages.sum::<u64>() + schema + AROUND_ALL
    }

    /// The most tokens that the whole call can have.
    pub fn most_tokens(&self) -> u64 {
        self.most_prompt_tokens().saturating_add(self.max_tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(content: &str) -> Request {
        Request {
            prompt: PromptReference { name: "p".to_owned(), sha256: Digest::of(b"p") },
            messages: vec![Message { role: Role::User, content: content.to_owned() }],
            schema: None,
            max_tokens: 100,
            temperature: Some(0.0),
            seed: Some(7),
        }
    }

    #[test]
    fn the_same_question_has_the_same_digest_and_another_one_has_not() {
        assert_eq!(request("a").digest(), request("a").digest());
        assert_ne!(request("a").digest(), request("b").digest());
        assert_ne!(request("a").digest(), Request { seed: Some(8), ..request("a") }.digest());
    }

    #[test]
    fn tokens_are_never_estimated_below_one_a_byte() {
        let text = "加密 spiral";
        assert!(request(text).most_prompt_tokens() >= text.len() as u64);
        assert_eq!(request(text).most_tokens(), request(text).most_prompt_tokens() + 100);
    }
}
