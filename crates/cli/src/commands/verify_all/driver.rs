//! One item of a batch: begun, gone on with, or found at rest. Called from several threads at once.

use std::panic::{self, AssertUnwindSafe};

use loopwright_changes::batch::identity;
use loopwright_changes::batch::item::{Content, Item};
use loopwright_changes::batch::standing::{Standing, UNDONE};
use loopwright_changes::goal::{Goal, Proposer};
use loopwright_changes::pack::Pack;
use loopwright_changes::settings;
use loopwright_changes::workflow::agents::Agents;
use loopwright_changes::workflow::brief::{Brief, Inputs};
use loopwright_changes::workflow::perform::ChangePerformer;
use loopwright_changes::workflow::reading::RequirementReader;
use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::view::View;
use loopwright_changes::workflow::{change, words};
use loopwright_configs::{Lang, Text};
use loopwright_core::json::Digest;
use loopwright_engines::runner::EngineRunner;
use loopwright_runtime::artifacts::Artifacts;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::history::{History, HistoryError};
use loopwright_runtime::journal::{Journal, JournalError, RunId};
use loopwright_runtime::perform::Interrupt;
use loopwright_runtime::session::{Pause, Session, SessionError};
use loopwright_runtime::word;
use serde_json::Value;

use crate::args::Shared;
use crate::commands::terms;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{session, show, store};

/// The last file of an evidence folder; where it is, the others are.
const LAST_FILE: &str = "workflow_manifest.json";

/// What all items of a batch share; loaded once.
pub(super) struct Driver<'a> {
    pub(super) shared: &'a Shared,
    pub(super) journal: &'a dyn Journal,
    pub(super) pack: &'a Pack,
    pub(super) reader: &'a dyn RequirementReader,
    pub(super) agents: Option<&'a Agents<'a>>,
    pub(super) engine: &'a dyn EngineRunner,
    pub(super) artifacts: &'a dyn Artifacts,
    /// The brief without what belongs to a single item.
    pub(super) brief: &'a Brief,
    pub(super) baseline: &'a Value,
    pub(super) batch: &'a str,
    pub(super) terms: Digest,
    pub(super) authorize: Option<&'a str>,
    pub(super) interrupt: &'a Interrupt,
}

impl Driver<'_> {
    /// Verifies one item as far as it goes; whatever breaks is the item's own standing.
    pub(super) fn verify(&self, item: &Item) -> Standing {
        match panic::catch_unwind(AssertUnwindSafe(|| self.attempt(item))) {
            Ok(Ok(standing)) => standing,
            Ok(Err(failure)) => {
                let message = Text::same(failure.sentence());
                Standing::without_run(item, failure.exit.code(), Some(message))
            }
            // The panic's own message has been printed by the default hook.
            Err(_) => {
                let message = Text::new("this is a bug of loopwright", "这是 loopwright 的缺陷");
                Standing::without_run(item, Exit::Bug.code(), Some(message))
            }
        }
    }

    /// An item that nobody came to before the batch was interrupted.
    pub(super) fn undone(item: &Item) -> Standing {
        Standing::without_run(item, UNDONE, None)
    }

    fn attempt(&self, item: &Item) -> Result<Standing, Failure> {
        let (brief, inputs) = match self.prepare(item) {
            Ok(prepared) => prepared,
            Err(message) => return Ok(Standing::without_run(item, Exit::Usage.code(), Some(message))),
        };
        let (id, history) = self.find(item)?;
        let Some(history) = history else {
            let session = change::begin(self.journal, &SystemClock, id, &brief, &inputs)?;
            return self.drive(item, session, &brief);
        };
        let view = session::view(&history)?;
        if self.rests(&view) {
            let folder = session::evidence_dir(self.shared, &id);
            // A process that was killed in between has left the run at rest and its folder unwritten.
            if !folder.join(LAST_FILE).exists() {
                session::keep(self.shared, self.journal, &id)?;
            }
            return Ok(standing(item, &view, Exit::of(view.status)));
        }
        for retry in words::retry(&history.run, Some(self.authorize.unwrap_or(&store::user()))) {
            word::post(self.journal, &history, &retry).map_err(|error| Failure::from_error(Exit::World, &error))?;
        }
        let session = match Session::resume(self.journal, &SystemClock, &id) {
            Err(SessionError::Journal(error @ JournalError::Locked { .. })) => {
                // Its verdict is on its way, and no word against this item.
                return Err(Failure::from_error(Exit::World, &error));
            }
            session => session?,
        };
        self.drive(item, session, &view.brief)
    }

    /// Goes on until the run rests, with the authorization of the batch where it waits for one.
    fn drive(&self, item: &Item, mut session: Session<'_>, brief: &Brief) -> Result<Standing, Failure> {
        let id = session.id().clone();
        let name = id.to_string();
        let performer = ChangePerformer {
            pack: self.pack,
            reader: self.reader,
            agents: self.agents,
            engine: self.engine,
            brief,
            baseline: self.baseline,
            run_id: &name,
            artifacts: self.artifacts,
            progress: &|_, _| {},
        };
        let mut driven = session.drive(&performer, self.interrupt, &mut ());
        let waits = matches!(driven, Ok(Pause::Waiting(_)));
        if let Some(actor) = self.authorize
            && waits
            && Status::of(session.run()) == Status::AwaitingAuthorization
        {
            let word = words::authorize(session.run(), actor, None)?;
            word::post_to(self.journal, &id, session.run(), &word)
                .map_err(|error| Failure::from_error(Exit::World, &error))?;
            driven = session.drive(&performer, self.interrupt, &mut ());
        }
        drop(session);
        // The evidence of however far it has come is kept, also where driving it failed.
        let kept = session::keep(self.shared, self.journal, &id);
        let pause = driven?;
        let history = kept?;
        let view = session::view(&history)?;
        Ok(standing(item, &view, session::exit(&pause, view.status)))
    }

    /// The run of an item, and its facts where it was begun.
    fn find(&self, item: &Item) -> Result<(RunId, Option<History>), Failure> {
        let mut attempt = 0;
        loop {
            let id = identity::run_id(self.batch, &self.terms, item, attempt)?;
            match History::read(self.journal, &id) {
                Ok(history) => return Ok((id, Some(history))),
                Err(HistoryError::Journal(JournalError::UnknownRun { .. })) => return Ok((id, None)),
                // Its process died between naming the run and beginning it; that name is used up.
                Err(HistoryError::NeverStarted { .. }) => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn rests(&self, view: &View<'_>) -> bool {
        match view.status {
            Status::AwaitingAuthorization => self.authorize.is_none(),
            Status::Failed
            | Status::Authorized
            | Status::RunningBaseline
            | Status::RunningCandidate
            | Status::Repairing => false,
            _ => true,
        }
    }

    /// What belongs to this item alone, or why it cannot be verified.
    fn prepare(&self, item: &Item) -> Result<(Brief, Inputs), Text> {
        let candidate = match &item.content {
            Content::Unreadable { message, .. } => return Err(Text::same(message.clone())),
            Content::Requirement(text) => {
                let lang = self.shared.lang.map_or_else(|| show::language_of(Some(text)), Into::into);
                let (requirement, proposer) = (Some(text.clone()), terms::proposer(true, self.brief.model.is_some()));
                let brief = Brief { requirement, proposer, lang, ..self.brief.clone() };
                return Ok((brief, Inputs { baseline: self.baseline.clone(), candidate: None, goal: None }));
            }
            Content::Candidate(config) => config.clone(),
            Content::Set(set) => settings::apply(self.pack, self.baseline, set)
                .map_err(|error| Text::same(Failure::from_error(Exit::Usage, &error).sentence()))?,
        };
        let goal = Goal::from_diff(self.pack, self.baseline, &candidate);
        let brief = Brief { requirement: None, proposer: Proposer::Person, ..self.brief.clone() };
        Ok((brief, Inputs { baseline: self.baseline.clone(), candidate: Some(candidate), goal: Some(goal) }))
    }
}

fn standing(item: &Item, view: &View<'_>, exit: Exit) -> Standing {
    let why = |lang| show::why(lang, view);
    let message = why(Lang::En).zip(why(Lang::Zh)).map(|(en, zh)| Text::new(en, zh));
    // The checks that failed say it all where nothing was repaired.
    let message = message.filter(|_| view.status != Status::NotMet).or_else(|| first_fault(view));
    Standing::of(item, view, exit.code(), message)
}

/// The first thing that the layers before any run complain of.
fn first_fault(view: &View<'_>) -> Option<Text> {
    let fault = view.validations.last()?.layers.iter().find_map(|layer| layer.errors.first())?;
    Some(Text::new(show::fault(fault, Lang::En), show::fault(fault, Lang::Zh)))
}
