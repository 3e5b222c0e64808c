//! What servers refuse, and connections that break.

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use loopwright_models::testing::contract::request;
use loopwright_models::testing::reply::{Reply, completion};
use loopwright_models::testing::server::FakeServer;
use loopwright_models::{Limits, Model, ModelError, OpenAiModel};
use loopwright_runtime::perform::Interrupt;
use serde_json::json;

use crate::{ask, class, endpoint, model, told};

#[test]
fn a_refusal_has_its_class() {
    let cases = [
        (401, "Incorrect API key provided", "model_credentials"),
        (403, "you may not", "model_credentials"),
        (402, "Insufficient Balance", "model_quota"),
        (429, "You exceeded your current quota, please check your plan and billing details", "model_quota"),
        (429, "Rate limit reached for requests", "model_rate_limited"),
        (429, "账户余额不足", "model_quota"),
        (400, "This model's maximum context length is 8192 tokens", "model_context_too_long"),
        (400, "the request exceeds the available context size, try increasing it", "model_context_too_long"),
        (413, "Payload Too Large", "model_context_too_long"),
        (400, "The response was filtered due to content_filter", "model_content_refused"),
        (400, "输入包含敏感内容", "model_content_refused"),
        (404, "The model `fake` does not exist", "model_bad_request"),
        (405, "no", "model_bad_request"),
        (408, "slow", "model_server_error"),
        (409, "busy", "model_server_error"),
        (500, "oops", "model_server_error"),
        (502, "bad gateway", "model_server_error"),
        (529, "overloaded_error", "model_server_error"),
    ];
    for (status, message, expected) in cases {
        assert_eq!(class(&told(Reply::error(status, message))), expected, "{status} {message}");
        assert_eq!(class(&told(Reply::whole(status, "text/html", message))), expected, "{status} {message} as a page");
    }
}

#[test]
fn an_error_inside_a_success_is_an_error() {
    let cases = [
        (json!({"error": {"message": "Rate limit reached", "code": 429}}), "model_rate_limited"),
        (json!({"error": {"message": "too many tokens", "code": 400}}), "model_context_too_long"),
        (json!({"error": {"message": "invalid_api_key", "status": 401}}), "model_credentials"),
        (json!({"error": "something went wrong"}), "model_server_error"),
        (json!({"error": {"message": "overloaded"}, "choices": null}), "model_rate_limited"),
    ];
    for (body, expected) in cases {
        assert_eq!(class(&told(Reply::json(&body))), expected, "{body}");
    }
}

#[test]
fn a_server_says_when_it_wants_to_be_asked_again() {
    let soon = httpdate::fmt_http_date(std::time::SystemTime::now() - Duration::from_mins(1));
    let cases = [
        ("retry-after", "7", Some(Duration::from_secs(7))),
        ("retry-after", "0.5", Some(Duration::from_millis(500))),
        ("retry-after-ms", "250", Some(Duration::from_millis(250))),
        ("retry-after", soon.as_str(), Some(Duration::ZERO)),
        ("retry-after", "-1", None),
        ("retry-after", "soon", None),
        ("retry-after", "1e300", None),
    ];
    for (name, value, expected) in cases {
        for status in [429, 503] {
            let error = told(Reply::error(status, "wait").with_header(name, value)).unwrap_err();
            assert_eq!(error.retry_after(), expected, "{status} {name}: {value}");
        }
    }
}

#[test]
fn a_connection_that_breaks_may_have_been_billed() {
    let body = completion("yes").to_string();
    let chunks = vec![body.as_bytes()[..60].to_vec()];
    let cases = [
        ("closed without a byte", Reply::Close),
        ("closed in between", Reply::Short { body: body.clone().into_bytes(), reset: false }),
        ("reset in between", Reply::Short { body: body.into_bytes(), reset: true }),
        ("chunks without an end", Reply::Chunked { chunks, ends: false }),
    ];
    for (case, reply) in cases {
        let error = told(reply).unwrap_err();
        assert!(matches!(error, ModelError::Broken { .. } | ModelError::Malformed { .. }), "{case}: {error:?}");
        assert!(error.may_be_billed(), "{case}");
    }
}

#[test]
fn nobody_there_is_told_from_nobody_answering() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let nowhere = FakeServer::replying(vec![Reply::Close]);
    let gone = OpenAiModel::new(loopwright_models::Endpoint { base_url, ..endpoint(&nowhere) }).unwrap();
    assert_eq!(class(&ask(&gone, Duration::from_secs(20))), "model_unreachable");
    let body = completion("yes").to_string().into_bytes();
    let trickle = Reply::Trickle { body, every: Duration::from_mins(1) };
    for reply in [Reply::Silence, trickle] {
        let server = FakeServer::replying(vec![reply]);
        assert_eq!(class(&ask(&model(&server), Duration::from_millis(300))), "model_timeout");
    }
}

#[test]
fn a_slow_answer_is_one_if_it_comes_in_time() {
    let body = completion("yes").to_string().into_bytes();
    let answer = told(Reply::Trickle { body, every: Duration::from_millis(1) }).unwrap();
    assert_eq!(answer.text, "yes");
}

#[test]
fn a_person_need_not_wait_for_a_silent_server() {
    let server = FakeServer::replying(vec![Reply::Silence]);
    let (model, interrupt) = (&model(&server), &Interrupt::default());
    thread::scope(|scope| {
        let limits = Limits { time: Duration::from_mins(10), interrupt };
        let asking = scope.spawn(move || model.ask(&request("good"), limits));
        while server.seen().is_empty() {
            thread::yield_now();
        }
        interrupt.raise();
        assert_eq!(asking.join().unwrap(), Err(ModelError::Interrupted));
    });
}

#[test]
fn a_key_is_not_carried_to_where_a_server_points() {
    let elsewhere = FakeServer::replying(vec![Reply::text("yes")]);
    let to = format!("{}/chat/completions", elsewhere.base_url());
    let error = told(Reply::whole(307, "text/plain", "").with_header("location", &to)).unwrap_err();
    assert!(matches!(error, ModelError::BadRequest { status: 307, .. }), "{error:?}");
    assert!(error.to_string().contains(&to));
    assert!(elsewhere.seen().is_empty());
}

#[test]
fn many_may_ask_at_once() {
    let server = FakeServer::saying(|number, _| Reply::text(&number.to_string()));
    let model = model(&server);
    let mut answers: Vec<u32> = thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(|| ask(&model, Duration::from_mins(1)).unwrap())).collect();
        asking.into_iter().map(|asking| asking.join().unwrap().text.parse().unwrap()).collect()
    });
    answers.sort_unstable();
    assert_eq!(answers, (0..8).collect::<Vec<_>>());
}
