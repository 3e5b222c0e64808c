//! The performer port: whoever carries out what the machine has planned.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loopwright_core::budget::Amounts;
use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::machine::Planned;
use loopwright_core::outcome::Failure;

/// The class of the failure that stands for "an interrupt ended it"; see [`Performed::given_up`].
pub const INTERRUPTED: &str = "interrupted";

/// What came of an effect.
#[derive(Debug, Clone)]
pub struct Performed {
    /// The result; that the world broke is a result too.
    pub result: EffectResult,
    /// What it cost, time aside: the session measures that itself.
    pub spent: Amounts,
    /// Tries that came to nothing before this result, each of them a fact of its own; only effects with an intent have any.
    pub tries: Vec<Json>,
    /// How it was obtained, for whoever shows it.
    pub note: Json,
}

impl Performed {
    /// A result that cost nothing and needs no explanation.
    pub fn free(result: EffectResult) -> Self {
        Self { result, spent: Amounts::NONE, tries: Vec::new(), note: Json::null() }
    }

    /// No result, since an [`Interrupt`] was raised: the effect stays open, and counts as lost when the run goes on.
    ///
    /// An idempotent effect is then repeated under the same id, one that must not happen twice escalates. Where no
    /// interrupt was raised this is an ordinary failure.
    pub fn given_up() -> Self {
        let message = "the effect was interrupted; resume the run to repeat it".to_owned();
        let failure = Failure { class: INTERRUPTED.to_owned(), message, detail: Json::null() };
        Self::free(EffectResult::Failed { failure })
    }

    /// Whether this is a failure of class [`INTERRUPTED`].
    pub(crate) fn is_given_up(&self) -> bool {
        matches!(&self.result, EffectResult::Failed { failure } if failure.class == INTERRUPTED)
    }
}

/// Carries out planned effects. Called from several threads where a batch has several effects.
pub trait Performer: Sync {
    /// Carries out one effect; must keep to its reservation, and give up soon once interrupted,
    /// which is told with [`Performed::given_up`].
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
