//! Faults, ranges and defaults, on a small schema and on the flagship pack's own.

use super::*;
use crate::layout::tests::{any_doc, layout};
use proptest::prelude::*;
use serde_json::json;

fn pack(file: &str) -> Value {
    let text = match file {
        "schema" => include_str!("../../../../packs/bullet-hell/schema.json"),
        _ => include_str!("../../../../packs/bullet-hell/baseline.json"),
    };
    loopwright_core::json::read_str(text).unwrap()
}

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// Sets a value in the pack's baseline, or removes it for nothing, and gives `path | limit | rule` of each fault.
fn after(changes: &[(&str, Option<Value>)]) -> Vec<String> {
    let schema = Schema::compile(pack("schema")).unwrap();
    let mut doc = pack("baseline");
    for (place, value) in changes {
        if let Some(value) = value {
            layout().set(&mut doc, &path(place), value.clone()).unwrap();
        } else {
            let pointer = format!("/{}", place.replace('.', "/"));
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            doc.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(name);
        }
    }
    let show = |fault: Fault| {
        assert!(!fault.message.en.is_empty() && !fault.message.zh.is_empty() && fault.message.en != fault.message.zh);
        let plain = |value: Option<&Value>| value.map_or("-".to_owned(), Value::to_string);
        format!("{} | {} | {} | {}", fault.path, plain(fault.actual.as_ref()), plain(fault.limit.as_ref()), fault.rule)
    };
    schema.faults(&layout(), &doc).into_iter().map(show).collect()
}

#[test]
fn each_keyword_has_its_fault() {
    let cases = [
        ("phases[phase_1].pattern.bullets_per_wave", json!(200), r#"200 | "1..=64" | maximum"#),
        ("phases[phase_1].pattern.bullets_per_wave", json!(0), r#"0 | "1..=64" | minimum"#),
        ("phases[phase_1].pattern.bullets_per_wave", json!(1.5), r#"1.5 | "integer" | type"#),
        ("phases[phase_1].pattern.bullet_speed", json!("fast"), r#""fast" | "number" | type"#),
        ("phases[phase_1].pattern.type", json!("star"), r#""star" | ["ring","aimed_fan","spiral","petal"] | enum"#),
        ("player.hit_radius", json!(0), r#"0 | ">0..=1" | exclusiveMinimum"#),
        ("bullet_hell_contract_version", json!("2.0"), r#""2.0" | "1.0" | const"#),
        ("source", json!(""), r#""" | ">=1" | minLength"#),
        ("source", json!("  "), r#""  " | "\\S" | pattern"#),
        ("scenario.colour", json!("red"), r#""red" | "unknown field" | additionalProperties"#),
        ("phases", json!([]), r#"[] | ">=2" | minItems"#),
    ];
    for (place, value, expected) in cases {
        assert_eq!(after(&[(place, Some(value))]), [format!("{place} | {expected}")]);
    }
    assert_eq!(
        after(&[("scenario.duration_seconds", None)]),
        [r#"scenario.duration_seconds | - | "required" | required"#]
    );
    assert!(after(&[("scenario.duration_seconds", Some(json!(36.0)))]).is_empty());
    assert!(after(&[("boss.max_health", Some(json!(3600.0)))]).is_empty());
    assert!(after(&[]).is_empty());
}

#[test]
fn a_condition_narrows_the_range_and_says_why() {
    let place = "phases[phase_2].pattern";
    let fan = [("phases[phase_2].pattern.type", Some(json!("aimed_fan")))];
    assert_eq!(after(&fan), [format!(r#"{place}.spread_angle_deg | 360 | "1..=180" | maximum"#)]);
    let petal = [("phases[phase_2].pattern.type", Some(json!("petal")))];
    assert_eq!(after(&petal), [format!(r#"{place}.layer_count | 1 | "2..=4" | minimum"#)]);

    let schema = Schema::compile(pack("schema")).unwrap();
    let mut doc = pack("baseline");
    doc["phases"][1]["pattern"]["type"] = json!("aimed_fan");
    let message = &schema.faults(&layout(), &doc)[0].message;
    assert_eq!(message.en, "phases[phase_2].pattern.spread_angle_deg: 360 is outside 1..=180 where type = aimed_fan");
    assert_eq!(
        message.zh,
        "phases[phase_2].pattern.spread_angle_deg：360 超出允许范围 1..=180（当 type = aimed_fan 时）"
    );
}

#[test]
fn all_faults_come_at_once_in_document_order() {
    let found = after(&[
        ("runtime_targets.min_fps", Some(json!(0))),
        ("phases[phase_3].pattern.layer_count", Some(json!(9))),
        ("phases[phase_1].pattern.bullet_speed", Some(json!(99))),
        ("phases[phase_1].pattern.colour", Some(json!(1))),
        ("scenario.duration_seconds", None),
        ("scenario.arena_width", Some(json!(1))),
    ]);
    let places: Vec<&str> = found.iter().map(|line| line.split(" |").next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "scenario.arena_width",
            "scenario.duration_seconds",
            "phases[phase_1].pattern.bullet_speed",
            "phases[phase_1].pattern.colour",
            "phases[phase_3].pattern.layer_count",
            "runtime_targets.min_fps",
        ]
    );
}

#[test]
fn a_document_of_another_shape_is_told_so() {
    let schema = Schema::compile(pack("schema")).unwrap();
    let faults = schema.faults(&layout(), &json!([1, 2]));
    assert_eq!((faults.len(), faults[0].path.to_string().as_str(), faults[0].rule.as_str()), (1, "$", "type"));
    let many: Value = Value::Object((0..2_000).map(|index| (format!("f{index}"), json!(1))).collect());
    let faults = schema.faults(&layout(), &many);
    assert_eq!(faults.len(), 501);
    assert_eq!(faults.last().unwrap().rule, "more");
}

#[test]
fn absurd_documents_are_told_so_and_no_more() {
    // Work that grows with the square of the document would take minutes here.
    let schema = Schema::compile(pack("schema")).unwrap();
    let fields: Value = Value::Object((0..50_000).map(|index| (format!("f{index}"), json!(1))).collect());
    for doc in [json!({"phases": vec![1; 50_000]}), fields] {
        let faults = schema.faults(&layout(), &doc);
        let rest = faults.last().unwrap();
        assert_eq!((faults.len(), rest.rule.as_str()), (501, "more"));
        assert!(rest.actual.as_ref().unwrap().as_u64().unwrap() >= 49_500);
        assert_eq!(crate::diff(&layout(), &doc, &doc), []);
    }
}

#[test]
fn ranges_are_read_from_the_schema() {
    let schema = Schema::compile(pack("schema")).unwrap();
    let cases = [
        ("phases[phase_2].pattern.bullets_per_wave", Kind::Integer, "1..=64"),
        ("phases[*].pattern.bullet_speed", Kind::Number, "0.5..=12"),
        ("phases[#0].pattern.type", Kind::Choices, "ring | aimed_fan | spiral | petal"),
        ("phases[a].pattern.bidirectional", Kind::Boolean, "true | false"),
        ("phases[a].pattern.spread_angle_deg", Kind::Number, "1..=360"),
        ("player.hit_radius", Kind::Number, ">0..=1"),
        ("source", Kind::Text, "text"),
        ("bullet_hell_contract_version", Kind::Choices, "1.0"),
        ("phases", Kind::Other, "any"),
    ];
    for (place, kind, text) in cases {
        let range = schema.range(&path(place)).unwrap();
        assert_eq!((range.kind, range.to_string().as_str()), (kind, text), "{place}");
    }
    assert_eq!(schema.range(&path("phases[a].pattern.colour")), None);
    assert_eq!(schema.range(&path("phases[*].*")), None);
    let bullets = schema.range(&path("phases[a].pattern.bullets_per_wave")).unwrap();
    let holds = |value: Value| bullets.contains(&value);
    assert!(holds(json!(64)) && holds(json!(1.0)) && !holds(json!(65)) && !holds(json!(1.5)) && !holds(json!("1")));
}

#[test]
fn references_are_followed_and_circles_end() {
    let schema = Schema::compile(json!({
        "$defs": {"size": {"type": "number", "exclusiveMaximum": 5, "minimum": 0}, "tree": {"properties": {"next": {"$ref": "#/$defs/tree"}}}},
        "properties": {"size": {"$ref": "#/$defs/size"}, "tree": {"$ref": "#/$defs/tree"}, "pair": {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}},
        "additionalProperties": {"type": "boolean"},
    }))
    .unwrap();
    let text = |place: &str| schema.range(&path(place)).map(|range| range.to_string());
    assert_eq!(text("size").as_deref(), Some("0..<5"));
    assert_eq!(text("tree.next.next.next").as_deref(), Some("any"));
    assert_eq!(text("pair[#0]").as_deref(), Some("whole number"));
    assert_eq!(text("pair[#1]").as_deref(), Some("text"));
    assert_eq!(text("other").as_deref(), Some("true | false"));
    assert!(super::range::find(&json!({"$ref": "#"}), &path("a")).is_none());
    assert!(
        Schema::compile(json!({"type": 7})).unwrap_err().to_string().starts_with("the schema cannot be used: at /type")
    );
}

#[test]
fn defaults_make_equal_documents_equal() {
    let schema = Schema::compile(pack("schema")).unwrap();
    let mut short = pack("baseline");
    for phase in short["phases"].as_array_mut().unwrap() {
        phase["pattern"].as_object_mut().unwrap().shift_remove("bidirectional");
    }
    short["runtime_targets"].as_object_mut().unwrap().shift_remove("require_all_phases");
    schema.fill_defaults(&mut short);
    assert!(crate::diff(&layout(), &pack("baseline"), &short).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_document_is_judged_without_panic(doc in any_doc()) {
        let schema = Schema::compile(pack("schema")).unwrap();
        let faults = schema.faults(&layout(), &doc);
        prop_assert!(!faults.is_empty());
        let mut filled = doc;
        schema.fill_defaults(&mut filled);
    }
}
