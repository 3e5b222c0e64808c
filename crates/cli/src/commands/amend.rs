//! `amend`: a person raises the budget of a run; it goes on where it stopped once it is resumed.

use loopwright_changes::workflow::words;

use crate::args::{Amend, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &Amend) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let words = words::amend(&history.run, &args.amounts(), &args.actor, Some(&args.note))?;
    let Some((last, before)) = words.split_last() else { return Ok(Exit::Fine) };
    for word in before {
        session::say(&journal, &history, word)?;
    }
    let history = store::read(&journal, history.id.as_str())?;
    session::record(shared, &journal, &history, last)
}
