//! The folder of a batch: its page, its JUnit file and its JSON document; a shard has a folder of its own in it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use loopwright_changes::batch::junit::junit;
use loopwright_changes::batch::page::page;
use loopwright_changes::batch::shard::Shard;
use loopwright_changes::batch::standing::Standing;
use loopwright_changes::batch::summary::{Summary, items_of};
use loopwright_configs::Lang;
use loopwright_core::json::{self, Limits};
use serde_json::{Value, json};

use crate::args::Shared;
use crate::failure::Failure;
use crate::files;

const PAGE: &str = "summary.html";
const JUNIT: &str = "junit.xml";
const DOCUMENT: &str = "summary.json";
const LOCK: &str = "lock";
/// The largest document of an earlier batch that is read, in bytes.
const DOCUMENT_BYTES: usize = 256 << 20;

/// Where a batch's files are written.
pub(super) struct Places {
    /// Held while this process works on the batch; given back with it, or with the process.
    _lock: File,
    folder: PathBuf,
    /// From the folder to the data directory.
    data_dir: &'static str,
}

impl Places {
    /// Makes the folder, so that a place that cannot be written to is told before anything runs.
    pub(super) fn make(shared: &Shared, batch: &str, shard: Option<Shard>) -> Result<Self, Failure> {
        let folder = folder_of(shared, batch);
        let (folder, data_dir) = match shard {
            None => (folder, "../../"),
            Some(shard) => {
                let part = format!("shard-{}", shard.to_string().replace('/', "-of-"));
                (folder.join(part), "../../../")
            }
        };
        files::make_folder(&folder)?;
        let path = folder.join(LOCK);
        let failed = |error: &std::io::Error| Failure::world(format!("cannot lock {}: {error}", path.display()));
        let lock = File::create(&path).map_err(|error| failed(&error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { _lock: lock, folder, data_dir }),
            Err(TryLockError::WouldBlock) => Err(Failure::usage(format!("another process works on the batch {batch}"))
                .hint("wait for it, or give this one another --name or --shard")),
            Err(TryLockError::Error(error)) => Err(failed(&error)),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes all files, and the JUnit file once more where somebody wants it elsewhere.
    pub(super) fn write(&self, summary: &Summary, lang: Lang, also_junit: Option<&Path>) -> Result<(), Failure> {
        let report = junit(summary);
        files::write_whole(&self.folder.join(DOCUMENT), format!("{:#}\n", self.document(summary)).as_bytes())?;
        files::write_whole(&self.folder.join(PAGE), page(summary, self.data_dir, lang).as_bytes())?;
        files::write_whole(&self.folder.join(JUNIT), report.as_bytes())?;
        also_junit.map_or(Ok(()), |path| files::write_whole(path, report.as_bytes()))
    }

    /// The document of the batch, with the places of its files.
    pub(super) fn document(&self, summary: &Summary) -> Value {
        let mut document = summary.to_json();
        let place = |name: &str| json!(self.folder.join(name).to_string_lossy());
        document["summary"] = place(PAGE);
        document["junit"] = place(JUNIT);
        document
    }
}

/// The items of an earlier batch, all its shards together.
pub(super) fn read_batch(shared: &Shared, batch: &str) -> Result<(String, Vec<Standing>), Failure> {
    let folder = folder_of(shared, batch);
    let mut places = vec![folder.join(DOCUMENT)];
    let parts = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path().join(DOCUMENT));
    places.extend(parts);
    places.retain(|place| place.is_file());
    // The newest first, since the whole and its shards may both tell of an item.
    let written = |place: &PathBuf| fs::metadata(place).and_then(|kept| kept.modified()).ok();
    places.sort_by_key(|place| Reverse((written(place), place.clone())));
    if places.is_empty() {
        return Err(Failure::usage(format!("there is no batch {batch:?} in {}", shared.data_dir.display()))
            .hint("the folders below `batches` of the data directory are called like their batches"));
    }
    let limits = Limits { bytes: DOCUMENT_BYTES, ..Limits::default() };
    let mut items: Vec<Standing> = Vec::new();
    let mut told = BTreeSet::new();
    for place in places {
        let bytes = files::read_bytes(&place, limits.bytes)?;
        let document = json::read(&bytes, limits).ok();
        let read = document.as_ref().and_then(items_of).ok_or_else(|| {
            Failure::usage(format!("{} is no summary of a batch", place.display()))
                .hint("run that batch again with this version")
        })?;
        items.extend(read.into_iter().filter(|item| told.insert((item.name.clone(), item.content_sha256))));
    }
    Ok((batch.to_owned(), items))
}

fn folder_of(shared: &Shared, batch: &str) -> PathBuf {
    shared.data_dir.join("batches").join(batch)
}
