//! What is sent, to the last field.

use std::time::Duration;

use loopwright_models::testing::contract::request;
use loopwright_models::testing::reply::Reply;
use loopwright_models::testing::server::FakeServer;
use loopwright_models::{Endpoint, Limits, Model, OpenAiModel, Request, Structured};
use loopwright_runtime::perform::Interrupt;
use serde_json::{Value, json};

use crate::endpoint;

fn sent(structured: Option<Structured>, request: &Request) -> Value {
    let server = FakeServer::replying(vec![Reply::text("yes")]);
    let model = OpenAiModel::new(Endpoint { structured, ..endpoint(&server) }).unwrap();
    let interrupt = Interrupt::default();
    model.ask(request, Limits { time: Duration::from_secs(20), interrupt: &interrupt }).unwrap();
    let seen = server.seen().remove(0);
    assert_eq!((seen.path.as_str(), seen.header("content-type")), ("/v1/chat/completions", Some("application/json")));
    assert!(seen.header("user-agent").unwrap().starts_with("loopwright/"));
    seen.body
}

#[test]
fn a_request_holds_what_was_asked_and_nothing_more() {
    let schema = request("good").schema.unwrap().schema;
    let told = format!(
        "Say a word.\n\nAnswer with exactly one JSON object that follows this JSON Schema, and nothing around it:\n{schema}"
    );
    let body = |content: &str, format: Value| {
        let mut body = json!({
            "model": "fake", "stream": false, "max_tokens": 50, "temperature": 0.0, "seed": 7,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": content}],
        });
        if !format.is_null() {
            body["response_format"] = format;
        }
        body
    };
    let shape = json!({"type": "json_schema", "json_schema": {"name": "word", "schema": schema}});
    let cases = [
        (None, body("Say a word.", shape.clone())),
        (Some(Structured::JsonSchema), body("Say a word.", shape)),
        (Some(Structured::JsonObject), body(&told, json!({"type": "json_object"}))),
        (Some(Structured::Prompt), body(&told, Value::Null)),
    ];
    for (structured, expected) in cases {
        assert_eq!(sent(structured, &request("good")), expected, "{structured:?}");
    }
    let plain = Request { schema: None, temperature: None, seed: None, ..request("good") };
    let mut expected = body("Say a word.", Value::Null);
    let fields = expected.as_object_mut().unwrap();
    fields.remove("temperature");
    fields.remove("seed");
    assert_eq!(sent(None, &plain), expected);
}
