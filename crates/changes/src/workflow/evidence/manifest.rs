//! The manifest: where the change stands, what it was allowed and spent, who said what, and everything that happened.

use loopwright_core::json::Digest;
use serde_json::{Map, Value, json};

use super::File;
use super::timeline::{entry, time};
use crate::workflow::graph::PERSON;
use crate::workflow::view::View;

/// The manifest of a change and its other files.
pub(super) fn manifest(view: &View<'_>, files: &[File]) -> Value {
    let run = &view.history.run;
    let digests: Map<_, _> = files.iter().map(|file| (file.name.to_owned(), json!(Digest::of(&file.bytes)))).collect();
    json!({
        "manifest_version": 1,
        "run_id": view.history.id,
        "status": view.status,
        "outcome": run.outcome().map(|outcome| outcome.kind().name()),
        "reason": view.escalation.as_ref().map(|escalation| &escalation.reason),
        "failure": view.failure,
        "budget": view.budget(),
        "iteration": view.iteration(),
        "authorization": view.authorization.as_ref().map(|given| json!({
            "actor": given.actor, "note": given.note, "scope": given.scope, "runs_granted": given.runs_granted,
            "at": time(given.at_ms),
        })),
        "decision": view.decision.as_ref().map(|taken| json!({
            "decision": taken.decision, "actor": taken.actor, "note": taken.note, "at": time(taken.at_ms),
        })),
        "decided_by": PERSON,
        "baseline_overwritten": false,
        "pack": {"name": view.brief.pack.name, "version": view.brief.pack.version, "digest": view.brief.pack.digest},
        "engine": view.brief.engine,
        "device_profile": view.brief.device_profile,
        "seed": view.brief.seed,
        "policy": view.brief.policy,
        "model": view.brief.model,
        "fallback": view.brief.fallback.then_some("rules"),
        "hand_off": view.hand_off(),
        "contract": run.graph().digest(),
        "journal": {"facts": view.history.head.length, "head": view.history.head.digest},
        "files": digests,
        "timeline": view.history.facts.iter().map(entry).collect::<Vec<_>>(),
    })
}
