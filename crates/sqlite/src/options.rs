//! What a caller may choose about the database.

use std::time::Duration;

/// How a journal is opened; the default is the safe one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// When a commit is on the disk.
    pub synchronous: Synchronous,
    /// How long a call waits for another process that is writing.
    pub busy_timeout: Duration,
    /// The most pages (of 4096 bytes) that the file may grow to; no limit of its own where absent.
    pub max_pages: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { synchronous: Synchronous::Full, busy_timeout: Duration::from_secs(10), max_pages: None }
    }
}

/// When a commit counts as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// Each commit waits for the disk: acknowledged facts survive a power cut.
    #[default]
    Full,
    /// Commits reach the operating system only: acknowledged facts survive the process's death, but the newest may be
    /// lost in a power cut (the file stays whole).
    Normal,
}
