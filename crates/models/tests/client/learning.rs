//! What a server does not support is found out once and remembered.

use std::time::Duration;

use loopwright_models::testing::reply::Reply;
use loopwright_models::testing::server::{FakeServer, Seen};
use loopwright_models::{Endpoint, OpenAiModel, Structured};
use serde_json::{Value, json};

use crate::{ask, class, endpoint, model};

const TIME: Duration = Duration::from_secs(20);

/// A server that takes only some forms of the answer's shape.
fn picky(takes: &'static [&'static str], words: &'static str) -> FakeServer {
    FakeServer::saying(move |_, seen| {
        let form = seen.body["response_format"]["type"].as_str().unwrap_or("none");
        if takes.contains(&form) { Reply::answer(&json!({"word": "yes"})) } else { Reply::error(400, words) }
    })
}

fn forms(seen: &[Seen]) -> Vec<String> {
    let form = |seen: &Seen| seen.body["response_format"]["type"].as_str().unwrap_or("none").to_owned();
    seen.iter().map(form).collect()
}

#[test]
fn the_shape_is_told_in_the_best_form_that_a_server_takes() {
    let unavailable = "This response_format type is unavailable now";
    let cases: [(&'static [&'static str], &'static str, &[&str]); 4] = [
        (&["json_schema"], unavailable, &["json_schema"]),
        (&["json_object"], unavailable, &["json_schema", "json_object"]),
        (&["none"], "unknown field: response_format", &["json_schema", "json_object", "none"]),
        (&["none"], "Bad Request", &["json_schema", "json_object", "none"]),
    ];
    for (takes, words, expected) in cases {
        let server = picky(takes, words);
        let model = model(&server);
        assert_eq!(ask(&model, TIME).unwrap().text, "{\"word\":\"yes\"}", "{takes:?}");
        assert_eq!(forms(&server.seen()), expected, "{takes:?}");
        ask(&model, TIME).unwrap();
        assert_eq!(server.seen().len(), expected.len() + 1, "it is found out once");
        let told = server.seen().last().unwrap().question().contains("JSON Schema");
        assert_eq!(told, takes != ["json_schema"], "what the server does not check stands in the question");
    }
}

#[test]
fn another_process_remembers_what_was_learned() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("memory.json");
    let server = picky(&["json_object"], "json_schema is not supported");
    let remembering = || OpenAiModel::new(Endpoint { memory: Some(file.clone()), ..endpoint(&server) }).unwrap();
    ask(&remembering(), TIME).unwrap();
    ask(&remembering(), TIME).unwrap();
    assert_eq!(forms(&server.seen()), ["json_schema", "json_object", "json_object"]);
    std::fs::write(&file, "{ damaged").unwrap();
    ask(&remembering(), TIME).unwrap();
    assert_eq!(forms(&server.seen())[3..], ["json_schema", "json_object"]);
    let kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(kept[format!("{} fake", server.base_url())]["structured"], json!("json_object"));
}

#[test]
fn what_was_declared_is_not_changed() {
    let server = picky(&["json_object"], "json_schema is not supported");
    let declared = Some(Structured::JsonSchema);
    let model = OpenAiModel::new(Endpoint { structured: declared, ..endpoint(&server) }).unwrap();
    assert_eq!(class(&ask(&model, TIME)), "model_bad_request");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn parameters_that_a_server_does_not_take_are_left_out() {
    let server = FakeServer::saying(|_, seen| {
        let has = |name: &str| seen.body.get(name).is_some();
        if has("max_tokens") {
            Reply::error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        } else if has("temperature") {
            Reply::error(400, "Unsupported value: 'temperature' does not support 0.0 with this model")
        } else if has("seed") {
            Reply::error(400, "unknown field seed")
        } else {
            Reply::text("yes")
        }
    });
    let model = model(&server);
    assert_eq!(ask(&model, TIME).unwrap().text, "yes");
    let last = server.seen().pop().unwrap().body;
    assert_eq!((&last["max_completion_tokens"], &last["response_format"]["type"]), (&json!(50), &json!("json_schema")));
    assert_eq!(server.seen().len(), 4);
}

#[test]
fn a_refusal_of_another_kind_teaches_nothing() {
    for message in ["maximum context length is 10 tokens", "content_filter", "invalid_api_key"] {
        let server = FakeServer::replying(vec![Reply::error(400, message)]);
        ask(&model(&server), TIME).unwrap_err();
        assert_eq!(server.seen().len(), 1, "{message}");
    }
    let stubborn = FakeServer::replying(vec![Reply::error(400, "Bad Request")]);
    assert_eq!(class(&ask(&model(&stubborn), TIME)), "model_bad_request");
    assert_eq!(stubborn.seen().len(), 3, "each form is tried once");
    let model = model(&stubborn);
    for _ in 0..2 {
        ask(&model, TIME).unwrap_err();
    }
    assert_eq!(
        forms(&stubborn.seen())[6..],
        ["json_schema", "json_object", "none"],
        "what brings no answer is not learned"
    );
}
