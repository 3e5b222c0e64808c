//! Models behind the chat completions that `OpenAI` defined: llama.cpp, Ollama, vLLM, LM Studio, `DeepSeek`, Qwen and
//! others.
//!
//! What servers differ in is found out and remembered, not configured. One file a topic: where a request goes, what it
//! holds, what came back, what an error means, what was learned.

mod body;
mod classify;
mod endpoint;
mod memory;
mod reading;
mod shape;
mod transport;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_openai::Client;
use async_openai::error::OpenAIError;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::answer::Answer;
use crate::error::ModelError;
use crate::port::{Limits, Model, ModelIdentity};
use crate::request::Request;
use crate::settings::Structured;
use endpoint::Target;
use memory::{Memory, Quirks};

pub use endpoint::{Endpoint, EndpointError};

/// How often it is looked whether somebody wants to stop.
const LOOK: Duration = Duration::from_millis(50);
/// The most requests of one try: each one but the last was refused for something that the server does not support.
const MOST_LESSONS: usize = 8;

/// A model behind a server of chat completions.
pub struct OpenAiModel {
    identity: ModelIdentity,
    target: Target,
    http: reqwest::Client,
    declared: Option<Structured>,
    quirks: Mutex<Quirks>,
    memory: Memory,
    runtime: Runtime,
}

impl OpenAiModel {
    /// A model at an endpoint. Nothing is sent yet.
    pub fn new(endpoint: Endpoint) -> Result<Self, EndpointError> {
        let Endpoint { base_url, api_key, model, structured, memory } = endpoint;
        let target = Target::new(&base_url, api_key)?;
        let http = transport::client(target.is_loopback())?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| EndpointError::Client { message: error.to_string() })?;
        let identity = ModelIdentity { provider: target.place().to_owned(), model };
        let memory = Memory::new(memory, &base_url, &identity.model);
        let mut quirks = memory.recall();
        if let Some(structured) = structured {
            quirks.structured = structured;
        }
        Ok(Self { identity, target, http, declared: structured, quirks: Mutex::new(quirks), memory, runtime })
    }

    /// Asks, and asks again where the server refuses something that can be left out.
    async fn converse(&self, request: &Request) -> Result<Answer, ModelError> {
        let begun = Instant::now();
        let known = *self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut quirks, mut lessons) = (known, 0);
        loop {
            let result = self.send(body::of(request, &self.identity.model, quirks)).await;
            let learned = match &result {
                Err(error) if lessons < MOST_LESSONS => quirks.learn(error, request, self.declared),
                _ => None,
            };
            if let Some(learned) = learned {
                (quirks, lessons) = (learned, lessons + 1);
                continue;
            }
            let value = result?;
            // Only an answer proves that what was left out was what stood in the way.
            if quirks != known {
                *self.quirks.lock().unwrap_or_else(PoisonError::into_inner) = quirks;
                self.memory.keep(quirks);
            }
            return reading::answer(&value, begun.elapsed());
        }
    }

    async fn send(&self, body: Value) -> Result<Value, ModelError> {
        let service = transport::service(self.http.clone(), self.target.clone());
        let client = Client::build(self.http.clone(), self.target.clone()).with_http_service(service);
        let result: Result<Value, OpenAIError> = client.chat().create_byot(body).await;
        result.map_err(|error| self.error(error))
    }

    /// The error that the transport raised, or what the client made of a good answer that is none.
    fn error(&self, error: OpenAIError) -> ModelError {
        let message = match error {
            OpenAIError::Boxed(error) => match error.downcast::<ModelError>() {
                Ok(error) => return *error,
                Err(other) => other.to_string(),
            },
            OpenAIError::JSONDeserialize(error, _) => format!("the body is no JSON that can be read: {error}"),
            other => other.to_string(),
        };
        ModelError::Malformed { message: self.target.told(&message) }
    }
}

impl Model for OpenAiModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn ask(&self, request: &Request, limits: Limits<'_>) -> Result<Answer, ModelError> {
        let stopped = async {
            while !limits.interrupt.is_raised() {
                tokio::time::sleep(LOOK).await;
            }
        };
        self.runtime.block_on(async {
            let asked = tokio::time::timeout(limits.time, self.converse(request));
            tokio::pin!(asked);
            tokio::pin!(stopped);
            std::future::poll_fn(|context| {
                use std::future::Future as _;
                use std::task::Poll;
                if stopped.as_mut().poll(context).is_ready() {
                    return Poll::Ready(Err(ModelError::Interrupted));
                }
                asked.as_mut().poll(context).map(|done| match done {
                    Ok(result) => result,
                    Err(_) => Err(ModelError::Timeout { after: limits.time }),
                })
            })
            .await
        })
    }
}

impl std::fmt::Debug for OpenAiModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAiModel").field("identity", &self.identity).finish_non_exhaustive()
    }
}
