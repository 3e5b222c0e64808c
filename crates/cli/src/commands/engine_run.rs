//! `engine run`: one run of one config that passes the schema; telemetry out.

use loopwright_changes::layers::contract_faults;
use loopwright_configs::Lang;
use loopwright_core::json::Json;
use loopwright_engines::runner::{EngineRequest, Variant};

use crate::args::{EngineRun, Shared};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, session, show, store};

pub(super) fn run(shared: &Shared, args: &EngineRun) -> Result<Exit, Failure> {
    // Telemetry is JSON, for people as well.
    shared.format.plain()?;
    let pack = store::load_pack(args.pack.as_deref())?;
    let config = files::read_config(&args.config)?;
    let faults = contract_faults(&pack, &config);
    if !faults.is_empty() {
        let invalid = Failure::usage(format!("{} does not follow the contract", args.config.display()));
        return Err(faults.iter().fold(invalid, |failure, fault| failure.hint(show::fault(fault, Lang::En))));
    }
    let engine = session::engine(&pack)?;
    let request = EngineRequest {
        config: Json::new(pack.normalised(&config)),
        seed: args.seed.unwrap_or(pack.manifest().seed),
        run_id: "engine-run".to_owned(),
        variant: Variant::Candidate,
        device_profile: store::device_profile(&pack)?,
        capture_at: None,
    };
    let report = engine.run(&request).map_err(|error| Failure::from_error(Exit::World, &error))?;
    let text = format!("{:#}\n", report.telemetry);
    match &args.output {
        Some(path) => files::write_whole(path, text.as_bytes())?,
        None => show::print(&text),
    }
    Ok(Exit::Fine)
}
