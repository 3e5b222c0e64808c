//! `compare`: two runs side by side.

use loopwright_changes::workflow::compare::compare;

use crate::args::{Compare, Plain, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, comparison};
use crate::{session, store};

pub(super) fn run(shared: &Shared, args: &Compare) -> Result<Exit, Failure> {
    let plain = shared.format.plain()?;
    let journal = store::open_existing(&shared.data_dir)?;
    let one = store::read(&journal, &args.one)?;
    let other = store::read(&journal, &args.other)?;
    if one.id == other.id {
        return Err(Failure::usage(format!("{} cannot be compared with itself", one.id))
            .hint("`loopwright runs` lists the runs of this data directory"));
    }
    let (one, other) = (session::view(&one)?, session::view(&other)?);
    let comparison = compare(&one, &other);
    match plain {
        // A comparison is plain data with string keys, so it always has a JSON form.
        Plain::Json => show::print(&format!("{:#}\n", serde_json::to_value(&comparison).unwrap_or_default())),
        Plain::Human => {
            let lang = session::lang(shared, &one.brief);
            show::print(&comparison::text(&comparison, lang));
        }
    }
    Ok(Exit::Fine)
}
