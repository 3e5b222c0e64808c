//! What is refused before anything starts, and what is said about it.

use crate::support::{Place, Ran};
use crate::{PLANTED, Scene};

/// Environment variables of a call.
type Variables = &'static [(&'static str, &'static str)];

const MODELS: &str = "[models.local]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";

fn verify(place: &Place, more: &[&str], variables: &[(&str, &str)]) -> Ran {
    let args = ["verify", "phase 3 faster", "--authorize", "ann"];
    let mut command = place.command(&[&args, more].concat());
    command.envs(variables.iter().copied());
    Ran::of(command)
}

#[test]
fn a_model_has_to_be_described() {
    let place = Place::new();
    place.write("models.toml", MODELS);
    let model = ["--policy", "model"];
    let with = |more: &[&'static str]| [&model, more].concat();
    let cases: Vec<(Vec<&str>, Variables, &str)> = vec![
        (with(&[]), &[], "no model is described"),
        (with(&["--model", "m"]), &[], "there is no model \"m\": no models.toml describes one"),
        (with(&["--models", "models.toml", "--model", "x"]), &[], "models.toml describes local"),
        (with(&["--models", "nowhere.toml"]), &[], "nowhere.toml cannot be read"),
        (with(&[]), &[("LOOPWRIGHT_MODEL_BASE_URL", "http://h/v1")], "no model is described"),
        (with(&["--model", "m"]), &[("LOOPWRIGHT_MODEL_BASE_URL", "h:1")], "cannot be used"),
        (
            with(&["--model", "m"]),
            &[("LOOPWRIGHT_MODEL_BASE_URL", "http://u:sk-planted-8b21f0@h/v1")],
            "put the key into",
        ),
        (with(&["--models", "models.toml", "--model", "local", "--max-cost", "1"]), &[], "local has no price"),
        (with(&["--models", "models.toml", "--model", "local", "--max-tokens", "9"]), &[], "more than the limit of 9"),
        (with(&["--max-cost", "0"]), &[], "would forbid every call"),
        (with(&["--max-time", "soon"]), &[], "--max-time"),
        (with(&["--recorded", "last"]), &[], "nothing is kept"),
        (vec!["--model", "m"], &[], "--model needs --policy model"),
        (vec!["--fallback", "rules"], &[], "--fallback needs --policy model"),
        (vec!["--max-model-calls", "9"], &[], "--max-model-calls needs --policy model"),
    ];
    for (args, variables, words) in cases {
        let ran = verify(&place, &args, variables);
        assert!(!format!("{}{}", ran.out, ran.err).contains(PLANTED), "{args:?}");
        if words == "nothing is kept" {
            ran.ends(2);
        } else {
            ran.ends(2).says(words);
        }
    }
    assert!(!place.data().join("loopwright.db").exists() || place.run(&["runs"]).ends(0).out.lines().count() <= 1);
}

#[test]
fn a_run_goes_on_with_its_own_model_only() {
    let scene = Scene::honest_after(Vec::new());
    scene.json(3, &["verify", crate::SENTENCE, "--policy", "model"]);
    scene.json(0, &["authorize", "last", "--actor", "ann"]);
    let mut command = scene.place.command(&["resume", "last"]);
    command.env("LOOPWRIGHT_MODEL_BASE_URL", "http://127.0.0.1:1/v1").env("LOOPWRIGHT_MODEL", "fake");
    Ran::of(command).ends(2).says("the run asks fake at ");
    scene.place.run(&["resume", "last"]).ends(2).says("there is no model \"fake\"");
    scene.json(0, &["resume", "last"]);
}

#[test]
fn a_pack_without_prompts_asks_no_model() {
    let scene = Scene::honest_after(Vec::new());
    let folder = scene.place.path("pack");
    let pack = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/bullet-hell");
    crate::support::copy_folder(&pack, &folder);
    let manifest = std::fs::read_to_string(folder.join("pack.toml")).unwrap();
    let without: Vec<_> = manifest.lines().filter(|line| !line.starts_with("prompts = ")).collect();
    std::fs::write(folder.join("pack.toml"), without.join("\n")).unwrap();
    let args = ["verify", "phase 3 faster", "--policy", "model", "--pack", "pack"];
    scene.run(&args).ends(2).says("this pack has no prompts");
    std::fs::write(folder.join("pack.toml"), &manifest).unwrap();
    let prompts = std::fs::read_to_string(folder.join("prompts.toml")).unwrap();
    std::fs::write(folder.join("prompts.toml"), prompts.replace("{{ baseline }}", "{{ basline }}")).unwrap();
    scene.run(&args).ends(2).says("prompts.toml: requirement_agent: the template `user` cannot be filled");
}
