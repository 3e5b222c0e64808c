//! Configs that are no configs, or not the contract's.

use serde_json::{Value, json};

use crate::support::{BASELINE, Place, Ran, text};

/// The baseline with something changed.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut config: Value = serde_json::from_str(BASELINE).unwrap();
    change(&mut config);
    config.to_string().into_bytes()
}

/// The baseline's text with something replaced.
fn replaced(from: &str, to: &str) -> Vec<u8> {
    let compact = serde_json::from_str::<Value>(BASELINE).unwrap().to_string();
    assert!(compact.contains(from), "{from}");
    compact.replacen(from, to, 1).into_bytes()
}

#[test]
fn what_is_no_json_cannot_be_read() {
    let mark = [b"\xef\xbb\xbf", BASELINE.as_bytes()].concat();
    let speed = "\"bullet_speed\":3.6";
    let cases: [(&str, Vec<u8>, &str); 14] = [
        ("empty", Vec::new(), "empty"),
        ("blank", b" \n".to_vec(), "empty"),
        ("text", b"phase 2 faster".to_vec(), "line 1"),
        ("half", BASELINE.as_bytes()[..200].to_vec(), "line"),
        ("two", b"{} {}".to_vec(), "line 1"),
        ("nan", replaced(speed, "\"bullet_speed\":NaN"), "line 1"),
        ("infinite", replaced(speed, "\"bullet_speed\":1e999"), "out of range"),
        ("not_utf8", b"{\"source\":\"\xff\xfe\"}".to_vec(), "not UTF-8"),
        ("utf16", BASELINE.encode_utf16().flat_map(u16::to_le_bytes).collect(), "bad.json"),
        ("mark", mark, "byte order mark"),
        ("twice", replaced(speed, "\"bullet_speed\":3.6,\"bullet_speed\":2.6"), "\"bullet_speed\" stands twice"),
        ("arrays", vec![b'['; 200_000], "nested too deeply"),
        ("objects", b"{\"a\":".repeat(200_000), "nested too deeply"),
        ("huge", [b"{\"a\":\"", vec![b'x'; 50_000_000].as_slice(), b"\"}"].concat(), "at most 4194304"),
    ];
    let place = Place::new();
    for (name, bytes, words) in cases {
        place.write("bad.json", bytes);
        let commands: [&[&str]; 3] = [
            &["verify", "--candidate", "bad.json", "--authorize", "qa"],
            &["verify", "phase 2 two-way", "--baseline", "bad.json"],
            &["engine", "run", "bad.json"],
        ];
        for args in commands {
            let ran = place.run(args).ends(2);
            assert!(ran.err.contains(words) && ran.err.contains("bad.json"), "{name}: {}", ran.err);
            assert_eq!(ran.out, "", "{name}");
        }
    }
    assert!(!place.data().exists(), "nothing that cannot be read becomes a run");
}

#[test]
fn what_is_not_the_contracts_is_blocked_with_its_place() {
    let pattern = |config: &mut Value| config["phases"][1]["pattern"].take();
    let cases: [(&str, Vec<u8>, &str, &str); 15] = [
        ("null", b"null".to_vec(), "schema", "$"),
        ("array", b"[]".to_vec(), "schema", "$"),
        ("number", b"17".to_vec(), "schema", "$"),
        ("nothing", b"{}".to_vec(), "schema", ""),
        ("unknown", changed(|it| it["player"]["lives"] = json!(3)), "schema", "player.lives"),
        (
            "missing",
            changed(|it| drop(it["boss"].as_object_mut().unwrap().remove("max_health"))),
            "schema",
            "boss.max_health",
        ),
        ("no_pattern", changed(|it| drop(pattern(it))), "schema", "phases[phase_2].pattern"),
        (
            "text",
            changed(|it| it["phases"][1]["pattern"]["bullets_per_wave"] = json!("12")),
            "schema",
            "phases[phase_2].pattern.bullets_per_wave",
        ),
        (
            "fraction",
            changed(|it| it["phases"][1]["pattern"]["bullets_per_wave"] = json!(12.5)),
            "schema",
            "phases[phase_2].pattern.bullets_per_wave",
        ),
        (
            "too_many",
            changed(|it| it["phases"][1]["pattern"]["bullets_per_wave"] = json!(65)),
            "schema",
            "phases[phase_2].pattern.bullets_per_wave",
        ),
        (
            "peak",
            changed(|it| it["phases"][1]["pattern"]["bullets_per_wave"] = json!(64)),
            "rule_engine",
            "phases[phase_2]",
        ),
        ("renamed", changed(|it| it["phases"][1]["phase_id"] = json!("phase_two")), "", ""),
        ("removed", changed(|it| drop(it["phases"].as_array_mut().unwrap().pop())), "safety_gate", "phases[phase_3]"),
        (
            "added",
            changed(|it| {
                let mut phase = it["phases"][2].clone();
                phase["phase_id"] = json!("phase_4");
                phase["trigger"]["value"] = json!(0.1);
                it["phases"].as_array_mut().unwrap().push(phase);
            }),
            "schema",
            "phases",
        ),
        (
            "ids_swapped",
            changed(|it| {
                it["phases"][1]["phase_id"] = json!("phase_3");
                it["phases"][2]["phase_id"] = json!("phase_2");
            }),
            "safety_gate",
            "phases",
        ),
    ];
    let place = Place::new();
    for (name, bytes, layer, field) in cases {
        place.write("candidate.json", bytes);
        let document = place.json(5, &["verify", "--candidate", "candidate.json", "--authorize", "qa"]);
        let blocked = &document["blocked"];
        assert_eq!((text(&document["status"]), text(&blocked["code"])), ("blocked", "validation"), "{name}");
        assert!(layer.is_empty() || blocked["layer"] == layer, "{name}: {blocked}");
        assert!(text(&blocked["field"]).starts_with(field), "{name}: {blocked}");
        assert_eq!(document["budget"]["engine_runs"]["used"], 0, "{name}");
    }
}

#[test]
fn reordered_phases_are_no_baseline() {
    let place = Place::new();
    place.write("reordered.json", changed(|it| it["phases"].as_array_mut().unwrap().reverse()));
    let document = place.json(5, &["verify", "--candidate", "reordered.json", "--authorize", "qa"]);
    assert_eq!(document["status"], "blocked");
    let shown = place.run(&["show", "last"]).ends(0).out;
    assert!(shown.contains("none but the order of its parts"), "{shown}");
    assert!(!shown.contains("the candidate is the baseline"), "{shown}");
}

#[test]
fn a_baseline_has_to_follow_the_contract() {
    let place = Place::new();
    place.write("bad.json", changed(|it| it["player"]["lives"] = json!(3)));
    let commands: [&[&str]; 2] =
        [&["verify", "phase 2 two-way", "--baseline", "bad.json"], &["engine", "run", "bad.json"]];
    for args in commands {
        let ran = place.run(args).ends(2).says("bad.json does not follow the contract");
        assert_eq!(ran.err.matches("player.lives").count(), 1, "the place stands there once: {}", ran.err);
    }
    assert!(!place.data().exists());
}

/// Whole numbers may be written as `36.0`; the config, and so its hash, is the same.
#[test]
fn whole_numbers_may_have_a_point() {
    let place = Place::new();
    place.write("dotted.json", replaced("\"duration_seconds\":36", "\"duration_seconds\":36.0"));
    place.write("plain.json", BASELINE);
    let hash = |name: &str| {
        let ran = place.run(&["engine", "run", name]).ends(0);
        serde_json::from_str::<Value>(&ran.out).unwrap()["config_sha256"].clone()
    };
    assert_eq!(hash("dotted.json"), hash("plain.json"));
    let document = place.json(3, &["verify", "--candidate", "dotted.json"]);
    assert_eq!(document["diff"], json!([]));
}

/// Nothing in a config can steer the terminal, whatever command shows it.
#[test]
fn escapes_in_a_config_stay_in_it() {
    let place = Place::new();
    place.write(
        "escapes.json",
        changed(|it| {
            it["phases"][0]["pattern"]["type"] = json!("\u{1b}[31mred\u{9b}0m\u{7}");
            it["pl\u{1b}[2Jayer"] = json!("\u{1b}]0;title\u{7}");
        }),
    );
    place.write("twice.json", "{\"\\u001b[2J\":1,\"\\u001b[2J\":2}");
    let ran = [
        place.run(&["verify", "--candidate", "escapes.json"]).ends(5),
        place.run(&["show", "last"]).ends(0),
        place.run(&["trace", "last"]).ends(0),
        place.run(&["engine", "run", "escapes.json"]).ends(2),
        place.run(&["engine", "run", "twice.json"]).ends(2),
        place.run(&["engine", "run", "no\u{1b}[31m.json"]).ends(2),
        place.run(&["verify", "--set", "a\u{1b}[31mb=3"]).ends(2),
        place.run(&["show", "\u{1b}[31m"]).ends(2),
    ];
    for Ran { out, err, .. } in ran {
        let steers = |letter: char| letter.is_control() && letter != '\n';
        assert!(!out.contains(steers) && !err.contains(steers), "{out:?}\n{err:?}");
    }
}
