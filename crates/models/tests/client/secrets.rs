//! A planted key is sent where it belongs, and stands nowhere else.

use std::time::Duration;

use loopwright_models::testing::reply::{Reply, completion};
use loopwright_models::testing::server::FakeServer;
use loopwright_models::{Endpoint, OpenAiModel};
use serde_json::json;

use crate::{PLANTED, ask, endpoint, model};

#[test]
fn a_server_that_sends_the_key_back_does_not_get_it_into_any_text() {
    let folder = tempfile::tempdir().unwrap();
    let memory = folder.path().join("memory.json");
    let escaped = serde_json::to_string(PLANTED).unwrap();
    let replies = vec![
        Reply::json(&completion(&format!("your key is {PLANTED}"))),
        Reply::whole(200, "application/json", completion("KEY").to_string().replace("\"KEY\"", &escaped)),
        Reply::error(401, &format!("Incorrect API key provided: {PLANTED}")),
        Reply::whole(500, "text/plain", format!("no: Bearer {PLANTED}")),
        Reply::whole(400, "text/html", format!("<p>{}</p>", PLANTED.replace('/', "\\/"))),
        Reply::json(&json!({"error": {"message": PLANTED, "code": 429}})),
        Reply::json(&json!({"object": PLANTED})),
        Reply::whole(302, "text/plain", "").with_header("location", &format!("http://other/?{PLANTED}")),
        Reply::whole(200, "application/json", format!("{{{PLANTED}")),
    ];
    let server = FakeServer::replying(replies.clone());
    let model = OpenAiModel::new(Endpoint { memory: Some(memory.clone()), ..endpoint(&server) }).unwrap();
    let mut texts = vec![format!("{model:?} {:?}", endpoint(&server))];
    for _ in 0..replies.len() {
        let result = ask(&model, Duration::from_secs(20));
        texts.push(match &result {
            Ok(answer) => answer.text.clone(),
            Err(error) => format!("{error} {error:?}"),
        });
    }
    texts.push(std::fs::read_to_string(&memory).unwrap_or_default());
    for text in &texts {
        assert!(!text.contains("planted"), "{text}");
    }
    assert!(texts[1].contains("your key is [key]"), "{}", texts[1]);
    let seen = server.seen();
    assert!(seen.iter().all(|seen| seen.header("authorization") == Some(&format!("Bearer {PLANTED}"))));
    assert!(seen.iter().all(|seen| !seen.body.to_string().contains("planted")));
}

#[test]
fn a_server_that_wants_no_key_gets_none() {
    let server = FakeServer::replying(vec![Reply::text("yes")]);
    let model = OpenAiModel::new(Endpoint { api_key: None, ..endpoint(&server) }).unwrap();
    ask(&model, Duration::from_secs(20)).unwrap();
    assert_eq!(server.seen()[0].header("authorization"), None);
}

#[test]
fn a_requests_own_name_differs_each_time() {
    let server = FakeServer::replying(vec![Reply::text("yes")]);
    let model = model(&server);
    for _ in 0..2 {
        ask(&model, Duration::from_secs(20)).unwrap();
    }
    let seen = server.seen();
    let name = |at: usize| seen[at].header("x-client-request-id").unwrap().to_owned();
    assert_ne!(name(0), name(1));
}
