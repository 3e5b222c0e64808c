//! The bounded retry: a policy that first overdoes it, an evaluator that wants a small limit and validation.

use loopwright_core::authority::Authority;
use loopwright_core::budget::Budget;
use loopwright_core::contract::{ClosesOn, EffectTerms, EvaluateWhen, FirstState, LoopContract};
use loopwright_core::evaluation::{Evaluation, Verdict};
use loopwright_core::fact::EffectResult;
use loopwright_core::machine::{Context, Order, Planned};
use loopwright_core::stop::StopRules;
use serde_json::{Value, json};

use crate::driver::{attempts, decided};

pub(crate) const AIM: &str = "retry at most three times, with validation";

pub(crate) fn contract(limit: u64) -> LoopContract {
    bounded(attempts(limit))
}

pub(crate) fn bounded(budget: Budget) -> LoopContract {
    LoopContract {
        aim: AIM.into(),
        first_state: FirstState::Value(json!({"retry_limit": 0, "validation_added": false}).into()),
        policy: EffectTerms::pure(),
        gated: false,
        actions: ["edit_implementation", "edit_tests"].map(|name| (name.to_owned(), EffectTerms::pure())).into(),
        evaluator: EffectTerms::pure(),
        evaluates: EvaluateWhen { first: false, after_action: true, on_claim: false },
        closes_on: ClosesOn::Accepted,
        budget,
        wrap_up: None,
        stop_rules: StopRules::default(),
        authority: Authority::allowing(["edit_implementation", "edit_tests"], "tech lead"),
    }
}

pub(crate) fn edit(limit: u64, validation: bool) -> Value {
    let args = json!({"retry_limit": limit, "validation_added": validation});
    json!({"type": "act", "action": {"name": "edit_implementation", "args": args}})
}

/// Sets 5 without validation first, then 3 with it.
pub(crate) fn policy(context: &Context) -> Value {
    if context.attempt == 1 { edit(5, false) } else { edit(3, true) }
}

pub(crate) fn evaluate(context: &Context, most: u64) -> Evaluation {
    let limit = context.state.get("retry_limit").and_then(Value::as_u64).unwrap();
    let validated = context.state.get("validation_added") == Some(&json!(true));
    let verdict = if limit <= most && validated { Verdict::Success } else { Verdict::Continue };
    Evaluation::new(verdict, json!({"limit": limit, "validated": validated}))
}

/// Performs the loop with a policy and the evaluator that allows `most` retries.
pub(crate) fn world(
    most: u64,
    mut policy: impl FnMut(&Context) -> Value,
    mut verdicts: impl FnMut(Verdict),
) -> impl FnMut(&Planned) -> EffectResult {
    move |planned| match planned.order() {
        Order::Decide { context } => decided(policy(context)),
        Order::Act { action, .. } => {
            EffectResult::Acted { state: action.args.clone(), observation: json!("edited").into(), error: None }
        }
        Order::Evaluate { context, .. } => {
            let evaluation = evaluate(context, most);
            verdicts(evaluation.verdict);
            EffectResult::Evaluated { evaluation }
        }
        other => panic!("unexpected order {other:?}"),
    }
}
