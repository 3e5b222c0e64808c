//! `decide`: a person accepts, revises or rolls back; the baseline's file stays as it is.

use loopwright_changes::workflow::words;

use crate::args::{Decide, Shared, Verb};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &Decide) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let verb = match args.verb {
        Verb::Accept => words::Verb::Accept,
        Verb::Revise => words::Verb::Revise,
        Verb::Rollback => words::Verb::Rollback,
    };
    let word = words::decide(&history.run, verb, &args.actor, Some(args.note.clone()))?;
    // What is accepted has to be there: evidence that is gone would be accepted unseen.
    if args.verb == Verb::Accept {
        session::report(shared, &session::view(&history)?)?;
    }
    session::record(shared, &journal, &history, &word)
}
