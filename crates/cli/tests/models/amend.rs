//! Budgets that ran out, and what a person adds.

use loopwright_models::testing::reply::Reply;
use serde_json::json;

use crate::Scene;
use crate::support::text;

#[test]
fn a_run_goes_on_where_its_budget_ended() {
    let scene = Scene::honest_after(vec![Reply::text("hm")]);
    let document = scene.verify(4, &[]);
    assert_eq!((text(&document["status"]), text(&document["outcome"])), ("budget_exhausted", "budget_exhausted"));
    let left = &document["hand_off"];
    assert_eq!(left["exhaustion"]["shortage"]["resource"], json!("model_calls"));
    assert_eq!((&left["attempts"], &left["spent"]["model_calls"]), (&json!(1), &json!(1)));
    let shown = scene.run(&["show", "last"]).ends(0).out;
    assert!(shown.contains("loopwright amend") && shown.contains("--budget model_calls=+N"), "{shown}");
    scene.run(&["resume", "last"]).ends(2).says("there is nothing to go on with");
    let args = ["amend", "last", "--budget", "model_calls=+4", "--actor", "ann", "--note", "prose"];
    let amended = scene.json(0, &args);
    assert_eq!(amended["budget"]["model_calls"], json!({"limit": 8, "used": 1, "kept_for_reviews": 3}));
    scene.json(3, &["resume", "last"]);
    scene.json(0, &["authorize", "last", "--actor", "ann"]);
    let document = scene.json(0, &["resume", "last"]);
    assert_eq!(text(&document["status"]), "evidence_ready");
    assert_eq!(document["budget"]["model_calls"]["used"], json!(5));
    let trace = scene.json(0, &["trace", "last"]).to_string();
    assert!(trace.contains("\"amended\"") && trace.contains("\"prose\""), "{trace}");
}

#[test]
fn candidate_runs_can_be_added_too() {
    let scene = Scene::honest_after(Vec::new());
    let document = scene.verify(4, &["--max-runs", "2"]);
    assert_eq!(document["budget"]["candidate_runs"], json!({"limit": 2, "used": 2}));
    scene.json(0, &["amend", "last", "--budget", "engine_runs=+1", "--actor", "ann", "--note", "one more"]);
    let document = scene.json(0, &["resume", "last"]);
    assert_eq!(text(&document["status"]), "evidence_ready");
    assert_eq!(document["budget"]["candidate_runs"], json!({"limit": 3, "used": 3}));
}

#[test]
fn only_what_ran_out_or_is_under_way_is_amended() {
    let scene = Scene::honest_after(Vec::new());
    scene.verify(0, &[]);
    let amend = |budget: &str| scene.run(&["amend", "last", "--budget", budget, "--actor", "ann", "--note", "n"]);
    amend("model_calls=+1").ends(2).says("the run is evidence_ready: it cannot be amended");
    amend("model_calls=1").ends(2).says("a budget is only ever raised");
    amend("fun=+1").ends(2).says("what can be raised is model_calls");
    scene.run(&["amend", "last", "--actor", "ann", "--note", "n"]).ends(2).says("--budget");
}
