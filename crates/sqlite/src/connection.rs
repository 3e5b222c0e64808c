//! Opening a database that is there: what is no journal of this program is refused before anything is written.

use std::fmt::Write as _;
use std::path::Path;

use loopwright_runtime::journal::JournalError;
use rusqlite::config::DbConfig;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use crate::creation::{APPLICATION_ID, FORMAT};
use crate::folder::Folder;
use crate::options::{Options, Synchronous};
use crate::reason::{Reason, Trouble, storage};

/// What the caller means to do with the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Write; a place where that is impossible is refused at once.
    Write,
    /// Read, and write if the place permits.
    Read,
}

/// Opens the folder's database, which must exist.
pub(crate) fn open(folder: &Folder, options: &Options, access: Access) -> Result<Connection, JournalError> {
    let place = &folder.database;
    let explain = |trouble: Trouble| trouble.explain("open", place);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match connect(place, flags, options, folder) {
        // A folder that is read-only or full cannot take the shared index that SQLite wants beside the file. If no
        // commits wait in a log, the file alone is the whole journal and is read as one that does not change.
        Err(Trouble::Sqlite(error)) if access == Access::Read && cannot_share(&error) => {
            if folder.has_log() {
                return Err(storage("open", place, Reason::Unrecovered));
            }
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            connect(Path::new(&immutable_uri(place)), flags, options, folder).map_err(explain)?
        }
        opened => opened.map_err(explain)?,
    };
    let read_only = connection.is_readonly(MAIN_DB).map_err(|error| explain(error.into()))?;
    if read_only && access == Access::Write {
        return Err(storage("write to", place, Reason::ReadOnly));
    }
    Ok(connection)
}

fn connect(target: &Path, flags: OpenFlags, options: &Options, folder: &Folder) -> Result<Connection, Trouble> {
    let connection = Connection::open_with_flags(target, flags)?;
    // Until the file is known to be a journal, closing it must not even move its log into it. Where there is no log,
    // closing as usual takes away the empty one that SQLite makes.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, folder.has_log())?;
    connection.busy_timeout(options.busy_timeout)?;
    recognise(&connection, &folder.database)?;
    configure(&connection, options)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}

fn recognise(connection: &Connection, place: &Path) -> Result<(), Trouble> {
    let read = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).map(i32::cast_unsigned);
    let found = read("application_id")?;
    if found != APPLICATION_ID {
        return Err(storage("open", place, Reason::Foreign { found }).into());
    }
    let found = read("user_version")?;
    if found > FORMAT {
        return Err(storage("open", place, Reason::Newer { found, known: FORMAT }).into());
    }
    Ok(())
}

fn configure(connection: &Connection, options: &Options) -> Result<(), Trouble> {
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Notices a damaged page when it is loaded instead of when one of its cells is used.
    connection.pragma_update(None, "cell_size_check", true)?;
    let level = match options.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", level)?;
    // On macOS only this waits for the disk itself; elsewhere it changes nothing.
    connection.pragma_update(None, "fullfsync", options.synchronous == Synchronous::Full)?;
    if let Some(pages) = options.max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(())
}

/// Whether the folder cannot take the shared index: it is read-only or full.
fn cannot_share(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| (error.code, error.extended_code));
    matches!(code, Some((ErrorCode::CannotOpen | ErrorCode::ReadOnly, _) | (_, SQLITE_IOERR_SHMSIZE)))
}

/// The file as a URI that tells SQLite to look for no locks, log or shared index.
fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        // Every byte is escaped, since any could mean something in a URI. Writing to a string cannot fail.
        let _ = write!(uri, "%{byte:02X}");
    }
    uri + "?immutable=1"
}
