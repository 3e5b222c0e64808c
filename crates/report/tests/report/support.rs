//! Reports to render: a small one with a bit of everything, a hostile one, and the sample.

#[path = "../../examples/sample/fountain.rs"]
pub(crate) mod fountain;
#[path = "../../examples/sample/png.rs"]
pub(crate) mod png;
#[path = "../../examples/sample/show.rs"]
pub(crate) mod show;

use loopwright_report::model::{
    Axis, Block, Column, Distribution, Entry, Fact, Figure, Limit, Limits, Manner, Paragraph, Picture, Pictures,
    Report, Row, Section, Sense, Series, Shot, Table, Timeline, Tone, Verdict,
};
use loopwright_report::{Lang, Text};

/// Text that wants to be more than text.
pub(crate) const HOSTILE: &str = "</script></style><img src=x onerror=alert(1)> \" onload='x' | `a` @all #12 [x](y) \
                                  *b* %0A::error::\u{202E}rtl\u{0}\u{1b}[31m &amp; 😀\r\n<!-- ]]>";

/// A report that every text rendering can show whole.
pub(crate) fn small(lang: Lang) -> Report {
    let checks = vec![
        limit("peak", Text::new("Most drops", "水滴峰值"), Sense::AtMost, 350.0, 66.0, Some(412.0), Tone::Bad),
        limit("dry", Text::new("Time kept dry", "保持干燥的时间"), Sense::AtLeast, 36.0, 36.0, Some(36.0), Tone::Good),
        limit("faults", Text::new("Faults", "故障"), Sense::Equal, 0.0, 0.0, None, Tone::Neutral),
    ];
    let table = Table {
        caption: Some(Text::new("Changes", "改动")),
        columns: vec![Column::words(Text::new("Parameter", "参数")), Column::figures(Text::new("After", "之后"))],
        rows: vec![Row::plain([Text::same("speed"), Text::same("2.6")])],
    };
    let picture = |side: &str, file: Option<&str>| Picture {
        label: Text::same(side),
        alt: Text::new(format!("{side} at 10 s"), format!("{side}，第 10 秒")),
        file: file.map(str::to_owned),
        png: png::encode([[0; 3], [80; 3], [160; 3], [255; 3]], &[vec![0, 1, 2, 3], vec![3, 2, 1, 0]]),
    };
    let shot = Shot {
        label: Text::new("10 s", "10 秒"),
        left: picture("before", Some("captures/a b.png")),
        right: Some(picture("after", Some("captures/<c>.png"))),
    };
    let values = Distribution {
        caption: Text::new("Splashes", "溅湿"),
        axis: Axis { label: Text::new("times", "次数"), unit: None },
        baseline: vec![0.0, 1.0, 2.0, 3.0],
        candidate: vec![0.0, 0.0, 1.0, 3.0],
        paired: true,
        difference: None,
    };
    let entry = Entry {
        time: "10:00:01".to_owned(),
        who: Text::same("qa"),
        text: Text::new("allowed 2 runs", "允许 2 次运行"),
        tone: Tone::Good,
    };
    let quote =
        Paragraph { text: Text::same("never more than 350 | drops"), manner: Manner::Quote, tone: Tone::Neutral };
    let section = |id: &str, en: &str, zh: &str, blocks: Vec<Block>| Section {
        id: id.to_owned(),
        title: Text::new(en, zh),
        intro: None,
        folded: false,
        blocks,
    };
    Report {
        title: Text::new("Denser jets", "更密的喷口"),
        run_id: "u9ey7k8s".to_owned(),
        lang,
        generated_from: vec![
            Fact::code(Text::new("Journal digest", "日志摘要"), "sha256:7622"),
            Fact::new(Text::new("Seed", "随机种子"), Text::same("7")),
        ],
        verdict: Verdict {
            tone: Tone::Bad,
            status: "not_met".to_owned(),
            headline: Text::new("1 of 3 checks failed.", "3 项检查中 1 项未通过。"),
            decide: Text::new("Say whether 412 drops are too many.", "请判断 412 滴是否过多。"),
            commands: vec!["loopwright decide u9ey7k8s revise".to_owned()],
            world_failed: false,
        },
        sections: vec![
            section("asked", "Asked", "需求", vec![Block::Paragraph(quote)]),
            section("checks", "Checks", "检查", vec![Block::Limits(Limits { caption: None, checks })]),
            section("changes", "Changes", "改动", vec![Block::Table(table)]),
            section(
                "looks",
                "Pictures",
                "画面",
                vec![Block::Pictures(Pictures { caption: Text::new("At 10 s", "第 10 秒"), shots: vec![shot] })],
            ),
            section("visitors", "Visitors", "访客", vec![Block::Distribution(values)]),
            Section {
                folded: true,
                ..section(
                    "events",
                    "Timeline",
                    "时间线",
                    vec![Block::Timeline(Timeline { caption: None, entries: vec![entry] })],
                )
            },
            section("time", "Over time", "随时间变化", vec![Block::Series(Series::default())]),
        ],
    }
}

fn limit(id: &str, label: Text, sense: Sense, limit: f64, before: f64, after: Option<f64>, tone: Tone) -> Limit {
    Limit {
        id: id.to_owned(),
        label,
        limit: Some(Figure::Number(limit)),
        sense,
        baseline: Some(Figure::Number(before)),
        candidate: after.map(Figure::Number),
        tone,
        ..Limit::default()
    }
}

/// The sample with hostile text wherever text may stand, in one of the two languages or both.
pub(crate) fn hostile() -> Report {
    let mut value = serde_json::to_value(fountain::report()).expect("a report is JSON");
    spoil(&mut value);
    value["lang"] = serde_json::json!("en");
    serde_json::from_value(value).expect("a spoilt report is still a report")
}

fn spoil(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            if members.contains_key("en") && members.contains_key("zh") {
                members.insert("en".to_owned(), HOSTILE.into());
                return;
            }
            for (name, member) in members {
                let free = ["run_id", "status", "time", "file", "id"].contains(&name.as_str());
                // Section ids stay apart from each other.
                match member.as_str().map(|text| format!("{HOSTILE}{text}")) {
                    Some(text) if free && *member != "alive" => *member = text.into(),
                    Some(_) => (),
                    None => spoil(member),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(spoil),
        _ => (),
    }
}
