//! Whole runs in this journal: driven, killed after every fact, and resumed by somebody who opens the file again.

use std::path::Path;

use loopwright_core::authority::{Authority, Permission};
use loopwright_core::budget::{Amounts, Budget, Resource};
use loopwright_core::contract::{ClosesOn, EffectTerms, EvaluateWhen, FirstState, LoopContract};
use loopwright_core::evaluation::{Evaluation, Verdict};
use loopwright_core::fact::{Answer, EffectResult, Reply};
use loopwright_core::graph::{EdgeSpec, Graph, GraphSpec, Mode, NodeKind, NodeSpec, Relation};
use loopwright_core::json::Json;
use loopwright_core::machine::{Order, Planned};
use loopwright_core::outcome::{Outcome, OutcomeKind, Signal};
use loopwright_core::stop::StopRules;
use loopwright_runtime::clock::SystemClock;
use loopwright_runtime::history::{History, HistoryError};
use loopwright_runtime::journal::{Head, Journal, JournalError, RunId};
use loopwright_runtime::perform::{Interrupt, Performed};
use loopwright_runtime::session::{Pause, Session, SessionError};
use loopwright_runtime::word::{self, Word};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{open, run};

/// A loop that counts to two, then a person, then a task that needs their approval.
fn graph(terms: &EffectTerms) -> Graph {
    let contract = LoopContract {
        aim: "count to two".into(),
        first_state: FirstState::Value(json!({"count": 0}).into()),
        policy: EffectTerms::pure(),
        gated: false,
        actions: [("count".to_owned(), terms.clone())].into(),
        evaluator: terms.clone(),
        evaluates: EvaluateWhen { first: false, after_action: true, on_claim: false },
        closes_on: ClosesOn::Accepted,
        budget: Budget::UNLIMITED.with(Resource::Attempts, 5),
        wrap_up: None,
        stop_rules: StopRules::default(),
        authority: Authority::allowing(["count"], "tech lead"),
    };
    let human = NodeKind::Human { question: json!("go on?").into(), decided_by: "owner".into() };
    let task = NodeKind::Task { terms: terms.clone(), permission: Permission::NeedsApproval };
    let kinds = [("counter", NodeKind::Loop { contract: Box::new(contract) }), ("person", human), ("task", task)];
    Graph::build(GraphSpec {
        name: "counting".into(),
        nodes: kinds.map(|(name, kind)| NodeSpec { name: name.into(), kind }).into(),
        edges: vec![
            EdgeSpec::new("counter", Relation::DataFlow, "person"),
            EdgeSpec::new("person", Relation::Approval, "task"),
        ],
        governor: None,
        budget: Budget::UNLIMITED,
        mode: Mode::Parallel,
    })
    .unwrap()
}

fn perform(planned: &Planned, _: &Interrupt) -> Performed {
    Performed::free(match planned.order() {
        Order::Decide { context } => {
            let count = context.state.get("count").and_then(Value::as_u64).unwrap();
            let action = json!({"name": "count", "args": {"count": count + 1}});
            EffectResult::Decided { answer: json!({"type": "act", "action": action}).into() }
        }
        Order::Act { action, .. } => {
            EffectResult::Acted { state: action.args.clone(), observation: json!(null).into(), error: None }
        }
        Order::Evaluate { context, .. } => {
            let enough = context.state.get("count") == Some(&json!(2));
            let verdict = if enough { Verdict::Success } else { Verdict::Continue };
            EffectResult::Evaluated { evaluation: Evaluation::new(verdict, json!(null)) }
        }
        _ => EffectResult::Done { value: json!(null).into(), signal: Signal::Ok },
    })
}

/// Drives to the end; whoever answers opens the journal anew, as another process would.
fn finish(place: &Path, session: &mut Session) -> Outcome {
    loop {
        match session.drive(&perform, &Interrupt::default(), &mut ()).unwrap() {
            Pause::Done(outcome) => return outcome,
            Pause::Waiting(asks) => {
                let journal = open(place);
                let history = History::read(&journal, session.id()).unwrap();
                let answer =
                    Answer { reply: Reply::Approve { value: Json::null() }, actor: "tester".into(), note: None };
                word::post(&journal, &history, &Word::Answer { id: asks[0].id.clone(), answer }).unwrap();
            }
            Pause::Interrupted => panic!("nobody interrupted"),
        }
    }
}

fn whole(place: &Path, id: &RunId, terms: &EffectTerms) -> Outcome {
    let journal = open(place);
    let (inputs, about) = (Json::null(), Json::new(json!({"sentence": "数到二"})));
    let mut session = Session::create(&journal, &SystemClock, id.clone(), &graph(terms), inputs, about).unwrap();
    finish(place, &mut session)
}

#[test]
fn a_run_killed_after_any_fact_is_resumed_from_the_file() {
    let cases = [
        (EffectTerms::pure(), false),
        (EffectTerms::idempotent(Amounts::NONE), false),
        (EffectTerms::once(Amounts::NONE), true),
    ];
    for (terms, escalates) in cases {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path();
        assert_eq!(whole(place, &run("whole"), &terms), Outcome::Success {});
        let facts = open(place).read(&run("whole")).unwrap().facts;
        for length in 1..=facts.len() {
            let id = run(&format!("cut-{length}"));
            {
                let journal = open(place);
                journal.create(&id, 0).unwrap();
                journal.append(&id, Head::EMPTY, &facts[..length], &[]).unwrap();
            }
            let journal = open(place);
            let open_effects = History::read(&journal, &id).unwrap().run.open_effects().count();
            let mut session = Session::resume(&journal, &SystemClock, &id).unwrap();
            let outcome = finish(place, &mut session);
            if escalates && open_effects > 0 {
                assert_eq!(outcome.kind(), OutcomeKind::Escalated, "{id}");
            } else {
                assert_eq!(outcome, Outcome::Success {}, "{id}");
            }
        }
    }
}

#[test]
fn one_run_is_driven_by_one_session_whoever_opened_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (open(folder.path()), open(folder.path()));
    let graph = graph(&EffectTerms::pure());
    let session = Session::create(&here, &SystemClock, run("one"), &graph, Json::null(), Json::null()).unwrap();
    let refused = Session::resume(&there, &SystemClock, &run("one")).map(drop).unwrap_err();
    assert!(
        matches!(
            refused,
            SessionError::History(HistoryError::Journal(JournalError::Locked { .. }))
                | SessionError::Journal(JournalError::Locked { .. })
        ),
        "{refused:?}"
    );
    drop(session);
    Session::resume(&there, &SystemClock, &run("one")).unwrap();
}

#[test]
fn a_forged_fact_is_refused_by_whoever_reads_the_chain() {
    let folder = tempfile::tempdir().unwrap();
    whole(folder.path(), &run("one"), &EffectTerms::pure());
    let facts = open(folder.path()).read(&run("one")).unwrap().facts;
    // The row's own digest is recomputed, so that only the successor tells.
    let mut forged: Value = serde_json::from_slice(&facts[6]).unwrap();
    forged["at_ms"] = json!(1);
    let bytes = serde_json::to_vec(&forged).unwrap();
    let digest = loopwright_core::json::Digest::of(&bytes).to_string();
    let connection = Connection::open(folder.path().join("loopwright.db")).unwrap();
    let changed =
        connection.execute("UPDATE facts SET bytes = ?1, digest = ?2 WHERE sequence = 7", (&bytes, digest)).unwrap();
    assert_eq!(changed, 1);
    let journal = open(folder.path());
    let before = journal.read(&run("one")).unwrap();
    let refused = Session::resume(&journal, &SystemClock, &run("one")).map(drop).unwrap_err();
    let SessionError::History(HistoryError::Journal(JournalError::Damaged { run: name, fact, .. })) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((name.as_str(), fact), ("one", 7));
    assert_eq!(journal.read(&run("one")).unwrap(), before, "nothing is repaired");
}
