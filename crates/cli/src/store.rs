//! Opening a data directory, and finding runs in it.

use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use loopwright_changes::pack::{Pack, PackFiles};
use loopwright_changes::workflow::brief::{Brief, PackReference};
use loopwright_changes::workflow::reading::RequirementReader;
use loopwright_changes::workflow::rules::Rules;
use loopwright_core::json::Json;
use loopwright_runtime::artifacts::FolderArtifacts;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::{Journal, RunEntry, RunId};
use loopwright_sqlite::{Options, Reason, SqliteJournal};
use serde_json::Value;

use crate::exit::Exit;
use crate::failure::Failure;

/// Opens a data directory, making it if it is not there.
pub(crate) fn open(data_dir: &Path) -> Result<SqliteJournal, Failure> {
    Ok(SqliteJournal::open(data_dir, &Options::default())?)
}

/// Opens a data directory that has to be there, for commands about runs that exist.
pub(crate) fn open_existing(data_dir: &Path) -> Result<SqliteJournal, Failure> {
    let opened = SqliteJournal::open_existing(data_dir, &Options::default());
    opened.map_err(|error| {
        let reason = error.source().and_then(|source| source.downcast_ref::<Reason>());
        // Nothing is broken where nothing was ever begun: the place is misspelt, or there was no run yet.
        let missing = matches!(reason, Some(Reason::Missing));
        let failure = if missing { Failure::from_error(Exit::Usage, &error) } else { Failure::from(error) };
        failure.hint("--data-dir names another data directory")
    })
}

/// The runs of a data directory, oldest first.
///
/// A run without facts is none: its process died, or its disk was full, before anything was kept of it.
pub(crate) fn runs(journal: &dyn Journal) -> Result<Vec<RunEntry>, Failure> {
    let mut runs = journal.runs()?;
    runs.retain(|entry| entry.head.length > 0);
    Ok(runs)
}

/// Where the artifacts of a data directory are kept.
pub(crate) fn artifacts(data_dir: &Path) -> FolderArtifacts {
    FolderArtifacts::new(data_dir.join("artifacts"))
}

/// Finds a run by its id, an unambiguous beginning of it, or `last`.
pub(crate) fn find(journal: &dyn Journal, wanted: &str) -> Result<RunId, Failure> {
    let runs = runs(journal)?;
    let list = "`loopwright runs` lists the runs of this data directory";
    if wanted == "last" {
        let last = runs.into_iter().next_back().map(|entry| entry.run);
        return last.ok_or_else(|| Failure::usage("there is no run yet").hint("`loopwright verify` begins one"));
    }
    let mut fits: Vec<_> =
        runs.into_iter().map(|entry| entry.run).filter(|run| run.as_str().starts_with(wanted)).collect();
    if let Some(exact) = fits.iter().position(|run| run.as_str() == wanted) {
        return Ok(fits.swap_remove(exact));
    }
    match fits.len() {
        1 => Ok(fits.swap_remove(0)),
        _ if wanted.is_empty() => Err(Failure::usage("a run's id cannot be empty").hint(list)),
        0 => Err(Failure::usage(format!("there is no run {wanted:?}")).hint(list)),
        _ => {
            let names: Vec<_> = fits.iter().map(RunId::as_str).collect();
            Err(Failure::usage(format!("{wanted:?} could be {}", names.join(" or "))).hint("write more of the id"))
        }
    }
}

/// Reads a run back.
pub(crate) fn read(journal: &dyn Journal, wanted: &str) -> Result<History, Failure> {
    Ok(History::read(journal, &find(journal, wanted)?)?)
}

/// A new run's id: a letter and seven letters or digits, told apart by their beginnings.
pub(crate) fn new_id() -> Result<RunId, Failure> {
    const LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyz";
    const SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
    // The standard library seeds its hashers from the operating system's randomness.
    let mut rest = RandomState::new().build_hasher().finish();
    let mut pick = |from: &[u8]| {
        let size = from.len() as u64;
        let at = usize::try_from(rest % size).unwrap_or_default();
        rest /= size;
        char::from(from[at])
    };
    let mut text = String::from(pick(LETTERS));
    text.extend((0..7).map(|_| pick(SIGNS)));
    Ok(RunId::new(text)?)
}

/// Loads the embedded pack, or another one from a folder.
pub(crate) fn load_pack(folder: Option<&Path>) -> Result<Pack, Failure> {
    let files = match folder {
        None => PackFiles::embedded(),
        Some(folder) => {
            // The run remembers where its pack is, whatever folder it is resumed from.
            let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            PackFiles::directory(&whole).map_err(|error| Failure::from_error(Exit::Usage, &error))?
        }
    };
    Pack::load(files).map_err(|error| Failure::from_error(Exit::Usage, &error))
}

/// Loads the pack that a run follows, and makes sure that it is still the same.
pub(crate) fn pack_of(brief: &Brief, folder: Option<&Path>) -> Result<Pack, Failure> {
    let origin = &brief.pack.origin;
    let embedded = origin == PackFiles::embedded().origin();
    let pack = match folder {
        Some(folder) => load_pack(Some(folder))?,
        None if embedded => load_pack(None)?,
        None => load_pack(Some(Path::new(origin)))
            .map_err(|failure| failure.hint("--pack names the pack's folder, where it has moved"))?,
    };
    if PackReference::to(&pack).digest != brief.pack.digest {
        return Err(Failure::usage("the pack has changed since the run began, so the run cannot go on with it")
            .hint("begin the change again, or name the pack as it was with --pack"));
    }
    Ok(pack)
}

/// The pack's reader of requirements.
pub(crate) fn reader(pack: &Pack) -> Result<Box<dyn RequirementReader>, Failure> {
    let rules = Rules::of(pack).map_err(|error| Failure::from_error(Exit::Usage, &error))?;
    Ok(Box::new(rules))
}

/// The device profile that the pack wants its engine to model, as engines read it.
pub(crate) fn device_profile(pack: &Pack) -> Result<Json, Failure> {
    let Some(name) = &pack.manifest().engine.profile else { return Ok(Json::null()) };
    let Some(profile) = pack.profile(name) else {
        return Err(Failure::usage(format!("the pack has no device profile {name:?}")));
    };
    let mut model = profile.model.clone();
    model["name"] = Value::from(profile.name.clone());
    Ok(Json::new(model))
}

/// The user of this machine, for what nobody put a name to.
pub(crate) fn user() -> String {
    let named = ["USER", "USERNAME", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    named.into_iter().find(|name| !name.trim().is_empty()).unwrap_or_else(|| "operator".to_owned())
}
