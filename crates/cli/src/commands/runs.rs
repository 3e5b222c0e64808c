//! `runs`: the runs of a data directory, newest last.

use loopwright_changes::workflow::change;
use loopwright_changes::workflow::evidence::time;
use serde_json::json;

use crate::args::{Plain, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, pad};
use crate::store;

pub(super) fn run(shared: &Shared) -> Result<Exit, Failure> {
    let plain = shared.format.plain()?;
    let journal = store::open_existing(&shared.data_dir)?;
    let mut lines = Vec::new();
    for entry in store::runs(&journal)? {
        // One damaged run must not hide the others.
        let (status, title) = match change::line(&journal, &entry) {
            Ok(Some(summary)) => (summary.status.name().to_owned(), summary.title),
            Ok(None) => ("unknown".to_owned(), "(another kind of run)".to_owned()),
            Err(error) => ("unreadable".to_owned(), error.to_string()),
        };
        lines.push((entry.run, status, time(entry.created_at_ms), title));
    }
    match plain {
        Plain::Json => {
            let runs = lines.iter().map(|(run, status, created_at, title)| {
                json!({"run_id": run, "status": status, "created_at": created_at, "title": title})
            });
            show::print(&format!("{:#}\n", json!({"runs": runs.collect::<Vec<_>>()})));
        }
        Plain::Human => {
            let row = |(run, status, created, title): &(_, String, String, String)| {
                let created = created.get(..16).unwrap_or(created).replace('T', " ");
                format!("{run}  {created}  {}  {}\n", pad(status, 22), show::one_line(title, 60))
            };
            show::print(&lines.iter().map(row).collect::<String>());
        }
    }
    Ok(Exit::Fine)
}
