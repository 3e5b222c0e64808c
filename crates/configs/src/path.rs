//! Where a value stands in a document: `phases[phase_2].pattern.bullet_speed`.
//!
//! Items of a named collection are written by their id, other array items by their position (`items[#0]`). In a
//! pattern, `[*]` is any item and a last `*` is whatever lies below. What an id means in a document is
//! [`crate::layout`]'s business; this module only reads, writes and compares the notation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The id or position of an array item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// `[*]`, in patterns: any item.
    Any,
    /// `[#0]`: the item at a position, counted from 0.
    Index(usize),
    /// `[phase_2]`: the item with that id.
    Id(String),
}

impl Key {
    /// The key of an item with this id, or nothing where the notation cannot hold the id
    /// (empty, with a bracket, or one that reads as a position or as any item).
    pub fn id(id: &str) -> Option<Self> {
        if id.contains(['[', ']']) {
            return None;
        }
        Self::read(id).filter(|key| matches!(key, Self::Id(_)))
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "" => None,
            "*" => Some(Self::Any),
            _ => match text.strip_prefix('#').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
                Some(digits) => digits.parse().ok().map(Self::Index),
                None => Some(Self::Id(text.to_owned())),
            },
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Index(index) => write!(f, "#{index}"),
            Self::Id(id) => f.write_str(id),
        }
    }
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// A field of an object.
    Field(String),
    /// An item of an array.
    Item(Key),
    /// A last `*`, in patterns: one or more steps of any kind.
    Below,
}

/// A place in a document, or a pattern of places.
///
/// The root is written `$`. In a field's name `\` stands before `.`, `[`, `]`, `*`, `$` and `\`; a field without a
/// name is `\e`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Path(Vec<Segment>);

/// The text is not a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the path {text:?} cannot be read at character {at}: {message}; write it like `phases[phase_2].pattern.type`")]
pub struct ParsePathError {
    text: String,
    at: usize,
    message: &'static str,
}

impl Path {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// The steps from the root.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path of a field below this one.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        self.with(Segment::Field(name.to_owned()))
    }

    /// The path of an item below this one.
    #[must_use]
    pub fn item(&self, key: Key) -> Self {
        self.with(Segment::Item(key))
    }

    /// The path `other`, read from here.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).cloned().collect())
    }

    /// One step up, or nothing at the root.
    pub fn parent(&self) -> Option<Self> {
        let (_, above) = self.0.split_last()?;
        Some(Self(above.to_vec()))
    }

    /// The name of the last field, if the path ends in one.
    pub fn last_field(&self) -> Option<&str> {
        match self.0.last()? {
            Segment::Field(name) => Some(name),
            _ => None,
        }
    }

    /// The first item key on the way: the id of `phases[phase_2].pattern.type` is `phase_2`.
    pub fn first_key(&self) -> Option<&Key> {
        self.0.iter().find_map(|segment| match segment {
            Segment::Item(key) => Some(key),
            _ => None,
        })
    }

    /// Whether the path holds a `*`.
    pub fn is_pattern(&self) -> bool {
        self.0.iter().any(|segment| matches!(segment, Segment::Below | Segment::Item(Key::Any)))
    }

    /// The same path with every item key replaced by `[*]`: what a label or a schema is looked up by.
    #[must_use]
    pub fn generic(&self) -> Self {
        let any = |segment: &Segment| match segment {
            Segment::Item(_) => Segment::Item(Key::Any),
            other => other.clone(),
        };
        Self(self.0.iter().map(any).collect())
    }

    /// Whether this path starts with all of `other`.
    pub fn starts_with(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Whether this path fits a pattern.
    pub fn matches(&self, pattern: &Self) -> bool {
        let mut steps = self.0.iter();
        for wanted in &pattern.0 {
            let Some(step) = steps.next() else { return false };
            match (wanted, step) {
                (Segment::Below, _) => return true,
                (Segment::Item(Key::Any), Segment::Item(_)) => {}
                (wanted, step) if wanted == step => {}
                _ => return false,
            }
        }
        steps.next().is_none()
    }

    fn with(&self, segment: Segment) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        Self(segments)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("$");
        }
        for (index, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Item(key) => write!(f, "[{key}]")?,
                Segment::Below | Segment::Field(_) if index > 0 => f.write_str(".")?,
                _ => {}
            }
            match segment {
                Segment::Item(_) => {}
                Segment::Below => f.write_str("*")?,
                Segment::Field(name) if name.is_empty() => f.write_str("\\e")?,
                Segment::Field(name) => {
                    for letter in name.chars() {
                        if matches!(letter, '.' | '[' | ']' | '*' | '$' | '\\') {
                            f.write_str("\\")?;
                        }
                        write!(f, "{letter}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "$" {
            return Ok(Self::root());
        }
        let fault = |at: usize, message: &'static str| {
            // Only the start of a long text is repeated in the error.
            ParsePathError { text: text.chars().take(120).collect(), at, message }
        };
        let letters: Vec<char> = text.chars().collect();
        let mut segments = Vec::new();
        let mut at = 0;
        loop {
            if letters.get(at) == Some(&'[') {
                let length = letters.iter().skip(at).position(|letter| *letter == ']');
                let end = at + length.ok_or_else(|| fault(at, "a `[` is not closed"))?;
                let id: String = letters.iter().take(end).skip(at + 1).collect();
                if id.contains('[') {
                    return Err(fault(at, "an id holds a `[`"));
                }
                segments.push(Segment::Item(Key::read(&id).ok_or_else(|| fault(at, "an id is missing"))?));
                at = end + 1;
            } else {
                let (segment, end) = field(&letters, at).map_err(|message| fault(at, message))?;
                segments.push(segment);
                at = end;
            }
            match letters.get(at) {
                None => break,
                Some('[') => {}
                Some('.') => {
                    at += 1;
                    if letters.get(at) == Some(&'[') {
                        return Err(fault(at, "a field's name is missing before `[`"));
                    }
                }
                Some(_) => return Err(fault(at, "expected `.` or `[`")),
            }
        }
        let last = segments.len().saturating_sub(1);
        if segments.iter().take(last).any(|segment| *segment == Segment::Below) {
            return Err(fault(0, "`*` may only be the last step"));
        }
        Ok(Self(segments))
    }
}

/// Reads one field's name from a position; also says where it ended.
fn field(letters: &[char], from: usize) -> Result<(Segment, usize), &'static str> {
    let mut name = String::new();
    let mut at = from;
    while let Some(letter) = letters.get(at) {
        match letter {
            '.' | '[' => break,
            ']' => return Err("a `]` without a `[`"),
            '\\' => {
                match letters.get(at + 1) {
                    Some('e') => {}
                    Some(escaped @ ('.' | '[' | ']' | '*' | '$' | '\\')) => name.push(*escaped),
                    _ => return Err("a `\\` stands before none of `.[]*$\\e`"),
                }
                at += 1;
            }
            other => name.push(*other),
        }
        at += 1;
    }
    match at - from {
        0 => Err("a field's name is missing"),
        1 if name == "*" => Ok((Segment::Below, at)),
        _ => Ok((Segment::Field(name), at)),
    }
}

impl From<Path> for String {
    fn from(path: Path) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for Path {
    type Error = ParsePathError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> Path {
        text.parse().unwrap()
    }

    #[test]
    fn the_notation_is_read_and_written() {
        for text in [
            "$",
            "phases",
            "scenario.arena_width",
            "phases[phase_2].pattern.bullet_speed",
            "phases[第二 阶段.x].pattern.*",
            "phases[#0]",
            "phases[*].pattern.*",
            "grid[#1][#2].x",
            "odd\\.name.\\e.\\$",
        ] {
            assert_eq!(path(text).to_string(), text);
        }
        assert_eq!(path("a[#x]").segments()[1], Segment::Item(Key::Id("#x".into())));
    }

    #[test]
    fn bad_paths_say_where_they_break() {
        for (text, expected) in [
            ("", "character 0: a field's name is missing"),
            ("a..b", "character 2: a field's name is missing"),
            ("a.", "character 2: a field's name is missing"),
            ("a[", "character 1: a `[` is not closed"),
            ("a[]", "character 1: an id is missing"),
            ("a[b[c]]", "character 1: an id holds a `[`"),
            ("a]b", "character 0: a `]` without a `[`"),
            ("a[b]c", "character 4: expected `.` or `[`"),
            ("a.[b]", "before `[`"),
            ("*.a", "`*` may only be the last step"),
            ("a\\q", "stands before none of"),
        ] {
            let error = text.parse::<Path>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn patterns_match_what_lies_below() {
        for (text, pattern, fits) in [
            ("phases[a].pattern.speed", "phases[*].pattern.*", true),
            ("phases[a].pattern.speed.x", "phases[*].pattern.*", true),
            ("phases[#0].pattern.speed", "phases[*].pattern.*", true),
            ("phases[a].pattern", "phases[*].pattern.*", false),
            ("phases[a].trigger.value", "phases[*].pattern.*", false),
            ("phases[a]", "phases[a]", true),
            ("phases[a]", "phases[b]", false),
            ("phases", "phases[*]", false),
            ("phases.x", "phases[*]", false),
            ("anything", "*", true),
        ] {
            assert_eq!(path(text).matches(&path(pattern)), fits, "{text} against {pattern}");
        }
    }

    #[test]
    fn ids_that_the_notation_cannot_hold_have_no_key() {
        for id in ["", "*", "#12", "a[b", "a]b"] {
            assert_eq!(Key::id(id), None, "{id}");
        }
        assert_eq!(Key::id("#a"), Some(Key::Id("#a".into())));
    }

    fn any_path() -> impl Strategy<Value = Path> {
        let key = prop_oneof![
            Just(Key::Any),
            any::<u16>().prop_map(|index| Key::Index(index.into())),
            "[^\\[\\]]{1,8}".prop_filter_map("an id", |id| Key::id(&id)),
        ];
        let step = prop_oneof![".{0,6}".prop_map(Segment::Field), key.prop_map(Segment::Item)];
        (prop::collection::vec(step, 0..6), any::<bool>()).prop_map(|(mut steps, below)| {
            if below {
                steps.push(Segment::Below);
            }
            Path(steps)
        })
    }

    proptest! {
        #[test]
        fn written_paths_read_back(path in any_path()) {
            let text = path.to_string();
            prop_assert_eq!(text.parse::<Path>().unwrap(), path.clone());
            let json = serde_json::to_string(&path).unwrap();
            prop_assert_eq!(serde_json::from_str::<Path>(&json).unwrap(), path);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a.\\[\\]*#$\\\\e 一]{0,20}") {
            if let Ok(path) = text.parse::<Path>() {
                prop_assert_eq!(path.to_string().parse::<Path>().unwrap(), path);
            }
        }
    }
}
