//! The evidence that is looked at: pictures, the report in all its forms, and the trials beside the fixed path.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use loopwright_core::json::Digest;
use serde_json::{Value, json};

use crate::support::{HEADLINE_EN, HEADLINE_ZH, Place, copy_folder, files_of, text};

/// The headline's run with a small study, and its document.
fn headline(place: &Place, more: &[&str]) -> Value {
    place.json(0, &[&["verify", HEADLINE_EN, "--authorize", "designer"], more].concat())
}

/// Width and height of a PNG, from its header.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn every_run_has_its_captures_with_a_manifest() {
    let place = Place::new();
    let document = headline(&place, &["--profiles", "4"]);
    let folder = place.evidence(text(&document["run_id"])).join("pictures");
    let manifest: Vec<Value> =
        serde_json::from_slice(&fs::read(folder.join("capture_manifest.json")).unwrap()).unwrap();
    for entry in &manifest {
        let bytes = fs::read(folder.join(text(&entry["file"]))).unwrap();
        assert_eq!(text(&entry["sha256"]), Digest::of(&bytes).to_string());
    }
    let captures = |beginning: &str| -> Vec<&Value> {
        let of = |entry: &&Value| entry["kind"] == "capture" && text(&entry["file"]).starts_with(beginning);
        manifest.iter().filter(of).collect()
    };
    for (side, config) in [("baseline", &document["baseline"]), ("candidate-3", &document["candidate"])] {
        let taken = captures(side);
        assert_eq!(taken.iter().map(|entry| &entry["shows"]["asked_seconds"]).collect::<Vec<_>>(), [10.0, 20.0, 30.0]);
        for entry in taken {
            assert_eq!(size(&fs::read(folder.join(text(&entry["file"]))).unwrap()), (960, 540));
            assert_eq!(entry["config_sha256"], config["config_sha256"]);
        }
    }
    let at_20 = &captures("candidate-3")[1]["shows"];
    assert_eq!((&at_20["phase_id"], &at_20["pattern_type"]), (&json!("phase_2"), &json!("spiral")));
    // The first candidate's player was dead before the last moment came.
    assert_eq!(captures("candidate-1").len(), 2);
    let kinds = |kind: &str| manifest.iter().filter(|entry| entry["kind"] == kind).count();
    assert_eq!((kinds("filmstrip"), kinds("map")), (4, 4 + 2), "a heat map each, and a fairness map of both sides");
}

#[test]
fn other_moments_can_be_asked_for() {
    let place = Place::new();
    let run = ["verify", "phase 1 faster", "--authorize", "qa", "--profiles", "0"];
    let document = place.json(0, &[&run[..], &["--capture-at", "1.5", "--capture-at", "99"]].concat());
    let names: Vec<_> = files_of(&place.evidence(text(&document["run_id"])).join("pictures"))
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.contains("capture-"))
        .collect();
    assert_eq!(names, ["baseline-capture-1.5s.png", "candidate-1-capture-1.5s.png"]);
    place.run(&["verify", "phase 1 faster", "--capture-at", "-1"]).ends(2);
    place.run(&["verify", "phase 1 faster", "--capture-at", "NaN"]).ends(2);
}

#[test]
fn the_same_change_shows_the_same_pictures() {
    let pictures = || {
        let place = Place::new();
        let document = headline(&place, &["--profiles", "8"]);
        let folder = place.evidence(text(&document["run_id"])).join("pictures");
        let study = fs::read(place.evidence(text(&document["run_id"])).join("comparison_report.json")).unwrap();
        (files_of(&folder), study)
    };
    assert_eq!(pictures(), pictures());
}

#[test]
fn trials_stand_beside_the_verdict() {
    let place = Place::new();
    let document = headline(&place, &["--profiles", "12"]);
    assert_eq!(document["budget"]["studies"], json!({"limit": 1, "used": 1, "trials": 12}));
    let study = &document["study"];
    assert_eq!(study["trials"], 12);
    let ids: Vec<_> = study["distributions"].as_array().unwrap().iter().map(|figures| text(&figures["id"])).collect();
    assert_eq!(ids, ["hits", "survival_seconds", "nearest_miss"]);
    for figures in study["distributions"].as_array().unwrap() {
        let side = |side: &str| figures[side].as_array().unwrap().len();
        assert!(side("baseline") == side("candidate") && side("baseline") <= 12);
    }
    assert_eq!(study["findings"].as_array().unwrap().len(), 3);
    let human = place.run(&["show", "last", "--lang", "en"]).ends(0).out;
    assert!(human.contains("Beyond the fixed path, trials: 12"), "{human}");

    let none = place.json(0, &["verify", HEADLINE_ZH, "--authorize", "designer", "--profiles", "0"]);
    assert_eq!(none["study"], Value::Null);
    let page = fs::read_to_string(place.evidence(text(&none["run_id"])).join("report.html")).unwrap();
    assert!(page.contains("on the fixed path only") && page.contains("仅固定轨迹"));
}

#[test]
fn a_pack_may_let_the_trials_decide() {
    let place = Place::new();
    let pack = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packs/bullet-hell");
    copy_folder(&pack, &place.path("strict"));
    let checks = fs::read_to_string(pack.join("checks.toml")).unwrap();
    let strict = r#"
[[trial_check]]
id = "hits_of_most"
title = { en = "hits of nine players in ten", zh = "九成玩家的中弹次数" }
figure = "hits.candidate.p90"
limit = "config.runtime_targets.max_player_hits"
expected = "<= {limit}"
passed = "actual <= limit"
violation = "actual - limit"
"#;
    place.write("strict/checks.toml", format!("{checks}{strict}"));
    let args = ["verify", HEADLINE_EN, "--authorize", "designer", "--pack", "strict"];
    let document = place.json(5, &args);
    assert_eq!((&document["status"], &document["blocked"]["code"]), (&json!("blocked"), &json!("trial_check")));
    let last = document["checks"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["id"], &last["expected"], &last["passed"]),
        (&json!("hits_of_most"), &json!("<= 3"), &json!(false))
    );
    let run = text(&document["run_id"]);
    place.run(&["decide", run, "accept", "--actor", "a", "--note", "n"]).ends(2);
    place.run(&["decide", run, "rollback", "--actor", "a", "--note", "n"]).ends(0);
    place.run(&[&args[..], &["--profiles", "0"]].concat()).ends(2).says("--profiles cannot be 0");
}

#[test]
fn a_report_is_written_again_in_every_form() {
    let place = Place::new();
    let document = headline(&place, &["--profiles", "4"]);
    let run = text(&document["run_id"]);
    let page = place.evidence(run).join("report.html");
    let written = fs::read(&page).unwrap();
    fs::remove_file(&page).unwrap();
    let told = place.run(&["report", run]).ends(0).out;
    assert_eq!(place.path(told.trim()), page);
    assert_eq!(fs::read(&page).unwrap(), written, "the journal and the artifacts are enough, byte for byte");

    let html = place.run(&["report", run, "--format", "html"]).ends(0).out;
    assert_eq!(html.as_bytes(), written);
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"), "the page needs nothing but itself");
    for word in ["Every check passed", "make phase 2 a two-way spiral", "第 3 次候选运行通过了全部检查"] {
        assert!(html.contains(word), "{word}");
    }
    let junit = place.run(&["report", run, "--format", "junit"]).ends(0).out;
    assert!(junit.starts_with("<?xml") && junit.contains("name=\"player_hits\"") && !junit.contains("<failure"));
    let markdown = place.run(&["report", run, "--format", "markdown", "--output", "comment.md"]).ends(0);
    assert_eq!(markdown.out, "");
    let markdown = fs::read_to_string(place.path("comment.md")).unwrap();
    assert!(markdown.contains("| player hits | ≤ 3 | 2 hits | 0 hits |"), "{markdown}");
    let picture = markdown.split("](").nth(1).and_then(|rest| rest.split_once(')')).unwrap().0;
    assert!(place.evidence(run).join(picture).is_file(), "{picture} lies in the evidence folder");
    let github = place.run(&["report", run, "--format", "github"]).ends(0).out;
    assert!(github.starts_with("::notice "), "{github}");
}

#[test]
fn two_runs_are_compared_with_their_curves() {
    let place = Place::new();
    let one = place.begin(0, &["phase 1 faster", "--authorize", "qa", "--profiles", "0"]);
    let other = place.begin(0, &["phase 1 slower", "--authorize", "qa", "--profiles", "0"]);
    let told = place.run(&["compare", &one, &other]).ends(0).out;
    let page = told.lines().last().unwrap().split_once(' ').unwrap().1;
    let page = fs::read_to_string(place.path(page)).unwrap();
    // Two lines in each of the two charts, one for each run.
    assert_eq!(page.matches("<svg").count(), 2);
    for run in [&one, &other] {
        assert!(page.matches(run.as_str()).count() > 4, "{run} stands in the tables and in both legends");
    }
    let html = place.run(&["compare", &one, &other, "--format", "html"]).ends(0).out;
    assert_eq!(html, page);
}

#[test]
fn failing_checks_fail_the_test_report_and_are_annotated() {
    let place = Place::new();
    let args = ["verify", "phase 3 two-way, faster", "--no-repair", "--authorize", "qa", "--profiles", "0"];
    let ran = place.run(&[&args[..], &["--format", "junit"]].concat()).ends(1);
    assert!(ran.out.contains("<failure") && ran.out.contains("player_hits"), "{}", ran.out);
    let ran = place.run(&[&args[..], &["--format", "markdown"]].concat()).ends(1);
    assert!(ran.out.starts_with("## ❌"), "{}", ran.out);
    let mut command = place.command(&args);
    let printed = command.env("GITHUB_ACTIONS", "true").output().unwrap();
    assert!(String::from_utf8(printed.stdout).unwrap().contains("::error "), "a workflow shows it beside the change");
    place.run(&["runs", "--format", "junit"]).ends(2).says("no report");
}

#[test]
fn an_artifact_that_is_gone_is_named_and_nothing_is_invented() {
    let place = Place::new();
    let document = headline(&place, &["--profiles", "0"]);
    let run = text(&document["run_id"]);
    fs::remove_dir_all(place.data().join("artifacts")).unwrap();
    for args in [&["export", run][..], &["report", run], &["report", run, "--format", "junit"]] {
        place.run(args).ends(6).says("there is no artifact").says("artifacts");
    }
    // What needs no picture is answered all the same.
    assert_eq!(place.json(0, &["show", run])["status"], "evidence_ready");
    // What nobody can look at is not accepted; a rollback is recorded, and says what it could not write.
    place.run(&["decide", run, "accept", "--actor", "a", "--note", "n"]).ends(6);
    assert_eq!(place.json(0, &["show", run])["status"], "evidence_ready");
    place.run(&["decide", run, "rollback", "--actor", "a", "--note", "n"]).ends(6).says("the word is recorded");
    assert_eq!(place.json(0, &["show", run])["status"], "rolled_back");
}

#[test]
fn forms_that_say_nothing_are_refused() {
    let place = Place::new();
    let run = place.begin(3, &["phase 1 faster"]);
    place.run(&["report", &run, "--format", "json"]).ends(2).says("--format json");
    place.write("baseline.json", crate::support::BASELINE);
    place.run(&["engine", "run", "baseline.json", "--format", "junit"]).ends(2).says("no report");
}

#[test]
fn modelled_figures_say_so_beside_their_check() {
    let place = Place::new();
    let document = headline(&place, &["--profiles", "0"]);
    let checks = document["checks"].as_array().unwrap();
    let fps = checks.iter().find(|check| check["id"] == "low_percentile_fps").unwrap();
    assert_eq!(fps["basis"], "modelled");
    let markdown = place.run(&["report", "last", "--format", "markdown"]).ends(0).out;
    let row = markdown.lines().find(|line| line.contains("low-percentile FPS")).unwrap();
    assert!(row.contains("modelled"), "{row}");
}

#[test]
fn a_pack_keeps_working_with_another_baseline() {
    let place = Place::new();
    let document = headline(&place, &["--profiles", "0"]);
    let pack = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packs/bullet-hell");
    copy_folder(&pack, &place.path("next"));
    place.write("next/baseline.json", document["candidate"]["config"].to_string());
    let next = place.json(0, &["verify", "phase 1 slower", "--pack", "next", "--profiles", "0", "--authorize", "qa"]);
    assert_eq!(next["baseline"]["config_sha256"], document["candidate"]["config_sha256"]);
}

/// A browser on the path; where one is required its absence is a failure.
fn browser() -> Option<PathBuf> {
    const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
    let path = env::var_os("PATH").unwrap_or_default();
    let found =
        env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|file| file.is_file());
    let required = env::var_os("LOOPWRIGHT_REQUIRE_BROWSER").is_some_and(|value| value == "1");
    assert!(found.is_some() || !required, "LOOPWRIGHT_REQUIRE_BROWSER=1, but none of {NAMES:?} is on the PATH");
    if found.is_none() {
        eprintln!("SKIPPED: none of {NAMES:?} is on the PATH; the report was not opened in a browser");
    }
    found
}

/// The values of an attribute in a document, in order.
fn values(dom: &str, attribute: &str) -> Vec<String> {
    let start = format!(" {attribute}=\"");
    dom.split(&start).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

#[test]
fn a_real_report_opens_in_a_browser_and_its_replay_ends_as_the_telemetry_does() {
    let Some(browser) = browser() else { return };
    let place = Place::new();
    let document = headline(&place, &["--profiles", "4"]);
    let folder = place.evidence(text(&document["run_id"]));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--window-size=390,2000", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", place.path("profile").display()))
        .arg(format!("file://{}#test", folder.join("report.html").display()))
        .output()
        .unwrap();
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let console: Vec<_> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(console, [""; 0], "no error on the console");
    assert_eq!(values(&dom, "data-requests"), [""], "no request leaves the file");
    assert_eq!(values(&dom, "data-tested"), ["1"]);
    // Both fights are stepped anew, so the replay is held against the simulator and not against itself.
    let alive = |side: &str| {
        let config = danmaku::FightConfig::from_json(&document[side]["config"]).unwrap();
        let mut trace = danmaku::Trace::default();
        let telemetry = danmaku::run_observed(&config, &danmaku::RunOptions::default(), &mut trace);
        assert_eq!(document[side]["telemetry"]["peak_alive_bullets"], telemetry.peak_alive_bullets);
        trace.alive_per_step.last().unwrap().to_string()
    };
    assert_eq!(values(&dom, "data-alive"), [alive("baseline"), alive("candidate")]);
}
