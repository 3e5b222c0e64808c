//! The command line. It wires the other crates together, and knows words, colours and exit codes; nothing else.

mod args;
mod baselines;
mod commands;
mod exit;
mod failure;
mod files;
mod interrupts;
mod models;
mod session;
mod show;
mod store;

use std::panic;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Format};
use exit::Exit;
use failure::Failure;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, and are no errors.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            error.print().ok();
            return exit.into();
        }
    };
    let format = cli.shared.format;
    match panic::catch_unwind(|| commands::run(cli)) {
        Ok(Ok(Exit::Fine)) if show::is_cut() => Exit::World.into(),
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            report(&failure, format);
            failure.exit.into()
        }
        // The panic's own message has been printed by the default hook.
        Err(_) => {
            eprintln!("this is a bug of loopwright; the run's journal is whole, and `loopwright resume` goes on");
            Exit::Bug.into()
        }
    }
}

fn report(failure: &Failure, format: Format) {
    if format == Format::Json {
        show::print(&format!("{:#}\n", failure.to_json()));
    }
    eprint!("{failure}");
}
