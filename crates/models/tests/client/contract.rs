//! Every model passes the same suite.

use std::time::Duration;

use loopwright_models::testing::contract::{passes, request};
use loopwright_models::testing::reply::Reply;
use loopwright_models::testing::server::FakeServer;
use loopwright_models::{Backoff, CallTerms, Recorded, Scripted, Usage, call};
use loopwright_runtime::perform::Interrupt;
use serde_json::json;

use crate::model;

const SCRIPT: &str = r#"
# What the suite asks for.
{"answer": {"word": "yes"}, "when": {"prompt": "good"}, "repeat": true}
{"error": {"class": "model_server_error", "status": 503}, "when": {"prompt": "bad"}, "repeat": true}
"#;

#[test]
fn a_server() {
    let server = FakeServer::saying(|number, _| match number {
        0 => Reply::answer(&json!({"word": "yes"})),
        _ => Reply::error(503, "busy"),
    });
    passes(&model(&server));
}

#[test]
fn a_script() {
    passes(&Scripted::from_text("suite", SCRIPT).unwrap());
}

#[test]
fn a_record() {
    let script = Scripted::from_text("suite", SCRIPT).unwrap();
    let terms = CallTerms {
        time: Duration::from_secs(5),
        try_time: Duration::from_secs(5),
        tries: 1,
        price: None,
        most: Usage::default(),
        backoff: Backoff::default(),
        interrupt: &Interrupt::default(),
        heard: &|_| {},
    };
    let records = ["good", "bad"].map(|prompt| call(&script, &request(prompt), &terms).record);
    passes(&Recorded::from_records(records, "earlier"));
}
