//! `authorize`: a person allows the engine runs; nothing runs yet.

use loopwright_changes::workflow::words;

use crate::args::{Authorize, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &Authorize) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let word = words::authorize(&history.run, &args.actor, args.note.clone())?;
    session::record(shared, &journal, &history, &word)
}
