//! An engine that runs a baseline once and cites that run wherever the same baseline is asked for again.
//!
//! "The same" is the engine's build, the config, the seed and the device profile. Candidates are never remembered.
//! Where entries are kept between processes is the business of whoever wires a [`BaselineStore`].

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use loopwright_core::json::{self, Digest, Json, Limits, canonical_bytes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::runner::{EngineError, EngineIdentity, EngineReport, EngineRequest, EngineRunner, Variant};
use crate::study::{Progress, StudyReport, StudyRequest};
use crate::telemetry::normalise;

/// The field of a telemetry that names, by SHA-256 of its RFC 8785 form, the telemetry it repeats.
pub const CITED_FROM: &str = "cited_from";
/// The field of a telemetry that names the run whose telemetry it repeats.
pub const CITED_RUN: &str = "cited_run";

/// Keeps what is known of baselines between processes; bytes in, bytes out, never interpreted.
///
/// Forgetting is allowed at any time: a baseline that is not found is run again.
pub trait BaselineStore: Send + Sync {
    /// What was kept under a key.
    fn find(&self, key: &Digest) -> Option<Vec<u8>>;

    /// Keeps an entry under a key, and beside it the telemetry that will be cited by the SHA-256 of these bytes.
    fn keep(&self, key: &Digest, entry: &[u8], telemetry: &[u8]);
}

/// Keeps nothing between processes.
impl BaselineStore for () {
    fn find(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn keep(&self, _: &Digest, _: &[u8], _: &[u8]) {}
}

/// The first run of a baseline, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    /// The run it belonged to.
    run_id: String,
    /// SHA-256 of its normalised telemetry; an entry whose figures do not bear it out is damaged.
    telemetry_sha256: Digest,
    /// The figures as the engine wrote them.
    raw: Json,
}

/// One baseline: empty until it has run; locked while it runs, so that others wait instead of running it too.
type Slot = Arc<Mutex<Option<First>>>;

/// Runs baselines once and candidates always.
pub struct RememberedEngine<'a> {
    engine: &'a dyn EngineRunner,
    store: &'a dyn BaselineStore,
    slots: Mutex<BTreeMap<Digest, Slot>>,
}

impl<'a> RememberedEngine<'a> {
    /// Remembers what an engine brings, in this process and in a store.
    pub fn new(engine: &'a dyn EngineRunner, store: &'a dyn BaselineStore) -> Self {
        Self { engine, store, slots: Mutex::new(BTreeMap::new()) }
    }

    fn slot(&self, key: Digest) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(key).or_default())
    }

    /// What the store knows; an entry that does not belong to the request, or is damaged, is as good as none.
    fn recall(&self, key: &Digest, request: &EngineRequest, engine: &EngineIdentity) -> Option<First> {
        let bytes = self.store.find(key)?;
        let entry = json::read(&bytes, Limits::default()).ok()?;
        let first: First = serde_json::from_value(entry).ok()?;
        let own = EngineRequest { run_id: first.run_id.clone(), ..request.clone() };
        let telemetry = normalise(&own, engine, &first.raw).ok()?;
        (telemetry.digest() == first.telemetry_sha256).then_some(first)
    }
}

impl EngineRunner for RememberedEngine<'_> {
    fn identity(&self) -> EngineIdentity {
        self.engine.identity()
    }

    fn run(&self, request: &EngineRequest) -> Result<EngineReport, EngineError> {
        // Pictures are not kept between runs, so whoever wants them gets a run of their own.
        if request.variant != Variant::Baseline || request.capture_at.is_some() {
            return self.engine.run(request);
        }
        let engine = self.identity();
        let key = key(request, &engine);
        let slot = self.slot(key);
        let mut known = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = self.recall(&key, request, &engine);
        }
        if let Some(first) = &*known {
            return first.cited_by(request, &engine);
        }
        let report = self.engine.run(request)?;
        let first = First {
            run_id: request.run_id.clone(),
            telemetry_sha256: report.telemetry.digest(),
            raw: report.raw.clone(),
        };
        let entry = json!(first).to_string();
        self.store.keep(&key, entry.as_bytes(), &canonical_bytes(report.telemetry.value()));
        *known = Some(first);
        Ok(report)
    }

    fn study(&self, request: &StudyRequest, progress: &Progress<'_>) -> Result<Option<StudyReport>, EngineError> {
        self.engine.study(request, progress)
    }
}

impl First {
    /// The same figures for another run, which says where it has them from.
    fn cited_by(&self, request: &EngineRequest, engine: &EngineIdentity) -> Result<EngineReport, EngineError> {
        let telemetry = normalise(request, engine, &self.raw)?;
        let mut report = EngineReport { raw: self.raw.clone(), telemetry, artifacts: Vec::new() };
        // A run that repeats its own baseline, after it was killed, cites nobody.
        if request.run_id != self.run_id
            && let Value::Object(mut figures) = report.telemetry.value().clone()
        {
            figures.insert(CITED_FROM.to_owned(), json!(self.telemetry_sha256));
            figures.insert(CITED_RUN.to_owned(), json!(self.run_id));
            report.telemetry = Json::new(Value::Object(figures));
        }
        Ok(report)
    }
}

/// What makes two baselines the same. Every field of a request is named here, so that a new one is not forgotten.
fn key(request: &EngineRequest, engine: &EngineIdentity) -> Digest {
    let EngineRequest { config, seed, run_id: _, variant: _, device_profile, capture_at: _ } = request;
    let same = json!({
        "engine": engine, "config": config.digest(), "seed": seed, "device_profile": device_profile.digest(),
    });
    Json::new(same).digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::ScriptedEngine;

    /// Keeps entries in memory.
    #[derive(Default)]
    struct Kept(Mutex<BTreeMap<Digest, Vec<u8>>>, Mutex<Vec<Digest>>);

    impl BaselineStore for Kept {
        fn find(&self, key: &Digest) -> Option<Vec<u8>> {
            self.0.lock().unwrap().get(key).cloned()
        }

        fn keep(&self, key: &Digest, entry: &[u8], telemetry: &[u8]) {
            self.0.lock().unwrap().insert(*key, entry.to_vec());
            self.1.lock().unwrap().push(Digest::of(telemetry));
        }
    }

    fn request(run: &str, variant: Variant) -> EngineRequest {
        EngineRequest {
            config: json!({"a": 1}).into(),
            seed: 7,
            run_id: run.into(),
            variant,
            device_profile: Json::null(),
            capture_at: None,
        }
    }

    fn baseline(run: &str) -> EngineRequest {
        request(run, Variant::Baseline)
    }

    /// An engine that brings the figures 1, 2, 3.. one after another, so that a repeated run shows.
    fn counting(runs: u64) -> ScriptedEngine {
        ScriptedEngine::new((1..=runs).map(|n| Ok(json!({"random_seed": 7, "status": "completed", "n": n}))))
    }

    fn figure(report: &EngineReport) -> Value {
        report.telemetry.get("n").unwrap().clone()
    }

    #[test]
    fn a_baseline_runs_once_and_is_cited_by_its_hash() {
        let (engine, kept) = (counting(1), Kept::default());
        let remembered = RememberedEngine::new(&engine, &kept);
        let first = remembered.run(&baseline("one")).unwrap();
        assert_eq!(first.telemetry.get(CITED_FROM), None);
        let second = remembered.run(&baseline("two")).unwrap();
        assert_eq!(second.telemetry.get(CITED_FROM), Some(&json!(first.telemetry.digest())));
        assert_eq!(second.telemetry.get(CITED_RUN), Some(&json!("one")));
        assert_eq!(second.telemetry.get("run_id"), Some(&json!("two")));
        assert_eq!(second.raw, first.raw);
        assert_eq!(*kept.1.lock().unwrap(), [first.telemetry.digest()], "what is cited can be looked up by its digest");
        let again = remembered.run(&baseline("one")).unwrap();
        assert_eq!(again, first, "the first run's own repetition is the run itself");
    }

    #[test]
    fn candidates_always_run() {
        let engine = counting(2);
        let remembered = RememberedEngine::new(&engine, &());
        for n in [1, 2] {
            let report = remembered.run(&request("one", Variant::Candidate)).unwrap();
            assert_eq!((figure(&report), report.telemetry.get(CITED_FROM)), (json!(n), None));
        }
    }

    #[test]
    fn another_process_remembers_what_the_store_kept() {
        let (engine, kept) = (counting(2), Kept::default());
        RememberedEngine::new(&engine, &kept).run(&baseline("one")).unwrap();
        let report = RememberedEngine::new(&engine, &kept).run(&baseline("two")).unwrap();
        assert_eq!(figure(&report), json!(1));
        assert_eq!(report.telemetry.get(CITED_RUN), Some(&json!("one")));
    }

    #[test]
    fn what_differs_is_run_for_itself() {
        let different: [fn(&mut EngineRequest); 3] = [
            |request| request.config = json!({"a": 2}).into(),
            |request| request.device_profile = json!({"name": "desk"}).into(),
            |request| request.config = json!({"a": [1]}).into(),
        ];
        let engine = counting(4);
        let remembered = RememberedEngine::new(&engine, &());
        remembered.run(&baseline("one")).unwrap();
        for (other, n) in different.into_iter().zip(2..) {
            let mut request = baseline("two");
            other(&mut request);
            assert_eq!(figure(&remembered.run(&request).unwrap()), json!(n));
        }
        let seeded = EngineRequest { seed: 8, ..baseline("two") };
        let error = remembered.run(&seeded).unwrap_err().to_string();
        assert!(error.contains("at its end"), "another seed is another run: {error}");
    }

    #[test]
    fn a_damaged_entry_is_ignored_and_written_anew() {
        let damages: [fn(Vec<u8>) -> Vec<u8>; 5] = [
            |_| Vec::new(),
            |bytes| bytes[..bytes.len() / 2].to_vec(),
            |_| b"{}".to_vec(),
            |bytes| String::from_utf8(bytes).unwrap().replace("\"n\":1", "\"n\":9").into_bytes(),
            |bytes| String::from_utf8(bytes).unwrap().replace("\"one\"", "\"another\"").into_bytes(),
        ];
        for damage in damages {
            let (engine, kept) = (counting(2), Kept::default());
            RememberedEngine::new(&engine, &kept).run(&baseline("one")).unwrap();
            kept.0.lock().unwrap().values_mut().for_each(|entry| *entry = damage(entry.clone()));
            let report = RememberedEngine::new(&engine, &kept).run(&baseline("two")).unwrap();
            assert_eq!((figure(&report), report.telemetry.get(CITED_FROM)), (json!(2), None));
            let report = RememberedEngine::new(&engine, &kept).run(&baseline("three")).unwrap();
            assert_eq!((figure(&report), report.telemetry.get(CITED_RUN)), (json!(2), Some(&json!("two"))));
        }
    }

    #[test]
    fn a_run_that_broke_is_not_remembered() {
        let script = [Err("no power".to_owned()), Ok(json!({"random_seed": 7, "status": "completed", "n": 1}))];
        let engine = ScriptedEngine::new(script);
        let remembered = RememberedEngine::new(&engine, &());
        assert_eq!(remembered.run(&baseline("one")).unwrap_err().class(), "engine_broken");
        assert_eq!(figure(&remembered.run(&baseline("one")).unwrap()), json!(1));
    }

    #[test]
    fn threads_that_ask_together_wait_for_one_run() {
        let engine = counting(1);
        let remembered = RememberedEngine::new(&engine, &());
        let figures = std::thread::scope(|scope| {
            let ask = |n: u32| figure(&remembered.run(&baseline(&format!("run-{n}"))).unwrap());
            let asked: Vec<_> = (0..8).map(|n| scope.spawn(move || ask(n))).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(figures, vec![json!(1); 8]);
    }
}
