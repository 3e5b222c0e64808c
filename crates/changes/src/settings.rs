//! Values set by name: `item.field=4.6` on a command line becomes a place and a value.

use loopwright_configs::Path;
use loopwright_core::json;
use serde_json::Value;

use crate::pack::Pack;

/// Why a setting was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No `=`.
    #[error("{setting:?} is no setting: write NAME=VALUE")]
    NoValue {
        /// What was given.
        setting: String,
    },
    /// Nothing is called so.
    #[error("nothing is called {name:?}; names are: {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The names that fit best, or all of them.
        known: Vec<String>,
    },
    /// Several places are called so.
    #[error("{name:?} could be {}; write one of them", places.join(" or "))]
    Ambiguous {
        /// The name.
        name: String,
        /// The places.
        places: Vec<String>,
    },
    /// The place cannot hold a value.
    #[error("{name:?} cannot be set: {reason}")]
    Place {
        /// The name.
        name: String,
        /// Why.
        reason: String,
    },
}

/// The short names usable for the places of a config: `item.field`, or the path itself where it leads into no item.
pub fn names(pack: &Pack, config: &Value) -> Vec<(String, Path)> {
    let places = pack.layout().leaves(config);
    places.into_iter().map(|(path, _)| (short(&path), path)).collect()
}

/// Sets values by name in a config.
pub fn apply(pack: &Pack, config: &Value, settings: &[String]) -> Result<Value, SettingError> {
    let names = names(pack, config);
    let mut changed = config.clone();
    for setting in settings {
        let (name, text) = setting.split_once('=').ok_or_else(|| SettingError::NoValue { setting: setting.clone() })?;
        let path = place(&names, name.trim())?;
        // What is no JSON is text: `field=word` needs no quotes.
        let value = json::read_str(text.trim()).unwrap_or_else(|_| Value::String(text.trim().to_owned()));
        pack.layout()
            .set(&mut changed, path, value)
            .map_err(|error| SettingError::Place { name: name.to_owned(), reason: error.to_string() })?;
    }
    Ok(changed)
}

fn place<'a>(names: &'a [(String, Path)], name: &str) -> Result<&'a Path, SettingError> {
    if let Some((_, path)) = names.iter().find(|(short, path)| short == name || path.to_string() == name) {
        return Ok(path);
    }
    // A name may leave out what stands between an item and its field, or everything before a field that is unique.
    let (item, field) = name.split_once('.').unwrap_or(("", name));
    let fits = |path: &Path| {
        path.last_field() == Some(field)
            && (item.is_empty() || path.first_key().is_some_and(|key| key.to_string() == item))
    };
    let found: Vec<_> = names.iter().map(|(_, path)| path).filter(|path| fits(path)).collect();
    match found.as_slice() {
        [path] => Ok(path),
        [] => Err(SettingError::Unknown { name: name.to_owned(), known: suggestions(names, field) }),
        several => Err(SettingError::Ambiguous {
            name: name.to_owned(),
            places: several.iter().map(|path| short(path)).collect(),
        }),
    }
}

/// Names that share the field's beginning, or all of them where none does.
fn suggestions(names: &[(String, Path)], field: &str) -> Vec<String> {
    let start: String = field.chars().take(3).collect();
    let all = || names.iter().map(|(short, _)| short.clone());
    let near: Vec<_> = all().filter(|name| !start.is_empty() && name.contains(&start)).collect();
    if near.is_empty() { all().collect() } else { near }
}

fn short(path: &Path) -> String {
    match (path.first_key(), path.last_field()) {
        (Some(key), Some(field)) => format!("{key}.{field}"),
        _ => path.to_string(),
    }
}
