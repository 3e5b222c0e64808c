//! The terms of a verification as a run keeps them: the baseline and the brief.

use loopwright_changes::goal::Proposer;
use loopwright_changes::layers::contract_faults;
use loopwright_changes::pack::Pack;
use loopwright_changes::workflow::brief::{Brief, KIND, Names, PackReference, Policy};
use loopwright_changes::workflow::graph::ChangeBudget;
use loopwright_configs::Lang;
use serde_json::Value;

use crate::args::{Shared, Terms};
use crate::failure::Failure;
use crate::{files, models, session, show, store};

/// The config before the change: the pack's, or one from a file that follows the contract.
pub(super) fn baseline(terms: &Terms, pack: &Pack) -> Result<Value, Failure> {
    let Some(path) = &terms.baseline else { return Ok(pack.baseline().value().clone()) };
    let baseline = files::read_config(path)?;
    let faults = contract_faults(pack, &baseline);
    if !faults.is_empty() {
        let invalid = Failure::usage(format!("the baseline {} does not follow the contract", path.display()));
        return Err(faults.iter().fold(invalid, |failure, fault| failure.hint(show::fault(fault, Lang::En))));
    }
    Ok(pack.normalised(&baseline))
}

/// Who proposes the first candidate.
pub(super) fn proposer(has_requirement: bool, asks_model: bool) -> Proposer {
    match (has_requirement, asks_model) {
        (false, _) => Proposer::Person,
        (true, false) => Proposer::Intake,
        (true, true) => Proposer::Model,
    }
}

/// What a run verifies, and under which terms.
pub(super) fn brief(
    shared: &Shared,
    terms: &Terms,
    pack: &Pack,
    requirement: Option<String>,
) -> Result<Brief, Failure> {
    let trials = terms.profiles.unwrap_or(pack.manifest().engine.trials);
    if trials == 0 && !pack.trial_checks().is_empty() {
        return Err(Failure::usage("the pack judges trials beside the fixed path, so --profiles cannot be 0"));
    }
    let manifest = pack.manifest();
    let engine = session::engine(pack)?;
    let runs = terms.max_runs.unwrap_or(manifest.budget.candidate_runs.into());
    let model = models::of_terms(shared, &terms.models, pack)?;
    let calls = model.as_ref().and_then(|model| models::reserves(model, pack));
    let lang = shared.lang.map_or_else(|| show::language_of(requirement.as_deref()), Into::into);
    Ok(Brief {
        kind: KIND.to_owned(),
        proposer: proposer(requirement.is_some(), model.is_some()),
        requirement,
        policy: if model.is_some() { Policy::Model } else { Policy::Rules },
        model,
        fallback: terms.models.fallback.is_some(),
        pack: PackReference::to(pack),
        layout: pack.layout().clone(),
        names: Names::of(pack),
        engine: engine.identity(),
        device_profile: store::device_profile(pack)?,
        basis: manifest.engine.basis.clone(),
        caveats: manifest.caveats.clone(),
        seed: terms.seed.unwrap_or(manifest.seed),
        capture_at: Some(if terms.capture_at.is_empty() {
            manifest.engine.capture_at.clone()
        } else {
            terms.capture_at.clone()
        }),
        trials,
        repair: !terms.no_repair,
        budget: ChangeBudget {
            candidate_runs: runs,
            model_calls: terms.models.max_model_calls.unwrap_or(manifest.budget.model_calls.into()),
            kept_for_reviews: manifest.budget.kept_for_reviews.into(),
            stagnant_rounds: manifest.budget.stagnant_rounds,
            tokens: terms.models.max_tokens,
            cost_micros: terms.models.max_cost,
            wall_ms: terms.models.max_time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            calls,
        },
        lang,
    })
}
