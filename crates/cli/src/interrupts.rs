//! Ctrl-C: the first one ends the run at the next event, the second one ends the program at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use loopwright_runtime::perform::Interrupt;

use crate::exit::Exit;
use crate::failure::Failure;

/// Whether a person is being asked, so that no event will come until they answer.
static ASKING: AtomicBool = AtomicBool::new(false);

/// Listens for interrupts from now on.
pub(crate) fn listen() -> Result<Interrupt, Failure> {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    let handler = move || {
        if raised.is_raised() || ASKING.load(Ordering::SeqCst) {
            process::exit(Exit::Interrupted.code().into());
        }
        raised.raise();
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::from_error(Exit::World, &error))?;
    Ok(interrupt)
}

/// Asks a person something; meanwhile nothing is under way, and the first interrupt ends the program.
pub(crate) fn while_asking<T>(ask: impl FnOnce() -> T) -> T {
    ASKING.store(true, Ordering::SeqCst);
    let answer = ask();
    ASKING.store(false, Ordering::SeqCst);
    answer
}
