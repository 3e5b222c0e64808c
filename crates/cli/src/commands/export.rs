//! `export`: writes a run's evidence again, byte for byte, from the journal.

use crate::args::{Export, Plain, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::summary::Part;
use crate::{session, show, store};

pub(super) fn run(shared: &Shared, args: &Export) -> Result<Exit, Failure> {
    let plain = shared.format.plain()?;
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let view = session::view(&history)?;
    let folder = args.output.clone().unwrap_or_else(|| session::evidence_dir(shared, &history.id));
    session::write_evidence(shared, &view, &folder)?;
    match plain {
        Plain::Json => session::answer(shared, &view, session::lang(shared, &view.brief), Part::All)?,
        Plain::Human => show::print(&format!("{}\n", folder.display())),
    }
    Ok(Exit::Fine)
}
