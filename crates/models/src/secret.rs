//! Keys, and how they are kept out of everything that is shown or kept.

use std::fmt;

/// Shorter ones are words such as `none` that a server without keys is sent, and may stand in any text.
const SHORTEST: usize = 8;
/// What stands where a key stood.
const HIDDEN: &str = "[key]";

/// A key. It has no text form, so that it cannot be printed, logged or kept by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key; white space around it is none of it.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the one place that sends it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key, however it is written in it.
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < SHORTEST {
            return text.to_owned();
        }
        let mut text = text.replace(&self.0, HIDDEN);
        for form in [json_escaped(&self.0), percent_encoded(&self.0), reversed_slashes(&self.0)] {
            if form != self.0 {
                text = text.replace(&form, HIDDEN);
            }
        }
        text
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// The key as it stands inside a JSON string.
fn json_escaped(key: &str) -> String {
    let quoted = serde_json::Value::from(key).to_string();
    quoted.trim_matches('"').to_owned()
}

/// The key as some servers write it inside a JSON string.
fn reversed_slashes(key: &str) -> String {
    key.replace('/', "\\/")
}

/// The key as it stands inside an address.
fn percent_encoded(key: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    key.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_in_every_form() {
        let secret = Secret::new(" sk-a/b\"c+d \n");
        for text in ["sk-a/b\"c+d", "sk-a/b\\\"c+d", "sk-a%2Fb%22c%2Bd", "sk-a\\/b\"c+d"] {
            assert_eq!(secret.redact(&format!("<{text}>")), "<[key]>", "{text}");
        }
        assert_eq!(format!("{secret:?}"), "[secret]");
        for word in ["", "none", "EMPTY"] {
            assert_eq!(Secret::new(word).redact("none is EMPTY"), "none is EMPTY");
        }
    }
}
