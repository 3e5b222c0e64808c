//! The policy gate: a review passes only where the evidence says the same, and rests on evidence that there is.

use loopwright_changes::workflow::status::Status;
use loopwright_core::budget::Resource;
use serde_json::{Value, json};

use super::stage::{SLOWER, Stage, changes, cited, review};

/// A change that its first run's checks refuse.
fn failing(answers: Vec<Value>) -> Stage {
    Stage::of_candidate(&changes(), answers.into_iter().map(Ok).collect())
}

/// A change that passes at once.
fn passing(answers: Vec<Value>) -> Stage {
    let slower = [("phases[phase_1].pattern.bullet_speed", json!(2.9))];
    Stage::of_candidate(&slower, answers.into_iter().map(Ok).collect())
}

#[test]
fn a_review_that_the_evidence_does_not_bear_out_ends_at_the_gate() {
    let cases: Vec<(&str, Stage)> = vec![
        ("accepts what fails", failing(vec![review("accept", None)])),
        ("picks a legal but wrong repair", failing(vec![review("repair", Some("REDUCE_BULLETS_PER_WAVE"))])),
        ("names a repair that repairs nothing", failing(vec![review("repair", Some("STOP"))])),
        ("invents a check", failing(vec![cited("repair", Some(SLOWER), "check:fun")])),
        ("invents a document", failing(vec![cited("repair", Some(SLOWER), "designer_interview")])),
        ("cites a figure that nobody measured", failing(vec![cited("repair", Some(SLOWER), "telemetry:happiness")])),
        ("repairs what passes", passing(vec![review("repair", Some(SLOWER))])),
        ("accepts on invented evidence", passing(vec![cited("accept", None, "check:fun")])),
        ("accepts on an empty name", passing(vec![cited("accept", None, " ")])),
    ];
    for (case, stage) in cases {
        let rest = stage.run().unwrap();
        let view = rest.view();
        assert_eq!((view.status, rest.reason().as_str()), (Status::Blocked, "policy_gate"), "{case}");
        assert!(view.repairs.iter().all(|repair| !repair.applied), "{case}");
        assert_eq!(view.reviews.last().unwrap().gate.as_deref(), Some("escalated"), "{case}");
        assert_eq!(view.candidates.len(), 1, "{case}");
        assert_eq!(rest.0.run.spent().get(Resource::EngineRuns), 2, "{case}");
    }
}

#[test]
fn what_the_evidence_bears_out_passes() {
    let rest = passing(vec![review("accept", None)]).run().unwrap();
    assert_eq!(rest.status(), Status::EvidenceReady);
    for evidence in ["config_diff", "telemetry:player_hits", "intent:phases[phase_1].pattern.bullet_speed"] {
        let rest = passing(vec![cited("accept", None, evidence)]).run().unwrap();
        assert_eq!(rest.status(), Status::EvidenceReady, "{evidence}");
        assert_eq!(rest.view().reviews[0].evidence_refs, [evidence]);
    }
}

#[test]
fn a_person_is_asked_where_the_review_asks_for_one() {
    let rest = failing(vec![review("human_review", None)]).run().unwrap();
    assert_eq!((rest.status(), rest.reason().as_str()), (Status::Blocked, "human_review"));
}

#[test]
fn a_review_gives_no_numbers() {
    let mut numbers = review("repair", Some(SLOWER));
    numbers["bullet_speed"] = json!(1.0);
    let unknown = review("repair", Some("MAKE_IT_FUN"));
    for answer in [numbers, unknown, review("repair", None), json!({"decision": "accept"})] {
        let rest = failing(vec![answer]).run().unwrap();
        let view = rest.view();
        // The next call has no answer: the model failed, and the run can be resumed.
        assert_eq!((view.status, view.bad_cases.len()), (Status::Failed, 1));
        assert_eq!((view.bad_cases[0].stage.as_str(), view.bad_cases[0].iteration), ("repair", 1));
    }
}
