//! SHA-256 digests as lower-case hex text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// A SHA-256 digest; written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest([u8; 32]);

/// The text was not 64 lower-case hex digits.
#[derive(Debug, thiserror::Error)]
#[error("a digest is 64 lower-case hex digits, not {0:?}")]
pub struct ParseDigestError(String);

impl Digest {
    /// Stands where a chain has no predecessor.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The first eight hex digits, for people.
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.short())
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = ParseDigestError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseDigestError(text.chars().take(80).collect());
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let [high, low] = pair else { return Err(wrong()) };
            *byte = match (nibble(*high), nibble(*low)) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => return Err(wrong()),
            };
        }
        Ok(Self(bytes))
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_round_trip() {
        // The digest of the empty input, as FIPS 180-4 test vectors give it.
        let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(b"").to_string(), text);
        assert_eq!(text.parse::<Digest>().unwrap(), Digest::of(b""));
        assert!("E3".parse::<Digest>().is_err());
        assert!("é".repeat(32).parse::<Digest>().is_err());
    }
}
