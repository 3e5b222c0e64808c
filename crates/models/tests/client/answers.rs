//! Good answers in every form that servers give them, and what is none.

use loopwright_models::testing::reply::{Reply, completion};
use loopwright_models::{Finish, Usage};
use serde_json::{Value, json};

use crate::{class, told};

fn with(pointer: &str, value: Value) -> Value {
    let mut body = completion("yes");
    *body.pointer_mut(pointer).unwrap() = value;
    body
}

#[test]
fn an_answer_has_a_text_a_usage_and_an_end() {
    let answer = told(Reply::text("yes")).unwrap();
    let usage = Some(Usage { input_tokens: 100, output_tokens: 20 });
    assert_eq!((answer.text.as_str(), answer.usage, answer.finish), ("yes", usage, Finish::Stop));
    assert_eq!(answer.model.as_deref(), Some("fake-1"));
}

#[test]
fn servers_may_differ_in_form() {
    let parts = json!([{"type": "text", "text": "ye"}, {"type": "text", "text": "s"}]);
    let body = completion("yes").to_string();
    let (front, back) = body.split_at(40);
    let chunks = vec![front.as_bytes().to_vec(), back.as_bytes().to_vec()];
    let mut thinking = completion("yes");
    thinking["choices"][0]["message"]["reasoning_content"] = json!("hm");
    thinking["error"] = Value::Null;
    let cases = [
        ("parts", Reply::json(&with("/choices/0/message/content", parts))),
        ("gzip", Reply::text("yes").gzipped()),
        ("chunked", Reply::Chunked { chunks, ends: true }),
        ("another content type", Reply::whole(200, "text/plain", completion("yes").to_string())),
        ("escapes", Reply::whole(200, "application/json", body.replace("yes", "\\u0079es"))),
        ("no object field", Reply::json(&with("/object", json!("chat.completion")))),
        ("fields that nobody knows", Reply::json(&thinking)),
    ];
    for (case, reply) in cases {
        let answer = told(reply).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(answer.text, "yes", "{case}");
    }
    let wide = told(Reply::whole(200, "application/json", body.replace("yes", "\\ud83d\\ude00"))).unwrap();
    assert_eq!(wide.text, "\u{1f600}");
}

#[test]
fn the_end_is_told_in_several_words() {
    let ends = [
        (json!("stop"), Finish::Stop),
        (Value::Null, Finish::Stop),
        (json!("length"), Finish::Length),
        (json!("content_filter"), Finish::Refused),
        (json!("tool_calls"), Finish::Other("tool_calls".to_owned())),
    ];
    for (reason, finish) in ends {
        assert_eq!(told(Reply::json(&with("/choices/0/finish_reason", reason))).unwrap().finish, finish);
    }
    let mut refusal = with("/choices/0/message/content", Value::Null);
    refusal["choices"][0]["message"]["refusal"] = json!("I will not.");
    let answer = told(Reply::json(&refusal)).unwrap();
    assert_eq!((answer.text.as_str(), answer.finish), ("I will not.", Finish::Refused));
    let empty = told(Reply::json(&with("/choices/0/message/content", Value::Null))).unwrap();
    assert_eq!((empty.text.as_str(), empty.finish), ("", Finish::Stop));
}

#[test]
fn a_usage_that_is_nonsense_is_none() {
    let missing = {
        let mut body = completion("yes");
        body.as_object_mut().unwrap().remove("usage");
        body
    };
    let tokens = |value: Value| with("/usage/completion_tokens", value);
    for body in [
        missing,
        with("/usage/prompt_tokens", json!(0)),
        tokens(json!(-5)),
        tokens(json!(1.5)),
        tokens(json!("20")),
        tokens(json!(u64::MAX)),
        with("/usage", json!(null)),
    ] {
        assert_eq!(told(Reply::json(&body)).unwrap().usage, None, "{body}");
    }
}

#[test]
fn hidden_thoughts_are_billed_like_the_answer() {
    let usage = told(Reply::json(&with("/usage/total_tokens", json!(500)))).unwrap().usage;
    assert_eq!(usage, Some(Usage { input_tokens: 100, output_tokens: 400 }));
}

#[test]
fn what_is_no_answer_of_a_model_is_malformed() {
    let body = completion("yes").to_string();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let huge = completion(&"x".repeat(10 << 20)).to_string();
    let cases: Vec<(&str, Reply)> = vec![
        ("a page", Reply::whole(200, "text/html", "<html>Welcome</html>")),
        ("nothing", Reply::whole(200, "application/json", "")),
        ("no object", Reply::whole(200, "application/json", "[1]")),
        ("no choices", Reply::json(&with("/choices", json!([])))),
        ("no message", Reply::json(&with("/choices/0/message", json!("yes")))),
        ("no text", Reply::json(&with("/choices/0/message/content", json!(5)))),
        ("another thing", Reply::json(&with("/object", json!("text_completion")))),
        ("half of it", Reply::whole(200, "application/json", &body.as_bytes()[..60])),
        ("a lone surrogate", Reply::whole(200, "application/json", body.replace("yes", "\\ud800"))),
        ("no UTF-8", Reply::whole(200, "application/json", [body.as_bytes(), &[0xff]].concat())),
        ("brackets", Reply::whole(200, "application/json", deep)),
        ("ten megabytes", Reply::whole(200, "application/json", huge.clone())),
        ("ten megabytes, compressed", Reply::whole(200, "application/json", huge).gzipped()),
        ("broken gzip", Reply::text("yes").with_header("content-encoding", "gzip")),
        ("addressed to another request", Reply::text("yes").with_header("x-client-request-id", "lw-other")),
    ];
    for (case, reply) in cases {
        let result = told(reply);
        assert_eq!(class(&result), "model_malformed", "{case}");
        assert!(result.unwrap_err().may_be_billed(), "{case}");
    }
}
