//! Errors at the edge: every library error becomes a message, hints and an exit code here, and only here.

use std::error::Error;
use std::fmt;

use loopwright_changes::workflow::change::ChangeError;
use loopwright_changes::workflow::words::NotNow;
use loopwright_runtime::history::HistoryError;
use loopwright_runtime::journal::JournalError;
use loopwright_runtime::session::SessionError;
use loopwright_runtime::word::WordError;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::show::harmless;

/// What went wrong, what to do, and how the program ends.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), causes: Vec::new(), hints: Vec::new() }
    }

    pub(crate) fn world(message: impl Into<String>) -> Self {
        Self { exit: Exit::World, ..Self::usage(message) }
    }

    /// An error of a library, with everything that led to it.
    pub(crate) fn from_error(exit: Exit, error: &(dyn Error + 'static)) -> Self {
        let mut causes = Vec::new();
        let mut cause = error.source();
        while let Some(source) = cause {
            // Transparent wrappers repeat the message of what they wrap.
            let text = source.to_string();
            if causes.last() != Some(&text) && text != error.to_string() {
                causes.push(text);
            }
            cause = source.source();
        }
        Self { exit, message: error.to_string(), causes, hints: Vec::new() }
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The same failure with what was being done in front.
    #[must_use]
    pub(crate) fn prefixed(mut self, doing: &str) -> Self {
        self.message = format!("{doing}: {}", self.message);
        self
    }

    /// The message and everything that led to it, in one line.
    pub(crate) fn sentence(&self) -> String {
        let parts: Vec<_> = std::iter::once(&self.message).chain(&self.causes).chain(&self.hints).cloned().collect();
        parts.join(": ")
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({"error": {
            "message": self.message, "causes": self.causes, "hints": self.hints, "exit_code": self.exit.code(),
        }})
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names of files and words of people stand in messages; none of them may steer the terminal.
        writeln!(f, "error: {}", harmless(&self.message))?;
        self.causes.iter().try_for_each(|cause| writeln!(f, "  because {}", harmless(cause)))?;
        self.hints.iter().try_for_each(|hint| writeln!(f, "  hint: {}", harmless(hint)))
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let exit = match &error {
            JournalError::IllegalRunId { .. } | JournalError::UnknownRun { .. } | JournalError::Locked { .. } => {
                Exit::Usage
            }
            JournalError::RunExists { .. } => Exit::Bug,
            JournalError::Moved { .. } | JournalError::Damaged { .. } | JournalError::Storage { .. } => Exit::World,
        };
        let failure = Self::from_error(exit, &error);
        match &error {
            JournalError::UnknownRun { .. } => failure.hint("`loopwright runs` lists the runs of this data directory"),
            JournalError::Locked { .. } => failure.hint("wait for that process, or stop it and run the command again"),
            JournalError::Damaged { .. } => failure.hint(
                "nothing was changed; restore the data directory from a copy, or start anew with another --data-dir",
            ),
            _ => failure,
        }
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Journal(error) => error.into(),
            HistoryError::NeverStarted { .. } => Self::from_error(Exit::Usage, &error).hint("start the change again"),
            HistoryError::Illegal { .. } => Self::from_error(Exit::World, &error)
                .hint("the journal was written by another version, or changed by hand; nothing was overwritten"),
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::History(error) => error.into(),
            SessionError::Journal(error) => error.into(),
            SessionError::TooDeep { .. } => Self::from_error(Exit::Usage, &error),
            SessionError::Refused { .. } => Self::from_error(Exit::Bug, &error),
        }
    }
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Graph(error) => Self::from_error(Exit::Usage, &error),
            ChangeError::UnknownPrice { .. } => Self::from_error(Exit::Usage, &error)
                .hint("give the model a `price` in models.toml, or limit --max-tokens instead of --max-cost"),
            ChangeError::CallUnaffordable { .. } => Self::from_error(Exit::Usage, &error)
                .hint("raise the limit, or lower `answer_tokens` or `context` of the model in models.toml"),
            ChangeError::Session(error) => error.into(),
            ChangeError::History(error) | ChangeError::Word(WordError::History(error)) => error.into(),
            ChangeError::Journal(error) => error.into(),
            ChangeError::Word(WordError::NotNow(_)) => Self::from_error(Exit::Usage, &error),
        }
    }
}

impl From<NotNow> for Failure {
    fn from(error: NotNow) -> Self {
        Self::from_error(Exit::Usage, &error)
    }
}
