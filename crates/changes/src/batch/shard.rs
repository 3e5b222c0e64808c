//! A part of a batch, chosen by content alone, so that machines that never met share the work without gap or overlap.

use std::fmt;
use std::str::FromStr;

use loopwright_core::json::Digest;
use serde::{Deserialize, Serialize};

/// Part `number` of `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u32,
    of: u32,
}

/// The text names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no shard: write K/N with K from 1 to N, such as 1/4")]
pub struct ShardError(String);

impl Shard {
    /// Whether an item of this content belongs to the shard.
    ///
    /// The first 32 bits of a SHA-256 are as good as random, so the shards are about equally large.
    pub fn holds(self, content: &Digest) -> bool {
        let first: String = content.to_string().chars().take(8).collect();
        // Eight hex digits always are a number.
        u32::from_str_radix(&first, 16).unwrap_or_default() % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ShardError(text.to_owned());
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let plain = |digits: &str| -> Result<u32, ShardError> {
            if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return Err(wrong());
            }
            digits.parse().map_err(|_| wrong())
        };
        let shard = Self { number: plain(number)?, of: plain(of)? };
        if (1..=shard.of).contains(&shard.number) { Ok(shard) } else { Err(wrong()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_a_part_of_a_whole_is_a_shard() {
        for text in ["1/1", "1/4", "4/4"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "0/4", "5/4", "1/0", "+1/4", "1/4/2", "1 / 4", "a/b", "-1/4", "1/99999999999"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError(text.to_owned())));
        }
    }

    proptest! {
        #[test]
        fn every_item_is_in_one_shard(content in any::<[u8; 8]>(), of in 1_u32..9) {
            let digest = Digest::of(&content);
            let holding = (1..=of).filter(|number| Shard { number: *number, of }.holds(&digest)).count();
            prop_assert_eq!(holding, 1);
        }
    }
}
