//! What the commands about a change share: driving it, showing it, keeping its evidence and its line in the index.

use std::path::{Path, PathBuf};

use loopwright_changes::pack::Pack;
use loopwright_changes::workflow::agents::Agents;
use loopwright_changes::workflow::brief::{Brief, Inputs};
use loopwright_changes::workflow::change;
use loopwright_changes::workflow::document::document;
use loopwright_changes::workflow::evidence::{self, pictures};
use loopwright_changes::workflow::perform::ChangePerformer;
use loopwright_changes::workflow::report;
use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::view::View;
use loopwright_configs::Lang;
use loopwright_engines::embedded::EmbeddedEngine;
use loopwright_engines::runner::EngineRunner;
use loopwright_models::{Model, Tried};
use loopwright_report::Report;
use loopwright_runtime::artifacts::ArtifactError;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::{Journal, RunId};
use loopwright_runtime::perform::Interrupt;
use loopwright_runtime::session::{Pause, Session};
use loopwright_runtime::word::Word;

use crate::args::{Format, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use crate::show::summary::Places;
use crate::{files, store};

/// The engine that a pack asks for.
pub(crate) fn engine(pack: &Pack) -> Result<Box<dyn EngineRunner>, Failure> {
    match pack.manifest().engine.kind.as_str() {
        loopwright_engines::embedded::NAME => Ok(Box::new(EmbeddedEngine)),
        other => Err(Failure::usage(format!("the pack wants the engine {other:?}, which is not here"))
            .hint("`engine.kind` of pack.toml can be \"embedded\"")),
    }
}

/// Where a run's evidence is kept.
pub(crate) fn evidence_dir(shared: &Shared, run: &RunId) -> PathBuf {
    shared.data_dir.join("evidence").join(run.as_str())
}

/// Drives a run until it rests, telling people about each engine run.
pub(crate) fn drive(
    shared: &Shared,
    session: &mut Session<'_>,
    pack: &Pack,
    model: Option<&dyn Model>,
    lang: Lang,
    interrupt: &Interrupt,
) -> Result<Pause, Failure> {
    let not_a_change = || Failure::usage("this run is no change verification");
    let brief = Brief::of(session.run()).ok_or_else(not_a_change)?;
    let inputs = Inputs::of(session.run()).ok_or_else(not_a_change)?;
    let reader = crate::store::reader(pack)?;
    let engine = engine(pack)?;
    let run_id = session.id().to_string();
    let artifacts = crate::store::artifacts(&shared.data_dir);
    let bar = show::study::Bar::new(shared.format, lang);
    let heard = |done: u32, total: u32| bar.heard(done, total);
    let tried = |tried: &Tried| show::progress::tried(shared.format, lang, tried);
    let agents = model.map(|model| Agents { model, heard: &tried });
    let performer = ChangePerformer {
        progress: &heard,
        pack,
        reader: reader.as_ref(),
        agents: agents.as_ref(),
        engine: engine.as_ref(),
        brief: &brief,
        baseline: &inputs.baseline,
        run_id: &run_id,
        artifacts: &artifacts,
    };
    let mut progress = show::progress::Progress::new(shared.format, lang);
    Ok(session.drive(&performer, interrupt, &mut progress)?)
}

/// Says a word to a run, and tells what became of it.
pub(crate) fn say(journal: &dyn Journal, history: &History, word: &Word) -> Result<(), Failure> {
    match change::say(journal, &SystemClock, history, word)? {
        change::Heard::Taken => Ok(()),
        change::Heard::Waiting => {
            eprintln!("another process drives {}; it will take your word at its next step", history.id);
            Ok(())
        }
        change::Heard::TooLate => Err(Failure::usage("somebody else was faster; your word had no effect")
            .hint(format!("`loopwright show {}` shows where the run stands", history.id))),
    }
}

/// Records a person's word, and shows where the run stands after it.
pub(crate) fn record(shared: &Shared, journal: &dyn Journal, history: &History, word: &Word) -> Result<Exit, Failure> {
    say(journal, history, word)?;
    let history = keep(shared, journal, &history.id)
        .map_err(|failure| failure.prefixed("the word is recorded, but its evidence cannot be written"))?;
    let view = view(&history)?;
    answer(shared, &view, lang(shared, &view.brief), show::summary::Part::Standing)?;
    Ok(Exit::Fine)
}

/// Reads a run back, keeps its evidence and its line, and returns it.
pub(crate) fn keep(shared: &Shared, journal: &dyn Journal, id: &RunId) -> Result<History, Failure> {
    let history = History::read(journal, id)?;
    change::summarise(journal, &history)?;
    let view = view(&history)?;
    write_evidence(shared, &view, &evidence_dir(shared, id))?;
    Ok(history)
}

/// Writes a run's evidence into a folder: the JSON files, the pictures and the report.
pub(crate) fn write_evidence(shared: &Shared, view: &View<'_>, folder: &Path) -> Result<(), Failure> {
    files::make_folder(folder)?;
    for file in evidence::files(view) {
        files::write_whole(&folder.join(file.name), &file.bytes)?;
    }
    let shown = pictures::shown(view, &store::artifacts(&shared.data_dir)).map_err(|error| lost(&error))?;
    if shown.iter().any(|file| file.path.starts_with(pictures::FOLDER)) {
        files::make_folder(&folder.join(pictures::FOLDER))?;
    }
    shown.iter().try_for_each(|file| files::write_whole(&folder.join(&file.path), &file.bytes))
}

/// A run as a report.
pub(crate) fn report(shared: &Shared, view: &View<'_>) -> Result<Report, Failure> {
    report::report(view, &store::artifacts(&shared.data_dir)).map_err(|error| lost(&error))
}

/// An artifact that a run's facts name and its data directory does not have.
pub(crate) fn lost(error: &ArtifactError) -> Failure {
    Failure::from_error(Exit::World, error)
        .hint("the journal is whole; the folder `artifacts` of the data directory has to come with it")
}

/// A run as a change.
pub(crate) fn view(history: &History) -> Result<View<'_>, Failure> {
    View::of(history).ok_or_else(|| {
        Failure::usage(format!("{} is no change verification, or was written by another version", history.id))
    })
}

/// Shows how a run stands after a command, all of it or only what came after the authorization.
pub(crate) fn answer(shared: &Shared, view: &View<'_>, lang: Lang, part: show::summary::Part) -> Result<(), Failure> {
    let folder = evidence_dir(shared, &view.history.id);
    let text = match shared.format {
        Format::Json => format!("{:#}\n", document(view, &folder.to_string_lossy())),
        Format::Human => {
            let places = Places { data_dir: &shared.data_dir, evidence: &folder };
            let mut text = show::summary::summary(view, places, lang, part);
            if show::in_github() {
                text.push_str(&rendered(Format::Github, &report(shared, view)?).unwrap_or_default());
            }
            text
        }
        format => rendered(format, &report(shared, view)?).unwrap_or_default(),
    };
    show::print(&text);
    Ok(())
}

/// A report in one of the forms for machines and pages; nothing for the forms that are no report.
pub(crate) fn rendered(format: Format, report: &Report) -> Option<String> {
    match format {
        Format::Human | Format::Json => None,
        Format::Html => Some(loopwright_report::html::page(report)),
        Format::Markdown => Some(loopwright_report::markdown::comment(report)),
        Format::Junit => Some(loopwright_report::junit::suite(report)),
        Format::Github => Some(loopwright_report::annotations::lines(report, None)),
    }
}

/// How a command that has driven a run ends.
pub(crate) fn exit(pause: &Pause, status: Status) -> Exit {
    match pause {
        Pause::Interrupted => Exit::Interrupted,
        Pause::Done(_) | Pause::Waiting(_) => Exit::of(status),
    }
}

/// The language of an answer: what was asked for, else the one of whoever began the run.
pub(crate) fn lang(shared: &Shared, brief: &Brief) -> Lang {
    shared.lang.map_or(brief.lang, Into::into)
}
