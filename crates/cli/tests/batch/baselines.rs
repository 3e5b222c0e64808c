//! The baseline runs once and is cited by its hash.

use std::fs;

use loopwright_core::json::{Json, canonical_bytes};
use serde_json::Value;

use crate::support::{Place, of_items, read_json, set, text};

/// The baseline's telemetry of every item.
fn telemetries(place: &Place, document: &Value) -> Vec<Value> {
    let runs = of_items(document, "run_id");
    runs.iter().map(|run| read_json(&place.data("evidence").join(text(run)).join("baseline_telemetry.json"))).collect()
}

fn items(first: u32) -> Vec<Value> {
    (first..first + 3).map(|n| set(&format!("item {n}"), &[&format!("phase_3.bullet_speed=4.{n}")])).collect()
}

fn cited(telemetries: &[Value]) -> Vec<Value> {
    telemetries.iter().map(|telemetry| telemetry["cited_from"].clone()).collect()
}

#[test]
fn one_run_is_cited_by_all_others_and_by_later_batches() {
    let place = Place::new();
    place.items("one.jsonl", &items(1));
    let document = place.batch(0, "one.jsonl", &["--jobs", "1"]);
    let first = telemetries(&place, &document);
    let digest = Value::from(Json::new(first[0].clone()).digest().to_string());
    assert_eq!(cited(&first), [Value::Null, digest.clone(), digest.clone()]);
    assert_eq!(first[1]["cited_run"], document["items"][0]["run_id"]);
    assert_eq!(first[1]["run_id"], document["items"][1]["run_id"], "a telemetry belongs to its own run");
    let name = text(&digest);
    let artifact = place.data("artifacts").join(&name[..2]).join(name);
    assert_eq!(fs::read(artifact).unwrap(), canonical_bytes(&first[0]), "what is cited is kept as an artifact");

    place.items("two.jsonl", &items(4));
    let second = telemetries(&place, &place.batch(0, "two.jsonl", &[]));
    assert_eq!(cited(&second), vec![digest.clone(); 3]);
    let seeded = telemetries(&place, &place.batch(0, "two.jsonl", &["--seed", "7", "--jobs", "1"]));
    assert_eq!(seeded[0]["cited_from"], Value::Null, "another seed is another run");
    assert_ne!(seeded[1]["cited_from"], digest);
}

#[test]
fn a_damaged_entry_is_run_anew() {
    let damages: [fn(&Place); 3] = [
        |place| fs::remove_dir_all(place.data("artifacts")).unwrap(),
        |place| {
            for entry in fs::read_dir(place.data("baselines")).unwrap() {
                fs::write(entry.unwrap().path(), "nonsense").unwrap();
            }
        },
        |place| {
            for folder in fs::read_dir(place.data("artifacts")).unwrap() {
                for entry in fs::read_dir(folder.unwrap().path()).unwrap() {
                    fs::write(entry.unwrap().path(), "{}").unwrap();
                }
            }
        },
    ];
    for damage in damages {
        let place = Place::new();
        place.items("one.jsonl", &items(1));
        place.batch(0, "one.jsonl", &[]);
        damage(&place);
        place.items("two.jsonl", &items(4));
        let telemetries = telemetries(&place, &place.batch(0, "two.jsonl", &["--jobs", "1"]));
        assert_eq!(telemetries[0]["cited_from"], Value::Null);
        assert_ne!(telemetries[1]["cited_from"], Value::Null);
    }
}
