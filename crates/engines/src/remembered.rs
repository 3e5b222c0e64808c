//! An engine that runs a baseline once and cites that run wherever the same baseline is asked for again.
//!
//! "The same" is the engine's build, the config, the seed, the device profile and the moments of its pictures.
//! Candidates and studies are never remembered.
//! Where entries are kept between processes is the business of whoever wires a [`BaselineStore`].

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use loopwright_configs::Text;
use loopwright_core::json::{self, Digest, Json, Limits, canonical_bytes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::artifact::{Artifact, ArtifactKind};
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
    /// Keeps bytes, to be found by their SHA-256.
    fn put(&self, bytes: &[u8]);

    /// The bytes of a digest.
    fn get(&self, digest: &Digest) -> Option<Vec<u8>>;

    /// Lets a key stand for the bytes of a digest.
    fn point(&self, key: &Digest, entry: &Digest);

    /// What a key stands for.
    fn find(&self, key: &Digest) -> Option<Digest>;
}

/// Keeps nothing between processes.
impl BaselineStore for () {
    fn put(&self, _: &[u8]) {}

    fn get(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn point(&self, _: &Digest, _: &Digest) {}

    fn find(&self, _: &Digest) -> Option<Digest> {
        None
    }
}

/// The first run of a baseline.
#[derive(Debug, Clone, PartialEq)]
struct First {
    /// The run it belonged to.
    run_id: String,
    /// SHA-256 of its normalised telemetry.
    telemetry_sha256: Digest,
    /// The figures as the engine wrote them.
    raw: Json,
    /// What else it brought.
    artifacts: Vec<Artifact>,
}

/// The first run of a baseline, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The run it belonged to.
    run_id: String,
    /// SHA-256 of its normalised telemetry; an entry whose figures do not bear it out is damaged.
    telemetry_sha256: Digest,
    /// The figures as the engine wrote them.
    raw: Json,
    /// What else it brought.
    artifacts: Vec<KeptArtifact>,
}

/// An artifact whose bytes are kept apart.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptArtifact {
    name: String,
    kind: ArtifactKind,
    media_type: String,
    label: Text,
    detail: Value,
    /// SHA-256 of its bytes.
    sha256: Digest,
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
        let bytes = self.store.get(&self.store.find(key)?)?;
        let entry = json::read(&bytes, Limits::default()).ok()?;
        let entry: Entry = serde_json::from_value(entry).ok()?;
        let own = EngineRequest { run_id: entry.run_id.clone(), ..request.clone() };
        let telemetry = normalise(&own, engine, &entry.raw).ok()?;
        if telemetry.digest() != entry.telemetry_sha256 {
            return None;
        }
        let artifact = |kept: KeptArtifact| {
            let KeptArtifact { name, kind, media_type, label, detail, sha256 } = kept;
            let bytes = self.store.get(&sha256).filter(|bytes| Digest::of(bytes) == sha256)?;
            Some(Artifact { name, kind, media_type, label, detail, bytes })
        };
        let artifacts = entry.artifacts.into_iter().map(artifact).collect::<Option<_>>()?;
        Some(First { run_id: entry.run_id, telemetry_sha256: entry.telemetry_sha256, raw: entry.raw, artifacts })
    }

    /// Keeps a first run, and its telemetry as the bytes whose SHA-256 is cited.
    fn keep(&self, key: &Digest, first: &First, telemetry: &Json) {
        let artifact = |artifact: &Artifact| {
            self.store.put(&artifact.bytes);
            let Artifact { name, kind, media_type, label, detail, bytes } = artifact.clone();
            KeptArtifact { name, kind, media_type, label, detail, sha256: Digest::of(&bytes) }
        };
        let entry = Entry {
            run_id: first.run_id.clone(),
            telemetry_sha256: first.telemetry_sha256,
            raw: first.raw.clone(),
            artifacts: first.artifacts.iter().map(artifact).collect(),
        };
        let entry = json!(entry).to_string().into_bytes();
        self.store.put(&canonical_bytes(telemetry.value()));
        self.store.put(&entry);
        self.store.point(key, &Digest::of(&entry));
    }
}

impl EngineRunner for RememberedEngine<'_> {
    fn identity(&self) -> EngineIdentity {
        self.engine.identity()
    }

    fn run(&self, request: &EngineRequest) -> Result<EngineReport, EngineError> {
        if request.variant != Variant::Baseline {
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
            artifacts: report.artifacts.clone(),
        };
        self.keep(&key, &first, &report.telemetry);
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
        let mut report = EngineReport { raw: self.raw.clone(), telemetry, artifacts: self.artifacts.clone() };
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
    let EngineRequest { config, seed, run_id: _, variant: _, device_profile, capture_at } = request;
    let same = json!({
        "engine": engine, "config": config.digest(), "seed": seed, "device_profile": device_profile.digest(),
        "capture_at": capture_at,
    });
    Json::new(same).digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::ScriptedEngine;

    /// Keeps everything in memory.
    #[derive(Default)]
    struct Kept {
        bytes: Mutex<BTreeMap<Digest, Vec<u8>>>,
        keys: Mutex<BTreeMap<Digest, Digest>>,
    }

    impl Kept {
        /// Changes the bytes of the only entry, which then have another digest than they are kept under.
        fn damage(&self, damage: impl Fn(Vec<u8>) -> Vec<u8>) {
            let entry = *self.keys.lock().unwrap().values().next().unwrap();
            let mut bytes = self.bytes.lock().unwrap();
            let damaged = damage(bytes[&entry].clone());
            bytes.insert(entry, damaged);
        }
    }

    impl BaselineStore for Kept {
        fn put(&self, bytes: &[u8]) {
            self.bytes.lock().unwrap().insert(Digest::of(bytes), bytes.to_vec());
        }

        fn get(&self, digest: &Digest) -> Option<Vec<u8>> {
            self.bytes.lock().unwrap().get(digest).cloned()
        }

        fn point(&self, key: &Digest, entry: &Digest) {
            self.keys.lock().unwrap().insert(*key, *entry);
        }

        fn find(&self, key: &Digest) -> Option<Digest> {
            self.keys.lock().unwrap().get(key).copied()
        }
    }

    /// An engine that takes one picture of every run.
    struct Drawing(ScriptedEngine);

    impl EngineRunner for Drawing {
        fn identity(&self) -> EngineIdentity {
            self.0.identity()
        }

        fn run(&self, request: &EngineRequest) -> Result<EngineReport, EngineError> {
            let picture = Artifact {
                name: "picture.png".to_owned(),
                kind: ArtifactKind::Capture,
                media_type: "image/png".to_owned(),
                label: Text::new("a picture", "图"),
                detail: json!({"seconds": 1.5}),
                bytes: vec![0, 1, 255],
            };
            Ok(EngineReport { artifacts: vec![picture], ..self.0.run(request)? })
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
        let cited = kept.get(&first.telemetry.digest()).unwrap();
        assert_eq!(cited, canonical_bytes(first.telemetry.value()), "what is cited can be looked up by its digest");
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
        let different: [fn(&mut EngineRequest); 4] = [
            |request| request.capture_at = Some(vec![10.0]),
            |request| request.config = json!({"a": 2}).into(),
            |request| request.device_profile = json!({"name": "desk"}).into(),
            |request| request.config = json!({"a": [1]}).into(),
        ];
        let engine = counting(5);
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
            kept.damage(damage);
            let report = RememberedEngine::new(&engine, &kept).run(&baseline("two")).unwrap();
            assert_eq!((figure(&report), report.telemetry.get(CITED_FROM)), (json!(2), None));
            let report = RememberedEngine::new(&engine, &kept).run(&baseline("three")).unwrap();
            assert_eq!((figure(&report), report.telemetry.get(CITED_RUN)), (json!(2), Some(&json!("two"))));
        }
    }

    #[test]
    fn pictures_are_remembered_with_their_run_or_not_at_all() {
        let (engine, kept) = (Drawing(counting(2)), Kept::default());
        let first = RememberedEngine::new(&engine, &kept).run(&baseline("one")).unwrap();
        let cited = RememberedEngine::new(&engine, &kept).run(&baseline("two")).unwrap();
        assert_eq!((figure(&cited), &cited.artifacts), (json!(1), &first.artifacts));
        kept.bytes.lock().unwrap().remove(&Digest::of(&first.artifacts[0].bytes));
        let anew = RememberedEngine::new(&engine, &kept).run(&baseline("three")).unwrap();
        assert_eq!((figure(&anew), &anew.artifacts), (json!(2), &first.artifacts));
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
