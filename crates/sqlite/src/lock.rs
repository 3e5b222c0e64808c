//! The right to drive a run: an operating-system lock on a file of its own, which dies with its holder.
//!
//! A lock file is never deleted. Whoever deletes one may delete the file that another process has just opened and is
//! about to lock; a third would then make a new file under the same name and lock that one, and two would drive.

use std::fs::{self, File, TryLockError};

use loopwright_runtime::journal::{JournalError, RunId, RunLock};

use crate::folder::Folder;
use crate::reason::io_failure;

/// Takes the lock of a run, or says that somebody has it (in this process or another).
pub(crate) fn take(folder: &Folder, run: &RunId) -> Result<RunLock, JournalError> {
    fs::create_dir_all(&folder.locks).map_err(|error| io_failure("create the folder", &folder.locks, error))?;
    let path = folder.lock_file(run);
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|error| io_failure("write to", &path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(Box::new(Held(file))),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { run: run.clone() }),
        Err(TryLockError::Error(error)) => Err(io_failure("lock", &path, error)),
    }
}

struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing alone leaves the lock with a child process that was forked a moment ago and has the file open too.
        // Where unlocking fails, closing is what is left.
        let _ = self.0.unlock();
    }
}
