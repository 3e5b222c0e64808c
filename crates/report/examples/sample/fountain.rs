//! A realistic report about something invented: a fountain whose middle jet is to turn both ways, and a visitor who
//! would rather stay dry.

use loopwright_report::model::{
    Axis, Block, Cell, Column, Distribution, Entry, Fact, Facts, Field, Figure, Limit, LimitLine, Limits, Line, Manner,
    Mark, Paragraph, Picture, Pictures, Report, Role, Row, Scene, Section, Sense, Series, Shape, Shot, Side, Table,
    Timeline, Tone, Verdict,
};
use loopwright_report::{Lang, Text};

use super::show::{SECONDS, STEPS, paint, show};

fn t(en: &str, zh: &str) -> Text {
    Text::new(en, zh)
}

/// The whole report.
pub(crate) fn report() -> Report {
    let (before, after) = (show(Role::Baseline), show(Role::Candidate));
    Report {
        title: t(
            "Middle jet: turn both ways, denser, at most 350 drops",
            "中间喷口：双向旋转，更密，水滴不超过 350 滴",
        ),
        run_id: "u9ey7k8s".to_owned(),
        lang: Lang::En,
        generated_from: vec![
            Fact::code(
                t("Journal digest", "日志摘要"),
                "sha256:76226862f29fe6906abcc868c6893071bfbe098bc28ab5fd105ccb60e2810faf",
            ),
            Fact::code(
                t("Candidate config", "候选配置"),
                "sha256:8c1f0d2a95b1c7be7cf1d0e9a3f2a6c4d8b7e6f5a4938271605f4e3d2c1b0a99",
            ),
            Fact::new(t("Engine", "引擎"), Text::same("embedded 0.1.0")),
            Fact::code(t("Seed", "随机种子"), "20260727"),
            Fact::new(
                t("Basis of frame rates", "帧率依据"),
                t("modelled, device profile reference-desktop", "模型推算，设备档案 reference-desktop"),
            ),
        ],
        verdict: Verdict {
            tone: Tone::Good,
            status: "evidence_ready".to_owned(),
            headline: t("Every check passed after two repairs.", "两次修复后，所有检查均通过。"),
            decide: t(
                "Decide whether the slower drops still feel dense enough. The repairs lowered their speed from 3.6 to 2.6.",
                "请判断变慢后的水滴是否仍然够密。修复把速度从 3.6 降到了 2.6。",
            ),
            commands: vec![
                "loopwright decide u9ey7k8s accept --actor NAME --note TEXT".to_owned(),
                "loopwright decide u9ey7k8s revise --actor NAME --note TEXT".to_owned(),
            ],
            world_failed: false,
        },
        sections: vec![
            asked(),
            changed(),
            checks(),
            over_time(&before, &after),
            replay(before, after),
            looks(),
            visitors(),
            repairs(),
            events(),
            gaps(),
        ],
    }
}

fn section(id: &str, title: Text, intro: Option<Text>, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title, intro, folded: false, blocks }
}

fn asked() -> Section {
    let facts = [
        (
            t("make the middle jet turn both ways", "中间喷口改为双向旋转"),
            t("direction: one way → both ways", "方向：单向 → 双向"),
        ),
        (
            t("denser", "更密"),
            t("drops per pulse: 12 → 16 (the documented step)", "每次脉冲水滴数：12 → 16（文档规定的步长）"),
        ),
        (t("at most 350 drops", "水滴不超过 350 滴"), t("drops in the air: 350, as it is", "空中水滴：350，保持不变")),
    ];
    let quote = t(
        "Make the middle jet turn both ways, denser, but never more than 350 drops in the air.",
        "中间喷口改为双向旋转，提高密度，但空中的水滴不能超过 350 滴。",
    );
    section(
        "asked",
        t("What was asked, and what was understood", "需求与理解"),
        None,
        vec![
            Block::Paragraph(Paragraph { text: quote, manner: Manner::Quote, tone: Tone::Neutral }),
            Block::Facts(Facts { facts: facts.into_iter().map(|(label, value)| Fact::new(label, value)).collect() }),
        ],
    )
}

fn changed() -> Section {
    let columns = [t("Jet", "喷口"), t("Parameter", "参数")].map(Column::words);
    let figures = [t("Before", "之前"), t("After", "之后")].map(Column::figures);
    let rows = [
        [t("Middle", "中间"), t("Direction", "方向"), t("one way", "单向"), t("both ways", "双向"), Text::same("–")],
        [
            t("Middle", "中间"),
            t("Drops per pulse", "每次脉冲水滴数"),
            Text::same("12"),
            Text::same("16"),
            t("drops", "滴"),
        ],
        [t("Middle", "中间"), t("Speed", "速度"), Text::same("3.6"), Text::same("2.6"), Text::same("m/s")],
    ];
    section(
        "changes",
        t("What changes", "改动"),
        Some(t("Everything else is as it was in the baseline.", "其余内容与基线一致。")),
        vec![Block::Table(Table {
            caption: None,
            columns: columns.into_iter().chain(figures).chain([Column::words(t("Unit", "单位"))]).collect(),
            rows: rows.into_iter().map(Row::plain).collect(),
        })],
    )
}

fn checks() -> Section {
    let number = |value: f64| Some(Figure::Number(value));
    let drawn = |id: &str, label: Text, unit: Text, sense: Sense, limit: f64, before: f64, after: f64| Limit {
        id: id.to_owned(),
        label,
        unit: Some(unit),
        limit: number(limit),
        sense,
        baseline: number(before),
        candidate: number(after),
        tone: Tone::Good,
        note: None,
    };
    let word = || Some(Figure::Word(t("completed", "完成")));
    let completed = Limit {
        id: "completion".to_owned(),
        label: t("Normal completion", "正常完成"),
        limit: word(),
        baseline: word(),
        candidate: word(),
        tone: Tone::Good,
        ..Limit::default()
    };
    let mut rate = drawn(
        "frame_rate",
        t("Low-percentile frame rate", "低分位帧率"),
        Text::same("Hz"),
        Sense::AtLeast,
        55.0,
        60.0,
        59.1551,
    );
    rate.note = Some(t("modelled, not measured", "模型推算，并非实测"));
    let mut faults = drawn("faults", t("Faults logged", "记录的故障"), t("entries", "条"), Sense::Equal, 0.0, 0.0, 0.0);
    faults.candidate = None;
    faults.tone = Tone::Neutral;
    let seconds = t("s", "秒");
    section(
        "checks",
        t("Checks", "检查"),
        Some(t(
            "Only these decide. The seed and the visitor's path are the same on both sides.",
            "只有这些检查作出判定。两侧的随机种子和访客路径相同。",
        )),
        vec![Block::Limits(Limits {
            caption: None,
            checks: vec![
                completed,
                drawn(
                    "peak",
                    t("Most drops in the air", "空中水滴峰值"),
                    t("drops", "滴"),
                    Sense::AtMost,
                    350.0,
                    66.0,
                    198.0,
                ),
                drawn("splashes", t("Splashes", "溅湿次数"), t("times", "次"), Sense::AtMost, 3.0, 2.0, 0.0),
                drawn("dry", t("Time kept dry", "保持干燥的时间"), seconds, Sense::AtLeast, 36.0, 36.0, 36.0),
                rate,
                faults,
            ],
        })],
    )
}

fn over_time(before: &Side, after: &Side) -> Section {
    let line = |side: &Side| {
        let values = side.counters.first().map(|counter| counter.values.clone()).unwrap_or_default();
        let points = values
            .into_iter()
            .enumerate()
            .map(|(step, alive)| [f64::from(u32::try_from(step).unwrap_or(0)) * SECONDS, alive]);
        Line { role: side.role, label: side.label.clone(), points: points.collect(), shape: Shape::Steps }
    };
    let marks = |side: &Side| {
        let role = side.role;
        let marks =
            side.marks.iter().map(move |mark| Mark { role, at: mark.at, label: mark.label.clone(), tone: mark.tone });
        marks.collect::<Vec<_>>()
    };
    let rates = (0..2_000).map(|index| {
        let x = f64::from(index) * 0.018;
        [x, 60.0 - 1.4 * (x * 0.7).sin().abs() - if x > 12.7 { 0.6 } else { 0.0 }]
    });
    section(
        "time",
        t("Over time", "随时间变化"),
        None,
        vec![
            Block::Series(Series {
                caption: t("Drops in the air", "空中水滴数"),
                description: Some(t(
                    "Both sides stay well below the limit; the candidate is densest after the middle jet starts.",
                    "两侧都远低于限值；中间喷口启动后，候选最密。",
                )),
                x: Axis { label: t("Time", "时间"), unit: Some(t("s", "秒")) },
                y: Axis { label: t("Drops", "水滴"), unit: None },
                lines: vec![line(before), line(after)],
                bands: before.bands.iter().chain(&after.bands).cloned().collect(),
                limits: vec![LimitLine { label: t("at most", "上限"), value: 350.0, sense: Sense::AtMost }],
                marks: marks(before).into_iter().chain(marks(after)).collect(),
            }),
            Block::Series(Series {
                caption: t("Frame rate", "帧率"),
                x: Axis { label: t("Time", "时间"), unit: Some(t("s", "秒")) },
                y: Axis { label: t("Frame rate", "帧率"), unit: Some(Text::same("Hz")) },
                lines: vec![Line {
                    role: Role::Candidate,
                    label: t("Candidate", "候选"),
                    points: rates.collect(),
                    shape: Shape::Straight,
                }],
                limits: vec![LimitLine { label: t("at least", "下限"), value: 55.0, sense: Sense::AtLeast }],
                ..Series::default()
            }),
        ],
    )
}

fn replay(before: Side, after: Side) -> Section {
    section(
        "replay",
        t("Replay", "回放"),
        Some(t(
            "Drawn from the list of drops, step by step: what you see is what was computed.",
            "按水滴列表逐步绘制：所见即所算。",
        )),
        vec![Block::Scene(Scene {
            caption: t("Both sides in step", "两侧同步回放"),
            step_seconds: SECONDS,
            steps: STEPS,
            still: 1_260,
            field: Field { left: -8.0, bottom: -4.5, width: 16.0, height: 9.0 },
            sides: vec![before, after],
        })],
    )
}

fn looks() -> Section {
    let shot = |seconds: u32| {
        let picture = |side: &str, label: Text, turn: u32| Picture {
            label,
            alt: t(&format!("The fountain at {seconds} s, {side}"), &format!("第 {seconds} 秒的喷泉")),
            file: Some(format!("captures/{side}-{seconds}s.png")),
            png: paint(seconds * turn),
        };
        Shot {
            label: t(&format!("{seconds} s"), &format!("{seconds} 秒")),
            left: picture("baseline", t("Baseline", "基线"), 1),
            right: Some(picture("candidate", t("Candidate", "候选"), 2)),
        }
    };
    let map = Picture {
        label: t("Candidate", "候选"),
        alt: t("Where drops were over the whole show: mostly around the nozzle", "整场水滴出现的位置：多在喷嘴周围"),
        file: Some("captures/heat.png".to_owned()),
        png: paint(3),
    };
    section(
        "pictures",
        t("Pictures", "画面"),
        Some(t("The same moments, the same camera.", "同一时刻，同一镜头。")),
        vec![
            Block::Pictures(Pictures {
                caption: t("At three moments", "三个时刻"),
                shots: [10, 20, 30].map(shot).into(),
            }),
            Block::Pictures(Pictures {
                caption: t("Where the drops were", "水滴出现的位置"),
                shots: vec![Shot { label: t("Whole show", "整场"), left: map, right: None }],
            }),
        ],
    )
}

fn visitors() -> Section {
    let mut seed = 7_u64;
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from((seed >> 33) % below).unwrap_or(0))
    };
    let before: Vec<f64> = (0..64).map(|_| draw(5) + draw(3)).collect();
    let after: Vec<f64> = before.iter().map(|splashes| (splashes - draw(4)).max(0.0) + draw(3)).collect();
    let near: Vec<f64> = (0..64).map(|_| 0.12 + draw(900) / 1_000.0).collect();
    let nearer: Vec<f64> = near.iter().map(|gap| (gap - 0.2 + draw(350) / 1_000.0).max(0.02)).collect();
    section(
        "visitors",
        t("64 visitors", "64 位访客"),
        Some(t(
            "Each walks a path of its own, the same on both sides. These stand beside the verdict and decide nothing.",
            "每位访客走自己的路径，两侧相同。这些数据仅供参考，不参与判定。",
        )),
        vec![
            Block::Distribution(Distribution {
                caption: t("Splashes per visitor", "每位访客的溅湿次数"),
                axis: Axis { label: t("Splashes", "溅湿次数"), unit: None },
                baseline: before,
                candidate: after,
                paired: true,
                difference: None,
            }),
            Block::Distribution(Distribution {
                caption: t("Nearest drop", "最近的水滴"),
                axis: Axis { label: t("Distance", "距离"), unit: Some(t("m", "米")) },
                baseline: near,
                candidate: nearer,
                paired: true,
                difference: None,
            }),
        ],
    )
}

fn repairs() -> Section {
    let columns = [t("Round", "轮次"), t("Repair", "修复"), t("Why", "原因")].map(Column::words);
    let row = |round: &str, what: &str, why: Text, tone: Tone| Row {
        cells: [Text::same(round), Text::same(what), why].map(Cell::from).into(),
        tone,
    };
    section(
        "repairs",
        t("Repairs", "修复"),
        None,
        vec![Block::Table(Table {
            caption: None,
            columns: columns.into(),
            rows: vec![
                row("1", "speed 3.6 → 3.06", t("5 splashes, at most 3 allowed", "溅湿 5 次，最多允许 3 次"), Tone::Bad),
                row("2", "speed 3.06 → 2.6", t("5 splashes, at most 3 allowed", "溅湿 5 次，最多允许 3 次"), Tone::Bad),
                row("3", "–", t("every check passed", "所有检查均通过"), Tone::Good),
            ],
        })],
    )
}

fn events() -> Section {
    let who = [t("engine", "引擎"), t("rules", "规则"), t("qa", "qa"), t("machine", "状态机")];
    let what = [
        t("run finished", "运行结束"),
        t("the candidate was judged: 2 of 6 checks failed", "候选已评判：6 项检查中 2 项未通过"),
        t("allowed 4 engine runs for candidates as JSON and nothing else", "允许 4 次引擎运行，仅限 JSON 候选"),
        t("effect started, one engine run reserved", "效果开始，预留一次引擎运行"),
    ];
    let entries = (0..60_usize).map(|index| Entry {
        time: format!("16:27:{:02}.{:03}", index / 2, index * 37 % 1_000),
        who: who[index % 4].clone(),
        text: what[index % 4].clone(),
        tone: if index % 4 == 1 { Tone::Bad } else { Tone::Neutral },
    });
    let timeline = Block::Timeline(Timeline { caption: None, entries: entries.collect() });
    Section {
        folded: true,
        ..section("timeline", t("Timeline of all 60 events", "全部 60 个事件的时间线"), None, vec![timeline])
    }
}

fn gaps() -> Section {
    let note = t(
        "One path says little about visitors. Frame rates are modelled: no frame was drawn while they were computed.",
        "单一路径不足以代表所有访客。帧率为模型推算：计算时没有绘制任何画面。",
    );
    section(
        "gaps",
        t("What this does not show", "本证据未说明的内容"),
        None,
        vec![Block::Paragraph(Paragraph { text: note, manner: Manner::Note, tone: Tone::Neutral })],
    )
}
