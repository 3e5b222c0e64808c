//! Two runs side by side.

use serde_json::{Value, json};

use crate::support::{Place, text};

fn begin(place: &Place, code: i32, args: &[&str]) -> String {
    let document = place.json(code, &[&["verify", "--authorize", "qa", "--no-repair"], args].concat());
    text(&document["run_id"]).to_owned()
}

fn codes(comparison: &Value) -> Vec<&str> {
    comparison["notes"].as_array().unwrap().iter().map(|note| text(&note["code"])).collect()
}

#[test]
fn configs_checks_and_figures_stand_side_by_side() {
    let place = Place::new();
    let one = begin(&place, 0, &["--set", "phase_3.bullet_speed=4.4"]);
    let other = begin(
        &place,
        1,
        &[
            "--set",
            "phase_3.bullet_speed=4.4",
            "--set",
            "phase_2.bullets_per_wave=16",
            "--set",
            "phase_2.bidirectional=true",
        ],
    );
    let comparison = place.json(0, &["compare", &one, &other]);
    assert_eq!((comparison["comparable"].clone(), codes(&comparison)), (json!(true), Vec::new()));
    assert_eq!([&comparison["runs"][0]["run_id"], &comparison["runs"][1]["run_id"]], [&json!(one), &json!(other)]);
    let rows: Vec<_> = comparison["config_diff"].as_array().unwrap().iter().collect();
    let shown: Vec<_> =
        rows.iter().map(|row| (text(&row["path"]), &row["baseline"], &row["candidate"], &row["differs"])).collect();
    let expected = [
        ("phases[phase_2].pattern.bullets_per_wave", &json!([12, 12]), &json!([12, 16]), &json!(true)),
        ("phases[phase_2].pattern.bidirectional", &json!([false, false]), &json!([false, true]), &json!(true)),
        ("phases[phase_3].pattern.bullet_speed", &json!([4, 4]), &json!([4.4, 4.4]), &json!(false)),
    ];
    assert_eq!(shown, expected);
    let failed = |side: usize| {
        let checks = comparison["checks"].as_array().unwrap().iter();
        checks.filter(|check| check["sides"][side]["status"] == "failed").count()
    };
    assert!(failed(0) == 0 && failed(1) > 0);
    // What a comparison says of each run is what the run says of itself.
    for (side, run) in [&one, &other].into_iter().enumerate() {
        let document = place.json(0, &["show", run]);
        for check in comparison["checks"].as_array().unwrap() {
            let own = document["checks"].as_array().unwrap().iter().find(|own| own["id"] == check["id"]).unwrap();
            assert_eq!(
                (&check["sides"][side]["actual"], &check["sides"][side]["expected"]),
                (&own["actual"], &own["expected"])
            );
        }
        assert_eq!(comparison["runs"][side]["telemetry"], document["candidate"]["telemetry"]);
    }
    let figures = comparison["figures"].as_array().unwrap();
    let spawned = figures.iter().find(|row| row["path"] == "total_bullets_spawned").unwrap();
    assert_eq!(spawned["differs"], true);
    assert!(figures.iter().all(|row| row["path"] != "run_id" && row["path"] != "config_sha256"));

    let human = place.run(0, &["compare", &one, &other]).out;
    for words in ["≠ phase_2 bullets per wave", "= phase_3 bullet speed", "total_bullets_spawned", "B − A"] {
        assert!(human.replace(", ", " ").contains(words), "{words}\n{human}");
    }
    assert!(place.run(0, &["compare", &one, &other, "--lang", "zh"]).out.contains("不同的数据"));
}

#[test]
fn what_cannot_be_compared_is_said() {
    let place = Place::new();
    let setting = ["--set", "phase_3.bullet_speed=4.4"];
    let one = begin(&place, 0, &setting);
    let baseline = include_str!("../../../../packs/bullet-hell/baseline.json");
    place.write("base.json", baseline.replace("\"bullet_speed\": 3.6", "\"bullet_speed\": 3.5"));
    let cases: [(i32, &[&str], &[&str]); 4] = [
        (0, &["--seed", "7"], &["seed"]),
        (0, &["--baseline", "base.json"], &["baseline"]),
        (0, &["--seed", "7", "--baseline", "base.json"], &["seed", "baseline"]),
        (0, &["--max-runs", "2"], &[]),
    ];
    for (code, args, expected) in cases {
        let other = begin(&place, code, &[&setting, args].concat());
        let comparison = place.json(0, &["compare", &one, &other]);
        let incomparable: Vec<_> =
            comparison["notes"].as_array().unwrap().iter().filter(|note| note["incomparable"] == true).collect();
        let found: Vec<_> = incomparable.iter().map(|note| text(&note["code"])).collect();
        assert_eq!(found, expected, "{args:?}");
        assert_eq!(comparison["comparable"], expected.is_empty());
        let human = place.run(0, &["compare", &one, &other]).out;
        assert_eq!(human.contains("not comparable"), !expected.is_empty(), "{human}");
    }
    let waiting = place.json(3, &["verify", "--set", "phase_3.bullet_speed=4.4"]);
    let comparison = place.json(0, &["compare", &one, text(&waiting["run_id"])]);
    assert_eq!(codes(&comparison), ["not_judged", "same_candidate"]);
    assert_eq!(comparison["checks"][0]["sides"][1], Value::Null);
}

#[test]
fn two_runs_are_needed() {
    let place = Place::new();
    let run = begin(&place, 0, &["--set", "phase_3.bullet_speed=4.4"]);
    let cases: [(&[&str], &str); 3] = [
        (&[&run, "last"], "cannot be compared with itself"),
        (&[&run, "nobody"], "there is no run \"nobody\""),
        (&[&run], "<RUN>"),
    ];
    for (args, words) in cases {
        let ran = place.run(2, &[&["compare"], args].concat());
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}
