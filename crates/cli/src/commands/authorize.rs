//! `authorize`: a person allows the engine runs; nothing runs yet.

use loopwright_changes::workflow::words;

use crate::args::{Authorize, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::summary::Part;
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &Authorize) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let word = words::authorize(&history.run, &args.actor, args.note.clone())?;
    session::say(&journal, &history, &word)?;
    let history = session::keep(shared, &journal, &history.id)
        .map_err(|failure| failure.prefixed("the word is recorded, but its evidence cannot be written"))?;
    let view = session::view(&history)?;
    session::answer(shared, &view, session::lang(shared, &view.brief), Part::Standing)?;
    Ok(Exit::Fine)
}
