//! `verify`: a sentence, or a candidate, against the baseline.

use std::io::{self, BufRead, IsTerminal, Write};

use loopwright_changes::goal::Goal;
use loopwright_changes::pack::Pack;
use loopwright_changes::settings;
use loopwright_changes::workflow::brief::Inputs;
use loopwright_changes::workflow::change;
use loopwright_changes::workflow::rules::LONGEST_REQUIREMENT;
use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::words;
use loopwright_configs::Lang;
use loopwright_models::Model;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::journal::{Journal, RunId};
use loopwright_runtime::perform::Interrupt;
use loopwright_runtime::session::Session;

use super::terms;
use crate::args::{Format, Shared, Verify};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use crate::show::summary::{Part, Places};
use crate::{files, interrupts, models, session, store};

pub(super) fn run(shared: &Shared, args: &Verify) -> Result<Exit, Failure> {
    let requirement = requirement(args)?;
    let pack = store::load_pack(args.terms.pack.as_deref())?;
    let inputs = inputs(args, &pack, requirement.is_some())?;
    let brief = terms::brief(shared, &args.terms, &pack, requirement)?;
    let lang = brief.lang;
    let model = models::of_run(shared, args.terms.models.file.models.as_deref(), &brief, None)?;
    let interrupt = interrupts::listen()?;
    let journal = store::open(&shared.data_dir)?;
    let id = store::new_id()?;
    let mut session = change::begin(&journal, &SystemClock, id.clone(), &brief, &inputs)?;
    let driven = session::drive(shared, &mut session, &pack, model.as_deref(), lang, &interrupt);
    drop(session);
    let history = session::keep(shared, &journal, &id)?;
    let view = session::view(&history)?;
    let pause = driven?;
    if view.status != Status::AwaitingAuthorization || interrupt.is_raised() {
        session::answer(shared, &view, lang, Part::All)?;
        return Ok(session::exit(&pause, view.status));
    }
    if shared.format == Format::Human {
        let folder = session::evidence_dir(shared, &id);
        let places = Places { data_dir: &shared.data_dir, evidence: &folder };
        show::print(&show::summary::summary(&view, places, lang, Part::Proposal));
    }
    let actor = match &args.authorize {
        Some(actor) => Some(actor.clone()),
        None => ask(shared, lang, view.brief.budget.candidate_runs + 1)?,
    };
    let Some(actor) = actor else {
        let part = if shared.format == Format::Human { Part::Standing } else { Part::All };
        session::answer(shared, &view, lang, part)?;
        return Ok(Exit::Awaiting);
    };
    let word = words::authorize(&history.run, &actor, None)?;
    session::say(&journal, &history, &word)?;
    go_on(shared, &journal, &id, &pack, model.as_deref(), lang, &interrupt)
}

/// Runs what was authorised, and shows what it came to.
fn go_on(
    shared: &Shared,
    journal: &dyn Journal,
    id: &RunId,
    pack: &Pack,
    model: Option<&dyn Model>,
    lang: Lang,
    interrupt: &Interrupt,
) -> Result<Exit, Failure> {
    if shared.format == Format::Human {
        show::print("\n");
    }
    let mut session = Session::resume(journal, &SystemClock, id)?;
    let driven = session::drive(shared, &mut session, pack, model, lang, interrupt);
    drop(session);
    let history = session::keep(shared, journal, id)?;
    let view = session::view(&history)?;
    let pause = driven?;
    session::answer(shared, &view, lang, Part::Verdict)?;
    Ok(session::exit(&pause, view.status))
}

/// The sentence, from the command line or a file; nothing where a person brings a candidate.
fn requirement(args: &Verify) -> Result<Option<String>, Failure> {
    let requirement = match (&args.requirement, &args.requirement_file) {
        (Some(requirement), _) => Some(requirement.clone()),
        (None, Some(path)) => Some(files::read_requirement(path)?),
        (None, None) => None,
    };
    let own = args.candidate.is_some() || !args.set.is_empty();
    match &requirement {
        Some(text) if text.trim().is_empty() => {
            Err(Failure::usage("the requirement is empty").hint("write what is to change, in Chinese or English"))
        }
        Some(text) if text.chars().count() > LONGEST_REQUIREMENT => {
            let length = text.chars().count();
            Err(Failure::usage(format!(
                "the requirement has {length} characters; at most {LONGEST_REQUIREMENT} are read"
            )))
        }
        None if !own => Err(Failure::usage("nothing to verify")
            .hint("write a sentence, or use --requirement-file, --candidate or --set")
            .hint("`loopwright verify --help` has examples")),
        _ => Ok(requirement),
    }
}

/// The baseline, and a person's own candidate with what it is meant to do.
fn inputs(args: &Verify, pack: &Pack, has_requirement: bool) -> Result<Inputs, Failure> {
    let baseline = terms::baseline(&args.terms, pack)?;
    if has_requirement {
        return Ok(Inputs { baseline, candidate: None, goal: None });
    }
    let candidate = match &args.candidate {
        Some(path) => files::read_config(path)?,
        None => baseline.clone(),
    };
    let candidate =
        settings::apply(pack, &candidate, &args.set).map_err(|error| Failure::from_error(Exit::Usage, &error))?;
    let goal = Goal::from_diff(pack, &baseline, &candidate);
    Ok(Inputs { baseline, candidate: Some(candidate), goal: Some(goal) })
}

/// Asks at a terminal; anywhere else nobody has said yes.
fn ask(shared: &Shared, lang: Lang, runs: u64) -> Result<Option<String>, Failure> {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if shared.format != Format::Human || !terminal {
        return Ok(None);
    }
    let user = store::user();
    let question = match lang {
        Lang::En => format!("Allow {runs} engine runs in the name of {user}?"),
        Lang::Zh => format!("以 {user} 的名义授权 {runs} 次引擎运行？"),
    };
    show::print(&format!("\n{question} [y/N] "));
    io::stdout().flush().ok();
    let mut answer = String::new();
    interrupts::while_asking(|| io::stdin().lock().read_line(&mut answer))
        .map_err(|error| Failure::from_error(Exit::World, &error).prefixed("cannot read the answer"))?;
    let yes = ["y", "yes", "是", "好"].contains(&answer.trim().to_lowercase().as_str());
    Ok(yes.then_some(user))
}
