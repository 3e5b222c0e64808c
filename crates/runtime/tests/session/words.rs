//! What people say: while nobody drives, while somebody does, twice, too late, or in no language at all.

use std::sync::Mutex;

use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::contract::EffectTerms;
use loopwright_core::fact::{Event, OrderKind, Reply};
use loopwright_core::graph::{Graph, Mode};
use loopwright_core::ids::NodePath;
use loopwright_core::json::Json;
use loopwright_core::machine::{IllegalTransition, Order, Planned};
use loopwright_core::outcome::{Failure, Outcome, OutcomeKind};
use loopwright_runtime::history::History;
use loopwright_runtime::journal::faulty::{Fault, FaultyJournal};
use loopwright_runtime::journal::{Journal, MemoryJournal};
use loopwright_runtime::perform::{Interrupt, Performed, Performer};
use loopwright_runtime::session::{Pause, Session};
use loopwright_runtime::word::{self, Word, WordError};
use serde_json::json;

use crate::support::{STOPPED, answer_to, create, events, finish, name, performer};
use crate::worlds::{Terms, batch, delivery, done, edits, idempotent, world};

fn read(journal: &dyn Journal) -> History {
    History::read(journal, &name()).unwrap()
}

fn post(journal: &dyn Journal, word: &Word) {
    word::post(journal, &read(journal), word).unwrap();
}

fn drive(session: &mut Session, performer: &dyn Performer) -> Pause {
    session.drive(performer, &Interrupt::default(), &mut ()).unwrap()
}

fn cancel() -> Word {
    Word::Cancel { actor: "tester".into(), note: None }
}

fn amend(path: &str, attempts: u64) -> Word {
    let budget = Amounts::of(Resource::Attempts, attempts);
    Word::Amend { path: NodePath::root().child(path), budget, actor: "tester".into(), note: None }
}

fn retry(path: &str) -> Word {
    Word::Retry { path: NodePath::root().child(path), actor: None }
}

/// A run that waits for the sign-off, and its journal.
fn waiting(journal: &dyn Journal) -> Session<'_> {
    let graph = Graph::build(delivery(Mode::Parallel, &idempotent())).unwrap();
    let mut session = create(journal, &graph).unwrap();
    assert!(matches!(drive(&mut session, &performer(world)), Pause::Waiting(_)));
    session
}

fn approval(session: &Session) -> Word {
    answer_to(session.run().asks().next().unwrap(), Reply::Approve { value: Json::null() })
}

fn count(journal: &dyn Journal, wanted: impl Fn(&Event) -> bool) -> usize {
    events(&read(journal)).iter().filter(|event| wanted(event)).count()
}

#[test]
fn an_answer_given_while_nobody_drives_is_taken_by_the_next_who_does() {
    let journal = MemoryJournal::default();
    let session = waiting(&journal);
    let answer = approval(&session);
    drop(session);
    post(&journal, &answer);
    let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
    assert_eq!(drive(&mut session, &performer(world)), Pause::Done(Outcome::Success {}));
    assert!(session.refused().is_empty());
    assert!(journal.words(&name()).unwrap().is_empty());
}

#[test]
fn an_answer_given_twice_counts_once_and_the_second_is_reported() {
    let journal = MemoryJournal::default();
    let mut session = waiting(&journal);
    let yes = approval(&session);
    let no = answer_to(session.run().asks().next().unwrap(), Reply::Reject {});
    // Both look before either has spoken.
    let (here, there) = (read(&journal), read(&journal));
    word::post(&journal, &here, &yes).unwrap();
    word::post(&journal, &there, &no).unwrap();
    assert_eq!(drive(&mut session, &performer(world)), Pause::Done(Outcome::Success {}));
    assert_eq!(count(&journal, |event| matches!(event, Event::Answered { .. })), 1);
    let [(word, IllegalTransition::NotAsked { .. })] = session.refused() else { panic!("{:?}", session.refused()) };
    assert_eq!(*word, no);
    assert!(journal.words(&name()).unwrap().is_empty());
}

#[test]
fn a_word_said_during_an_effect_is_taken_at_the_next_step() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    let performed = Mutex::new(Vec::new());
    let talking = |planned: &Planned, _: &Interrupt| {
        performed.lock().unwrap().push(planned.order().kind());
        if matches!(planned.order(), Order::Act { context, .. } if context.attempt == 2) {
            post(&journal, &cancel());
        }
        Performed::free(world(planned))
    };
    let pause = drive(&mut session, &talking);
    assert_eq!(pause, Pause::Done(Outcome::Cancelled { actor: "tester".into(), note: None }));
    let (first, second) = ([OrderKind::Decide, OrderKind::Gate, OrderKind::Act, OrderKind::Evaluate], 3);
    assert_eq!(*performed.lock().unwrap(), [&first[..], &first[..second]].concat());
    let facts = events(&read(&journal));
    let last: Vec<_> = facts.iter().rev().take(3).collect();
    assert!(matches!(last[..], [Event::NodeClosed { .. }, Event::Cancelled { .. }, Event::EffectFinished { .. }]));
}

#[test]
fn a_cancelled_run_waits_for_effects_with_an_intent_and_forgets_the_pure() {
    for (terms, came_back) in [(EffectTerms::pure(), 1), (idempotent(), 2)] {
        let journal = MemoryJournal::default();
        let mut session = create(&journal, &batch(&["a", "b"], &terms)).unwrap();
        let (say, said) = std::sync::mpsc::channel();
        let said = Mutex::new(said);
        // `a` comes back first and brings the word with it; `b` only once that was kept.
        let talking = |planned: &Planned, _: &Interrupt| {
            if planned.path().as_str() == "a" {
                post(&journal, &cancel());
            } else {
                said.lock().unwrap().recv().unwrap();
            }
            Performed::free(done(json!(1)))
        };
        let mut listener = |fact: &loopwright_core::fact::Fact, _: &_| {
            if matches!(fact.event, Event::Cancelled { .. }) {
                say.send(()).unwrap();
            }
        };
        let pause = session.drive(&talking, &Interrupt::default(), &mut listener).unwrap();
        assert!(matches!(pause, Pause::Done(Outcome::Cancelled { .. })), "{pause:?}");
        assert_eq!(count(&journal, |event| matches!(event, Event::EffectFinished { .. })), came_back);
    }
}

#[test]
fn a_question_of_the_policy_is_answered_in_words() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    let asking = |planned: &Planned, _: &Interrupt| {
        Performed::free(match planned.order() {
            Order::Decide { context } if context.feedback.value().is_null() => {
                loopwright_core::fact::EffectResult::Decided {
                    answer: json!({"type": "ask_human", "question": "how many?"}).into(),
                }
            }
            _ => world(planned),
        })
    };
    assert_eq!(finish(&journal, &mut session, &asking).unwrap(), Outcome::Success {});
    assert_eq!(count(&journal, |event| matches!(event, Event::Answered { .. })), 1);
}

#[test]
fn an_exhausted_loop_goes_on_when_a_person_adds_attempts() {
    let journal = MemoryJournal::default();
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 2)).unwrap();
    let pause = drive(&mut session, &performer(world));
    assert!(matches!(&pause, Pause::Done(outcome) if outcome.kind() == OutcomeKind::BudgetExhausted), "{pause:?}");
    post(&journal, &amend("loop", 1));
    assert_eq!(drive(&mut session, &performer(world)), Pause::Done(Outcome::Success {}));
    assert_eq!(session.run().loop_view("loop").unwrap().attempts, 3);
}

#[test]
fn a_failed_node_is_tried_again_when_somebody_says_so() {
    for terms in [EffectTerms::pure(), idempotent()] {
        let journal = MemoryJournal::default();
        let mut session = create(&journal, &edits(&Terms::all(&terms), 3)).unwrap();
        let broken = Mutex::new(true);
        let mended_later = |planned: &Planned, _: &Interrupt| {
            let broke = planned.order().kind() == OrderKind::Evaluate && std::mem::take(&mut *broken.lock().unwrap());
            let failure = Failure { class: "engine".into(), message: "it crashed".into(), detail: Json::null() };
            let failed = loopwright_core::fact::EffectResult::Failed { failure };
            Performed::free(if broke { failed } else { world(planned) })
        };
        let pause = drive(&mut session, &mended_later);
        assert!(matches!(pause, Pause::Done(Outcome::Failed { .. })), "{pause:?}");
        post(&journal, &retry("loop"));
        assert_eq!(drive(&mut session, &mended_later), Pause::Done(Outcome::Success {}));
    }
}

#[test]
fn words_that_nobody_can_read_are_dropped() {
    let journal = MemoryJournal::default();
    let mut session = waiting(&journal);
    let unreadable: [&[u8]; 5] = [
        b"",
        b"\xff\xfe",
        b"{\"type\":\"shout\"}",
        b"{\"type\":\"cancel\",\"actor\":\"x\",\"note\":null,\"sudo\":true}",
        b"{\"type\":\"cancel\"",
    ];
    for word in unreadable {
        journal.post(&name(), word).unwrap();
    }
    // This one can be read, and the fact around it could not.
    let value = Json::new((0..120).fold(json!(1), |inner, _| json!([inner])));
    let deep = answer_to(session.run().asks().next().unwrap(), Reply::Approve { value });
    journal.post(&name(), &serde_json::to_vec(&deep).unwrap()).unwrap();
    post(&journal, &approval(&session));
    assert_eq!(drive(&mut session, &performer(world)), Pause::Done(Outcome::Success {}));
    assert!(session.refused().is_empty());
    assert!(journal.words(&name()).unwrap().is_empty());
}

#[test]
fn what_the_state_does_not_allow_is_refused_where_it_is_posted() {
    let journal = MemoryJournal::default();
    let mut session = waiting(&journal);
    let ask = session.run().asks().next().unwrap().clone();
    let mut other = ask.clone();
    other.id.number = 7;
    let mut nowhere = ask.clone();
    nowhere.id.path = NodePath::root().child("nowhere");
    let say = Reply::Say { text: "yes".into() };
    let approve = || Reply::Approve { value: Json::null() };
    let refused = |word: &Word| match word::post(&journal, &read(&journal), word) {
        Err(WordError::NotNow(_)) => {}
        other => panic!("{word:?} was taken: {other:?}"),
    };
    refused(&answer_to(&ask, say));
    refused(&answer_to(&ask, Reply::ChangeGoal { proposal: Json::null() }));
    refused(&answer_to(&other, approve()));
    refused(&answer_to(&nowhere, approve()));
    refused(&amend("build", 1));
    refused(&amend("nowhere", 1));
    refused(&retry("tests"));
    refused(&retry("release"));
    assert!(journal.words(&name()).unwrap().is_empty());
    finish(&journal, &mut session, &performer(world)).unwrap();
    refused(&cancel());
    refused(&answer_to(&ask, approve()));
    assert!(journal.words(&name()).unwrap().is_empty());
}

#[test]
fn listening_takes_words_and_performs_nothing() {
    let journal = MemoryJournal::default();
    let mut session = waiting(&journal);
    let before = read(&journal).facts.len();
    session.listen(&mut ()).unwrap();
    assert_eq!(read(&journal).facts.len(), before);
    post(&journal, &approval(&session));
    session.listen(&mut ()).unwrap();
    let heard = events(&read(&journal)).split_off(before);
    assert!(
        matches!(heard[..], [Event::Answered { .. }, Event::NodeClosed { .. }, Event::BatchStarted { .. }]),
        "{heard:?}"
    );
    post(&journal, &cancel());
    let mut facts = 0;
    session.listen(&mut |_: &_, _: &_| facts += 1).unwrap();
    assert_eq!(facts, 2);
    assert_eq!(session.run().outcome().unwrap().kind(), OutcomeKind::Cancelled);
}

#[test]
fn a_word_is_taken_with_its_fact_or_not_at_all() {
    let memory = MemoryJournal::default();
    let session = waiting(&memory);
    let (yes, no) = (approval(&session), answer_to(session.run().asks().next().unwrap(), Reply::Reject {}));
    drop(session);
    let history = read(&memory);
    word::post(&memory, &history, &yes).unwrap();
    word::post(&memory, &history, &no).unwrap();
    let journal = FaultyJournal::failing_at(memory, 1, Fault::Refused);
    let mut session = Session::resume(&journal, STOPPED, &name()).unwrap();
    session.listen(&mut ()).unwrap_err();
    assert!(session.refused().is_empty(), "nothing was taken yet");
    assert_eq!(journal.words(&name()).unwrap().len(), 2);
    session.listen(&mut ()).unwrap();
    assert_eq!(session.refused().len(), 1);
    assert!(journal.words(&name()).unwrap().is_empty());
    assert_eq!(count(&journal, |event| matches!(event, Event::Answered { .. })), 1);
}

#[test]
fn words_are_read_back_as_they_were_said() {
    let ask = loopwright_core::ids::AskId { path: NodePath::root().child("a"), number: 1 };
    let answer = |reply| loopwright_core::fact::Answer { reply, actor: "设计".into(), note: Some("\"ok\"\n".into()) };
    let replies = [
        Reply::Approve { value: Json::null() },
        Reply::Reject {},
        Reply::ChangeGoal { proposal: Json::null() },
        Reply::Say { text: "三".into() },
    ];
    let answers = replies.map(|reply| Word::Answer { id: ask.clone(), answer: answer(reply) });
    for word in answers.into_iter().chain([cancel(), amend("a", 3), retry("a")]) {
        let bytes = serde_json::to_vec(&word).unwrap();
        assert_eq!(serde_json::from_slice::<Word>(&bytes).unwrap(), word);
    }
}
