//! A loop whose policy reads its answers from a list, and whose evaluator accepts the state `"good"`.

use loopwright_core::contract::{ClosesOn, EvaluateWhen, LoopContract};
use loopwright_core::evaluation::{Evaluation, GateVerdict, Verdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::machine::{Order, Planned};
use serde_json::{Value, json};

use crate::retry_limit::contract;

/// Evaluates first and after every action, and closes on a claim.
pub(crate) fn repair_loop(attempts: u64) -> LoopContract {
    let evaluates = EvaluateWhen { first: true, after_action: true, on_claim: false };
    LoopContract { evaluates, closes_on: ClosesOn::Claimed, ..contract(attempts) }
}

/// Evaluates only on a claim, and closes on one.
pub(crate) fn tool_agent(attempts: u64) -> LoopContract {
    let evaluates = EvaluateWhen { first: false, after_action: false, on_claim: true };
    LoopContract { evaluates, closes_on: ClosesOn::Claimed, ..contract(attempts) }
}

/// Makes the state what is given.
pub(crate) fn make(state: impl Into<Value>) -> Value {
    let args: Value = state.into();
    json!({"type": "act", "action": {"name": "edit_tests", "args": args}})
}

pub(crate) fn finish() -> Value {
    json!({"type": "finish"})
}

pub(crate) fn judge(state: &Value) -> Evaluation {
    let verdict = if state == "good" { Verdict::Success } else { Verdict::Continue };
    Evaluation::new(verdict, json!({"judged": state}))
}

/// Answers from a list; the last one is repeated.
pub(crate) fn script(answers: impl IntoIterator<Item = Value>) -> impl FnMut(&Planned) -> EffectResult {
    let answers: Vec<_> = answers.into_iter().collect();
    let mut next = 0;
    move |planned| match planned.order() {
        Order::Decide { .. } => {
            let answer = answers[next.min(answers.len() - 1)].clone();
            next += 1;
            EffectResult::Decided { answer: answer.into() }
        }
        Order::Act { action, .. } => {
            EffectResult::Acted { state: action.args.clone(), observation: json!("made").into(), error: None }
        }
        Order::Evaluate { context, .. } => EffectResult::Evaluated { evaluation: judge(context.state.value()) },
        Order::Gate { .. } => EffectResult::Gated { verdict: GateVerdict::Pass {} },
        Order::WrapUp { .. } => EffectResult::WrappedUp { written: json!("over to you").into() },
        Order::Task { .. } | Order::Check { .. } => crate::driver::done(json!("done")),
    }
}
