//! What a fake server says: good answers, bad ones, and ways to say nothing.

use std::time::Duration;

use serde_json::{Value, json};

/// One response, down to how its bytes travel.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A whole response.
    Whole {
        /// Its HTTP status.
        status: u16,
        /// Headers beside its length.
        headers: Vec<(String, String)>,
        /// Its body.
        body: Vec<u8>,
    },
    /// A body in chunks.
    Chunked {
        /// The chunks.
        chunks: Vec<Vec<u8>>,
        /// Whether the last, empty chunk comes.
        ends: bool,
    },
    /// A body that ends before its announced length.
    Short {
        /// What comes of it.
        body: Vec<u8>,
        /// Whether the connection is reset instead of closed.
        reset: bool,
    },
    /// A body one byte at a time.
    Trickle {
        /// The body.
        body: Vec<u8>,
        /// How long lies between two bytes.
        every: Duration,
    },
    /// The connection is closed without a byte.
    Close,
    /// Nothing ever comes.
    Silence,
}

impl Reply {
    /// A response with a status and a body.
    pub fn whole(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Self::Whole { status, headers, body: body.into() }
    }

    /// A good answer with a text, and with the usage of 100 tokens in and 20 out.
    pub fn text(text: &str) -> Self {
        Self::json(&completion(text))
    }

    /// A good answer whose text is a JSON value.
    pub fn answer(value: &Value) -> Self {
        Self::text(&value.to_string())
    }

    /// A successful response with any JSON body.
    pub fn json(body: &Value) -> Self {
        Self::whole(200, "application/json", body.to_string())
    }

    /// A refusal in `OpenAI`'s form.
    pub fn error(status: u16, message: &str) -> Self {
        let body = json!({"error": {"message": message, "type": "error", "code": null}});
        Self::whole(status, "application/json", body.to_string())
    }

    /// The same response with one more header; only whole ones have any.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let Self::Whole { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The same response, compressed.
    #[must_use]
    pub fn gzipped(self) -> Self {
        match self {
            Self::Whole { status, headers, body } => {
                let reply = Self::Whole { status, headers, body: gzip(&body) };
                reply.with_header("content-encoding", "gzip")
            }
            other => other,
        }
    }
}

/// The body of a good answer.
pub fn completion(text: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "fake-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}

/// RFC 1952, without a name and a time.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut whole = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    whole.extend(miniz_oxide::deflate::compress_to_vec(bytes, 6));
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    let length = u32::try_from(bytes.len() % (1 << 32)).unwrap_or_default();
    whole.extend(length.to_le_bytes());
    whole
}
