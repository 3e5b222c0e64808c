//! `report`: writes a run's report again from the journal, in any of its forms.

use crate::args::{Format, ReportRun, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, session, show, store};

pub(super) fn run(shared: &Shared, args: &ReportRun) -> Result<Exit, Failure> {
    if shared.format == Format::Json {
        return Err(
            Failure::usage("a report has no JSON form").hint("`loopwright show RUN --format json` has one document")
        );
    }
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.one.run)?;
    let view = session::view(&history)?;
    let report = session::report(shared, &view)?;
    // People get the page where they look for it, and its place.
    let in_place = (shared.format == Format::Human && args.output.is_none())
        .then(|| session::evidence_dir(shared, &history.id).join("report.html"));
    let text = match shared.format {
        Format::Human | Format::Html => loopwright_report::html::page(&report),
        format => session::rendered(format, &report).unwrap_or_default(),
    };
    match (&args.output, in_place) {
        (Some(path), _) => files::write_whole(path, text.as_bytes())?,
        (None, Some(path)) => {
            if let Some(folder) = path.parent() {
                files::make_folder(folder)?;
            }
            files::write_whole(&path, text.as_bytes())?;
            show::print(&format!("{}\n", path.display()));
        }
        (None, None) => show::print(&text),
    }
    Ok(Exit::Fine)
}
