//! Stop rules inside a loop: patience that runs out, and loops that are stuck.

use loopwright_core::contract::{ContractError, LoopContract};
use loopwright_core::evaluation::Evaluation;
use loopwright_core::fact::EffectResult;
use loopwright_core::graph::{Graph, GraphError};
use loopwright_core::machine::Order;
use loopwright_core::outcome::{Exhaustion, Outcome};
use loopwright_core::stop::StopRules;
use serde_json::{Value, json};

use crate::driver::{Driver, nobody};
use crate::script::{finish, judge, make, repair_loop, script, tool_agent};

fn strict(base: LoopContract, rules: StopRules) -> LoopContract {
    LoopContract { stop_rules: rules, ..base }
}

/// The reason of an escalation, and how many actions were performed before it.
fn stuck(contract: LoopContract, answers: Vec<Value>) -> (String, usize) {
    let mut driver = Driver::of_loop(contract);
    let outcome = driver.drive(&mut script(answers), &mut nobody);
    let acts = driver.rounds.iter().filter(|round| round[0] == "loop:act").count();
    match outcome {
        Some(Outcome::Escalated { escalation, hand_off: Some(_) }) => {
            assert_eq!(escalation.required_authority, "tech lead");
            (escalation.reason, acts)
        }
        other => (format!("{:?}", other.map(|outcome| outcome.kind())), acts),
    }
}

#[test]
fn a_stuck_loop_escalates() {
    let off = StopRules::default;
    let bad = |name: &str| make(json!(name));
    let shell = json!({"type": "run_shell_command"});
    let cases = [
        ("same_step", StopRules { same_step: Some(3), ..off() }, vec![bad("a")], 3),
        ("same_cycle", StopRules { same_cycle: Some(2), ..off() }, vec![bad("a"), bad("b"), bad("a"), bad("b")], 4),
        ("without_effect", StopRules { without_effect: true, ..off() }, vec![bad("a"), bad("a")], 2),
        ("same_error", StopRules { same_error: Some(2), ..off() }, vec![bad("a"), shell.clone()], 1),
        ("same_error", StopRules { same_error: Some(2), ..off() }, vec![finish()], 0),
    ];
    for (expected, rules, answers, acts) in cases {
        assert_eq!(stuck(strict(repair_loop(20), rules), answers.clone()), (expected.to_owned(), acts), "{answers:?}");
        let (without, _) = stuck(repair_loop(20), answers);
        assert_eq!(without, "Some(BudgetExhausted)", "{expected} is off");
    }
}

#[test]
fn an_accepted_state_is_not_stopped_by_what_led_to_it() {
    let rules = StopRules { same_error: Some(3), ..StopRules::default() };
    let answers = vec![finish(), json!("x"), json!("x"), make("good"), finish()];
    assert_eq!(stuck(strict(repair_loop(20), rules), answers).0, "Some(Success)");
}

#[test]
fn refused_claims_of_a_tool_agent_are_the_same_error() {
    let rules = StopRules { same_error: Some(2), ..StopRules::default() };
    assert_eq!(stuck(strict(tool_agent(20), rules), vec![finish()]).0, "same_error");
}

/// A loop whose evaluations bring these scores, one after another.
fn scored(first: bool, scores: &'static [i64]) -> (Option<Outcome>, u32) {
    let mut contract = strict(repair_loop(20), StopRules { stagnant_rounds: Some(2), ..StopRules::default() });
    contract.evaluates.first = first;
    let mut driver = Driver::of_loop(contract);
    let mut step = 0;
    let mut inner = script([make("bad")]);
    let outcome = driver.drive(
        &mut |planned| match planned.order() {
            Order::Evaluate { context, .. } => {
                let score = vec![scores[step]];
                step += 1;
                EffectResult::Evaluated { evaluation: Evaluation { score, ..judge(context.state.value()) } }
            }
            _ => inner(planned),
        },
        &mut nobody,
    );
    (outcome, driver.run.loop_view("loop").unwrap().attempts)
}

#[test]
fn patience_runs_out_against_the_best_score_and_the_first_is_never_stagnant() {
    let cases: [(bool, &[i64], u32); 5] = [
        (true, &[5, 5, 5], 2),
        (false, &[5, 5, 5], 3),
        (true, &[-9, -9, -8, -9, -10], 4),
        (true, &[1, 3, 2, 2], 3),
        // Worse, then as good as the best again: no better, so no progress.
        (false, &[3, 1, 3], 3),
    ];
    for (first, scores, attempts) in cases {
        let (outcome, made) = scored(first, scores);
        let Some(Outcome::BudgetExhausted { exhaustion, hand_off: Some(hand_off) }) = outcome else {
            panic!("{scores:?}: {outcome:?}")
        };
        assert_eq!(exhaustion, Exhaustion::NoProgress { rounds: 2 });
        assert_eq!(exhaustion.resource(), None);
        assert_eq!(made, attempts, "{scores:?}");
        assert_eq!(hand_off.best.unwrap().score, [*scores.iter().max().unwrap()]);
    }
}

#[test]
fn a_rule_that_never_stops_anything_is_refused() {
    let built = |rules| match Graph::of_loop("loop", strict(repair_loop(3), rules)) {
        Err(GraphError::Contract { source, .. }) => Some(source),
        _ => None,
    };
    let off = StopRules::default;
    assert_eq!(
        built(StopRules { same_step: Some(25), ..off() }),
        Some(ContractError::NeverStops { rule: "same_step", times: 25, most: 24 })
    );
    assert_eq!(
        built(StopRules { same_cycle: Some(7), ..off() }),
        Some(ContractError::NeverStops { rule: "same_cycle", times: 7, most: 6 })
    );
    assert_eq!(built(StopRules { same_step: Some(24), same_cycle: Some(6), ..off() }), None);
    // The longest that is allowed does stop.
    let longest = StopRules { same_step: Some(24), ..off() };
    assert_eq!(stuck(strict(repair_loop(30), longest), vec![make("a")]), ("same_step".to_owned(), 24));
}
