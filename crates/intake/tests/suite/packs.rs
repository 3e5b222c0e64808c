//! Packs of other games, mistakes in a pack, and the promise that no game's words stand in this crate.

use crate::support;

use std::sync::Arc;

use loopwright_configs::{Layout, Schema};
use loopwright_intake::{Answer, Intake, Vocabulary};
use serde_json::{Value, json};

const TOWERS: &str = r#"
hints = []
[element]
collection = "waves"
id_template = "wave_{n}"
word = { en = "wave", zh = "波" }
[goal]
element = "wave_id"
target = "target_wave_id"
requested = { key = "requested_enemy", field = "enemy" }
pressure = { key = "harder", fields = ["count"] }
[fields.enemy]
path = "waves[*].enemy"
label = { en = "enemy", zh = "敌人" }
choices = { orc = { en = "orc", zh = "兽人" }, bat = { en = "bat", zh = "蝙蝠" } }
[fields.count]
path = "waves[*].count"
label = { en = "enemies", zh = "敌人数" }
unit = "enemies"
integer = true
up = [{ field = "count", value = "x + 5.0" }]
down = [{ field = "count", value = "x - 5.0" }]
[units.enemy]
dimension = "enemies"
factor = 1.0
field = "count"
label = { en = "enemies", zh = "个" }
[directions.more]
way = "up"
fits = ["*"]
"#;

const TOWER_WORDS: &str = r#"
[grammar]
element = ["wave(s)"]
become = ["into", "as"]
keep = ["unchanged"]
to = ["to"]
[fields]
count = ["enemies", "size"]
[choices.enemy]
orc = ["orc(s)"]
bat = ["bat(s)"]
[directions]
more = ["more", "bigger"]
[units]
enemy = ["enemies"]
"#;

#[test]
fn a_pack_of_another_game_brings_its_own_words() {
    let vocabulary = Vocabulary::read(("v.toml", TOWERS), &[("en.toml", TOWER_WORDS)]).unwrap();
    let layout: Layout = serde_json::from_value(json!({"collections": [{"path": "waves", "id": "wave_id"}]})).unwrap();
    let schema = json!({"properties": {"waves": {"items": {"properties": {
        "enemy": {"enum": ["orc", "bat"]}, "count": {"type": "integer", "minimum": 1, "maximum": 50}}}}}});
    let intake = Intake::new(
        vocabulary,
        layout,
        Arc::new(Schema::compile(schema).unwrap()),
        vec!["waves[*].*".parse().unwrap()],
    );
    let baseline = json!({"waves": [{"wave_id": "wave_1", "enemy": "orc", "count": 10}, {"wave_id": "boss", "enemy": "orc", "count": 1}]});
    let answer = |text: &str| intake.read(text, &baseline).unwrap().answer;
    let Answer::Accepted { candidate } = answer("wave 1 into bats, 20 enemies; boss unchanged") else {
        panic!("{:?}", answer("wave 1 into bats, 20 enemies; boss unchanged"))
    };
    assert_eq!(candidate["waves"][0], json!({"wave_id": "wave_1", "enemy": "bat", "count": 20}));
    let Answer::Accepted { candidate } = answer("wave 1 bigger size") else {
        panic!("{:?}", answer("wave 1 bigger size"))
    };
    assert_eq!(candidate["waves"][0]["count"], 15);
    let vague = answer("bigger wave 1");
    assert!(matches!(vague, Answer::NeedsClarification { .. }), "which figure is bigger was not said: {vague:?}");
}

#[test]
fn mistakes_in_a_pack_are_named() {
    let read = |vocabulary: &str, phrases: &str| {
        Vocabulary::read(("v.toml", vocabulary), &[("en.toml", phrases)]).map(|_| ()).unwrap_err().to_string()
    };
    let cases = [
        (TOWERS.replace("x + 5.0", "maximum(x, 2)"), TOWER_WORDS.to_owned(), "v.toml: fields.count.up or down: "),
        (
            TOWERS.replace("stop", "").replace("field = \"count\"\nlabel", "field = \"counts\"\nlabel"),
            TOWER_WORDS.to_owned(),
            "there is no field \"counts\"",
        ),
        (TOWERS.to_owned(), TOWER_WORDS.replace("[units]", "[unit]"), "en.toml: TOML parse error"),
        (
            TOWERS.to_owned(),
            TOWER_WORDS.replace("enemy = [\"enemies\"]", "foe = [\"foes\"]"),
            "en.toml: units.foe: the vocabulary has no \"foe\"",
        ),
        (
            TOWERS.to_owned(),
            TOWER_WORDS.replace("bat = [\"bat(s)\"]", "bat = [\"bat(s)\", \"orc\"]"),
            "choices.enemy.orc: the phrase \"orc\" already stands at",
        ),
        (TOWERS.to_owned(), TOWER_WORDS.replace("bat(s)", "bat(s"), "brackets must match"),
    ];
    for (vocabulary, phrases, expected) in cases {
        let error = read(&vocabulary, &phrases);
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    }
}

#[test]
fn no_word_of_a_game_stands_in_this_crate() {
    const WORDS: &[&str] = &[
        "bullet", "bullets", "phase", "phases", "boss", "spiral", "ring", "petal", "fan", "fps", "hit", "hits", "wave",
        "waves", "player", "arena", "danmaku", "子弹", "弹", "阶段", "螺旋", "波",
    ];
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, content) in text.lines().enumerate() {
            let lower = content.to_lowercase();
            let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphabetic()).collect();
            for word in WORDS {
                if words.contains(word) || (!word.is_ascii() && lower.contains(word)) {
                    found.push(format!("{}:{}: {word}", path.display(), line + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_flagship_pack_knows_every_field_a_sentence_may_change() {
    let baseline: Value = support::baseline();
    let intake = support::intake();
    for field in baseline["phases"][0]["pattern"]
        .as_object()
        .unwrap()
        .keys()
        .filter(|key| *key != "type" && *key != "bidirectional")
    {
        let value = &baseline["phases"][0]["pattern"][field];
        let reading = intake.read(&format!("phase_1: {field} {value}"), &baseline).unwrap();
        assert!(matches!(reading.answer, Answer::Accepted { .. }), "{field}: {:?}", reading.answer);
    }
}
