//! The making of a new database: the file gets its name only when it is complete.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use loopwright_runtime::journal::JournalError;
use rusqlite::{Connection, OpenFlags};

use crate::folder::{Folder, beside};
use crate::reason::{Trouble, io_failure};

/// Marks the file as this program's (`LpWr` in ASCII); stands in the header of the database.
pub(crate) const APPLICATION_ID: u32 = 0x4c70_5772;

/// The format of the tables below; stands in the header of the database as its user version.
pub(crate) const FORMAT: u32 = 1;

/// The tables. `runs.number` is the order of creation. `sequence` counts a run's facts from 1. A word that became a
/// fact stays, with the length of the run at that time. Rows of `words` are never deleted, so its ids only grow.
const SCHEMA: &str = "
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at_ms INTEGER NOT NULL,
    length INTEGER NOT NULL,
    digest TEXT NOT NULL,
    summary_length INTEGER,
    summary BLOB
) STRICT;
CREATE TABLE facts (
    run INTEGER NOT NULL REFERENCES runs (number),
    sequence INTEGER NOT NULL,
    digest TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (run, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE words (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (number),
    bytes BLOB NOT NULL,
    taken_at_length INTEGER
) STRICT;
CREATE INDEX waiting_words ON words (run) WHERE taken_at_length IS NULL;
";

/// Makes the database of a folder unless it is there.
pub(crate) fn create_if_missing(folder: &Folder, max_pages: Option<u32>) -> Result<(), JournalError> {
    if folder.has_database()? {
        return Ok(());
    }
    let guard = hold(&folder.creation_lock())?;
    // Another process may have made it while this one waited.
    if !folder.has_database()? {
        let draft = beside(&folder.database, ".new");
        discard(&draft)?;
        let made = draw_up(&draft, max_pages).map_err(|trouble| trouble.explain("create", &folder.database));
        if let Err(error) = made {
            // What failed is worth more to the caller than a leftover, which the next attempt discards.
            let _ = discard(&draft);
            return Err(error);
        }
        fs::rename(&draft, &folder.database).map_err(|error| io_failure("create", &folder.database, error))?;
        sync_folder(&folder.root)?;
    }
    drop(guard);
    Ok(())
}

fn draw_up(draft: &Path, max_pages: Option<u32>) -> Result<(), Trouble> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(draft, flags)?;
    if let Some(pages) = max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    let transaction = connection.transaction()?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.execute_batch(SCHEMA)?;
    transaction.commit()?;
    // The write-ahead log is a property of the file: every later connection finds it switched on.
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.close().map_err(|(_, error)| Trouble::Sqlite(error))
}

fn hold(path: &Path) -> Result<File, JournalError> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.map_err(|error| io_failure("write to", path, error))?;
    file.lock().map_err(|error| io_failure("lock", path, error))?;
    Ok(file)
}

/// Removes a draft that an interrupted process left, with SQLite's files beside it.
fn discard(draft: &Path) -> Result<(), JournalError> {
    for path in [draft.to_path_buf(), beside(draft, "-journal"), beside(draft, "-wal"), beside(draft, "-shm")] {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(io_failure("remove", &path, error)),
            _ => {}
        }
    }
    Ok(())
}

/// Puts the new name itself on the disk; other systems than Unix have no such call and need none.
fn sync_folder(root: &Path) -> Result<(), JournalError> {
    if cfg!(unix) {
        let synced = File::open(root).and_then(|folder| folder.sync_all());
        synced.map_err(|error| io_failure("create a file in", root, error))?;
    }
    Ok(())
}
