//! Measures a turn of a bounded loop in memory: decide, act, evaluate, with every fact kept and adopted.
//!
//! Run with `cargo bench -p loopwright-runtime`. The time of a turn must not depend on how many came before it.

#![expect(clippy::unwrap_used, reason = "a benchmark may stop at the first failure")]

use std::time::{Duration, Instant};

use loopwright_core::authority::Authority;
use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::{ClosesOn, EffectTerms, EvaluateWhen, FirstState, LoopContract};
use loopwright_core::evaluation::{Evaluation, Verdict};
use loopwright_core::fact::{EffectResult, Event, Fact};
use loopwright_core::graph::Graph;
use loopwright_core::json::Json;
use loopwright_core::machine::{Order, Planned, Run};
use loopwright_core::stop::StopRules;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::history::History;
use loopwright_runtime::journal::faulty::FaultyJournal;
use loopwright_runtime::journal::{Journal, MemoryJournal, RunId};
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::Session;
use serde_json::{Value, json};

fn contract(terms: &EffectTerms, turns: u64) -> LoopContract {
    LoopContract {
        aim: "a value that is never reached".into(),
        first_state: FirstState::Value(json!({"value": 0, "phases": [{"speed": 4.6}, {"speed": 5.2}]}).into()),
        policy: EffectTerms::pure(),
        gated: false,
        actions: [("edit".to_owned(), terms.clone())].into(),
        evaluator: terms.clone(),
        evaluates: EvaluateWhen { first: false, after_action: true, on_claim: false },
        closes_on: ClosesOn::Accepted,
        budget: Budget::UNLIMITED.with(Resource::Attempts, turns),
        wrap_up: None,
        stop_rules: StopRules { same_cycle: Some(3), same_step: Some(3), ..StopRules::default() },
        authority: Authority::allowing(["edit"], "tech lead"),
    }
}

fn world(planned: &Planned, _: &Interrupt) -> Performed {
    Performed::free(match planned.order() {
        Order::Decide { context } => {
            let value = context.state.get("value").and_then(Value::as_u64).unwrap();
            let args = json!({"value": value + 1, "phases": [{"speed": 4.6}, {"speed": 5.2}]});
            EffectResult::Decided { answer: json!({"type": "act", "action": {"name": "edit", "args": args}}).into() }
        }
        Order::Act { action, .. } => {
            EffectResult::Acted { state: action.args.clone(), observation: json!("edited").into(), error: None }
        }
        _ => EffectResult::Evaluated { evaluation: Evaluation::new(Verdict::Continue, json!({"reached": false})) },
    })
}

fn micros(time: Duration, turns: u32) -> f64 {
    time.as_secs_f64() * 1e6 / f64::from(turns)
}

fn main() {
    for (class, terms) in [("pure", EffectTerms::pure()), ("idempotent", EffectTerms::idempotent(Amounts::NONE))] {
        for turns in [1_000_u32, 10_000] {
            let journal = FaultyJournal::counting(MemoryJournal::default());
            let id = RunId::new("bench").unwrap();
            let graph = Graph::of_loop("loop", contract(&terms, turns.into())).unwrap();
            let mut session =
                Session::create(&journal, &SystemClock, id.clone(), &graph, Json::null(), Json::null()).unwrap();

            let started = Instant::now();
            let mut tenths = Vec::new();
            let mut effects = 0_u32;
            let mut listener = |fact: &Fact, _: &Run| {
                effects += u32::from(matches!(fact.event, Event::EffectFinished { .. }));
                // A turn has three effects.
                if matches!(fact.event, Event::EffectFinished { .. }) && effects.is_multiple_of(3 * turns / 10) {
                    tenths.push(started.elapsed());
                }
            };
            session.drive(&world, &Interrupt::default(), &mut listener).unwrap();
            let driving = started.elapsed();
            let first = tenths[0];
            let last = tenths[9].saturating_sub(tenths[8]);

            let started = Instant::now();
            let history = History::read(&journal, &id).unwrap();
            let reading = started.elapsed();
            assert_eq!(history.run, *session.run());
            let bytes: usize = journal.read(&id).unwrap().facts.iter().map(Vec::len).sum();

            println!(
                "{class}, {turns} turns: {:.1} us a turn (first tenth {:.1}, last tenth {:.1}), {:.2} appends and {} \
                 bytes a turn; {:.1} us a turn to read back",
                micros(driving, turns),
                micros(first, turns / 10),
                micros(last, turns / 10),
                f64::from(u32::try_from(journal.appends()).unwrap()) / f64::from(turns),
                bytes / turns as usize,
                micros(reading, turns),
            );
        }
    }
}
