//! The port's implementation: each call becomes a job of the writer thread, and its failure an error with a place.

use std::path::Path;

use loopwright_runtime::journal::{Head, Journal, JournalError, RunEntry, RunId, RunLock, Stored, Word};
use rusqlite::Connection;

use crate::connection::{self, Access};
use crate::creation;
use crate::folder::Folder;
use crate::options::Options;
use crate::reason::{Reason, Trouble, io_failure, storage};
use crate::statements;
use crate::writer::Writer;

/// The journal in one SQLite file; shared between threads by reference, between processes by opening it in each.
#[derive(Debug)]
pub struct SqliteJournal {
    folder: Folder,
    writer: Writer,
}

impl SqliteJournal {
    /// Opens the journal of a data directory for writing, and makes directory and file where they are missing.
    ///
    /// Fails with [`JournalError::Storage`] (its source is a [`Reason`]) where the directory cannot be written to or
    /// the file belongs to another program or a newer version, with [`JournalError::Damaged`] where the file is no
    /// database or an empty one. Nothing that was there is changed then.
    pub fn open(data_dir: &Path, options: &Options) -> Result<Self, JournalError> {
        let folder = Folder::at(data_dir);
        folder.make()?;
        creation::create_if_missing(&folder, options.max_pages)?;
        Self::start(folder, options, Access::Write)
    }

    /// Opens a journal that must be there, and makes nothing; for commands that read or that name a run.
    ///
    /// A read-only or full directory is opened all the same: reading works, writing fails with [`Reason::ReadOnly`].
    /// It is then taken for one that nobody changes meanwhile. Only the log of a killed process in such a directory
    /// may be out of reach, which is [`Reason::Unrecovered`]. Fails with [`Reason::Missing`] where there is no file,
    /// and otherwise as [`open`](Self::open) does.
    pub fn open_existing(data_dir: &Path, options: &Options) -> Result<Self, JournalError> {
        let folder = Folder::at(data_dir);
        if !folder.has_database()? {
            return Err(storage("open", &folder.database, Reason::Missing));
        }
        Self::start(folder, options, Access::Read)
    }

    fn start(folder: Folder, options: &Options, access: Access) -> Result<Self, JournalError> {
        let connection = connection::open(&folder, options, access)?;
        let writer = Writer::start(connection).map_err(|error| io_failure("open", &folder.database, error))?;
        Ok(Self { folder, writer })
    }

    fn ask<T, W>(&self, doing: &'static str, work: W) -> Result<T, JournalError>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection) -> Result<T, Trouble> + Send + 'static,
    {
        let place = &self.folder.database;
        let result = self.writer.ask(work).ok_or_else(|| storage(doing, place, Reason::Stopped))?;
        result.map_err(|trouble| trouble.explain(doing, place))
    }
}

impl Journal for SqliteJournal {
    fn create(&self, run: &RunId, created_at_ms: u64) -> Result<(), JournalError> {
        let run = run.clone();
        self.ask("add a run to", move |connection| statements::create(connection, &run, created_at_ms))
    }

    fn append(&self, run: &RunId, expected: Head, facts: &[Vec<u8>], taken: &[u64]) -> Result<Head, JournalError> {
        let (run, facts, taken) = (run.clone(), facts.to_vec(), taken.to_vec());
        self.ask("append to", move |connection| statements::append(connection, &run, expected, &facts, &taken))
    }

    fn read(&self, run: &RunId) -> Result<Stored, JournalError> {
        let run = run.clone();
        self.ask("read", move |connection| statements::read(connection, &run))
    }

    fn post(&self, run: &RunId, word: &[u8]) -> Result<u64, JournalError> {
        let (run, word) = (run.clone(), word.to_vec());
        self.ask("post a word to", move |connection| statements::post(connection, &run, &word))
    }

    fn words(&self, run: &RunId) -> Result<Vec<Word>, JournalError> {
        let run = run.clone();
        self.ask("read the words of", move |connection| statements::words(connection, &run))
    }

    fn summarise(&self, run: &RunId, length: u64, summary: &[u8]) -> Result<(), JournalError> {
        let (run, summary) = (run.clone(), summary.to_vec());
        self.ask("summarise a run in", move |connection| statements::summarise(connection, &run, length, &summary))
    }

    fn runs(&self) -> Result<Vec<RunEntry>, JournalError> {
        self.ask("list the runs of", statements::runs)
    }

    fn lock(&self, run: &RunId) -> Result<RunLock, JournalError> {
        let name = run.clone();
        self.ask("read", move |connection| statements::find(connection, &name))?;
        crate::lock::take(&self.folder, run)
    }
}
