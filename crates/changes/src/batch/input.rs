//! Items as people write them: a config a file, a JSON document a line, or a sentence a line.
//!
//! What cannot be read becomes an item that says so; nothing here fails as a whole.

use loopwright_core::json::{self, Digest, Limits};
use serde_json::{Map, Value};

use super::item::{Content, Item, named};
use crate::workflow::rules::LONGEST_REQUIREMENT;

/// The items of a text: one sentence a line; blank lines and those that begin with `#` are none.
pub fn sentences(bytes: &[u8]) -> Vec<Item> {
    let contents = lines(bytes).filter(|line| !line.starts_with(b"#")).map(|line| {
        let text = std::str::from_utf8(line).map_err(|error| format!("byte {} is not UTF-8", error.valid_up_to()));
        (None, text.and_then(requirement).unwrap_or_else(|why| unreadable(line, why)))
    });
    named(contents.collect())
}

/// The items of a JSONL file: one document a line; blank lines are none.
///
/// A document holds one of `text` (or `requirement`), `candidate` and `set`, and may hold a `name`.
pub fn documents(bytes: &[u8]) -> Vec<Item> {
    let contents = lines(bytes).map(|line| {
        let read = json::read(line, Limits::default()).map_err(|error| error.to_string());
        match read {
            Ok(Value::Object(fields)) => {
                let name = fields.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
                (name.map(str::to_owned), document(&fields).unwrap_or_else(|why| unreadable(line, why)))
            }
            Ok(_) => (None, unreadable(line, "a line is one JSON object".to_owned())),
            Err(why) => (None, unreadable(line, why)),
        }
    });
    named(contents.collect())
}

/// The items of a folder: one config a file, by name; a file that could not be read brings the reason.
pub fn configs(files: Vec<(String, Result<Vec<u8>, String>)>) -> Vec<Item> {
    let contents = files.into_iter().map(|(name, bytes)| {
        let content = match bytes {
            Ok(bytes) => match json::read(&bytes, Limits::default()) {
                Ok(config) => Content::Candidate(config),
                Err(error) => unreadable(&bytes, error.to_string()),
            },
            Err(why) => unreadable(name.as_bytes(), why),
        };
        (Some(name), content)
    });
    named(contents.collect())
}

/// Lines without their ends, the mark that editors put in front, and blank ones.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

fn unreadable(bytes: &[u8], message: String) -> Content {
    Content::Unreadable { message, digest: Digest::of(bytes) }
}

fn requirement(text: &str) -> Result<Content, String> {
    let (text, length) = (text.trim(), text.chars().count());
    if text.is_empty() {
        return Err("the requirement is empty".to_owned());
    }
    if length > LONGEST_REQUIREMENT {
        return Err(format!("the requirement has {length} characters; at most {LONGEST_REQUIREMENT} are read"));
    }
    Ok(Content::Requirement(text.to_owned()))
}

fn document(fields: &Map<String, Value>) -> Result<Content, String> {
    const ONE_OF: &str = "one of \"text\", \"candidate\" and \"set\"";
    let mut content = None;
    for (field, value) in fields {
        let found = match field.as_str() {
            "name" if value.as_str().is_some_and(|name| !name.trim().is_empty()) => continue,
            "name" => return Err("\"name\" is no text, or a blank one".to_owned()),
            "text" | "requirement" => requirement(value.as_str().ok_or_else(|| format!("{field:?} is no text"))?)?,
            "candidate" if value.is_object() => Content::Candidate(value.clone()),
            "candidate" => return Err("\"candidate\" is no JSON object".to_owned()),
            "set" => Content::Set(settings(value)?),
            other => return Err(format!("{other:?} is not known: a line holds \"name\" and {ONE_OF}")),
        };
        if content.replace(found).is_some() {
            return Err(format!("a line holds only {ONE_OF}"));
        }
    }
    content.ok_or_else(|| format!("a line holds {ONE_OF}"))
}

fn settings(value: &Value) -> Result<Vec<String>, String> {
    let wrong = || "\"set\" is a list of texts such as \"NAME=VALUE\"".to_owned();
    let settings = value.as_array().filter(|settings| !settings.is_empty()).ok_or_else(wrong)?;
    settings.iter().map(|setting| setting.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(items: &[Item]) -> Vec<(String, String)> {
        let text = |item: &Item| match &item.content {
            Content::Requirement(text) => text.clone(),
            Content::Candidate(config) => config.to_string(),
            Content::Set(settings) => settings.join("&"),
            Content::Unreadable { message, .. } => format!("!{message}"),
        };
        items.iter().map(|item| (item.name.clone(), text(item))).collect()
    }

    #[test]
    fn a_text_is_a_sentence_a_line() {
        let text = b"\xEF\xBB\xBFdenser\r\n\n  # a comment\n \xE5\xBF\xAB \n#\n\xFF\ndenser";
        let items = shown(&sentences(text));
        let contents: Vec<_> = items.iter().map(|(_, content)| content.as_str()).collect();
        assert_eq!(contents, ["denser", "快", "!byte 0 is not UTF-8", "denser"]);
        assert_eq!((items[0].0.as_str(), items[3].0.as_str()), ("denser", "denser (2)"));
        let long = "x".repeat(LONGEST_REQUIREMENT + 1);
        assert!(shown(&sentences(long.as_bytes()))[0].1.starts_with("!the requirement has"));
        assert!(sentences(b" \n# nothing\n").is_empty());
    }

    #[test]
    fn a_document_a_line_says_what_it_is() {
        let cases = [
            (r#"{"text": " denser "}"#, "denser", "denser"),
            (r#"{"requirement": "denser", "name": "n"}"#, "n", "denser"),
            (r#"{"set": ["a=1", "b=2"]}"#, "a=1 b=2", "a=1&b=2"),
            (r#"{"name": "c", "candidate": {"a": 1}}"#, "c", r#"{"a":1}"#),
            (r#"{"name": "c", "candidate": 3}"#, "c", "!\"candidate\" is no JSON object"),
            (r#"{"name": "c"}"#, "c", "!a line holds one of"),
            (r#"{"name": "c", "text": "a", "set": ["b=1"]}"#, "c", "!a line holds only one of"),
            (r#"{"name": "c", "text": "a", "more": 1}"#, "c", "!\"more\" is not known"),
            (r#"{"name": "c", "text": 1}"#, "c", "!\"text\" is no text"),
            (r#"{"name": "c", "text": " "}"#, "c", "!the requirement is empty"),
            (r#"{"name": "c", "set": []}"#, "c", "!\"set\" is a list"),
            (r#"{"name": "c", "set": [1]}"#, "c", "!\"set\" is a list"),
            (r#"{"name": 3, "text": "a"}"#, "unreadable", "!\"name\" is no text"),
            (r#"{"name": " ", "text": "a"}"#, "unreadable", "!\"name\" is no text"),
            (r#"{"text": "a", "text": "b"}"#, "unreadable", "!line 1"),
            ("[1]", "unreadable", "!a line is one JSON object"),
            ("{", "unreadable", "!line 1"),
        ];
        for (line, name, content) in cases {
            let items = shown(&documents(line.as_bytes()));
            assert_eq!(items.len(), 1, "{line}");
            assert!(items[0].0.starts_with(name) && items[0].1.starts_with(content), "{line}: {items:?}");
        }
        assert_eq!(documents(b"{}\n\n{}\n").len(), 2);
    }

    #[test]
    fn a_folder_is_a_config_a_file() {
        let files = vec![
            ("a.json".to_owned(), Ok(br#"{"a": 1}"#.to_vec())),
            ("b.json".to_owned(), Ok(b"{".to_vec())),
            ("c.json".to_owned(), Err("permission denied".to_owned())),
        ];
        let items = configs(files);
        assert_eq!(items[0].content, Content::Candidate(json!({"a": 1})));
        let kinds: Vec<_> = items.iter().map(|item| (item.name.as_str(), item.content.kind())).collect();
        assert_eq!(kinds, [("a.json", "candidate"), ("b.json", "unreadable"), ("c.json", "unreadable")]);
    }
}
