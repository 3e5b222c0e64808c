//! `resume`: goes on with a run that was stopped, authorised, killed, or failed with the world.

use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::words;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::history::{History, HistoryError};
use loopwright_runtime::session::Session;
use loopwright_runtime::word;

use crate::args::{Resume, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::summary::Part;
use crate::{interrupts, models, session, store};

pub(super) fn run(shared: &Shared, args: &Resume) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let view = session::view(&history)?;
    let (status, lang) = (view.status, session::lang(shared, &view.brief));
    if status.is_final() || (history.run.outcome().is_some() && status != Status::Failed) {
        return Err(Failure::usage(format!("the run {} is {status}; there is nothing to go on with", history.id))
            .hint(format!("`loopwright show {}` shows it", history.id)));
    }
    let pack = store::pack_of(&view.brief, args.pack.as_deref())?;
    let model = models::of_run(shared, args.models.models.as_deref(), &view.brief, Some(&history))?;
    let interrupt = interrupts::listen()?;
    for retry in words::retry(&history.run, Some(&store::user())) {
        word::post(&journal, &history, &retry).map_err(|error| Failure::from_error(Exit::Usage, &error))?;
    }
    let mut session = Session::resume(&journal, &SystemClock, &history.id)?;
    let driven = session::drive(shared, &mut session, &pack, model.as_deref(), lang, &interrupt);
    drop(session);
    let history = after(shared, &journal, &history, driven.is_ok())?;
    let view = session::view(&history)?;
    let pause = driven?;
    session::answer(shared, &view, lang, Part::All)?;
    Ok(session::exit(&pause, view.status))
}

/// Keeps the evidence of however far the run has come, also where driving it failed.
fn after(
    shared: &Shared,
    journal: &dyn loopwright_runtime::journal::Journal,
    history: &History,
    driven: bool,
) -> Result<History, Failure> {
    match session::keep(shared, journal, &history.id) {
        Ok(history) => Ok(history),
        Err(failure) if driven => Err(failure),
        // The first failure is the one to tell about.
        Err(_) => Ok(History::read(journal, &history.id).map_err(|error: HistoryError| Failure::from(error))?),
    }
}
