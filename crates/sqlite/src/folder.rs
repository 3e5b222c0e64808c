//! The data directory: where its files are, and whether it can be used. Nothing here opens the database.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use loopwright_runtime::journal::{JournalError, RunId};

use crate::reason::{Reason, damaged_file, io_failure, storage};

/// The paths of one data directory.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub(crate) root: PathBuf,
    /// The database file.
    pub(crate) database: PathBuf,
    pub(crate) locks: PathBuf,
}

impl Folder {
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf(), database: root.join("loopwright.db"), locks: root.join("locks") }
    }

    pub(crate) fn lock_file(&self, run: &RunId) -> PathBuf {
        self.locks.join(format!("{run}.lock"))
    }

    /// Guards the making of the database; run ids hold no underscore, so no run's lock has this name.
    pub(crate) fn creation_lock(&self) -> PathBuf {
        self.locks.join("_creation.lock")
    }

    /// Makes the directory and its lock folder where they are missing.
    pub(crate) fn make(&self) -> Result<(), JournalError> {
        self.refuse_a_file()?;
        // The root first, so that the error names it and not a folder inside it.
        for path in [&self.root, &self.locks] {
            fs::create_dir_all(path).map_err(|error| io_failure("create the folder", path, error))?;
        }
        Ok(())
    }

    /// Whether there is a database file, which must then be one that was made whole.
    pub(crate) fn has_database(&self) -> Result<bool, JournalError> {
        self.refuse_a_file()?;
        match fs::metadata(&self.database) {
            Ok(found) if !found.is_file() => Err(storage("open", &self.database, Reason::NotAFile)),
            // A new database gets its name only when it is complete, so an empty file is one that was cut.
            Ok(found) if found.len() == 0 => {
                Err(damaged_file(&self.database, "the file is empty: put a copy of it back".into()))
            }
            Ok(_) => Ok(true),
            // A new database beside the log of a lost one would take in that log's pages.
            Err(error) if error.kind() == ErrorKind::NotFound && self.has_log() => {
                let reason =
                    "the file is gone but its log (-wal) is there: put a copy of both back, or move the log away";
                Err(damaged_file(&self.database, reason.into()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(io_failure("open", &self.database, error)),
        }
    }

    /// Whether commits wait in the write-ahead log.
    pub(crate) fn has_log(&self) -> bool {
        fs::metadata(beside(&self.database, "-wal")).is_ok_and(|found| found.len() > 0)
    }

    fn refuse_a_file(&self) -> Result<(), JournalError> {
        match fs::metadata(&self.root) {
            Ok(found) if !found.is_dir() => Err(storage("open", &self.root, Reason::NotAFolder)),
            // Other troubles show where the folder is used, with an error that says more.
            _ => Ok(()),
        }
    }
}

/// The path with something added to its file name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}
