//! Reading what a batch is about. Only the input as a whole can fail here; a bad item is an item.

use std::fs;
use std::io;
use std::path::Path;

use loopwright_changes::batch::input;
use loopwright_changes::batch::item::Item;
use loopwright_core::json::Limits;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;

/// The largest list of items that is read, in bytes.
const LIST_BYTES: usize = 256 << 20;

/// Reads the items of a folder or a file.
pub(super) fn read(path: &Path) -> Result<Vec<Item>, Failure> {
    let kind = fs::metadata(path).map_err(|error| failed(&error, path))?;
    let items = if kind.is_dir() {
        folder(path)?
    } else {
        let bytes = files::read_bytes(path, LIST_BYTES)?;
        if has_ending(path, "jsonl") { input::documents(&bytes) } else { input::sentences(&bytes) }
    };
    if items.is_empty() {
        let hint = if kind.is_dir() { "a candidate is a file that ends with .json" } else { "write one item a line" };
        return Err(Failure::usage(format!("there is nothing to verify in {}", path.display())).hint(hint));
    }
    Ok(items)
}

fn folder(path: &Path) -> Result<Vec<Item>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| failed(&error, path))? {
        let entry = entry.map_err(|error| failed(&error, path))?.path();
        if has_ending(&entry, "json") && !entry.is_dir() {
            files.push(entry);
        }
    }
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, files::read_bytes(file, Limits::default().bytes).map_err(|failure| failure.sentence()))
    };
    Ok(input::configs(files.iter().map(read).collect()))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

fn failed(error: &io::Error, path: &Path) -> Failure {
    Failure::from_error(Exit::Usage, error).prefixed(&format!("cannot read {}", path.display()))
}
