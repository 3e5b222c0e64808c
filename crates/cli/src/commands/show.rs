//! `show`: where a run stands and what it came to.

use crate::args::{OneRun, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::summary::Part;
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &OneRun) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.run)?;
    let view = session::view(&history)?;
    session::answer(shared, &view, session::lang(shared, &view.brief), Part::All)?;
    Ok(Exit::Fine)
}
