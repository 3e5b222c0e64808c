//! One change of a batch: what it is called and what is to be verified.

use loopwright_core::json::{Digest, Json};
use serde_json::{Value, json};

/// The most characters of a name that was made from an item's content.
const LONGEST_NAME: usize = 80;

/// One change to verify.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What people call it; unique within its batch.
    pub name: String,
    /// What is to be verified.
    pub content: Content,
}

/// What is to be verified.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A designer's sentence.
    Requirement(String),
    /// A config of their own.
    Candidate(Value),
    /// The baseline with values set by name, as `NAME=VALUE`.
    Set(Vec<String>),
    /// What cannot be read; it fails alone and stops nobody else.
    Unreadable {
        /// Why, in a sentence.
        message: String,
        /// SHA-256 of what was there.
        digest: Digest,
    },
}

impl Content {
    /// What kind of content it is, in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Requirement(_) => "requirement",
            Self::Candidate(_) => "candidate",
            Self::Set(_) => "set",
            Self::Unreadable { .. } => "unreadable",
        }
    }

    /// SHA-256 of what is to be verified, whatever it is called: of the RFC 8785 form of `{kind: content}`.
    pub fn digest(&self) -> Digest {
        let form = match self {
            Self::Requirement(text) => json!({"requirement": text}),
            Self::Candidate(config) => json!({"candidate": config}),
            Self::Set(settings) => json!({"set": settings}),
            Self::Unreadable { digest, .. } => return *digest,
        };
        Json::new(form).digest()
    }

    /// A name for content that nobody named: it stays the same when the lines around it move.
    fn name(&self) -> String {
        let text = match self {
            Self::Requirement(text) => text.clone(),
            Self::Candidate(_) => format!("candidate {}", self.digest().short()),
            Self::Set(settings) => settings.join(" "),
            Self::Unreadable { digest, .. } => format!("unreadable {}", digest.short()),
        };
        shortened(&text)
    }
}

/// Names that were given, or made from the content, told apart by a number where they are the same.
pub fn named(contents: Vec<(Option<String>, Content)>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    for (given, content) in contents {
        let wanted = given.unwrap_or_else(|| content.name());
        let mut name = wanted.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted} ({number})");
        }
        items.push(Item { name, content });
    }
    items
}

/// SHA-256 over all items, names included.
pub fn digest(items: &[Item]) -> Digest {
    let list: Vec<_> = items.iter().map(|item| json!([item.name, item.content.digest()])).collect();
    Json::new(Value::Array(list)).digest()
}

/// What an item is about, in a line.
pub fn title(item: &Item) -> String {
    match &item.content {
        Content::Requirement(text) => text.clone(),
        Content::Set(settings) => settings.join(" "),
        Content::Candidate(_) => "(candidate)".to_owned(),
        Content::Unreadable { .. } => "(unreadable)".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST_NAME {
        return text.to_owned();
    }
    text.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Content {
        Content::Set(vec![text.to_owned()])
    }

    #[test]
    fn names_are_unique_and_come_from_the_content_where_nobody_gave_one() {
        let long = "long ".repeat(40);
        let contents = vec![
            (Some("a".to_owned()), set("x=1")),
            (None, set("x=1")),
            (Some("a".to_owned()), set("x=2")),
            (None, Content::Requirement("slower".to_owned())),
            (None, set("x=1")),
            (Some("a (2)".to_owned()), set("x=3")),
            (None, Content::Requirement(long)),
        ];
        let items = named(contents);
        let names: Vec<_> = items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names[..6], ["a", "x=1", "a (2)", "slower", "x=1 (2)", "a (2) (2)"]);
        assert_eq!(names[6].chars().count(), LONGEST_NAME);
    }

    #[test]
    fn a_digest_belongs_to_the_content_and_not_to_its_spelling() {
        let one = Content::Candidate(json!({"a": 1, "b": 2.0}));
        let other = Content::Candidate(json!({"b": 2, "a": 1}));
        assert_eq!(one.digest(), other.digest());
        let all = [one, set("a"), Content::Requirement("a".to_owned()), Content::Set(vec!["a".to_owned(); 2])];
        let digests: std::collections::BTreeSet<_> = all.iter().map(Content::digest).collect();
        assert_eq!(digests.len(), all.len());
    }
}
