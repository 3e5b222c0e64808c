//! A planted key, a server that sends it back in every way, and every file that a run leaves.

use loopwright_models::testing::reply::Reply;
use serde_json::json;

use crate::support::files_of;
use crate::{PLANTED, Scene, honest, is_intake};

fn holds(bytes: &[u8]) -> bool {
    bytes.windows(PLANTED.len()).any(|window| window == PLANTED.as_bytes())
}

#[test]
fn the_key_stands_nowhere_but_in_the_request() {
    let scene = Scene::saying(|number, seen| {
        let key = seen.header("authorization").unwrap_or_default().to_owned();
        match number {
            0 => Reply::error(503, &format!("busy, {key}")).with_header("retry-after", "0"),
            1 => Reply::error(400, &format!("json_schema is not supported for {key}")),
            2 => Reply::text(&format!("{{\"your key\": \"{key}\"}}")),
            _ if is_intake(seen) => honest(seen),
            _ => Reply::error(401, &format!("Incorrect API key provided: {key}")),
        }
    });
    let mut texts = Vec::new();
    let args = ["verify", crate::SENTENCE, "--policy", "model", "--authorize", "ann", "--max-model-calls", "6"];
    texts.push(scene.run(&args).ends(6));
    for args in [&["show", "last"][..], &["trace", "last"], &["report", "last", "--format", "markdown"], &["runs"]] {
        for format in ["human", "json"] {
            if args.contains(&"--format") {
                texts.push(scene.run(args));
            } else {
                texts.push(scene.run(&[args, &["--format", format]].concat()));
            }
        }
    }
    for ran in &texts {
        assert!(!ran.out.contains("planted") && !ran.err.contains("planted"), "{ran:?}");
    }
    assert!(texts[0].err.contains("[key]") || texts[0].out.contains("[key]"), "{:?}", texts[0]);
    let files = files_of(&scene.place.data());
    assert!(files.iter().any(|(name, _)| name == "model-memory.json"), "what was learned is kept");
    assert!(files.iter().any(|(name, _)| name.ends_with("badcases.json")));
    for (name, bytes) in &files {
        assert!(!holds(bytes), "{name}");
    }
    let sent = scene.server.seen();
    assert!(sent.iter().all(|seen| seen.header("authorization") == Some(&format!("Bearer {PLANTED}"))));
    assert!(sent.iter().all(|seen| !seen.body.to_string().contains("planted")));
}

#[test]
fn a_dot_env_file_is_read_and_left_as_it_is() {
    let scene = Scene::honest_after(Vec::new());
    let text = format!(
        "LOOPWRIGHT_MODEL_BASE_URL={}\nLOOPWRIGHT_MODEL=fake\nOPENAI_API_KEY={PLANTED}\n",
        scene.server.base_url()
    );
    scene.place.write(".env", &text);
    let args = ["verify", crate::SENTENCE, "--policy", "model", "--authorize", "ann", "--profiles", "0"];
    let document = scene.place.json(0, &args);
    assert_eq!(document["model"]["model"], json!("fake"));
    assert_eq!(std::fs::read_to_string(scene.place.path(".env")).unwrap(), text);
    assert_eq!(scene.server.seen()[0].header("authorization"), Some(format!("Bearer {PLANTED}").as_str()));
    assert!(files_of(&scene.place.data()).iter().all(|(_, bytes)| !holds(bytes)));
}
