//! Whole runs: what a model brings about, and what the gate keeps it from.

use loopwright_models::testing::reply::Reply;
use serde_json::{Value, json};

use crate::support::text;
use crate::{Scene, honest, is_intake, proposal, review};

#[test]
fn an_honest_model_ends_where_the_rules_end() {
    let scene = Scene::honest_after(Vec::new());
    let document = scene.verify(0, &[]);
    assert_eq!((text(&document["status"]), text(&document["policy"])), ("evidence_ready", "model"));
    assert_eq!(document["candidate"]["telemetry"]["peak_alive_bullets"], json!(198));
    assert_eq!(document["budget"]["model_calls"], json!({"limit": 4, "used": 4, "kept_for_reviews": 3}));
    assert_eq!(document["budget"]["tokens"]["used"], json!(480));
    assert_eq!(document["budget"]["candidate_runs"], json!({"limit": 3, "used": 3}));
    let agents = scene.evidence(&document, "agent_runs.json");
    let calls: Vec<_> = agents.as_array().unwrap().iter().filter(|run| run["model_call"] == json!(true)).collect();
    let names: Vec<_> = calls.iter().map(|run| text(&run["agent"])).collect();
    assert_eq!(names, ["requirement_agent", "quality_reviewer", "quality_reviewer", "quality_reviewer"]);
    for run in &calls {
        let call = &run["call"];
        assert_eq!((text(&call["model"]), &call["prompt"]["name"]), ("fake", &run["agent"]));
        assert_eq!(text(&call["prompt"]["sha256"]).len(), 64);
        assert_eq!(call["usage"], json!({"input_tokens": 100, "output_tokens": 20}));
        assert_eq!((&call["bill"]["estimated"], &run["status"]), (&json!(false), &json!("ok")));
        assert!(run["read"].as_array().unwrap().contains(&json!("requirement")));
    }
    assert_ne!(calls[0]["call"]["prompt"]["sha256"], calls[1]["call"]["prompt"]["sha256"]);
    assert_eq!(calls[0]["written"], json!([]));
    let history = scene.evidence(&document, "candidate_history.json");
    assert_eq!(history[0]["origin"], json!("model"));
    let manifest = scene.evidence(&document, "workflow_manifest.json");
    assert_eq!(manifest["model"]["identity"]["model"], json!("fake"));
}

#[test]
fn a_review_against_the_evidence_is_for_a_person_and_changes_nothing() {
    let cases: [(&str, Value); 3] = [
        ("accepts what fails", review("accept", None)),
        ("picks another repair", review("repair", Some("REDUCE_BULLETS_PER_WAVE"))),
        ("cites what is not there", {
            let mut review = review("repair", Some("REDUCE_BULLET_SPEED"));
            review["evidence_refs"] = json!(["check:player_hits", "interview:designer"]);
            review
        }),
    ];
    for (case, answer) in cases {
        let scene = Scene::saying(move |_, seen| if is_intake(seen) { honest(seen) } else { Reply::answer(&answer) });
        let document = scene.verify(5, &[]);
        assert_eq!(
            (text(&document["status"]), text(&document["blocked"]["code"])),
            ("blocked", "policy_gate"),
            "{case}"
        );
        assert_eq!(document["budget"]["candidate_runs"]["used"], json!(1), "{case}");
        assert_eq!(document["repairs"], json!([]), "{case}");
        let reviews = scene.evidence(&document, "quality_reviews.json");
        assert_eq!((&reviews[0]["gate"], &reviews[0]["gate_reason"]), (&json!("escalated"), &json!("policy_gate")));
        assert!(document["blocked"]["reason"]["zh"].as_str().unwrap().contains("评审"), "{case}");
    }
}

#[test]
fn a_candidate_of_a_persons_own_is_reviewed_by_the_model() {
    let scene = Scene::honest_after(Vec::new());
    let args =
        ["verify", "--set", "phase_1.bullet_speed=2.9", "--policy", "model", "--authorize", "ann", "--profiles", "0"];
    let document = scene.json(0, &args);
    assert_eq!(document["budget"]["model_calls"]["used"], json!(1));
    assert!(!scene.server.seen().iter().any(is_intake));
}

#[test]
fn a_limit_that_the_model_loosened_unasked_stops_at_the_safety_gate() {
    let mut looser = proposal();
    looser["candidate_config"]["constraints"]["min_fps"] = json!(30);
    looser["structured_goal"]["loosened"] = json!(["min_fps"]);
    let scene = Scene::saying(move |_, _| Reply::answer(&looser));
    let document = scene.verify(5, &[]);
    assert_eq!(
        (text(&document["blocked"]["code"]), text(&document["blocked"]["layer"])),
        ("validation", "safety_gate")
    );
    assert_eq!(document["budget"]["engine_runs"]["used"], json!(0));
}

#[test]
fn what_cannot_be_used_is_kept_whole_and_told_to_the_model() {
    let scene = Scene::honest_after(vec![Reply::text("Sure! Here it is:\n{\"structured_goal\": {}}")]);
    let document = scene.verify(0, &["--max-model-calls", "5"]);
    assert_eq!(document["bad_cases"], json!(1));
    let cases = scene.evidence(&document, "badcases.json");
    let case = &cases[0];
    assert_eq!((text(&case["stage"]), text(&case["error_class"])), ("intake", "prose_around_object"));
    assert_eq!(text(&case["raw_output"]), "Sure! Here it is:\n{\"structured_goal\": {}}");
    assert_eq!((text(&case["model"]), text(&case["prompt"]["name"])), ("fake", "requirement_agent"));
    assert!(scene.server.seen()[1].question().contains("Your last answer could not be used: there is text around"));
    let trace = scene.run(&["trace", "last"]).ends(0).out;
    assert!(trace.contains("unusable") && trace.contains("prose_around_object"), "{trace}");
}

#[test]
fn every_try_is_a_fact() {
    let busy = Reply::error(429, "slow down").with_header("retry-after", "0");
    let scene = Scene::honest_after(vec![busy.clone(), busy]);
    let document = scene.verify(0, &[]);
    assert_eq!(document["budget"]["model_calls"]["used"], json!(4), "what cost nothing is no call");
    let agents = scene.evidence(&document, "agent_runs.json");
    let tries = agents[0]["call"]["tries"].as_array().unwrap();
    let classes: Vec<_> = tries.iter().map(|tried| tried["error_class"].as_str()).collect();
    assert_eq!(classes, [Some("model_rate_limited"), Some("model_rate_limited"), None]);
    let trace = scene.json(0, &["trace", "last"]).to_string();
    assert_eq!(trace.matches("\"effect_tried\"").count(), 2, "{trace}");
}

#[test]
fn the_rules_stand_in_only_where_they_were_told_to() {
    let mute = || Scene::saying(|_, _| Reply::text("I would rather not."));
    let document = mute().verify(4, &[]);
    assert_eq!(text(&document["status"]), "budget_exhausted");
    let scene = mute();
    let document = scene.verify(0, &["--fallback", "rules"]);
    assert_eq!((text(&document["status"]), &document["bad_cases"]), ("evidence_ready", &json!(4)));
    let agents = scene.evidence(&document, "agent_runs.json");
    let stood_in = agents.as_array().unwrap().iter().filter(|run| run["fell_back"] == json!(true)).count();
    assert_eq!(stood_in, 4);
    let shown = scene.run(&["show", "last", "--lang", "zh"]).ends(0).out;
    assert!(shown.contains("改由规则处理"), "{shown}");
}

#[test]
fn a_batch_may_ask_a_model_too() {
    let scene = Scene::honest_after(Vec::new());
    scene.place.write("ideas.txt", "make phase 2 a two-way spiral, denser\nphase 4 faster\n");
    let args = ["verify-all", "ideas.txt", "--policy", "model", "--authorize", "ann", "--jobs", "2"];
    let document = scene.json(5, &args);
    let exits: Vec<_> = document["items"].as_array().unwrap().iter().map(|item| item["exit_code"].clone()).collect();
    assert_eq!(exits, [json!(0), json!(5)], "{document:#}");
}
