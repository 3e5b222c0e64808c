//! `compare`: two runs side by side.

use loopwright_changes::workflow::compare::{Comparison, compare};
use loopwright_changes::workflow::report::comparison_report;
use loopwright_changes::workflow::view::View;
use loopwright_report::Report;

use crate::args::{Compare, Format, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, comparison};
use crate::{files, session, store};

pub(super) fn run(shared: &Shared, args: &Compare) -> Result<Exit, Failure> {
    let journal = store::open_existing(&shared.data_dir)?;
    let one = store::read(&journal, &args.one)?;
    let other = store::read(&journal, &args.other)?;
    if one.id == other.id {
        return Err(Failure::usage(format!("{} cannot be compared with itself", one.id))
            .hint("`loopwright runs` lists the runs of this data directory"));
    }
    let (one, other) = (session::view(&one)?, session::view(&other)?);
    let comparison = compare(&one, &other);
    let text = match shared.format {
        // A comparison is plain data with string keys, so it always has a JSON form.
        Format::Json => format!("{:#}\n", serde_json::to_value(&comparison).unwrap_or_default()),
        Format::Human => {
            let report = report(shared, [&one, &other], &comparison)?;
            let folder = shared.data_dir.join("comparisons");
            let page = folder.join(format!("{}-{}.html", one.history.id, other.history.id));
            files::make_folder(&folder)?;
            files::write_whole(&page, loopwright_report::html::page(&report).as_bytes())?;
            let lang = session::lang(shared, &one.brief);
            let curves = show::tr(lang, "curves", "曲线");
            format!("{}\n{curves} {}\n", comparison::text(&comparison, lang), page.display())
        }
        format => session::rendered(format, &report(shared, [&one, &other], &comparison)?).unwrap_or_default(),
    };
    show::print(&text);
    Ok(Exit::Fine)
}

fn report(shared: &Shared, sides: [&View<'_>; 2], comparison: &Comparison) -> Result<Report, Failure> {
    comparison_report(sides, comparison, &store::artifacts(&shared.data_dir)).map_err(|error| session::lost(&error))
}
