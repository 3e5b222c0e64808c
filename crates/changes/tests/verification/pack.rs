//! The pack loads from the program and from a folder; what is wrong with one is told by its file.

use loopwright_changes::{Pack, PackFiles, Proposer};
use loopwright_configs::Lang;
use serde_json::json;

use crate::fixtures::{pack, path};

/// The embedded pack with one text replaced in one file.
fn altered(file: &str, old: &str, new: &str) -> String {
    let files = PackFiles::embedded();
    let texts = files.names().map(|name| {
        let text = files.text(name).unwrap();
        assert!(name != file || text.contains(old), "{file} does not hold {old}");
        (name.to_owned(), if name == file { text.replacen(old, new, 1) } else { text.to_owned() })
    });
    Pack::load(PackFiles::from_texts("altered", texts)).unwrap_err().to_string()
}

#[test]
fn the_embedded_pack_says_what_is_documented() {
    let pack = pack();
    let manifest = pack.manifest();
    assert_eq!((manifest.name.as_str(), manifest.contract.as_str(), manifest.seed), ("bullet-hell", "1.0", 20_260_727));
    let budget = manifest.budget;
    assert_eq!(
        (budget.candidate_runs, budget.model_calls, budget.kept_for_reviews, budget.stagnant_rounds),
        (3, 4, 3, 2)
    );
    let ids: Vec<&str> = pack.checks().iter().map(|check| check.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "normal_completion",
            "peak_alive_bullets",
            "player_hits",
            "survival_time",
            "low_percentile_fps",
            "phase_coverage",
            "exception_logs"
        ]
    );
    let intents: Vec<&str> = pack.repairs().repairs.iter().map(|repair| repair.intent.as_str()).collect();
    assert_eq!(
        intents,
        [
            "REDUCE_BULLETS_PER_WAVE",
            "INCREASE_WAVE_INTERVAL",
            "REDUCE_BULLET_SPEED",
            "REDUCE_BULLET_LIFETIME",
            "REDUCE_PATTERN_LAYERS",
            "PRESERVE_VISUAL_STYLE",
            "REQUEST_HUMAN",
            "STOP"
        ]
    );
    assert_eq!(pack.manifest().scopes.of(Proposer::Model), pack.manifest().scopes.of(Proposer::Intake));
    let speed = path("phases[phase_2].pattern.bullet_speed");
    assert_eq!((pack.label(&speed).get(Lang::En), pack.label(&speed).get(Lang::Zh)), ("bullet speed", "弹速"));
    assert_eq!(pack.item_name(&speed).unwrap().get(Lang::Zh), "阶段 phase_2");
    assert_eq!(pack.label(&path("player.start_x")).en, "start_x");
}

#[test]
fn a_folder_holds_the_same_pack_and_may_hold_more() {
    let folder = tempfile::tempdir().unwrap();
    let files = PackFiles::embedded();
    for name in files.names() {
        std::fs::write(folder.path().join(name), files.text(name).unwrap()).unwrap();
    }
    let copy = PackFiles::directory(folder.path()).unwrap();
    assert_eq!(copy.digest(), files.digest());
    std::fs::write(folder.path().join("notes.toml"), "more = true").unwrap();
    std::fs::create_dir(folder.path().join("pictures")).unwrap();
    let more = PackFiles::directory(folder.path()).unwrap();
    assert_ne!(more.digest(), files.digest());
    let pack = Pack::open(folder.path()).unwrap();
    assert_eq!(pack.files().text("notes.toml"), Some("more = true"));
    assert_eq!(pack.files().origin(), folder.path().display().to_string());

    std::fs::write(folder.path().join("odd.toml"), b"\xff").unwrap();
    assert!(PackFiles::directory(folder.path()).unwrap_err().to_string().contains("odd.toml is not UTF-8"));
    let missing = PackFiles::directory(&folder.path().join("nowhere")).unwrap_err().to_string();
    assert!(missing.contains("nowhere cannot be read") && missing.contains("pack.toml"), "{missing}");
}

#[test]
fn places_may_be_written_short() {
    let pack = pack();
    for (text, full) in [
        ("phase_3.bullet_speed", "phases[phase_3].pattern.bullet_speed"),
        ("phase_3.pattern.bullet_speed", "phases[phase_3].pattern.bullet_speed"),
        ("phase_1.value", "phases[phase_1].trigger.value"),
        ("phases[phase_2].pattern.type", "phases[phase_2].pattern.type"),
        ("arena_width", "scenario.arena_width"),
        ("boss.max_health", "boss.max_health"),
        ("constraints.min_fps", "constraints.min_fps"),
    ] {
        assert_eq!(pack.place(text).unwrap().to_string(), full);
    }
    for (text, expected) in [
        ("phase_9.bullet_speed", "`phase_9.bullet_speed` is no field; write it like"),
        ("phase_3.colour", "`phase_3.colour` is no field"),
        ("min_fps", "`min_fps` may be constraints.min_fps or runtime_targets.min_fps"),
        ("phase_1.type", "`phase_1.type` may be phases[phase_1].trigger.type or phases[phase_1].pattern.type"),
        ("phases[*].pattern.type", "is no field"),
        ("phases", "is no field"),
        ("a..b", "cannot be read"),
    ] {
        let error = pack.place(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn faults_name_their_file() {
    let cases = [
        ("pack.toml", "seed = 20260727", "sead = 20260727", "pack.toml: TOML parse error"),
        ("pack.toml", "seed = 20260727", "seed = 20260727\ncolour = 1", "unknown field `colour`"),
        ("pack.toml", "fields.toml", "labels.toml", "labels.toml: the file is missing"),
        (
            "pack.toml",
            "collection = \"phases\"",
            "collection = \"acts\"",
            "pack.toml: target.collection: `acts` is none",
        ),
        ("pack.toml", "profile = \"reference-desktop\"", "profile = \"other\"", "profiles.toml has no profile `other`"),
        ("pack.toml", "kept_for_reviews = 3", "kept_for_reviews = 9", "more calls are kept than there are"),
        (
            "pack.toml",
            "path = \"constraints.min_fps\"",
            "path = \"constraints.fps\"",
            "the baseline has no `constraints.fps`",
        ),
        ("schema.json", "\"enum\"", "\"enum\": 3, \"enum\"", "schema.json: line"),
        ("schema.json", "\"type\": \"object\"", "\"type\": \"thing\"", "schema.json: the schema cannot be used"),
        (
            "baseline.json",
            "\"min_fps\": 55",
            "\"min_fps\": 0",
            "baseline.json: constraints.min_fps: 0 is outside 1..=240",
        ),
        ("baseline.json", "\"value\": 0.67", "\"value\": 0.2", "(rule `triggers_descend`)"),
        (
            "baseline.json",
            "\"max_alive_bullets\": 350",
            "\"max_alive_bullets\": 90",
            "baseline.json: the target allows",
        ),
        ("rules.toml", "holds = \"index", "holds = \"(index", "rules.toml: TOML parse error"),
        ("rules.toml", "config.runtime_targets.max_alive_bullets <=", "config.targets <=", "cannot be computed"),
        ("estimates.toml", "value = 96 }", "value = 97 }", "example 2 of `peak_alive_bullets`: it gives 96, not 97"),
        (
            "checks.toml",
            "passed = \"actual <= limit\"",
            "passed = \"actual < limit\"",
            "example 1 of `peak_alive_bullets` is failed, not passed",
        ),
        (
            "checks.toml",
            "id = \"player_hits\"",
            "id = \"peak_alive_bullets\"",
            "the check `peak_alive_bullets` stands twice",
        ),
        ("repairs.toml", "current * 0.85, 2", "current * 0.8, 2", "example 1 of `REDUCE_BULLET_SPEED`: it gives"),
        ("repairs.toml", "check = \"player_hits\"", "check = \"hits\"", "there is no check `hits`"),
        ("repairs.toml", "otherwise = \"REQUEST_HUMAN\"", "otherwise = \"REDUCE_BULLET_SPEED\"", "changes numbers"),
        (
            "repairs.toml",
            "path = \"pattern.bullet_speed\"",
            "path = \"pattern.type\"",
            "the kind of an item never changes",
        ),
        ("profiles.toml", "[[profile]]", "[[device]]", "profiles.toml: TOML parse error"),
    ];
    for (file, old, new, expected) in cases {
        let error = altered(file, old, new);
        assert!(
            error.contains(expected) && error.starts_with("the pack altered cannot be used:"),
            "{file}, {new}: {error}"
        );
    }
}

#[test]
fn a_config_is_normalised_once() {
    let pack = pack();
    let mut short = pack.baseline().value().clone();
    short["boss"]["max_health"] = json!(3600.0);
    short["phases"][0]["pattern"].as_object_mut().unwrap().shift_remove("bidirectional");
    let normal = pack.normalised(&short);
    assert_eq!(normal["boss"]["max_health"].to_string(), "3600");
    assert_eq!(normal["phases"][0]["pattern"]["bidirectional"], json!(false));
    assert_eq!(pack.normalised(&normal), normal);
}
