//! What a request holds, in the form that the server at hand takes.

use serde_json::{Value, json};

use super::memory::{Quirks, TokenField};
use super::shape::relaxed;
use crate::request::{Request, Role};
use crate::settings::Structured;

/// The body of a request.
pub(super) fn of(request: &Request, model: &str, quirks: Quirks) -> Value {
    let mut messages: Vec<Value> =
        request.messages.iter().map(|message| json!({"role": message.role, "content": message.content})).collect();
    let told = request.schema.as_ref().filter(|_| quirks.structured != Structured::JsonSchema);
    if let Some(schema) = told {
        let words = format!(
            "\n\nAnswer with exactly one JSON object that follows this JSON Schema, and nothing around it:\n{}",
            schema.schema
        );
        let asked = messages.iter_mut().rev().find(|message| message["role"] == json!(Role::User));
        match asked.and_then(|message| message.get_mut("content")) {
            Some(Value::String(content)) => content.push_str(&words),
            _ => messages.push(json!({"role": Role::User, "content": words.trim_start()})),
        }
    }
    let mut body = json!({"model": model, "messages": messages, "stream": false});
    let field = match quirks.tokens {
        TokenField::MaxTokens => "max_tokens",
        TokenField::MaxCompletionTokens => "max_completion_tokens",
    };
    body[field] = json!(request.max_tokens);
    if let Some(temperature) = request.temperature.filter(|_| quirks.temperature) {
        body["temperature"] = json!(temperature);
    }
    if let Some(seed) = request.seed.filter(|_| quirks.seed) {
        body["seed"] = json!(seed);
    }
    if let Some(schema) = &request.schema {
        match quirks.structured {
            Structured::JsonSchema => {
                // Not `strict`: that mode of OpenAI's refuses most schemas, and the answer is checked here anyway.
                let shape = json!({"name": schema.name, "schema": relaxed(schema.schema.value())});
                body["response_format"] = json!({"type": "json_schema", "json_schema": shape});
            }
            Structured::JsonObject => body["response_format"] = json!({"type": "json_object"}),
            Structured::Prompt => {}
        }
    }
    body
}
