//! The commands about runs that exist: which statuses allow them, how a run is named, what they leave.

use serde_json::json;

use crate::support::{FAILING, Place, evidence, text};

const AUTHORIZE: [&str; 2] = ["--actor", "ann"];
const WORD: [&str; 4] = ["--actor", "ann", "--note", "because"];

/// How a run comes to a status, and what may be said to it there: authorize, resume, cancel, accept, revise, rollback.
struct Case {
    status: &'static str,
    begin: (i32, Vec<&'static str>),
    then: Vec<Vec<&'static str>>,
    legal: [Option<&'static str>; 6],
}

const COMMANDS: [(&str, Option<&str>); 6] = [
    ("authorize", None),
    ("resume", None),
    ("cancel", None),
    ("decide", Some("accept")),
    ("decide", Some("revise")),
    ("decide", Some("rollback")),
];

fn command<'a>(name: &'a str, run: &'a str, verb: Option<&'a str>) -> Vec<&'a str> {
    let mut args = vec![name, run];
    args.extend(verb);
    match name {
        "authorize" => args.extend(AUTHORIZE),
        "decide" => args.extend(WORD),
        _ => {}
    }
    args
}

fn cases() -> Vec<Case> {
    let (cancelled, revised, rolled) = (Some("cancelled"), Some("revision_requested"), Some("rolled_back"));
    let failing = |more: &[&'static str]| [&FAILING[..], &["--authorize", "qa"], more].concat();
    let ready = || vec!["phase 2 two-way", "--authorize", "qa"];
    let ended = |status, verb| Case {
        status,
        begin: (0, ready()),
        then: vec![vec!["decide", "last", verb, "--actor", "ann", "--note", "n"]],
        legal: [None; 6],
    };
    vec![
        Case {
            status: "awaiting_authorization",
            begin: (3, vec!["phase 2 two-way"]),
            then: vec![],
            legal: [Some("authorized"), Some("awaiting_authorization"), cancelled, None, None, None],
        },
        Case {
            status: "authorized",
            begin: (3, vec!["phase 2 two-way"]),
            then: vec![vec!["authorize", "last", "--actor", "ann"]],
            legal: [None, Some("evidence_ready"), cancelled, None, None, None],
        },
        Case {
            status: "evidence_ready",
            begin: (0, ready()),
            then: vec![],
            legal: [None, Some("evidence_ready"), cancelled, Some("accepted"), revised, rolled],
        },
        Case {
            status: "not_met",
            begin: (1, failing(&["--no-repair"])),
            then: vec![],
            legal: [None, Some("not_met"), cancelled, None, revised, rolled],
        },
        Case {
            status: "budget_exhausted",
            begin: (4, failing(&["--max-runs", "1"])),
            then: vec![],
            legal: [None, Some("budget_exhausted"), cancelled, None, revised, rolled],
        },
        Case {
            status: "needs_clarification",
            begin: (5, vec!["make it more exciting"]),
            then: vec![],
            legal: [None, Some("needs_clarification"), cancelled, None, revised, rolled],
        },
        Case {
            status: "blocked",
            begin: (5, vec!["phase 2 200 bullets a wave"]),
            then: vec![],
            legal: [None, Some("blocked"), cancelled, None, revised, rolled],
        },
        // A veto of the layers ends the run at once; nobody is asked.
        Case { status: "blocked", begin: (5, vec!["--set", "phase_2.layer_count=5"]), then: vec![], legal: [None; 6] },
        ended("accepted", "accept"),
        ended("revision_requested", "revise"),
        ended("rolled_back", "rollback"),
        Case {
            status: "cancelled",
            begin: (3, vec!["phase 2 two-way"]),
            then: vec![vec!["cancel", "last"]],
            legal: [None; 6],
        },
    ]
}

#[test]
fn every_status_allows_what_it_should_and_nothing_else() {
    for case in cases() {
        let place = Place::new();
        let run = place.begin(case.begin.0, &case.begin.1);
        for args in &case.then {
            place.run(args).ends(0);
        }
        assert_eq!(place.status(&run), case.status);
        // Illegal words first: they must leave the run, and its journal, exactly as they were.
        let facts = place.run(&["trace", &run]).ends(0).out;
        for ((name, verb), legal) in COMMANDS.into_iter().zip(case.legal) {
            if legal.is_none() {
                let refused = place.run(&command(name, &run, verb)).ends(2);
                assert!(refused.err.contains(case.status), "{name} {verb:?}: {}", refused.err);
                assert_eq!(place.run(&["trace", &run]).out, facts, "{name} {verb:?}");
            }
        }
        // Each legal word is said to a copy of the data directory, since most of them end the run.
        for ((name, verb), legal) in COMMANDS.into_iter().zip(case.legal) {
            let Some(after) = legal else { continue };
            let copy = Place::new();
            copy_folder(&place.data(), &copy.data());
            let ran = copy.run(&command(name, &run, verb));
            let code = if name == "resume" { case.begin.0 } else { 0 };
            let code = if case.status == "authorized" && name == "resume" { 0 } else { code };
            assert_eq!(ran.code, Some(code), "{name} {verb:?} in {}: {}{}", case.status, ran.out, ran.err);
            assert_eq!(copy.status(&run), after, "{name} {verb:?} in {}", case.status);
        }
    }
}

fn copy_folder(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_persons_words_are_kept_with_their_name() {
    let place = Place::new();
    let run = place.begin(3, &["phase 2 two-way"]);
    place.run(&["authorize", &run, "--actor", " ann ", "--note", "go"]).ends(0);
    let document = place.json(0, &["resume", &run]);
    let given = &document["authorization"];
    assert_eq!((&given["actor"], &given["note"]), (&json!("ann"), &json!("go")));
    assert_eq!((&given["scope"], &given["runs_granted"]), (&json!("candidate_json_only"), &json!(4)));
    let document = place.json(0, &["decide", &run, "accept", "--actor", "bob", "--note", "plays well"]);
    let taken = &document["decision"];
    assert_eq!(
        (&taken["decision"], &taken["actor"], &taken["note"]),
        (&json!("accept"), &json!("bob"), &json!("plays well"))
    );
    let manifest = evidence(&place.evidence(&run), "workflow_manifest.json");
    assert_eq!(manifest["status"], "accepted");
    assert_eq!(manifest["authorization"]["actor"], "ann");
    assert_eq!(manifest["decision"]["actor"], "bob");
    assert_eq!(manifest["baseline_overwritten"], false);
}

/// The evidence names who allowed and who decided; a blank is nobody.
#[test]
fn a_blank_name_is_refused() {
    let place = Place::new();
    place.run(&["verify", "phase 2 two-way", "--authorize", " "]).ends(2).says("a name is needed");
    assert!(!place.data().exists());
    let run = place.begin(3, &["phase 2 two-way"]);
    for blank in ["", "  ", "\u{3000}"] {
        place.run(&["authorize", &run, "--actor", blank]).ends(2).says("a name is needed");
        place.run(&["cancel", &run, "--actor", blank]).ends(2).says("a name is needed");
        place.run(&["decide", &run, "revise", "--actor", blank, "--note", "n"]).ends(2).says("a name is needed");
    }
    assert_eq!(place.status(&run), "awaiting_authorization");
}

#[test]
fn a_run_is_named_by_its_beginning_or_as_the_last() {
    let place = Place::new();
    let mut runs: Vec<String> = Vec::new();
    // Ids begin with one of 23 letters: among 24 runs two share a beginning.
    while !runs.iter().any(|run| runs.iter().any(|other| other != run && other[..1] == run[..1])) {
        runs.push(place.begin(5, &["make it more exciting"]));
    }
    let newest = runs.last().unwrap();
    assert_eq!(place.json(0, &["show", "last"])["run_id"], newest.as_str());
    let twins: Vec<_> = runs.iter().filter(|run| run[..1] == newest[..1]).collect();
    let refused = place.run(&["show", &newest[..1]]).ends(2).says("write more of the id");
    for twin in &twins {
        assert!(refused.err.contains(twin.as_str()), "{}", refused.err);
        assert_eq!(place.json(0, &["show", twin])["run_id"], twin.as_str());
        // Some beginning is enough; with seven of eight signs it is as good as certain.
        assert_eq!(place.json(0, &["show", &twin[..7]])["run_id"], twin.as_str());
    }
    for unknown in ["", "0", "LAST", "../x", "%", "zzzzzzzzzz"] {
        place.run(&["show", unknown]).ends(2).says("`loopwright runs` lists");
    }
}

#[test]
fn runs_lists_what_there_is_oldest_first() {
    let place = Place::new();
    let first = place.begin(3, &["phase 2 two-way"]);
    let second = place.begin(5, &["第二阶段每波 200 发"]);
    let third = place.begin(3, &["--set", "phase_3.bullet_speed=4.6"]);
    let document = place.json(0, &["runs"]);
    let lines: Vec<_> = document["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (text(&run["run_id"]), text(&run["status"]), text(&run["title"])))
        .collect();
    let expected = [
        (first.as_str(), "awaiting_authorization", "phase 2 two-way"),
        (second.as_str(), "blocked", "第二阶段每波 200 发"),
        (third.as_str(), "awaiting_authorization", "phase_3, bullet speed 4 -> 4.6"),
    ];
    assert_eq!(lines, expected);
    let human = place.run(&["runs"]).ends(0).out;
    let ids: Vec<_> = human.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(ids, [first, second, third]);
}

#[test]
fn trace_shows_every_fact() {
    let place = Place::new();
    let run = place.begin(0, &["phase 2 two-way", "--authorize", "qa"]);
    let document = place.json(0, &["trace", &run]);
    assert_eq!(document["run_id"], run.as_str());
    let events = document["events"].as_array().unwrap();
    let sequence: Vec<_> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(sequence, (1..=events.len() as u64).collect::<Vec<_>>());
    assert_eq!(events[0]["event"], "run_started");
    let human = place.run(&["trace", &run]).ends(0).out;
    assert_eq!(human.lines().count(), events.len());
    let manifest = evidence(&place.evidence(&run), "workflow_manifest.json");
    assert_eq!(manifest["timeline"], document["events"]);
}

#[test]
fn what_comes_next_can_be_typed() {
    let place = Place::new();
    let ran = place.run(&["verify", "phase 2 two-way", "--data-dir", "my data"]).ends(3);
    let next = ran.out.lines().find_map(|line| line.strip_prefix("next loopwright authorize ")).unwrap();
    assert!(next.contains("--data-dir 'my data' --actor NAME"), "{next}");
    let typed =
        format!("\"$0\" authorize {}", next.replace("NAME", "ann").replace("loopwright resume", "\"$0\" resume"));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &typed, crate::support::PROGRAM]).current_dir(place.path(""));
    let ran = crate::support::Ran::of(shell).ends(0);
    assert!(ran.out.contains("status evidence_ready"), "{}", ran.out);
}

#[test]
fn the_data_directory_may_come_from_the_environment() {
    let place = Place::new();
    let named = |args: &[&str]| {
        let mut command = place.command(args);
        command.env("LOOPWRIGHT_DATA_DIR", "elsewhere");
        crate::support::Ran::of(command)
    };
    named(&["verify", "phase 2 two-way"]).ends(3);
    assert!(place.path("elsewhere").exists() && !place.data().exists());
    named(&["show", "last"]).ends(0);
    place.run(&["show", "last", "--data-dir", "elsewhere"]).ends(0);
    named(&["show", "last", "--data-dir", "nowhere"]).ends(2);
}

#[test]
fn a_run_stays_with_its_pack() {
    let place = Place::new();
    let pack = place.path("pack");
    copy_folder(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/bullet-hell")), &pack);
    let run = place.begin(3, &["phase 2 two-way", "--pack", "pack"]);
    place.run(&["authorize", &run, "--actor", "ann"]).ends(0);
    let manifest = pack.join("pack.toml");
    let whole = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, format!("{whole}\n# changed\n")).unwrap();
    place.run(&["resume", &run]).ends(2).says("the pack has changed");
    std::fs::rename(&pack, place.path("moved")).unwrap();
    place.run(&["resume", &run]).ends(2).says("--pack");
    std::fs::write(place.path("moved").join("pack.toml"), whole).unwrap();
    place.run(&["resume", &run, "--pack", "moved"]).ends(0);
    assert_eq!(place.status(&run), "evidence_ready");
}

#[test]
fn engine_run_prints_one_telemetry() {
    let place = Place::new();
    place.write("baseline.json", crate::support::BASELINE);
    let ran = place.run(&["engine", "run", "baseline.json"]).ends(0);
    let telemetry: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let figures =
        ["total_bullets_spawned", "peak_alive_bullets", "player_hits"].map(|name| telemetry[name].as_u64().unwrap());
    assert_eq!(figures, [592, 66, 2]);
    assert_eq!(telemetry["fps_basis"], "modelled");
    assert_eq!(place.run(&["engine", "run", "baseline.json"]).out, ran.out, "the same input, the same output");
    place.run(&["engine", "run", "baseline.json", "--output", "telemetry.json"]).ends(0);
    assert_eq!(std::fs::read_to_string(place.path("telemetry.json")).unwrap(), ran.out);
    place.run(&["engine", "run", "baseline.json", "--output", "no/such/folder.json"]).ends(6);
    assert!(!place.data().exists(), "one run of one config keeps nothing");
}
