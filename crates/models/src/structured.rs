//! An answer's text becomes exactly one JSON object of the right shape, or a bad case with words for the model.
//!
//! Nothing is repaired: whoever guesses what a model meant has decided in its place.

use loopwright_core::json::read_str;
use serde_json::Value;

use crate::answer::{Answer, Finish};
use crate::request::AnswerSchema;

/// The most faults of an object's shape that are told at once.
const MOST_FAULTS: usize = 5;
/// The longest that one fault is told, in characters.
const LONGEST_FAULT: usize = 160;

/// The shape of an answer, compiled once.
#[derive(Debug)]
pub struct Shape(jsonschema::Validator);

/// A schema that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the schema of the answer cannot be used: {message}")]
pub struct ShapeError {
    /// Why.
    pub message: String,
}

/// Why an answer cannot be used: a class for programs, and what is wrong and what to do, written for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    /// A short code.
    pub class: &'static str,
    /// What is wrong and what to do.
    pub message: String,
}

impl Shape {
    /// Compiles a schema. References may only lead into the schema itself: nothing is fetched.
    pub fn compile(schema: &AnswerSchema) -> Result<Self, ShapeError> {
        let compiled = jsonschema::draft202012::new(schema.schema.value());
        compiled.map(Self).map_err(|error| ShapeError { message: cut(&error.to_string()) })
    }

    /// Everything that is wrong with an object, as far as it is worth telling.
    fn faults(&self, value: &Value) -> Option<String> {
        let faults = self.0.iter_errors(value).map(|error| {
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { "the object itself".to_owned() } else { place };
            format!("{place}: {}", cut(&error.to_string()))
        });
        let mut faults: Vec<_> = faults.take(MOST_FAULTS + 1).collect();
        if faults.len() > MOST_FAULTS {
            faults.truncate(MOST_FAULTS);
            faults.push("and more".to_owned());
        }
        (!faults.is_empty()).then(|| faults.join("; "))
    }
}

/// Reads an answer.
pub fn read(answer: &Answer, shape: &Shape) -> Result<Value, Unusable> {
    if answer.finish == Finish::Refused {
        return unusable("refused", "the answer is a refusal; answer with one JSON object that keeps to the rules");
    }
    let text = unfenced(answer.text.trim()).trim();
    let read = one_object(text).and_then(|value| match shape.faults(&value) {
        None => Ok(value),
        Some(faults) => unusable("schema", &format!("the object does not follow its schema: {faults}")),
    });
    match read {
        // Some servers report the limit although the object was just finished; a whole object is one.
        Err(_) if answer.finish == Finish::Length => {
            unusable("truncated", "the answer was cut off at its token limit; give the same object with shorter texts")
        }
        read => read,
    }
}

/// The text inside the one code fence around it, if there is one.
fn unfenced(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some(inside) = inside else { return text };
    let inside = inside.strip_prefix("json").or_else(|| inside.strip_prefix("JSON")).unwrap_or(inside);
    // A second fence inside means that there is more than one thing.
    if inside.contains("```") { text } else { inside }
}

fn one_object(text: &str) -> Result<Value, Unusable> {
    if text.is_empty() {
        return unusable("empty", "the answer is empty; answer with one JSON object");
    }
    match read_str(text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => unusable("not_an_object", "the answer is JSON but no object; answer with one object { ... }"),
        Err(error) => Err(misread(text, &error.to_string())),
    }
}

/// What kind of mistake it is that the strict reader complains of.
fn misread(text: &str, complaint: &str) -> Unusable {
    let object = |text: &str| {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let first = values.next().and_then(Result::ok).filter(Value::is_object);
        first.map(|_| values.byte_offset())
    };
    let told = |class: &'static str, message: &str| Unusable { class, message: message.to_owned() };
    let outside = "there is text around the JSON object; answer with the object alone";
    if !text.starts_with('{') {
        // Words before an object are told from words without one.
        return match text.find('{').and_then(|at| object(&text[at..])) {
            Some(_) => told("prose_around_object", outside),
            None => told("malformed_json", &format!("the answer is no JSON object: {complaint}")),
        };
    }
    if let Some(end) = object(text).filter(|end| *end < text.len()) {
        let rest = text[end..].trim_start();
        return if rest.is_empty() {
            told("malformed_json", &format!("the answer cannot be read as JSON: {complaint}"))
        } else if rest.trim_start_matches(',').trim_start().starts_with('{') {
            told("two_objects", "there is more than one JSON object; answer with exactly one")
        } else {
            told("prose_around_object", outside)
        };
    }
    let class = if complaint.contains("stands twice") { "duplicate_key" } else { "malformed_json" };
    told(class, &format!("the answer cannot be read as JSON: {complaint}"))
}

fn unusable<T>(class: &'static str, message: &str) -> Result<T, Unusable> {
    Err(Unusable { class, message: message.to_owned() })
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST_FAULT {
        return text.to_owned();
    }
    text.chars().take(LONGEST_FAULT).chain(['…']).collect()
}
