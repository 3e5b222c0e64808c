//! Invariants over random graphs, worlds, people and orders of events.

use loopwright_core::budget::Resource;
use loopwright_core::fact::{Event, Fact};
use loopwright_core::graph::Mode;
use loopwright_core::ids::EffectId;
use loopwright_core::json::Digest;
use loopwright_core::machine::Run;
use proptest::prelude::*;
use serde_json::json;

use crate::driver::{Driver, nobody};
use crate::host::{Host, Manners};
use crate::retry_limit::{contract, edit, world};
use crate::wild::{self, Dice};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn host(seed: u64, order: u64, manners: Manners) -> Host {
    Host::start(wild::graph(&mut Dice(seed)), seed, order, manners)
}

fn stored(fact: &Fact) -> Fact {
    serde_json::from_str(&serde_json::to_string(fact).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Never a panic, a hang, a limit passed or an unearned success: the host asserts them at every step.
    #[test]
    fn honest_bills_never_pass_a_limit(seed: u64, order: u64) {
        host(seed, order, Manners::Honest).drive();
    }

    /// The same with bills that are too large, and the journal read back gives the same run at every fact.
    #[test]
    fn a_journal_read_back_gives_the_same_run(seed: u64, order: u64) {
        let mut host = host(seed, order, Manners::Hostile);
        host.drive();
        let mut facts = host.facts.iter().map(stored);
        let mut run = Run::start(&facts.next().unwrap()).unwrap();
        for (fact, before) in facts.zip(&host.before) {
            prop_assert_eq!(&run, before);
            prop_assert_eq!(run.next(), before.next());
            run.apply(&fact).unwrap();
        }
        prop_assert_eq!(run, host.run);
    }

    /// Who is faster changes nothing: not the outcome, not what nodes hand on, whether one at a time or together.
    #[test]
    fn the_order_of_arrivals_and_the_mode_change_nothing(seed: u64, orders: [u64; 2]) {
        let ends = |mode, order| {
            let mut spec = wild::graph(&mut Dice(seed));
            spec.mode = mode;
            let mut host = Host::start(spec, seed, order, Manners::Orderly);
            (host.drive(), host.ends())
        };
        let first = ends(Mode::Parallel, orders[0]);
        prop_assert_eq!(&first, &ends(Mode::Parallel, orders[1]));
        prop_assert_eq!(&first, &ends(Mode::Serial, orders[1]));
    }

    /// A run cut off anywhere goes on to the same end; where effects were open and are lost, to a legal one.
    #[test]
    fn a_run_cut_off_anywhere_goes_on(seed: u64, orders: [u64; 2]) {
        let mut whole = host(seed, orders[0], Manners::Orderly);
        let outcome = whole.drive();
        let mut dice = Dice(orders[1]);
        for _ in 0..6 {
            let cut = 1 + dice.below(whole.facts.len());
            let facts = whole.facts[..cut].to_vec();
            let mut run = Run::replay(&facts).unwrap();
            let open: Vec<EffectId> = run.open_effects().cloned().collect();
            for id in &open {
                run.apply(&lost(&run, id)).unwrap();
            }
            let mut rest = Host::resume(run, facts, seed, dice.throw(), Manners::Orderly);
            let resumed = rest.drive();
            if open.is_empty() {
                prop_assert_eq!(resumed, outcome.clone());
            }
        }
    }

    /// Facts of different nodes that are legal in either order lead to the same run.
    #[test]
    fn facts_of_different_nodes_commute(seed: u64, order: u64) {
        let mut host = host(seed, order, Manners::Honest);
        host.drive();
        for (pair, before) in host.facts[1..].windows(2).zip(&host.before) {
            let [first, second] = pair else { continue };
            if first.path == second.path || [first, second].into_iter().any(shares_out) {
                continue;
            }
            let (mut straight, mut swapped) = (before.clone(), before.clone());
            let (earlier, later) = (Fact { seq: first.seq, ..second.clone() }, Fact { seq: second.seq, ..first.clone() });
            if swapped.apply(&earlier).and_then(|()| swapped.apply(&later)).is_ok() {
                straight.apply(first).and_then(|()| straight.apply(second)).unwrap();
                prop_assert_eq!(swapped, straight, "{:?} and {:?}", first.event, second.event);
            }
        }
    }
}

/// Facts that divide what is left at their moment: a batch, and a node that is reopened.
fn shares_out(fact: &Fact) -> bool {
    fact.path.is_root() || matches!(fact.event, Event::Amended { .. } | Event::Retried { .. })
}

fn lost(run: &Run, id: &EffectId) -> Fact {
    let event = Event::EffectLost { id: id.clone() };
    let contract = run.contract_digest(&id.path);
    Fact { seq: run.length() + 1, at_ms: 0, path: id.path.clone(), contract, prev: Digest::ZERO, event }
}

#[test]
fn a_long_loop_stays_as_small_as_a_short_one() {
    let size_after = |turns: u64| {
        let mut contract = contract(turns);
        contract.stop_rules.stagnant_rounds = Some(1_000_000);
        contract.stop_rules.same_cycle = Some(6);
        let mut driver = Driver::of_loop(contract);
        let policy = |context: &loopwright_core::machine::Context| {
            // Numbers that never repeat in a cycle, and of one length.
            edit(1_000_000 + u64::from(context.attempt) * u64::from(context.attempt) % 7_919, false)
        };
        let outcome = driver.drive(&mut world(3, policy, |_| ()), &mut nobody).unwrap();
        assert_eq!(outcome.kind().name(), "budget_exhausted");
        let view = driver.run.loop_view("loop").unwrap();
        assert_eq!(view.ledger.spent().get(Resource::Attempts), turns);
        assert_eq!(view.state.get("validation_added"), Some(&json!(false)));
        format!("{:?}", driver.run).len()
    };
    let (short, long) = (size_after(100), size_after(2_000));
    assert!(long <= short + 100, "{long} bytes after 2000 turns, {short} after 100");
}
