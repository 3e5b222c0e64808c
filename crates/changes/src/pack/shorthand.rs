//! Places as people type them: an item's id and the end of a field's path, or the end alone.

use loopwright_configs::{ParsePathError, Path, Segment};

use super::Pack;

/// A text names no single place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShorthandError {
    /// It is no path at all.
    #[error(transparent)]
    Path(#[from] ParsePathError),
    /// It fits no field of the baseline.
    #[error("`{text}` is no field; write it like {example}")]
    Unknown {
        /// The text.
        text: String,
        /// A field that exists.
        example: String,
    },
    /// It fits several.
    #[error("`{text}` may be {}; write one of them", .places.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The fields it fits.
        places: Vec<String>,
    },
}

/// The one field of the baseline that a text means. A full path means itself, even where its end fits others.
pub(super) fn place(pack: &Pack, text: &str) -> Result<Path, ShorthandError> {
    let asked: Path = text.parse()?;
    let leaves: Vec<Path> = pack.layout().leaves(pack.baseline().value()).into_iter().map(|(path, _)| path).collect();
    if leaves.contains(&asked) {
        return Ok(asked);
    }
    let mut places = leaves.iter().filter(|leaf| fits(leaf, &asked));
    match (places.next(), places.next()) {
        (Some(only), None) => Ok(only.clone()),
        (None, _) => {
            let example = leaves.iter().rfind(|leaf| leaf.first_key().is_some()).or(leaves.first());
            Err(ShorthandError::Unknown {
                text: text.to_owned(),
                example: example.map(ToString::to_string).unwrap_or_default(),
            })
        }
        (Some(_), Some(_)) => Err(ShorthandError::Ambiguous {
            text: text.to_owned(),
            places: leaves.iter().filter(|leaf| fits(leaf, &asked)).map(ToString::to_string).collect(),
        }),
    }
}

/// Whether a field's path ends as asked; the first step of what was asked may be the id of the item it stands in.
/// A field of an item needs the id.
fn fits(leaf: &Path, asked: &Path) -> bool {
    let (leaf_steps, asked) = (leaf.segments(), asked.segments());
    match (leaf.first_key(), asked.split_first()) {
        (Some(key), Some((Segment::Field(id), end))) => {
            *id == key.to_string() && !end.is_empty() && leaf_steps.ends_with(end)
        }
        (None, Some(_)) => leaf_steps.ends_with(asked),
        _ => false,
    }
}
