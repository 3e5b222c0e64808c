//! What every model does, whatever stands behind it.

use std::time::Duration;

use loopwright_core::json::{Digest, Json};
use loopwright_runtime::perform::Interrupt;
use serde_json::json;

use crate::{AnswerSchema, Finish, Limits, Message, Model, ModelError, PromptReference, Request, Role};

/// A question that models under test are asked.
pub fn request(prompt: &str) -> Request {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["word"],
        "properties": {"word": {"type": "string"}},
    });
    Request {
        prompt: PromptReference { name: prompt.to_owned(), sha256: Digest::of(prompt.as_bytes()) },
        messages: vec![
            Message { role: Role::System, content: "Be brief.".to_owned() },
            Message { role: Role::User, content: "Say a word.".to_owned() },
        ],
        schema: Some(AnswerSchema { name: "word".to_owned(), schema: Json::new(schema) }),
        max_tokens: 50,
        temperature: Some(0.0),
        seed: Some(7),
    }
}

/// Asks a model that answers [`request`]`("good")` with `{"word":"yes"}`, and `request("bad")` with an error that is
/// worth retrying.
pub fn passes(model: &dyn Model) {
    let interrupt = Interrupt::default();
    let limits = Limits { time: Duration::from_secs(20), interrupt: &interrupt };
    let who = model.identity().clone();
    assert!(!who.provider.is_empty() && !who.model.is_empty());
    let answer = model.ask(&request("good"), limits).expect("an answer");
    assert_eq!((answer.text.as_str(), &answer.finish), ("{\"word\":\"yes\"}", &Finish::Stop));
    let error = model.ask(&request("bad"), limits).expect_err("an error");
    assert!(error.is_worth_retrying(), "{error}");
    interrupt.raise();
    assert_eq!(model.ask(&request("good"), limits), Err(ModelError::Interrupted));
    assert_eq!(model.identity(), &who, "who answers does not change");
}
