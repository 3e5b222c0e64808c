//! A journal of format 1 that was written once and has to stay readable forever.
//!
//! `LOOPWRIGHT_WRITE_GOLDEN=1 cargo test -p loopwright-core golden` writes it anew; that is for a new format only.

use std::collections::BTreeSet;
use std::path::PathBuf;

use loopwright_core::authority::Permission;
use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::contract::EffectTerms;
use loopwright_core::fact::{Answer, Ask, AskAbout, Event, Fact, OrderKind, Reply};
use loopwright_core::graph::{EdgeSpec, GraphSpec, NodeKind, NodeSpec, Relation};
use loopwright_core::ids::NodePath;
use loopwright_core::machine::{Next, Planned, Run};
use serde_json::{Value, json};

use crate::driver::{Driver, People, World};
use crate::people::{graph, human, looping, task};
use crate::reopening::{amend, at, failed, retry};
use crate::script::{finish, make, repair_loop, script};

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "machine", "golden", name].iter().collect()
}

pub(crate) fn spec() -> GraphSpec {
    let mut contract = repair_loop(2);
    contract.gated = true;
    contract.policy = EffectTerms::idempotent(Amounts::of(Resource::ModelCalls, 1));
    contract.actions.insert("edit_tests".into(), EffectTerms::once(Amounts::of(Resource::EngineRuns, 1)));
    contract.authority.actions.insert("edit_tests".into(), Permission::NeedsApproval);
    contract.stop_rules.same_error = Some(9);
    let nodes = vec![
        human("authorization"),
        task("baseline", EffectTerms::once(Amounts::of(Resource::EngineRuns, 1))),
        NodeSpec { name: "check".into(), kind: NodeKind::Gate {} },
        looping("repair", contract),
        human("decision"),
    ];
    let edges = vec![
        EdgeSpec::new("authorization", Relation::Approval, "baseline"),
        EdgeSpec::new("authorization", Relation::Dependency, "check"),
        EdgeSpec::new("baseline", Relation::DataFlow, "repair"),
    ];
    let mut spec = graph(nodes, edges, Some("decision"));
    spec.budget = spec.budget.with(Resource::EngineRuns, 6).with(Resource::WallMs, 60_000);
    spec
}

/// A run in which everything happens that can happen.
pub(crate) fn eventful() -> Vec<Fact> {
    let mut driver = Driver::start(spec(), json!({"change": "more of it"}));
    let (mut world, mut effects) =
        (script([make("bad"), json!({"type": "ask_human", "question": "which?"}), make("good"), finish()]), 0);
    let mut performed = |planned: &Planned| {
        effects += 1;
        if effects == 1 { failed() } else { world(planned) }
    };
    let mut people = |ask: &Ask| match &ask.about {
        AskAbout::Question { .. } => Some(Reply::Say { text: "the second".into() }),
        AskAbout::Governor { .. } => None,
        _ => Some(Reply::Approve { value: json!({"runs": 6}).into() }),
    };
    let decides = |planned: &Planned| planned.order().kind() == OrderKind::Decide;
    go_on(&mut driver, &mut performed, &mut people, &|_| false);
    driver.apply(&at("baseline"), retry());
    go_on(&mut driver, &mut performed, &mut people, &decides);
    let decide = driver.due().remove(0);
    driver.begin(&decide);
    driver.apply(decide.path(), Event::EffectLost { id: decide.id().clone() });
    go_on(&mut driver, &mut performed, &mut people, &|_| false);
    driver.apply(&at("repair"), amend(Resource::Attempts, 3));
    driver.apply(&at("repair"), amend(Resource::WallMs, 90_000));
    go_on(&mut driver, &mut performed, &mut people, &|_| false);
    driver.apply(&NodePath::root(), Event::Cancelled { actor: "ann".into(), note: None });
    driver.due();
    driver.facts
}

/// One effect after another, seven milliseconds each, until nobody answers or such an effect is due.
fn go_on(driver: &mut Driver, world: World, people: People, until: &dyn Fn(&Planned) -> bool) {
    loop {
        let due = driver.due();
        let answers: Vec<_> = driver.run.asks().filter_map(|ask| Some((ask.id.clone(), people(ask)?))).collect();
        if let Some(planned) = due.first() {
            if until(planned) {
                return;
            }
            driver.begin(planned);
            let spent = planned.reserve().with(Resource::WallMs, 7);
            driver.finish(planned, world(planned), spent);
        } else if answers.is_empty() {
            return;
        }
        for (id, reply) in answers {
            let answer = Answer { reply, actor: "ann".into(), note: Some("go on".into()) };
            driver.apply(&id.path.clone(), Event::Answered { id, answer });
        }
    }
}

/// What the machine wants after each fact, in one line.
fn step(run: &Run) -> String {
    match run.next() {
        Next::Done(outcome) => format!("{} done {}", run.length(), serde_json::to_string(&outcome).unwrap()),
        Next::Open { record, perform, awaiting } => {
            let record: Vec<_> = record.iter().map(|(path, event)| format!("{path}: {}", kind(event))).collect();
            let perform: Vec<_> = perform
                .iter()
                .map(|planned| {
                    let reserve = serde_json::to_string(planned.reserve()).unwrap();
                    format!(
                        "{} {:?} {} {reserve}",
                        planned.id(),
                        planned.order().kind(),
                        planned.order().digest().short()
                    )
                })
                .collect();
            let awaiting: Vec<_> = awaiting.iter().map(|ask| ask.id.to_string()).collect();
            format!("{} record {record:?} perform {perform:?} awaiting {awaiting:?}", run.length())
        }
    }
}

pub(crate) fn kind(event: &Event) -> String {
    let value: Value = serde_json::to_value(event).unwrap();
    value["type"].as_str().unwrap().to_owned()
}

#[test]
fn the_golden_journal_of_format_1_still_reads_and_folds_to_the_same_steps() {
    let (journal, steps) = (file("journal-v1.jsonl"), file("journal-v1.steps.txt"));
    if std::env::var_os("LOOPWRIGHT_WRITE_GOLDEN").is_some() {
        let facts = eventful();
        let lines: String = facts.iter().map(|fact| serde_json::to_string(fact).unwrap() + "\n").collect();
        std::fs::create_dir_all(journal.parent().unwrap()).unwrap();
        std::fs::write(&journal, lines).unwrap();
        let lines: String = (1..=facts.len()).map(|end| step(&Run::replay(&facts[..end]).unwrap()) + "\n").collect();
        std::fs::write(&steps, lines).unwrap();
    }
    let text = std::fs::read_to_string(&journal).unwrap();
    let facts: Vec<Fact> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: BTreeSet<_> = facts.iter().map(|fact| kind(&fact.event)).collect();
    let every = [
        "amended",
        "answered",
        "asked",
        "batch_started",
        "cancelled",
        "effect_finished",
        "effect_lost",
        "effect_started",
        "node_closed",
        "retried",
        "run_started",
    ];
    assert!(kinds.iter().eq(every), "every kind of event is in it: {kinds:?}");
    let expected = std::fs::read_to_string(&steps).unwrap();
    assert_eq!(expected.lines().count(), facts.len());
    for (end, expected) in expected.lines().enumerate() {
        let run = Run::replay(&facts[..=end]).unwrap();
        assert_eq!(step(&run), expected);
    }
    // Written again, it is the same text: no field was lost or renamed.
    for (fact, line) in facts.iter().zip(text.lines()) {
        assert_eq!(serde_json::to_string(fact).unwrap(), line);
    }
}
