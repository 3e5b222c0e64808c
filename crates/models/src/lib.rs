//! Asks language models: one port, an OpenAI-compatible client behind it, and scripted and recorded models for offline
//! work. Knows requests, answers, prices and errors of models; knows no loops, no games and no prompts.
//!
//! A model only proposes. What comes from here is text with a bill; who asked decides what it is worth.

mod answer;
mod calls;
mod error;
mod openai;
mod port;
mod price;
mod record;
mod recorded;
mod request;
mod scripted;
mod secret;
mod settings;
mod structured;
#[cfg(feature = "testing")]
pub mod testing;

pub use answer::{Answer, Finish, Usage};
pub use calls::{Backoff, CallTerms, Called, call};
pub use error::ModelError;
pub use openai::{Endpoint, EndpointError, OpenAiModel};
pub use port::{Limits, Model, ModelIdentity};
pub use price::{Bill, Price};
pub use record::{CallRecord, Tried};
pub use recorded::{Recorded, calls};
pub use request::{AnswerSchema, Message, PromptReference, Request, Role};
pub use scripted::{ScriptError, Scripted};
pub use secret::Secret;
pub use settings::{Environment, ModelKind, ModelSettings, ModelsFile, SettingsError, Structured, choose};
pub use structured::{Shape, ShapeError, Unusable, read};
