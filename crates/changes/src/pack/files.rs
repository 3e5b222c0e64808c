//! The files of a pack, wherever they come from. The only place of this crate that touches a disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loopwright_core::json::{Digest, canonical_bytes};

/// Packs that are part of the program: name, then file names with their text.
type Embedded = &'static [(&'static str, &'static [(&'static str, &'static str)])];
const EMBEDDED: Embedded = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// Bytes of one file.
const LARGEST: u64 = 4 << 20;
/// Files of one pack.
const MOST: usize = 100;

/// A pack's files, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFiles {
    origin: String,
    texts: BTreeMap<String, String>,
}

/// A pack's folder could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The folder or one of its files could not be read.
    #[error("{path} cannot be read: {source}; a pack is a folder with a pack.toml in it")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is larger than any pack file is.
    #[error("{path} has {bytes} bytes, more than the {LARGEST} allowed for a file of a pack")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// A file is not text.
    #[error("{path} is not UTF-8 text; keep only text files in a pack")]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The folder holds more files than a pack has.
    #[error("{path} holds more than {MOST} files; is it the folder of a pack?")]
    TooMany {
        /// The folder.
        path: PathBuf,
    },
}

impl PackFiles {
    /// The pack that is part of the program.
    pub fn embedded() -> Self {
        let (name, files) = EMBEDDED.first().copied().unwrap_or(("none", &[]));
        let texts = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self { origin: format!("embedded:{name}"), texts }
    }

    /// Files given as text.
    pub fn from_texts(origin: &str, texts: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { origin: origin.to_owned(), texts: texts.into_iter().collect() }
    }

    /// The files of a folder; folders inside it and hidden files are left out.
    pub fn directory(folder: &Path) -> Result<Self, FilesError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| FilesError::Read { path, source }
        };
        let mut texts = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
            let path = entry.map_err(failed(folder))?.path();
            let metadata = std::fs::metadata(&path).map_err(failed(&path))?;
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if !metadata.is_file() || name.is_empty() || name.starts_with('.') {
                continue;
            }
            if metadata.len() > LARGEST {
                return Err(FilesError::TooLarge { path, bytes: metadata.len() });
            }
            if texts.len() == MOST {
                return Err(FilesError::TooMany { path: folder.to_owned() });
            }
            let bytes = std::fs::read(&path).map_err(failed(&path))?;
            let text = String::from_utf8(bytes).map_err(|_| FilesError::NotText { path })?;
            texts.insert(name, text);
        }
        Ok(Self { origin: folder.display().to_string(), texts })
    }

    /// Where they come from: a folder, or `embedded:` and a name.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// Identifies the pack's content: SHA-256 over names and texts, wherever they come from.
    pub fn digest(&self) -> Digest {
        let fields = self.texts.iter().map(|(name, text)| (name.clone(), text.clone().into()));
        Digest::of(&canonical_bytes(&serde_json::Value::Object(fields.collect())))
    }
}
