//! What an answer holds. Servers leave fields out and add others; what an answer needs is a message, and nothing else is
//! relied on.

use std::time::Duration;

use serde_json::Value;

use crate::answer::{Answer, Finish, Usage};
use crate::error::ModelError;

/// More tokens than any call has; a larger number is a mistake of the server.
const MOST_TOKENS: u64 = 1_000_000_000;

/// Reads the body of an answer.
pub(super) fn answer(body: &Value, took: Duration) -> Result<Answer, ModelError> {
    let malformed = |message: &str| ModelError::Malformed { message: message.to_owned() };
    if !body.is_object() {
        return Err(malformed("the body is JSON but no object"));
    }
    let kind = body.get("object").and_then(Value::as_str).unwrap_or("chat.completion");
    if kind != "chat.completion" {
        return Err(malformed(&format!(
            "it is a {:?}, not a chat.completion",
            kind.chars().take(40).collect::<String>()
        )));
    }
    let choice = body.pointer("/choices/0").ok_or_else(|| malformed("it has no choices"))?;
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.ok_or_else(|| malformed("its first choice has no message"))?;
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|refusal| !refusal.is_empty());
    let text = text(message.get("content")).ok_or_else(|| malformed("its message's content is no text"))?;
    let finish = match (choice.get("finish_reason").and_then(Value::as_str), refusal) {
        (_, Some(_)) if text.is_empty() => Finish::Refused,
        (Some("content_filter"), _) => Finish::Refused,
        (Some("length" | "max_tokens"), _) => Finish::Length,
        (None | Some("stop" | "eos" | "end_turn"), _) => Finish::Stop,
        (Some(other), _) => Finish::Other(other.chars().take(40).collect()),
    };
    Ok(Answer {
        text: if text.is_empty() { refusal.unwrap_or_default().to_owned() } else { text },
        usage: body.get("usage").and_then(usage),
        finish,
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
        latency_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
    })
}

/// Text, text in parts, or none.
fn text(content: Option<&Value>) -> Option<String> {
    match content {
        None | Some(Value::Null) => Some(String::new()),
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Array(parts)) => {
            let part = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
            parts.iter().map(part).collect::<Option<Vec<_>>>().map(|parts| parts.concat())
        }
        Some(_) => None,
    }
}

/// What the server says it took; nonsense counts as nothing said.
fn usage(usage: &Value) -> Option<Usage> {
    let tokens = |name: &str| usage.get(name)?.as_u64().filter(|tokens| *tokens <= MOST_TOKENS);
    let (input_tokens, output_tokens) = (tokens("prompt_tokens")?, tokens("completion_tokens")?);
    // Some servers count hidden thoughts in the total alone; they are billed like the answer.
    let hidden = tokens("total_tokens").unwrap_or_default().saturating_sub(input_tokens + output_tokens);
    // A request without a single token was never counted.
    (input_tokens > 0).then_some(Usage { input_tokens, output_tokens: output_tokens + hidden })
}
