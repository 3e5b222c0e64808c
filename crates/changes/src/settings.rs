//! Values set by name: `item.field=4.6` on a command line becomes a value at its place.

use loopwright_configs::PlaceError;
use loopwright_core::json;
use serde_json::Value;

use crate::pack::{Pack, ShorthandError};

/// Why a setting was refused.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// No `=`.
    #[error("{setting:?} is no setting: write NAME=VALUE")]
    NoValue {
        /// What was given.
        setting: String,
    },
    /// Nothing, or more than one thing, is called so.
    #[error("{setting:?} cannot be set")]
    Name {
        /// What was given.
        setting: String,
        /// Why.
        #[source]
        source: ShorthandError,
    },
    /// This config has no such place.
    #[error("{setting:?} cannot be set")]
    Place {
        /// What was given.
        setting: String,
        /// Why.
        #[source]
        source: PlaceError,
    },
}

/// The same config with values set by name, in order.
pub fn apply(pack: &Pack, config: &Value, settings: &[String]) -> Result<Value, SettingError> {
    let mut changed = config.clone();
    for setting in settings {
        let no_value = || SettingError::NoValue { setting: setting.clone() };
        let (name, text) = setting.split_once('=').ok_or_else(no_value)?;
        let (name, text) = (name.trim(), text.trim());
        if text.is_empty() {
            return Err(no_value());
        }
        let path = pack.place(name).map_err(|source| SettingError::Name { setting: setting.clone(), source })?;
        // What is no JSON is text: `field=word` needs no quotes.
        let value = json::read_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        pack.layout()
            .set(&mut changed, &path, value)
            .map_err(|source| SettingError::Place { setting: setting.clone(), source })?;
    }
    Ok(changed)
}
