//! Calls: what is tried again, how long is waited, what is billed; and records that answer again.

use std::sync::Mutex;
use std::time::Duration;

use loopwright_models::testing::contract::request;
use loopwright_models::{Backoff, Bill, CallTerms, Called, ModelError, Price, Recorded, Scripted, Usage, call};
use loopwright_runtime::perform::Interrupt;

const MOST: Usage = Usage { input_tokens: 1_000, output_tokens: 200 };
const QUICK: Backoff = Backoff { first: Duration::from_millis(1), longest: Duration::from_millis(4), factor: 2.0 };
const GOOD: &str = r#"{"answer": {"word": "yes"}, "usage": {"input_tokens": 300, "output_tokens": 10}}"#;

fn busy(extra: &str) -> String {
    format!(r#"{{"error": {{"class": "model_rate_limited", "message": "slow down"{extra}}}}}"#)
}

fn fails(class: &str) -> String {
    format!(r#"{{"error": {{"class": "{class}", "message": "no"}}}}"#)
}

fn script(lines: &[String]) -> Scripted {
    Scripted::from_text("script", &lines.join("\n")).unwrap()
}

fn terms<'a>(interrupt: &'a Interrupt, heard: &'a (dyn Fn(&loopwright_models::Tried) + Sync)) -> CallTerms<'a> {
    CallTerms {
        time: Duration::from_secs(20),
        try_time: Duration::from_secs(10),
        tries: 3,
        price: Some(Price { input_micros: 1_000_000, output_micros: 10_000_000 }),
        most: MOST,
        backoff: QUICK,
        interrupt,
        heard,
    }
}

fn made(lines: &[String]) -> Called {
    call(&script(lines), &request("good"), &terms(&Interrupt::default(), &|_| {}))
}

#[test]
fn only_what_cost_nothing_and_may_pass_is_tried_again() {
    let again = ["model_unreachable", "model_rate_limited", "model_server_error"];
    let never = [
        "model_timeout",
        "model_connection_broken",
        "model_malformed",
        "model_credentials",
        "model_quota",
        "model_context_too_long",
        "model_content_refused",
        "model_bad_request",
    ];
    for class in again {
        let called = made(&[fails(class), fails(class), GOOD.to_owned()]);
        assert_eq!((called.result.is_ok(), called.record.tries.len()), (true, 3), "{class}");
        let classes: Vec<_> = called.record.tries.iter().map(|tried| tried.error_class.as_deref()).collect();
        assert_eq!(classes, [Some(class), Some(class), None]);
        assert_eq!(made(&[fails(class), fails(class), fails(class), GOOD.to_owned()]).record.tries.len(), 3, "{class}");
    }
    for class in never {
        let called = made(&[fails(class), GOOD.to_owned()]);
        assert_eq!((called.result.unwrap_err().class(), called.record.tries.len()), (class, 1), "{class}");
    }
}

#[test]
fn a_bill_is_what_the_server_says_or_the_most_it_can_have_been() {
    let bill = |tokens, cost, estimated| Bill { tokens, cost_micros: Some(cost), estimated };
    let silent = r#"{"answer": {"word": "yes"}}"#.to_owned();
    let cases = [
        (GOOD.to_owned(), bill(310, 400, false)),
        (silent, bill(1_200, 3_000, true)),
        (fails("model_timeout"), bill(1_200, 3_000, true)),
        (fails("model_malformed"), bill(1_200, 3_000, true)),
        (fails("model_credentials"), bill(0, 0, false)),
        (fails("model_server_error"), bill(0, 0, false)),
    ];
    for (line, expected) in cases {
        assert_eq!(made(&[line.clone(), line.clone(), line.clone()]).record.bill, expected, "{line}");
    }
    let greedy = r#"{"answer": {}, "usage": {"input_tokens": 9000, "output_tokens": 0}}"#.to_owned();
    assert_eq!(made(&[greedy]).record.bill.tokens, 9_000, "a larger bill is told as it is");
}

#[test]
fn a_server_is_not_asked_before_it_wants_to_be() {
    let called = made(&[busy(r#", "retry_after_ms": 30"#), GOOD.to_owned()]);
    assert!(called.record.tries[0].waited_ms.unwrap() >= 30);
    assert!(called.result.is_ok());
    // A wait that the call has no time for is not begun.
    let hours = made(&[busy(r#", "retry_after_ms": 7200000"#), GOOD.to_owned()]);
    assert_eq!((hours.result.unwrap_err().class(), hours.record.tries.len()), ("model_rate_limited", 1));
    assert_eq!(hours.record.tries[0].waited_ms, None);
}

#[test]
fn every_try_is_told_as_it_ends() {
    let heard = Mutex::new(Vec::new());
    let hear = |tried: &loopwright_models::Tried| heard.lock().unwrap().push(tried.clone());
    let called = call(&script(&[busy(""), GOOD.to_owned()]), &request("good"), &terms(&Interrupt::default(), &hear));
    assert_eq!(*heard.lock().unwrap(), called.record.tries);
}

#[test]
fn a_wait_ends_when_a_person_wants_to_stop() {
    let interrupt = Interrupt::default();
    let raise = |_: &loopwright_models::Tried| interrupt.raise();
    let long = CallTerms { time: Duration::from_mins(150), ..terms(&interrupt, &raise) };
    let called = call(&script(&[busy(r#", "retry_after_ms": 7200000"#), GOOD.to_owned()]), &request("good"), &long);
    assert_eq!(called.result, Err(ModelError::Interrupted));
}

#[test]
fn a_record_answers_the_same_question_and_no_other() {
    let two = r#"{"answer": {"word": "two"}}"#.to_owned();
    let first = made(&[GOOD.to_owned()]).record;
    let second = made(&[two]).record;
    let recorded = Recorded::from_records([first, second], "k7f3");
    let interrupt = Interrupt::default();
    let limits = loopwright_models::Limits { time: Duration::from_secs(5), interrupt: &interrupt };
    let ask = |prompt: &str| loopwright_models::Model::ask(&recorded, &request(prompt), limits);
    let texts: Vec<_> = (0..3).map(|_| ask("good").unwrap().text).collect();
    assert_eq!(texts, [r#"{"word":"yes"}"#, r#"{"word":"two"}"#, r#"{"word":"two"}"#]);
    let error = ask("other").unwrap_err().to_string();
    assert!(error.contains("k7f3") && error.contains("other"), "{error}");
}

#[test]
fn a_script_goes_on_after_what_was_answered_already() {
    let lines = [busy(""), GOOD.to_owned(), r#"{"text": "second"}"#.to_owned()];
    let record = made(&lines).record;
    let fresh = script(&lines);
    fresh.go_on_after([&record]);
    let called = call(&fresh, &request("good"), &terms(&Interrupt::default(), &|_| {}));
    assert_eq!(called.result.unwrap().text, "second");
}

#[test]
fn a_script_with_a_fault_names_the_line() {
    let cases = [
        ("{\"answer\": {}}\n{\"anser\": {}}", "line 2"),
        ("{\"answer\": {}, \"text\": \"\"}", "one of `answer`, `text` and `error`"),
        ("{}", "one of `answer`, `text` and `error`"),
        ("{\"error\": {\"class\": \"tired\"}}", "no error class \"tired\""),
        ("{\"answer\": {}", "line 1"),
        ("# nothing\n\n", "has no entries"),
    ];
    for (text, expected) in cases {
        let error = Scripted::from_text("answers.jsonl", text).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("answers.jsonl"), "{error}");
    }
}
