//! A budget that ran out is a value: it says what is left, and a person can add to it.

use loopwright_changes::workflow::document::document;
use loopwright_changes::workflow::status::Status;
use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::outcome::Outcome;
use serde_json::json;

use super::stage::{REQUIREMENT, SLOWER, Stage, changes, review, two_way};

#[test]
fn an_intake_goes_on_where_it_stopped() {
    let stage = Stage::new(REQUIREMENT, vec![Ok(json!("hm"))]);
    let rest = stage.run().unwrap();
    assert!(matches!(rest.0.run.outcome(), Some(Outcome::BudgetExhausted { hand_off: Some(_), .. })));
    stage.amend(Amounts::of(Resource::ModelCalls, 2));
    stage.answer(vec![
        two_way(),
        review("repair", Some(SLOWER)),
        review("repair", Some(SLOWER)),
        review("accept", None),
    ]);
    let rest = stage.resume();
    let view = rest.view();
    assert_eq!((view.status, view.bad_cases.len()), (Status::EvidenceReady, 1));
    assert_eq!(view.budget()["model_calls"], json!({"limit": 6, "used": 5, "kept_for_reviews": 3}));
}

#[test]
fn a_repair_loop_that_ran_out_of_calls_goes_on_and_is_studied_anew() {
    let answers = vec![Ok(json!("hm")), Ok(json!("hm")), Ok(review("repair", Some(SLOWER)))];
    let mut stage = Stage::of_candidate(&changes(), answers);
    stage.brief.trials = 2;
    let rest = stage.run().unwrap();
    let view = rest.view();
    assert_eq!((view.status, view.bad_cases.len(), view.runs.len()), (Status::BudgetExhausted, 2, 2));
    let left = &document(&view, "evidence")["hand_off"];
    assert_eq!(
        (&left["exhaustion"]["shortage"]["resource"], &left["state"]["iteration"]),
        (&json!("model_calls"), &json!(2))
    );
    assert!(left["best"]["evaluation"]["checks"].is_array(), "{left}");
    stage.amend(Amounts::of(Resource::ModelCalls, 4));
    stage.answer(vec![review("repair", Some(SLOWER)), review("accept", None)]);
    let rest = stage.resume();
    let view = rest.view();
    assert_eq!((view.status, view.runs.len(), view.studies), (Status::EvidenceReady, 3, 2));
    assert_eq!(view.study.as_ref().unwrap().trials, 2);
    assert_eq!(rest.0.run.spent().get(Resource::ModelCalls), 5);
}
