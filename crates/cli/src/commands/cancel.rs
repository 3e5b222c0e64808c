//! `cancel`: a person ends a run.

use loopwright_changes::workflow::words;

use crate::args::{Cancel, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &Cancel) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let actor = args.actor.clone().unwrap_or_else(store::user);
    let word = words::cancel(&history.run, &actor, args.note.clone())?;
    session::record(shared, &journal, &history, &word)
}
