//! The names of a batch and of its runs.
//!
//! A run's name follows from the batch, the terms and the item. The journal alone therefore tells which items have
//! come to rest: nothing is kept beside it that could be lost or disagree.

use loopwright_core::json::{Digest, Json};
use loopwright_runtime::journal::{JournalError, RunId};
use serde_json::{Value, json};

use super::item::Item;
use crate::workflow::brief::Brief;

/// The most characters of a batch's name.
const LONGEST_NAME: usize = 64;

/// The name of a batch: letters, digits, `-`, `_` and `.`, since folders are called so.
pub fn name(text: &str) -> Result<String, String> {
    let fits = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let plain = text.chars().all(fits) && text.starts_with(char::is_alphanumeric);
    if plain && text.chars().count() <= LONGEST_NAME {
        return Ok(text.to_owned());
    }
    Err(format!(
        "a batch's name begins with a letter or digit and holds at most {LONGEST_NAME} of those, '-', '_', '.'"
    ))
}

/// The name of a batch that nobody named: its input's, made to fit, and the beginning of its digest.
pub fn name_of_input(input: &str, items: &Digest) -> String {
    let fitting = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    let text: String = input.chars().map(fitting).take(LONGEST_NAME / 2).collect();
    let text = text.trim_matches('-');
    let text = if text.is_empty() { "batch" } else { text };
    format!("{text}-{}", items.short())
}

/// What belongs to a single item of a batch, or only says how a run is shown.
const NOT_SHARED: [&str; 5] = ["requirement", "proposer", "lang", "names", "layout"];

/// What all items of a batch have in common, as a digest: pack, engine, device profile, seed, budget, baseline and
/// whatever else a brief comes to hold.
pub fn terms(brief: &Brief, baseline: &Value) -> Digest {
    let mut terms = brief.to_json().value().clone();
    if let Value::Object(fields) = &mut terms {
        fields.retain(|field, _| !NOT_SHARED.contains(&field.as_str()));
        // The same pack in another folder is the same pack.
        fields.insert("pack".to_owned(), json!(brief.pack.digest));
        fields.insert("baseline".to_owned(), json!(Json::new(baseline.clone()).digest()));
    }
    Json::new(terms).digest()
}

/// The name of an item's run. `attempt` grows where a run of that name was created and never began.
pub fn run_id(batch: &str, terms: &Digest, item: &Item, attempt: u32) -> Result<RunId, JournalError> {
    const LETTERS: &[u8; 16] = b"abcdefghkmnpqrst";
    let identity = json!([batch, terms, item.name, item.content.digest(), attempt]);
    let digest = Json::new(identity).digest().to_string();
    // A letter first, so that it is told from a number; 4 bits each, 64 in all.
    let letter = |digit: u8| char::from(LETTERS[usize::from(digit.min(b'f') % 16)]);
    let first = digest.bytes().take(1).map(letter);
    RunId::new(first.chain(digest.chars().skip(1).take(15)).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::item::Content;

    #[test]
    fn a_name_fits_a_folder() {
        for text in ["nightly", "2026-11-30", "a.b_c", "夜间"] {
            assert_eq!(name(text).as_deref(), Ok(text));
        }
        for text in ["", ".", "..", "-x", "a/b", "a b", "a\\b", "a\n", &"x".repeat(65)] {
            assert!(name(text).is_err(), "{text:?}");
        }
        for input in ["nightly.jsonl", "..", "", "候选 配置", &"x".repeat(300)] {
            let made = name_of_input(input, &Digest::ZERO);
            assert_eq!(name(&made).as_ref(), Ok(&made));
        }
        assert_eq!(name_of_input("night.jsonl", &Digest::ZERO), "night-jsonl-00000000");
    }

    #[test]
    fn a_run_belongs_to_batch_terms_item_and_attempt() {
        let item =
            |name: &str, text: &str| Item { name: name.to_owned(), content: Content::Requirement(text.to_owned()) };
        let (zero, other) = (Digest::ZERO, Digest::of(b""));
        let ids = [
            run_id("b", &zero, &item("n", "t"), 0),
            run_id("c", &zero, &item("n", "t"), 0),
            run_id("b", &other, &item("n", "t"), 0),
            run_id("b", &zero, &item("m", "t"), 0),
            run_id("b", &zero, &item("n", "u"), 0),
            run_id("b", &zero, &item("n", "t"), 1),
        ];
        let ids: Vec<_> = ids.into_iter().map(|id| id.unwrap().to_string()).collect();
        let different: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(different.len(), ids.len());
        assert!(ids.iter().all(|id| id.len() == 16 && id.starts_with(|letter: char| letter.is_ascii_lowercase())));
        assert_eq!(ids[0], run_id("b", &zero, &item("n", "t"), 0).unwrap().to_string());
    }
}
