//! What a server's refusal means, by its status and its words.
//!
//! Servers agree on statuses and on nothing else, so words decide where a status has several meanings. The words are
//! those of the public documentation of the servers named in [`super`].

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::endpoint::Target;
use crate::error::ModelError;

const QUOTA: [&str; 6] =
    ["insufficient_quota", "exceeded your current quota", "insufficient balance", "billing", "余额不足", "欠费"];
const CONTEXT: [&str; 9] = [
    "context_length_exceeded",
    "maximum context length",
    "context length",
    "context window",
    "context size",
    "exceed_context_size",
    "too many tokens",
    "prompt is too long",
    "超过最大长度",
];
const CONTENT: [&str; 7] =
    ["content_filter", "content_policy", "content policy", "safety system", "data_inspection_failed", "敏感", "违规"];
const CREDENTIALS: [&str; 6] =
    ["invalid_api_key", "incorrect api key", "invalid api key", "authentication", "unauthorized", "permission_denied"];
const BUSY: [&str; 5] = ["rate_limit", "rate limit", "too many requests", "overloaded", "限流"];

/// The error behind a status that is no success.
pub(super) fn refusal(status: u16, body: &str, retry_after: Option<Duration>, target: &Target) -> ModelError {
    let value = serde_json::from_str::<Value>(body).ok();
    let told = value.as_ref().and_then(words);
    // What is no error object is a page of some server in between.
    let message =
        told.unwrap_or_else(|| if body.trim().is_empty() { "no reason is given".to_owned() } else { body.to_owned() });
    of(status, &message, retry_after, target)
}

/// The error inside an answer whose status is a success.
pub(super) fn hidden_refusal(body: &str, retry_after: Option<Duration>, target: &Target) -> Result<(), ModelError> {
    let Ok(value) = serde_json::from_str::<Value>(body) else { return Ok(()) };
    let error = value.get("error").filter(|error| !error.is_null());
    let Some(error) = error.filter(|_| value.get("choices").is_none_or(Value::is_null)) else { return Ok(()) };
    let numbers = [error.get("status"), error.get("code"), value.get("status"), value.get("code")];
    let status = numbers.into_iter().flatten().filter_map(Value::as_u64).find(|status| (400..600).contains(status));
    let status = status.and_then(|status| u16::try_from(status).ok()).unwrap_or(500);
    Err(of(status, &words(&value).unwrap_or_else(|| error.to_string()), retry_after, target))
}

fn of(status: u16, message: &str, retry_after: Option<Duration>, target: &Target) -> ModelError {
    let lower = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let message = target.told(message);
    match status {
        _ if status == 402 || (matches!(status, 400 | 403 | 429) && says(&QUOTA)) => ModelError::Quota { message },
        401 | 403 if !says(&CONTENT) => ModelError::Credentials { message },
        429 => ModelError::RateLimited { retry_after, message },
        _ if matches!(status, 400 | 413 | 422 | 500) && says(&CONTEXT) => ModelError::ContextTooLong { message },
        _ if matches!(status, 400 | 403 | 422 | 451 | 500) && says(&CONTENT) => ModelError::ContentRefused { message },
        _ if matches!(status, 400 | 500) && says(&CREDENTIALS) => ModelError::Credentials { message },
        500 if says(&BUSY) => ModelError::RateLimited { retry_after, message },
        413 => ModelError::ContextTooLong { message },
        408 | 409 | 425 | 500.. if status != 501 => ModelError::Server { status, retry_after, message },
        _ => ModelError::BadRequest { status, message },
    }
}

/// What an error object says: its message, with its type and code where they say more.
fn words(value: &Value) -> Option<String> {
    let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
    if let Some(text) = error.as_str() {
        return Some(text.to_owned());
    }
    let texts = ["message", "detail", "msg"].into_iter().filter_map(|name| error.get(name));
    let message = texts.map(|text| text.as_str().map_or_else(|| text.to_string(), str::to_owned)).next()?;
    let marks = ["type", "code", "param"].into_iter().filter_map(|name| error.get(name)?.as_str());
    let marks: Vec<_> = marks.filter(|mark| !mark.is_empty() && !message.contains(mark)).collect();
    Some(if marks.is_empty() { message } else { format!("{message} ({})", marks.join(", ")) })
}

/// When the server wants to be asked again: seconds, or a moment.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let millis = headers.get("retry-after-ms").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    if let Some(millis) = millis {
        return Some(Duration::from_millis(millis));
    }
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        // A negative or endless wait is none.
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let moment = httpdate::parse_http_date(value).ok()?;
    Some(moment.duration_since(SystemTime::now()).unwrap_or_default())
}
