//! Work without a network: scripts, and the record of an earlier run.

use serde_json::{Value, json};

use crate::support::{Place, text};
use crate::{Scene, proposal, review};

/// What a run came to, without its own name.
fn figures(document: &Value) -> Value {
    let mut figures = json!({});
    for field in ["status", "diff", "checks", "repairs", "goal"] {
        figures[field] = document[field].clone();
    }
    figures["budget"] = document["budget"].clone();
    figures["budget"]["wall_ms"] = Value::Null;
    figures
}

#[test]
fn a_run_can_be_gone_through_again_from_its_record() {
    let scene = Scene::honest_after(Vec::new());
    let first = scene.verify(0, &[]);
    let run = text(&first["run_id"]);
    let args =
        ["verify", crate::SENTENCE, "--policy", "model", "--recorded", run, "--authorize", "ann", "--profiles", "0"];
    let asked = scene.server.seen().len();
    let second = scene.place.json(0, &args);
    assert_eq!(figures(&second), figures(&first));
    assert_eq!(second["model"], json!({"provider": "recorded", "model": "fake"}));
    assert_eq!(scene.server.seen().len(), asked, "nobody was asked");
    let other = ["verify", "phase 3 faster", "--policy", "model", "--recorded", run, "--authorize", "ann"];
    let document = scene.place.json(6, &other);
    assert_eq!(text(&document["failure"]["class"]), "model_unscripted");
    scene.place.json(0, &["verify", "phase 1 slower", "--authorize", "ann", "--profiles", "0"]);
    scene
        .place
        .run(&["verify", "phase 3 faster", "--policy", "model", "--recorded", "last"])
        .ends(2)
        .says("has called no model");
}

fn scripted(place: &Place, lines: &[Value]) {
    std::fs::create_dir_all(place.data()).unwrap();
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    std::fs::write(place.data().join("answers.jsonl"), lines.join("\n")).unwrap();
    let models = "default = \"s\"\n[models.s]\nkind = \"scripted\"\nscript = \"answers.jsonl\"\n";
    std::fs::write(place.data().join("models.toml"), models).unwrap();
}

#[test]
fn a_script_answers_in_order_and_goes_on_after_a_pause() {
    let place = Place::new();
    let slower = Some("REDUCE_BULLET_SPEED");
    let answers = [proposal(), review("repair", slower), review("repair", slower), review("accept", None)];
    scripted(&place, &answers.map(|answer| json!({"answer": answer})));
    let begun = place.json(3, &["verify", crate::SENTENCE, "--policy", "model", "--profiles", "0"]);
    assert_eq!(begun["budget"]["model_calls"]["used"], json!(1));
    place.json(0, &["authorize", "last", "--actor", "ann"]);
    let document = place.json(0, &["resume", "last"]);
    assert_eq!(text(&document["status"]), "evidence_ready");
    // Nobody said what the calls took, so they count as the most they can have taken.
    let agents = crate::support::evidence(&place.evidence(text(&document["run_id"])), "agent_runs.json");
    assert_eq!(agents[0]["call"]["bill"]["estimated"], json!(true));
    let shown = place.run(&["show", "last"]).ends(0).out;
    assert!(shown.contains("(partly estimated)"), "{shown}");
}

#[test]
fn a_script_with_a_fault_is_named() {
    let place = Place::new();
    scripted(&place, &[json!({"anser": {}})]);
    place
        .run(&["verify", "phase 3 faster", "--policy", "model"])
        .ends(2)
        .says("answers.jsonl, line 1: unknown field `anser`");
}
