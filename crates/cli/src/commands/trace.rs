//! `trace`: every fact of a run, a line each.

use loopwright_changes::workflow::evidence::entry;
use serde_json::{Value, json};

use crate::args::{OneRun, Plain, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, pad};
use crate::store;

pub(super) fn run(shared: &Shared, args: &OneRun) -> Result<Exit, Failure> {
    let plain = shared.format.plain()?;
    let journal = store::open_existing(&shared.data_dir)?;
    let history = store::read(&journal, &args.run)?;
    let events: Vec<_> = history.facts.iter().map(entry).collect();
    match plain {
        Plain::Json => show::print(&format!("{:#}\n", json!({"run_id": history.id, "events": events}))),
        Plain::Human => show::print(&events.iter().map(line).collect::<String>()),
    }
    Ok(Exit::Fine)
}

fn line(event: &Value) -> String {
    let text = |field: &str| event.get(field).and_then(Value::as_str).unwrap_or_default();
    let at = text("at").get(11..23).unwrap_or_default();
    let node = if text("node").is_empty() { "(run)" } else { text("node") };
    let shown = ["seq", "at", "node", "event"];
    let detail = event.as_object().into_iter().flatten().filter(|(field, value)| {
        !shown.contains(&field.as_str()) && !value.is_null() && value.as_object().is_none_or(|inner| !inner.is_empty())
    });
    let detail: Vec<_> = detail.map(|(field, value)| format!("{field}={}", plain(value))).collect();
    let seq = event.get("seq").and_then(Value::as_u64).unwrap_or_default();
    format!("{seq:>5}  {at}  {}  {}  {}\n", pad(node, 13), pad(text("event"), 15), detail.join(" "))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
