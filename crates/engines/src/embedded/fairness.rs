//! What is unfair in both configs: places where standing still is safe, moments without a way out, the nearest misses.

use danmaku::FightConfig;
use danmaku::fairness::{Fairness, fairness};
use danmaku::render::{RenderError, fairness_map};
use loopwright_configs::Text;
use serde_json::json;

use crate::artifact::{Artifact, ArtifactKind};
use crate::runner::Variant;
use crate::study::Finding;

/// Near misses that are kept.
const MISSES: usize = 5;

/// Findings in words, and a map of each side. The sides are examined at the same time.
pub(super) fn examine(
    baseline: &FightConfig,
    candidate: &FightConfig,
) -> Result<(Vec<Finding>, Vec<Artifact>), RenderError> {
    let (before, after) = std::thread::scope(|scope| {
        let before = scope.spawn(|| fairness(baseline, MISSES));
        let after = fairness(candidate, MISSES);
        // A panic in the other thread is this thread's as well.
        (before.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), after)
    });
    let finding = |label: Text, of: fn(&FightConfig, &Fairness) -> Text| Finding {
        label,
        baseline: of(baseline, &before),
        candidate: of(candidate, &after),
    };
    let findings = vec![
        finding(Text::new("safe spots for a player who stands still", "站着不动就安全的位置"), safe_spots),
        finding(Text::new("moments without a way out", "无路可躲的时刻"), walls),
        finding(Text::new("nearest misses", "最险的擦弹"), nearest),
    ];
    let maps = vec![map(baseline, &before, Variant::Baseline)?, map(candidate, &after, Variant::Candidate)?];
    Ok((findings, maps))
}

fn safe_spots(_: &FightConfig, fairness: &Fairness) -> Text {
    let spots = &fairness.safe_spots;
    let cells = spots.safe().filter(|safe| *safe).count();
    let share = spots.safe_share() * 100.0;
    if cells == 0 {
        return Text::new("none", "没有");
    }
    Text::new(
        format!("{cells} places, {share:.1} % of where a player can be"),
        format!("{cells} 处，占玩家可到达区域的 {share:.1} %"),
    )
}

fn walls(config: &FightConfig, fairness: &Fairness) -> Text {
    let Some(first) = fairness.walls.first() else { return Text::new("none", "没有") };
    let count = fairness.walls.len();
    let (at, phase) = (first.from.seconds, phase_id(config, first.phase));
    let [x, z] = first.place;
    Text::new(
        format!("{count}; the first from {at:.2} s in {phase}, near ({x:.1}, {z:.1})"),
        format!("{count} 次；最早在 {at:.2} 秒，{phase}，位置 ({x:.1}, {z:.1}) 附近"),
    )
}

fn nearest(config: &FightConfig, fairness: &Fairness) -> Text {
    let say = |and: &str, en: bool| {
        let miss = |miss: &danmaku::misses::NearMiss| {
            let (distance, at, phase) = (miss.distance, miss.at.seconds, phase_id(config, miss.phase));
            if en {
                format!("{distance:.2} at {at:.2} s by {phase}")
            } else {
                format!("{at:.2} 秒距 {distance:.2}（{phase} 发出）")
            }
        };
        fairness.near_misses.iter().map(miss).collect::<Vec<_>>().join(and)
    };
    if fairness.near_misses.is_empty() {
        return Text::new("none", "没有");
    }
    Text::new(say("; ", true), say("；", false))
}

fn phase_id(config: &FightConfig, phase: usize) -> &str {
    config.phases().get(phase).map_or("?", |phase| phase.phase_id.as_str())
}

fn map(config: &FightConfig, fairness: &Fairness, variant: Variant) -> Result<Artifact, RenderError> {
    let bytes = fairness_map(config, fairness, &variant.name().to_uppercase())?;
    Ok(Artifact {
        name: format!("fairness-{variant}.png"),
        kind: ArtifactKind::Map,
        media_type: "image/png".to_owned(),
        label: Text::new("safe spots, walls and near misses", "安全点、死路与擦弹"),
        detail: json!({"side": variant}),
        bytes,
    })
}
