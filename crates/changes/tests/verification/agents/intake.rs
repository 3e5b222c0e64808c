//! The requirement agent: what becomes a candidate, what is a bad case, and what no claim of a model can do.

use loopwright_changes::workflow::change::ChangeError;
use loopwright_changes::workflow::status::Status;
use loopwright_core::budget::Resource;
use loopwright_models::ModelError;
use serde_json::{Value, json};

use super::stage::{REQUIREMENT, Rest, SLOWER, Stage, changes, intents, proposal, review, two_way};

fn faults(rest: &Rest) -> Vec<(String, String)> {
    let view = rest.view();
    let layers = view.validations.iter().flat_map(|validation| &validation.layers);
    layers.flat_map(|layer| &layer.errors).map(|fault| (fault.layer.clone(), fault.rule.clone())).collect()
}

#[test]
fn a_proposal_and_three_honest_reviews_end_where_the_rules_end() {
    let reviews = [review("repair", Some(SLOWER)), review("repair", Some(SLOWER)), review("accept", None)];
    let answers = [two_way()].into_iter().chain(reviews).map(Ok).collect();
    let stage = Stage::new(REQUIREMENT, answers);
    let rest = stage.run().unwrap();
    let view = rest.view();
    assert_eq!(view.status, Status::EvidenceReady);
    let last = view.last_run().unwrap().telemetry.clone().unwrap();
    assert_eq!((&last["peak_alive_bullets"], &last["player_hits"]), (&json!(198), &json!(0)));
    let spent = rest.0.run.spent();
    assert_eq!(
        [Resource::ModelCalls, Resource::Tokens, Resource::CostMicros].map(|it| spent.get(it)),
        [4, 4_400, 4_800]
    );
    assert_eq!(view.candidates[0].origin, "model");
    let calls: Vec<_> = view.agent_runs.iter().filter(|run| run.model_call).collect();
    assert_eq!(calls.len(), 4);
    for run in calls {
        let call = run.call.as_ref().unwrap();
        assert_eq!((call.model.as_str(), call.prompt.name.as_str()), ("listed", run.agent.as_str()));
        assert!(!call.bill.estimated && run.status == "ok");
    }
    let reviews: Vec<_> =
        view.reviews.iter().map(|review| (review.decision.as_str(), review.gate.as_deref())).collect();
    assert_eq!(reviews, [("repair", Some("passed")), ("repair", Some("passed")), ("accept", Some("passed"))]);
}

#[test]
fn an_answer_that_is_no_object_of_the_right_shape_is_a_bad_case() {
    let with = |pointer: &str, value: Value| {
        let mut answer = two_way();
        *answer.pointer_mut(pointer).unwrap() = value;
        answer
    };
    let mut extra = two_way();
    extra["run_shell_command"] = json!("rm");
    let mut duplicate = two_way().to_string();
    duplicate.insert_str(1, "\"structured_goal\": {}, ");
    let cases = [
        (json!("Here you are: {}"), "prose_around_object"),
        (json!(""), "empty"),
        (json!(format!("{}{}", two_way(), two_way())), "two_objects"),
        (json!(duplicate), "duplicate_key"),
        (extra, "schema"),
        (with("/candidate_config/phases/1/pattern/bullets_per_wave", json!("many")), "schema"),
        (with("/candidate_config/phases/1/pattern/bullets_per_wave", json!(6500)), "schema"),
        (
            with("/structured_goal/intents", json!([{"path": "..", "expect": {"kind": "above"}, "clause": ""}])),
            "wrong_type",
        ),
    ];
    for (answer, class) in cases {
        let rest = Stage::new(REQUIREMENT, vec![Ok(answer.clone())]).run().unwrap();
        let view = rest.view();
        assert_eq!(view.status, Status::BudgetExhausted, "{class}");
        let [case] = view.bad_cases.as_slice() else { panic!("{class}: {:?}", view.bad_cases) };
        assert_eq!((case.error_class.as_str(), case.stage.as_str()), (class, "intake"), "{}", case.message);
        assert_eq!(
            case.raw_output.as_str().unwrap(),
            answer.as_str().map_or_else(|| answer.to_string(), str::to_owned)
        );
        assert_eq!(case.model.as_deref(), Some("listed"));
        assert_eq!(case.prompt.as_ref().unwrap().name, "requirement_agent");
        assert_eq!(rest.0.run.spent().get(Resource::EngineRuns), 0);
    }
}

#[test]
fn the_error_goes_back_to_the_model_on_the_next_call() {
    let mut stage = Stage::new(REQUIREMENT, vec![Ok(json!("Sure! {}")), Ok(two_way())]);
    stage.brief.budget.model_calls = 5;
    let rest = stage.run().unwrap();
    assert_eq!(rest.view().bad_cases.len(), 1);
    let asked = stage.model.asked.lock().unwrap();
    assert!(!asked[0].messages[1].content.contains("could not be used"));
    assert!(asked[1].messages[1].content.contains("Your last answer could not be used: there is text around"));
    assert_ne!(asked[0].digest(), asked[1].digest());
}

#[test]
fn only_words_loosen_a_limit() {
    let looser = [("constraints.min_fps", json!(30)), ("runtime_targets.min_fps", json!(30))];
    let changes: Vec<_> = changes().into_iter().chain(looser).collect();
    let mut claims = proposal(&changes, &intents());
    claims["structured_goal"]["loosened"] = json!(["min_fps"]);
    let rest = Stage::new(REQUIREMENT, vec![Ok(claims.clone())]).run().unwrap();
    assert_eq!(rest.status(), Status::Blocked);
    let loosened = ("safety_gate".to_owned(), "limit_loosened".to_owned());
    assert_eq!(faults(&rest), [loosened.clone(), loosened]);
    let said = "make phase 2 a two-way spiral, denser, and relax the FPS limit to 30";
    let rest = Stage::new(said, vec![Ok(claims)]).run().unwrap();
    assert_eq!(faults(&rest), []);
}

#[test]
fn what_the_sentence_does_not_ask_for_is_not_changed() {
    let cases = [
        (("phases[phase_1].pattern.bullet_speed", json!(3.5)), "unrequested"),
        (("boss.max_health", json!(5000)), "write_scope"),
        (("phases[phase_2].pattern.bullets_per_wave", json!(11)), "carried"),
    ];
    for (change, rule) in cases {
        let changes: Vec<_> = changes().into_iter().chain([change]).collect();
        let rest = Stage::new(REQUIREMENT, vec![Ok(proposal(&changes, &intents()))]).run().unwrap();
        assert_eq!(rest.status(), Status::Blocked, "{rule}");
        assert!(faults(&rest).iter().all(|(_, found)| found == rule), "{rule}: {:?}", faults(&rest));
    }
    // An answer that claims nothing is held to what the rules read in the sentence.
    let rest = Stage::new(REQUIREMENT, vec![Ok(proposal(&[], &json!([])))]).run().unwrap();
    assert_eq!(rest.status(), Status::Blocked);
    assert!(faults(&rest).iter().all(|(layer, rule)| layer == "reference" && rule == "carried"));
}

#[test]
fn what_may_not_be_asked_for_is_refused_before_a_model_is_asked() {
    for requirement in ["phase 4 faster", "phase 2: 6500 bullets per wave", "phase 2 as a heart pattern"] {
        let stage = Stage::new(requirement, vec![Ok(two_way())]);
        let rest = stage.run().unwrap();
        assert_eq!(rest.status(), Status::Blocked, "{requirement}");
        assert!(stage.model.asked.lock().unwrap().is_empty(), "{requirement}");
        assert_eq!(rest.0.run.spent().get(Resource::ModelCalls), 0);
    }
}

#[test]
fn whoever_authorises_is_told_where_the_rules_would_have_asked() {
    let rest = Stage::new("make phase 2 more dramatic", vec![Ok(two_way())]).run().unwrap();
    let view = rest.view();
    let notes = &view.reading.as_ref().unwrap().notes;
    assert!(notes.iter().any(|note| note.en.contains("the pack's rules would have asked")), "{notes:?}");
}

#[test]
fn a_model_may_ask_instead() {
    let mut answer = proposal(&[], &json!([]));
    answer["question"] = json!("Which phase is meant?");
    let rest = Stage::new("make it nicer somewhere", vec![Ok(answer)]).run().unwrap();
    assert_eq!((rest.status(), rest.reason().as_str()), (Status::NeedsClarification, "needs_clarification"));
}

#[test]
fn a_model_that_fails_stops_the_run_and_nobody_stands_in_unasked() {
    let credentials = || ModelError::Credentials { message: "who are you?".to_owned() };
    let timeout = || ModelError::Timeout { after: std::time::Duration::from_secs(1) };
    for (error, class, calls) in [(credentials(), "model_credentials", 0), (timeout(), "model_timeout", 1)] {
        let stage = Stage::new(REQUIREMENT, vec![Err(error)]);
        let rest = stage.run().unwrap();
        let view = rest.view();
        assert_eq!((view.status, view.failure.as_ref().unwrap().class.as_str()), (Status::Failed, class));
        let spent = rest.0.run.spent();
        // What may have been billed counts as the most it can have been.
        let most = view.brief.budget.calls.unwrap().intake;
        assert_eq!(spent.get(Resource::ModelCalls), calls);
        assert_eq!(spent.get(Resource::Tokens), calls * most.get(Resource::Tokens));
        assert_eq!(view.agent_runs[0].call.as_ref().unwrap().bill.estimated, calls > 0);
    }
}

#[test]
fn the_rules_stand_in_where_they_were_told_to() {
    let unreachable = || ModelError::Unreachable { place: "here".to_owned(), message: "no".to_owned() };
    let mut stage = Stage::new(REQUIREMENT, vec![Ok(json!("no idea")), Err(unreachable()), Err(unreachable())]);
    stage.brief.fallback = true;
    let rest = stage.run().unwrap();
    let view = rest.view();
    assert_eq!(view.status, Status::EvidenceReady);
    assert_eq!(view.agent_runs.iter().filter(|run| run.fell_back).count(), 4);
    assert_eq!(view.bad_cases.len(), 1);
    assert_eq!(rest.0.run.spent().get(Resource::ModelCalls), 1);
}

#[test]
fn limits_that_no_call_could_keep_to_are_refused_before_anything_starts() {
    let mut stage = Stage::new(REQUIREMENT, Vec::new());
    stage.brief.budget.tokens = Some(100);
    assert!(matches!(stage.run(), Err(ChangeError::CallUnaffordable { resource: Resource::Tokens, limit: 100, .. })));
    let mut stage = Stage::new(REQUIREMENT, Vec::new());
    stage.brief.budget.cost_micros = Some(1_000_000);
    stage.brief.model.as_mut().unwrap().price = None;
    assert!(matches!(stage.run(), Err(ChangeError::UnknownPrice { .. })));
    assert!(stage.model.asked.lock().unwrap().is_empty());
}
