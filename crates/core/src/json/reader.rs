//! The one reader for JSON that comes from outside: strict about size, depth, encoding, duplicate keys and numbers.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// How much a document may hold.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the whole document.
    pub bytes: usize,
    /// Nesting of arrays and objects.
    pub depth: usize,
}

impl Default for Limits {
    /// 4 MiB and 64 levels: far above any config or answer, far below what hurts.
    fn default() -> Self {
        Self { bytes: 4 << 20, depth: 64 }
    }
}

/// Why a document was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The document is larger than allowed.
    #[error("the document has {bytes} bytes, more than the {limit} allowed")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The document starts with a byte order mark.
    #[error("the document starts with a byte order mark; save it as plain UTF-8")]
    ByteOrderMark,
    /// The bytes are not UTF-8.
    #[error("the document is not UTF-8: byte {offset} cannot be read")]
    NotUtf8 {
        /// Offset of the first bad byte.
        offset: usize,
    },
    /// The document is empty or only white space.
    #[error("the document is empty")]
    Empty,
    /// The text is not the JSON that is accepted here.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
}

/// Reads one JSON document from bytes.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Value, ReadError> {
    if bytes.len() > limits.bytes {
        return Err(ReadError::TooLarge { bytes: bytes.len(), limit: limits.bytes });
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(ReadError::ByteOrderMark);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| ReadError::NotUtf8 { offset: error.valid_up_to() })?;
    if text.trim().is_empty() {
        return Err(ReadError::Empty);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: limits.depth }.deserialize(&mut deserializer).map_err(|error| syntax(&error))?;
    deserializer.end().map_err(|error| syntax(&error))?;
    Ok(value)
}

/// Reads one JSON document from text, with the default limits.
pub fn read_str(text: &str) -> Result<Value, ReadError> {
    read(text.as_bytes(), Limits::default())
}

fn syntax(error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    // serde_json appends the position to its message; it is a field of ours.
    let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message);
    ReadError::Syntax { message: message.to_owned(), line, column }
}

/// Builds a `Value` while counting depth and refusing repeated keys.
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(&self) -> Result<Self, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Self { depth }),
            None => Err(E::custom("nested too deeply")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self.deeper()?)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        let mut seen = HashSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format_args!("the key {key:?} stands twice in one object")));
            }
            let value = fields.next_value_seed(self.deeper()?)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bad_documents_are_refused_with_their_place() {
        let deep = "[".repeat(200_000);
        let cases: &[(&[u8], &str)] = &[
            (b"", "the document is empty"),
            (b" \n", "the document is empty"),
            (b"\xEF\xBB\xBF{}", "byte order mark"),
            (b"{\"a\": \"\xff\"}", "byte 7 cannot be read"),
            (b"{\"a\": 1,\n \"a\": 2}", "line 2, column 4: the key \"a\" stands twice"),
            (b"{\"a\": NaN}", "line 1, column 7"),
            (b"{\"a\": Infinity}", "line 1, column 7"),
            (b"{\"a\": 1e999}", "number out of range"),
            (b"{} {}", "trailing characters"),
            (b"{\"a\": 1", "EOF while parsing an object"),
            (deep.as_bytes(), "nested too deeply"),
        ];
        for (bytes, expected) in cases {
            let error = read(bytes, Limits::default()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error} lacks {expected}");
        }
        let error = read(b"[1, 2, 3]", Limits { bytes: 4, depth: 4 }).unwrap_err();
        assert_eq!(error, ReadError::TooLarge { bytes: 9, limit: 4 });
    }

    #[test]
    fn good_documents_keep_their_order_and_numbers() {
        let value = read_str(r#"{"z": [1, -2, 0.5, true, null], "a": {"深": "度"}}"#).unwrap();
        assert_eq!(value, json!({"z": [1, -2, 0.5, true, null], "a": {"深": "度"}}));
        assert_eq!(value.to_string(), r#"{"z":[1,-2,0.5,true,null],"a":{"深":"度"}}"#);
    }

    #[test]
    fn numbers_are_not_kept_as_text() {
        // With serde_json's `arbitrary_precision` a number would be kept as its text and 1e999 accepted.
        assert!(serde_json::from_str::<Value>("1e999").is_err());
    }
}
