//! A model that answers what an earlier run was answered: the same question, by the digest of the request, again offline.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loopwright_core::fact::{Event, Fact};
use loopwright_core::json::Digest;
use serde::Deserialize;

use crate::answer::{Answer, Finish};
use crate::error::ModelError;
use crate::port::{Limits, Model, ModelIdentity};
use crate::record::CallRecord;
use crate::request::Request;

/// What stands behind a recorded model.
const PROVIDER: &str = "recorded";

/// A model that answers from records of calls.
///
/// Several records of one request are given in their order, and the last of them again and again.
#[derive(Debug)]
pub struct Recorded {
    identity: ModelIdentity,
    origin: String,
    records: BTreeMap<Digest, Vec<CallRecord>>,
    given: Mutex<BTreeMap<Digest, usize>>,
}

impl Recorded {
    /// A model of some records; `origin` says where they come from, for people.
    pub fn from_records(records: impl IntoIterator<Item = CallRecord>, origin: &str) -> Self {
        let mut by_request: BTreeMap<Digest, Vec<CallRecord>> = BTreeMap::new();
        let mut model = None;
        for record in records {
            model.get_or_insert_with(|| record.model.model.clone());
            by_request.entry(record.request_sha256).or_default().push(record);
        }
        let model = model.unwrap_or_else(|| origin.to_owned());
        let identity = ModelIdentity { provider: PROVIDER.to_owned(), model };
        Self { identity, origin: origin.to_owned(), records: by_request, given: Mutex::default() }
    }

    /// A model of everything that a run was answered.
    pub fn from_facts(facts: &[Fact], origin: &str) -> Self {
        Self::from_records(calls(facts), origin)
    }

    /// How many requests it has an answer to.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has no answer to anything.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn next(&self, request: &Digest) -> Option<&CallRecord> {
        let records = self.records.get(request)?;
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let given = given.entry(*request).or_default();
        let record = records.get((*given).min(records.len() - 1));
        *given += 1;
        record
    }
}

/// The calls that facts tell of, in their order.
pub fn calls(facts: &[Fact]) -> Vec<CallRecord> {
    let call = |fact: &Fact| match &fact.event {
        Event::EffectFinished { note, .. } => CallRecord::deserialize(note.get("call")?).ok(),
        _ => None,
    };
    facts.iter().filter_map(call).collect()
}

impl Model for Recorded {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn ask(&self, request: &Request, limits: Limits<'_>) -> Result<Answer, ModelError> {
        if limits.interrupt.is_raised() {
            return Err(ModelError::Interrupted);
        }
        let digest = request.digest();
        let Some(record) = self.next(&digest) else {
            let (prompt, origin) = (&request.prompt.name, &self.origin);
            return Err(ModelError::Unscripted {
                message: format!(
                    "{origin} was never asked this ({prompt}, request {}); sentence, pack, baseline and model settings have to be the same",
                    digest.short()
                ),
            });
        };
        if let Some(text) = &record.answer {
            return Ok(Answer {
                text: text.clone(),
                usage: record.usage,
                finish: record.finish.clone().unwrap_or(Finish::Stop),
                model: Some(record.model.model.clone()),
                latency_ms: record.latency_ms,
            });
        }
        let last = record.tries.last();
        let class = last.and_then(|tried| tried.error_class.as_deref()).unwrap_or_default();
        let message = last.and_then(|tried| tried.message.as_deref()).unwrap_or("the recorded call had no answer");
        Err(ModelError::of_class(class, message, None, None)
            .unwrap_or_else(|| ModelError::Unscripted { message: message.to_owned() }))
    }
}
