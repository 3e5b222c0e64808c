//! `verify-all`: many changes under the same terms, one summary, one exit code.

mod driver;
mod input;
mod places;
mod workers;

use loopwright_changes::batch::item::{Item, digest};
use loopwright_changes::batch::summary::Summary;
use loopwright_changes::batch::{against, identity};
use loopwright_changes::workflow::agents::Agents;
use loopwright_core::json::Json;
use loopwright_engines::remembered::RememberedEngine;

use super::terms;
use crate::args::{Plain, Shared, Terms, VerifyAll};
use crate::baselines::KeptBaselines;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::batch::Progress;
use crate::{interrupts, models, session, show, store};
use driver::Driver;
use places::Places;

pub(super) fn run(shared: &Shared, args: &VerifyAll) -> Result<Exit, Failure> {
    let plain = shared.format.plain()?;
    let items = input::read(&args.input)?;
    let batch = args.name.clone().unwrap_or_else(|| {
        let name = args.input.file_name().unwrap_or_default();
        identity::name_of_input(&name.to_string_lossy(), &digest(&items))
    });
    let earlier = args.against.as_deref().map(|batch| places::read_batch(shared, batch)).transpose()?;
    let pack = store::load_pack(args.terms.pack.as_deref())?;
    let baseline = terms::baseline(&args.terms, &pack)?;
    let trials = args.terms.profiles.unwrap_or_default();
    let terms = Terms { profiles: Some(trials), ..args.terms.clone() };
    let mut brief = terms::brief(shared, &terms, &pack, None)?;
    // Hundreds of items are looked at as a list; pictures are taken where somebody asks for them.
    brief.capture_at = (!terms.capture_at.is_empty()).then(|| terms.capture_at.clone());
    let (reader, engine) = (store::reader(&pack)?, session::engine(&pack)?);
    let items: Vec<Item> = match args.shard {
        Some(shard) => items.into_iter().filter(|item| shard.holds(&item.content.digest())).collect(),
        None => items,
    };
    let interrupt = interrupts::listen()?;
    let journal = store::open(&shared.data_dir)?;
    let places = Places::make(shared, &batch, args.shard)?;
    let baselines = KeptBaselines::of(&shared.data_dir);
    let engine = RememberedEngine::new(engine.as_ref(), &baselines);
    let artifacts = store::artifacts(&shared.data_dir);
    let model = models::of_run(shared, args.terms.models.file.models.as_deref(), &brief, None)?;
    let agents = model.as_deref().map(|model| Agents { model, heard: &|_| {} });
    let driver = Driver {
        shared,
        journal: &journal,
        pack: &pack,
        reader: reader.as_ref(),
        agents: agents.as_ref(),
        engine: &engine,
        artifacts: &artifacts,
        terms: identity::terms(&brief, &baseline),
        brief: &brief,
        baseline: &baseline,
        batch: &batch,
        authorize: args.authorize.as_deref(),
        interrupt: &interrupt,
    };
    let lang = shared.lang.map_or_else(|| show::language_of(None), Into::into);
    let mut progress = Progress::new(shared.format, lang, items.len());
    let standings = workers::verify(&driver, &items, jobs(args), &mut progress);
    progress.end();
    let summary = Summary {
        against: earlier.map(|(name, earlier)| against::join(&name, &standings, &earlier)),
        shard: args.shard,
        terms: Summary::terms_of(&brief, Json::new(baseline.clone()).digest()),
        items: standings,
        batch,
    };
    places.write(&summary, lang, args.junit.as_deref())?;
    match plain {
        Plain::Json => show::print(&format!("{:#}\n", places.document(&summary))),
        Plain::Human => show::print(&show::batch::text(&summary, places.folder(), lang)),
    }
    Ok(Exit::of_code(summary.exit_code()))
}

fn jobs(args: &VerifyAll) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    args.jobs.map_or_else(cores, usize::from)
}
