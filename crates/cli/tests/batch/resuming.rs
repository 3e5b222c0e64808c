//! A batch that goes on: what rests is left alone, everything else is not.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Place, failing, fine, of_items, set, text};

/// Where the journals of all items end.
fn heads(place: &Place, document: &Value) -> Vec<Value> {
    let runs = of_items(document, "run_id");
    runs.iter().map(|run| place.json(0, &["trace", text(run)])["events"].clone()).collect()
}

#[test]
fn what_has_come_to_rest_is_not_run_again() {
    let place = Place::new();
    place.items("night.jsonl", &[fine("fine"), failing("not met"), json!({"name": "vague", "text": "make it nicer"})]);
    let args = ["--no-repair", "--name", "night"];
    let first = place.batch(5, "night.jsonl", &args);
    let before = heads(&place, &first);
    assert_eq!(place.batch(5, "night.jsonl", &args), first);
    assert_eq!(heads(&place, &first), before);
    // Another name, other terms and other content are other runs.
    place.batch(5, "night.jsonl", &["--no-repair", "--name", "again"]);
    assert_eq!(place.runs().len(), 6);
    place.batch(5, "night.jsonl", &["--no-repair", "--name", "night", "--seed", "7"]);
    assert_eq!(place.runs().len(), 9);
    place.items("night.jsonl", &[fine("fine"), set("more", &["phase_3.bullet_speed=4.4"])]);
    place.batch(0, "night.jsonl", &args);
    assert_eq!(place.runs().len(), 10);
}

#[test]
fn a_batch_nobody_authorised_waits_and_goes_on() {
    let place = Place::new();
    place.items("night.jsonl", &[fine("one"), set("two", &["phase_3.bullet_speed=4.4"])]);
    let waiting = place.json(3, &["verify-all", "night.jsonl", "--name", "night"]);
    assert_eq!(of_items(&waiting, "status"), ["awaiting_authorization"; 2]);
    assert_eq!(waiting["counts"]["waiting"], 2);
    let done = place.batch(0, "night.jsonl", &["--name", "night"]);
    assert_eq!(of_items(&done, "run_id"), of_items(&waiting, "run_id"));
    let shown = place.json(0, &["show", text(&done["items"][0]["run_id"])]);
    assert_eq!(shown["authorization"]["actor"], "qa");
}

#[test]
fn a_failure_of_the_world_is_no_verdict_and_is_tried_again() {
    let place = Place::new();
    place.items("night.jsonl", &[fine("one"), json!({"name": "vague", "text": "make it nicer"})]);
    // A file stands where the folder of the evidence belongs.
    place.write(".loopwright/evidence", "");
    let args = ["--name", "night"];
    let document = place.batch(6, "night.jsonl", &args);
    assert_eq!(of_items(&document, "class"), ["world", "world"]);
    assert_eq!(document["world_failures"].as_array().unwrap().len(), 2);
    let junit = fs::read_to_string(place.data("batches/night/junit.xml")).unwrap();
    assert!(junit.contains("<error type=\"world\"") && !junit.contains("<failure"), "{junit}");
    let human = place.run(6, &["verify-all", "night.jsonl", "--authorize", "qa", "--name", "night"]);
    assert!(human.out.contains("Failed with the world") && !human.out.contains("\nFailed\n"), "{}", human.out);
    fs::remove_file(place.data("evidence")).unwrap();
    let document = place.batch(5, "night.jsonl", &args);
    assert_eq!(of_items(&document, "exit_code"), [0, 5]);
    for run in of_items(&document, "run_id") {
        assert!(place.data("evidence").join(text(&run)).join("workflow_manifest.json").is_file());
    }
}

#[test]
fn an_engine_that_broke_is_tried_again_with_the_next_call() {
    let place = Place::new();
    let pack = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/bullet-hell");
    for entry in fs::read_dir(pack).unwrap() {
        let entry = entry.unwrap().path();
        place.write(&format!("pack/{}", entry.file_name().unwrap().display()), fs::read(entry).unwrap());
    }
    // The engine cannot model a device whose figures have other names.
    let profiles = fs::read_to_string(place.path("pack/profiles.toml")).unwrap();
    place.write("pack/profiles.toml", profiles.replace("fps_cap =", "frames ="));
    place.items("night.jsonl", &[fine("one"), set("two", &["phase_3.bullet_speed=4.4"])]);
    let args = ["--name", "night", "--pack", "pack"];
    let document = place.batch(6, "night.jsonl", &args);
    assert_eq!(of_items(&document, "status"), ["failed"; 2]);
    assert_eq!(of_items(&document, "class"), ["world"; 2]);
    assert!(text(&document["world_failures"][0]["message"]["en"]).contains("device profile"));
    let retried = |document: &Value| {
        let events = heads(&place, document).swap_remove(0);
        events.as_array().unwrap().iter().filter(|event| event["event"] == "retried").count()
    };
    assert_eq!(retried(&document), 0);
    let again = place.batch(6, "night.jsonl", &args);
    assert_eq!(again, document, "it broke once more, in the same run");
    assert_eq!(retried(&again), 1);
}

#[cfg(unix)]
mod stopped {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};

    use super::*;

    fn many() -> Vec<Value> {
        (0..24).map(|n| set(&format!("item {n}"), &[&format!("phase_3.bullet_speed=4.{n:02}")])).collect()
    }

    /// Starts a batch, stops it by a signal once its first item rests, and returns its exit code.
    fn stopped_by(place: &Place, signal: &str) -> Option<i32> {
        let mut command = place.command(&["verify-all", "night.jsonl", "--name", "night", "--authorize", "qa"]);
        let mut child: Child = command.arg("--jobs=2").stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().starts_with("[ 1/24]"));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        lines.for_each(drop);
        child.wait().unwrap().code()
    }

    /// What the items came to, whoever ran the baseline first.
    fn verdicts(document: &Value) -> Vec<Vec<Value>> {
        ["name", "run_id", "status", "exit_code"].map(|field| of_items(document, field)).to_vec()
    }

    #[test]
    fn an_interrupt_ends_at_the_next_event_and_the_next_call_does_the_rest() {
        let whole = Place::new();
        whole.items("night.jsonl", &many());
        let expected = verdicts(&whole.batch(0, "night.jsonl", &["--name", "night"]));

        let place = Place::new();
        place.items("night.jsonl", &many());
        assert_eq!(stopped_by(&place, "-INT"), Some(130));
        let document = crate::support::read_json(&place.data("batches/night/summary.json"));
        let undone = document["counts"]["undone"].as_u64().unwrap();
        assert!((1..24).contains(&undone), "{undone}");
        let rested: Vec<_> =
            document["items"].as_array().unwrap().iter().filter(|item| item["exit_code"] == 0).collect();
        let events = |run: &Value| place.json(0, &["trace", text(run)])["events"].clone();
        let before: Vec<_> = rested.iter().map(|item| events(&item["run_id"])).collect();
        assert_eq!(verdicts(&place.batch(0, "night.jsonl", &["--name", "night"])), expected);
        let after: Vec<_> = rested.iter().map(|item| events(&item["run_id"])).collect();
        assert_eq!(after, before);
    }

    #[test]
    fn a_killed_batch_goes_on() {
        let place = Place::new();
        place.items("night.jsonl", &many());
        assert_eq!(stopped_by(&place, "-KILL"), None);
        let document = place.batch(0, "night.jsonl", &["--name", "night"]);
        assert_eq!(document["counts"]["passed"], 24);
    }
}

/// The lock that another process would hold is held by this one.
#[test]
fn a_batch_is_worked_on_by_one_process() {
    let place = Place::new();
    place.write("ideas.txt", "phase 1 faster\n");
    let folder = place.data("batches/one");
    fs::create_dir_all(&folder).unwrap();
    let lock = fs::File::create(folder.join("lock")).unwrap();
    lock.try_lock().unwrap();
    let args = ["verify-all", "ideas.txt", "--name", "one", "--authorize", "qa"];
    let refused = place.run(2, &args);
    assert!(refused.err.contains("another process works on the batch one"), "{}", refused.err);
    drop(lock);
    place.run(0, &args);
}
