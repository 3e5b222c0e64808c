//! The client against a server that misbehaves, and calls, scripts, records and settings without one.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

mod answers;
mod calls;
mod contract;
mod learning;
mod refusals;
mod secrets;
mod settings;
mod structured;
mod wire;

use std::time::Duration;

use loopwright_models::testing::contract::request;
use loopwright_models::testing::reply::Reply;
use loopwright_models::testing::server::FakeServer;
use loopwright_models::{Answer, Endpoint, Limits, Model, ModelError, OpenAiModel, Secret};
use loopwright_runtime::perform::Interrupt;

/// The key that no text may hold.
const PLANTED: &str = "sk-planted/4f1d\"77+x";

fn endpoint(server: &FakeServer) -> Endpoint {
    let (base_url, api_key) = (server.base_url(), Some(Secret::new(PLANTED)));
    Endpoint { base_url, api_key, model: "fake".to_owned(), structured: None, memory: None }
}

fn model(server: &FakeServer) -> OpenAiModel {
    OpenAiModel::new(endpoint(server)).unwrap()
}

fn ask(model: &dyn Model, time: Duration) -> Result<Answer, ModelError> {
    model.ask(&request("good"), Limits { time, interrupt: &Interrupt::default() })
}

/// What comes of one reply.
fn told(reply: Reply) -> Result<Answer, ModelError> {
    ask(&model(&FakeServer::replying(vec![reply])), Duration::from_secs(20))
}

#[track_caller]
fn class(result: &Result<Answer, ModelError>) -> &'static str {
    match result {
        Ok(answer) => panic!("answered: {answer:?}"),
        Err(error) => error.class(),
    }
}
