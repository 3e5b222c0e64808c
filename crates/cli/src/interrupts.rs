//! Ctrl-C: the first one ends the run at the next event, the second one ends the program at once.

use std::process;

use loopwright_runtime::perform::Interrupt;

use crate::exit::Exit;
use crate::failure::Failure;

/// Listens for interrupts from now on.
pub(crate) fn listen() -> Result<Interrupt, Failure> {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    let handler = move || {
        if raised.is_raised() {
            process::exit(Exit::Interrupted.code().into());
        }
        raised.raise();
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::from_error(Exit::World, &error))?;
    Ok(interrupt)
}
