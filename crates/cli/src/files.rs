//! Reading what people name on the command line, and writing what they get.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use loopwright_core::json::{self, Limits};
use serde_json::Value;

use crate::exit::Exit;
use crate::failure::Failure;

/// The largest requirement that is read from a file, in bytes; longer ones are no sentence.
const REQUIREMENT_BYTES: usize = 64 << 10;

/// Reads a config.
pub(crate) fn read_config(path: &Path) -> Result<Value, Failure> {
    let limits = Limits::default();
    let bytes = read_bytes(path, limits.bytes)?;
    json::read(&bytes, limits).map_err(|error| {
        Failure::usage(format!("{}: {error}", path.display())).hint("a config is one JSON object in plain UTF-8")
    })
}

/// Reads a requirement.
pub(crate) fn read_requirement(path: &Path) -> Result<String, Failure> {
    let bytes = read_bytes(path, REQUIREMENT_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Failure::usage(format!("{}: byte {offset} is not UTF-8", path.display())).hint("save the file as UTF-8")
    })?;
    // Editors put a mark in front of plain text; it is no part of the sentence.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// Writes a file whole or not at all: beside it first, then in its place.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: &std::io::Error| Failure::world(format!("cannot write {}: {error}", path.display()));
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path)).map_err(|error| {
        // Half a file helps nobody; where it cannot be removed either, the first error is the one to tell.
        fs::remove_file(&beside).ok();
        failed(&error)
    })
}

/// Makes a folder and everything above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path)
        .map_err(|error| Failure::world(format!("cannot make the folder {}: {error}", path.display())))
}

/// Reads a file that may have at most so many bytes.
pub(crate) fn read_bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let failed = |error: &std::io::Error| Failure::from_error(Exit::Usage, error).place(path);
    let kind = fs::metadata(path).map_err(|error| failed(&error))?;
    if !kind.is_file() {
        return Err(Failure::usage(format!("{} is no file", path.display())));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| failed(&error))?;
    // One byte more than allowed tells a file that is too large from one that just fits.
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() > limit {
        let size = kind.len().max(bytes.len() as u64);
        return Err(Failure::usage(format!("{} has {size} bytes; at most {limit} are read", path.display())));
    }
    Ok(bytes)
}

impl Failure {
    /// The same failure with the file it is about in front.
    fn place(self, path: &Path) -> Self {
        self.prefixed(&format!("cannot read {}", path.display()))
    }
}
