//! The commands, one file each.

mod amend;
mod authorize;
mod cancel;
mod compare;
mod decide;
mod engine_run;
mod export;
mod report;
mod resume;
mod runs;
mod show;
mod terms;
mod trace;
mod verify;
mod verify_all;

use crate::args::{Cli, Command, Engine};
use crate::exit::Exit;
use crate::failure::Failure;

/// Does what was asked.
pub(crate) fn run(cli: Cli) -> Result<Exit, Failure> {
    let shared = cli.shared;
    match cli.command {
        Command::Verify(args) => verify::run(&shared, &args),
        Command::VerifyAll(args) => verify_all::run(&shared, &args),
        Command::Authorize(args) => authorize::run(&shared, &args),
        Command::Amend(args) => amend::run(&shared, &args),
        Command::Resume(args) => resume::run(&shared, &args),
        Command::Cancel(args) => cancel::run(&shared, &args),
        Command::Decide(args) => decide::run(&shared, &args),
        Command::Runs => runs::run(&shared),
        Command::Show(args) => show::run(&shared, &args),
        Command::Trace(args) => trace::run(&shared, &args),
        Command::Compare(args) => compare::run(&shared, &args),
        Command::Export(args) => export::run(&shared, &args),
        Command::Report(args) => report::run(&shared, &args),
        Command::Engine(Engine::Run(args)) => engine_run::run(&shared, &args),
    }
}
