//! The performer port: whoever carries out what the machine has planned.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loopwright_core::budget::Amounts;
use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::machine::Planned;

/// What came of an effect.
#[derive(Debug, Clone)]
pub struct Performed {
    /// The result; that the world broke is a result too.
    pub result: EffectResult,
    /// What it cost, time aside: the session measures that itself.
    pub spent: Amounts,
    /// How it was obtained, for whoever shows it.
    pub note: Json,
}

impl Performed {
    /// A result that cost nothing and needs no explanation.
    pub fn free(result: EffectResult) -> Self {
        Self { result, spent: Amounts::NONE, note: Json::null() }
    }
}

/// Carries out planned effects. Called from several threads where a batch has several effects.
pub trait Performer: Sync {
    /// Carries out one effect; must keep to its reservation, and give up soon once interrupted.
    fn perform(&self, planned: &Planned, interrupt: &Interrupt) -> Performed;
}

impl<F: Fn(&Planned, &Interrupt) -> Performed + Sync> Performer for F {
    fn perform(&self, planned: &Planned, interrupt: &Interrupt) -> Performed {
        self(planned, interrupt)
    }
}

/// A person's wish to stop; shared with whoever listens for signals.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks to stop at the next opportunity.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether somebody asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
