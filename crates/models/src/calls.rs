//! One call of a model with all its tries: what is repeated, how long is waited, and what the call counts as.
//!
//! A try is repeated only where asking again can help and asking so far has cost nothing. A try that may have been billed
//! ends its call, so that whoever counts calls counts every bill.

use std::thread;
use std::time::{Duration, Instant};

use backon::{BackoffBuilder, ExponentialBuilder};
use loopwright_runtime::perform::Interrupt;

use crate::answer::{Answer, Usage};
use crate::error::ModelError;
use crate::port::{Limits, Model};
use crate::price::{Bill, Price};
use crate::record::{CallRecord, Tried};
use crate::request::Request;

/// How long a wait goes on before it looks whether somebody wants to stop.
const SLICE: Duration = Duration::from_millis(20);

/// What bounds a call.
#[derive(Clone, Copy)]
pub struct CallTerms<'a> {
    /// The longest the call may take, with all its tries and the waiting between them.
    pub time: Duration,
    /// The longest one try may take.
    pub try_time: Duration,
    /// The most tries.
    pub tries: u32,
    /// What the call costs; nothing where nobody knows.
    pub price: Option<Price>,
    /// What was reserved for the call; it counts as that where nobody says what it took.
    pub most: Usage,
    /// How long is waited between tries, where the server does not say so.
    pub backoff: Backoff,
    /// A person's wish to stop.
    pub interrupt: &'a Interrupt,
    /// Is told of every try as it ends.
    pub heard: &'a (dyn Fn(&Tried) + Sync),
}

/// How long is waited between tries: longer each time, and never exactly as long as others wait.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backoff {
    /// Before the second try.
    pub first: Duration,
    /// At most, unless the server wants more.
    pub longest: Duration,
    /// By how much each wait is longer than the one before.
    pub factor: f32,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: Duration::from_millis(500), longest: Duration::from_secs(30), factor: 2.0 }
    }
}

/// What came of a call.
#[derive(Debug)]
pub struct Called {
    /// The answer, or the error of the last try.
    pub result: Result<Answer, ModelError>,
    /// What is kept of the call.
    pub record: CallRecord,
}

/// Calls a model: one try, and further ones where the first cost nothing and another one may help.
pub fn call(model: &dyn Model, request: &Request, terms: &CallTerms<'_>) -> Called {
    let begun = Instant::now();
    let Backoff { first, longest, factor } = terms.backoff;
    let waits = ExponentialBuilder::default().with_min_delay(first).with_max_delay(longest).with_factor(factor);
    let mut waits = waits.with_jitter().with_max_times(usize::MAX).build();
    let mut tries: Vec<Tried> = Vec::new();
    let result = loop {
        let left = terms.time.saturating_sub(begun.elapsed());
        let (time, started) = (left.min(terms.try_time), Instant::now());
        let result = model.ask(request, Limits { time, interrupt: terms.interrupt });
        let number = u32::try_from(tries.len()).unwrap_or(u32::MAX).saturating_add(1);
        let wait = match &result {
            Err(error) if number < terms.tries && error.is_worth_retrying() => {
                let wait = waits.next().unwrap_or(longest).max(error.retry_after().unwrap_or_default());
                // A wait that leaves no time to ask again is not worth beginning.
                (wait < terms.time.saturating_sub(begun.elapsed())).then_some(wait)
            }
            _ => None,
        };
        tries.push(tried(number, started, result.as_ref().err(), wait));
        tries.last().into_iter().for_each(|tried| (terms.heard)(tried));
        match wait {
            None => break result,
            Some(wait) if pause(wait, terms.interrupt) => {}
            // Nothing is under way, so nothing can have been billed.
            Some(_) => break Err(ModelError::Interrupted),
        }
    };
    let record = record(model, request, terms, &result, begun, tries);
    Called { result, record }
}

fn tried(number: u32, started: Instant, error: Option<&ModelError>, wait: Option<Duration>) -> Tried {
    Tried {
        number,
        latency_ms: millis(started.elapsed()),
        error_class: error.map(|error| error.class().to_owned()),
        message: error.map(ToString::to_string),
        waited_ms: wait.map(millis),
    }
}

fn record(
    model: &dyn Model,
    request: &Request,
    terms: &CallTerms<'_>,
    result: &Result<Answer, ModelError>,
    begun: Instant,
    tries: Vec<Tried>,
) -> CallRecord {
    let answer = result.as_ref().ok();
    let bill = match result {
        Ok(Answer { usage: Some(usage), .. }) => Bill::for_usage(*usage, terms.price),
        Ok(_) => Bill::for_most(terms.most, terms.price),
        Err(error) if error.may_be_billed() => Bill::for_most(terms.most, terms.price),
        Err(_) => Bill::for_usage(Usage::default(), terms.price),
    };
    CallRecord {
        model: model.identity().clone(),
        prompt: request.prompt.clone(),
        request_sha256: request.digest(),
        answer: answer.map(|answer| answer.text.clone()),
        finish: answer.map(|answer| answer.finish.clone()),
        usage: answer.and_then(|answer| answer.usage),
        bill,
        latency_ms: millis(begun.elapsed()),
        tries,
    }
}

/// Waits, and says whether nobody wanted to stop in between.
fn pause(time: Duration, interrupt: &Interrupt) -> bool {
    let begun = Instant::now();
    while !interrupt.is_raised() {
        let left = time.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(SLICE));
    }
    false
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
