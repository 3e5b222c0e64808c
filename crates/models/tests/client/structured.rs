//! Texts that are one object of the right shape, and texts that are not.

use loopwright_models::testing::contract::request;
use loopwright_models::{Answer, Finish, Shape, Unusable, read};
use proptest::prelude::*;
use serde_json::{Value, json};

fn shape() -> Shape {
    Shape::compile(&request("good").schema.unwrap()).unwrap()
}

fn of(text: &str, finish: Finish) -> Result<Value, Unusable> {
    read(&Answer { text: text.to_owned(), usage: None, finish, model: None, latency_ms: 0 }, &shape())
}

#[test]
fn one_object_is_read_bare_or_in_one_fence() {
    let good = [
        r#"{"word":"yes"}"#,
        "\n  { \"word\" : \"yes\" }\n",
        "```json\n{\"word\": \"yes\"}\n```",
        "```\n{\"word\": \"yes\"}\n```",
        "```JSON\n{\"word\": \"yes\"}```\n",
    ];
    for text in good {
        assert_eq!(of(text, Finish::Stop).unwrap(), json!({"word": "yes"}), "{text}");
    }
    // Some servers report the limit although the object was just finished.
    assert_eq!(of(good[0], Finish::Length).unwrap(), json!({"word": "yes"}));
}

#[test]
fn everything_else_has_a_class_and_words_for_the_model() {
    let object = r#"{"word": "yes"}"#;
    let cases: Vec<(String, &str)> = vec![
        (String::new(), "empty"),
        (" \n ".to_owned(), "empty"),
        ("```json\n```".to_owned(), "empty"),
        (format!("Here you are: {object}"), "prose_around_object"),
        (format!("{object} I hope this helps"), "prose_around_object"),
        (format!("```json\n{object}\n``` as asked"), "prose_around_object"),
        (format!("{object}{object}"), "two_objects"),
        (format!("{object},\n{object}"), "two_objects"),
        ("I cannot do that.".to_owned(), "malformed_json"),
        (r#"{"word": "ye"#.to_owned(), "malformed_json"),
        (r#"{"word": "yes",}"#.to_owned(), "malformed_json"),
        ("{'word': 'yes'}".to_owned(), "malformed_json"),
        (r#"{"word": NaN}"#.to_owned(), "malformed_json"),
        (r#"{"word": 1e999}"#.to_owned(), "malformed_json"),
        (r#"{"word": "yes"} // done"#.to_owned(), "prose_around_object"),
        (r#"{"word": "yes", "word": "no"}"#.to_owned(), "duplicate_key"),
        ("[1]".to_owned(), "not_an_object"),
        ("\"yes\"".to_owned(), "not_an_object"),
        ("null".to_owned(), "not_an_object"),
        (r#"{"word": 5}"#.to_owned(), "schema"),
        ("{}".to_owned(), "schema"),
        (r#"{"word": "yes", "run_shell_command": "rm"}"#.to_owned(), "schema"),
    ];
    for (text, class) in cases {
        let unusable = of(&text, Finish::Stop).unwrap_err();
        assert_eq!(unusable.class, class, "{text}: {}", unusable.message);
        assert!(!unusable.message.is_empty() && unusable.message.chars().count() < 1_200);
    }
    let named = of(r#"{"word": "yes", "run_shell_command": "rm"}"#, Finish::Stop).unwrap_err().message;
    assert!(named.contains("run_shell_command"), "{named}");
    assert_eq!(of(r#"{"word": "ye"#, Finish::Length).unwrap_err().class, "truncated");
    assert_eq!(of(r#"{"word": "yes"}"#, Finish::Refused).unwrap_err().class, "refused");
}

#[test]
fn no_more_faults_are_told_than_help() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}});
    let schema = loopwright_models::AnswerSchema { name: "x".to_owned(), schema: schema.into() };
    let many: serde_json::Map<String, Value> =
        (0..50).map(|at| (format!("field{at}"), json!("x".repeat(2_000)))).collect();
    let text = Value::Object(many).to_string();
    let answer = Answer { text, usage: None, finish: Finish::Stop, model: None, latency_ms: 0 };
    let message = read(&answer, &Shape::compile(&schema).unwrap()).unwrap_err().message;
    assert!(message.ends_with("and more") && message.chars().count() < 1_500, "{}", message.len());
}

proptest! {
    #[test]
    fn any_word_comes_back_in_any_form(word in ".*") {
        let value = json!({"word": word});
        let pretty = format!("{value:#}");
        let mut texts = vec![value.to_string(), pretty.clone()];
        if !word.contains("```") {
            texts.push(format!("```json\n{pretty}\n```"));
        }
        for text in texts {
            prop_assert_eq!(of(&text, Finish::Stop), Ok(value.clone()));
        }
    }

    #[test]
    fn no_text_is_too_strange(text in ".*") {
        of(&text, Finish::Stop).err();
        of(&format!("{{{text}"), Finish::Length).err();
    }

    #[test]
    fn an_object_with_anything_around_it_is_refused(before in "[^\\s{}\\[\\]`]{1,20}", after in "[^\\s`]{1,20}") {
        let object = r#"{"word": "yes"}"#;
        let before = format!("{before} {object}");
        let after = format!("{object} {after}");
        prop_assert!(of(&before, Finish::Stop).is_err());
        prop_assert!(of(&after, Finish::Stop).is_err());
    }
}
