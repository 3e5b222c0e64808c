//! Why the storage failed: what SQLite and the operating system report, in words that say what to do.

use std::error::Error;
use std::io;
use std::path::Path;

use loopwright_runtime::journal::JournalError;
use rusqlite::ErrorCode;

/// The source of a [`JournalError::Storage`] that comes from this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// There is no database file to read.
    #[error("there is no journal here: start a run first, or name the data directory that has one")]
    Missing,
    /// The data directory is a file.
    #[error("it is a file: name a folder as the data directory")]
    NotAFolder,
    /// The database is a folder or something stranger.
    #[error("it is not a file: move it away, or choose another data directory")]
    NotAFile,
    /// A database, but not of this program.
    #[error("the file is another program's database (application id {found:#010x}): choose another data directory")]
    Foreign {
        /// The application id in its header.
        found: u32,
    },
    /// A journal from a later version of this program.
    #[error("the file has format {found} and this version reads {known}: use a newer version of the program")]
    Newer {
        /// The format in its header.
        found: u32,
        /// The newest format that this version reads.
        known: u32,
    },
    /// No space left, or the limit of [`Options::max_pages`](crate::Options::max_pages) is reached.
    #[error("the disk is full: free some space and try again; what was stored before is kept")]
    Full,
    /// Something would have to be written where nothing may be.
    #[error("the file or its folder is read-only or full: make both writable, or choose another data directory")]
    ReadOnly,
    /// The file cannot be opened with the permissions there are.
    #[error("the file cannot be opened: give this user the right to read and write the file and its folder")]
    NoAccess,
    /// Commits wait in the log of a process that died, and only a process that may write can read them.
    #[error(
        "the log of an interrupted process waits in a folder that is read-only: make it writable, or copy the folder"
    )]
    Unrecovered,
    /// Another process kept the database for longer than the busy timeout.
    #[error("another process is writing to the database and did not finish in time: try again when it has ended")]
    Busy,
    /// The thread that owns the connection has ended.
    #[error("the thread that owns the database has ended: open the journal again")]
    Stopped,
    /// The operating system refused.
    #[error("the operating system refused: check the disk, the permissions and the limits of this process")]
    System(#[source] Box<dyn Error + Send + Sync>),
    /// A failure that SQLite has a code for and this crate has no advice on.
    #[error("the database failed: check that no other program uses the file, and try again")]
    Database(#[source] rusqlite::ffi::Error),
}

/// What the SQL of a call can end with.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// A rule of the port was broken, or damage was found.
    Journal(JournalError),
    /// SQLite failed.
    Sqlite(rusqlite::Error),
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Trouble {
    /// The error for the caller, who was `doing` something with the file at `place`.
    pub(crate) fn explain(self, doing: &'static str, place: &Path) -> JournalError {
        match self {
            Self::Journal(error) => error,
            Self::Sqlite(rusqlite::Error::SqliteFailure(error, _)) => explain_code(error, doing, place),
            // Only another program's tables or a damaged schema refuse statements and value types that are fixed here.
            // The text of these errors quotes SQL, so it stays behind.
            Self::Sqlite(_) => damaged_file(
                place,
                "its tables or values are not those of a journal: put a copy of the file back".into(),
            ),
        }
    }
}

fn explain_code(error: rusqlite::ffi::Error, doing: &'static str, place: &Path) -> JournalError {
    let reason = match error.code {
        ErrorCode::NotADatabase => {
            let reason = "it is not a database: move it away, or put a copy of the journal back";
            return damaged_file(place, reason.into());
        }
        ErrorCode::DatabaseCorrupt => {
            return damaged_file(place, format!("{error}: put a copy of the file back"));
        }
        ErrorCode::Unknown => return not_our_tables(place),
        ErrorCode::DiskFull => Reason::Full,
        ErrorCode::ReadOnly => Reason::ReadOnly,
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Reason::NoAccess,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Reason::Busy,
        // The shared index could not grow.
        ErrorCode::SystemIoFailure if error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE => Reason::Full,
        ErrorCode::SystemIoFailure => Reason::System(Box::new(error)),
        _ => Reason::Database(error),
    };
    storage(doing, place, reason)
}

/// The statements and value types of this crate are fixed, so only a damaged schema or row can refuse them.
fn not_our_tables(place: &Path) -> JournalError {
    damaged_file(place, "its tables or values are not those of a journal: put a copy of the file back".into())
}

pub(crate) fn storage(doing: &'static str, place: &Path, reason: Reason) -> JournalError {
    JournalError::Storage { doing, place: place.display().to_string(), source: Box::new(reason) }
}

/// A failure of the operating system outside SQLite.
pub(crate) fn io_failure(doing: &'static str, place: &Path, error: io::Error) -> JournalError {
    let reason = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Reason::Full,
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Reason::ReadOnly,
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => Reason::NotAFolder,
        _ => Reason::System(Box::new(error)),
    };
    storage(doing, place, reason)
}

/// Damage of the whole file; no fact in it can be trusted, so the first is named.
pub(crate) fn damaged_file(place: &Path, reason: String) -> JournalError {
    JournalError::Damaged { run: place.display().to_string(), fact: 1, reason }
}
