//! Both configs against many players: distributions of what became of them.

use std::thread;

use danmaku::FightConfig;
use danmaku::players::{PlayerResult, profile_fights};
use loopwright_configs::Text;

use crate::study::{Better, Distribution, Progress, StudyRequest};

/// Lets both configs meet the same players; `progress` counts the fights of both.
pub(super) fn distributions(
    baseline: &FightConfig,
    candidate: &FightConfig,
    request: &StudyRequest,
    progress: &Progress<'_>,
) -> Vec<Distribution> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let players = request.trials;
    let total = players.saturating_mul(2);
    let before = profile_fights(baseline, request.seed, players, threads, |done| progress(done, total));
    let after = profile_fights(candidate, request.seed, players, threads, |done| progress(players + done, total));
    let figure = |id: &str, label: Text, unit: Option<Text>, better, of: fn(&PlayerResult) -> Option<f64>| {
        // A player without the figure on either side is left out of both, so that pairs stay pairs.
        let pairs = before.iter().zip(&after).filter_map(|(before, after)| of(before).zip(of(after)));
        let (baseline, candidate) = pairs.unzip();
        Distribution { id: id.to_owned(), label, unit, better, baseline, candidate }
    };
    vec![
        figure("hits", Text::new("hits", "中弹次数"), None, Better::Lower, |player| Some(f64::from(player.hits))),
        figure(
            "survival_seconds",
            Text::new("survival", "存活时间"),
            Some(Text::new("s", "秒")),
            Better::Higher,
            |player| Some(player.survival_seconds),
        ),
        figure(
            "nearest_miss",
            Text::new("nearest miss", "最险擦弹距离"),
            Some(Text::new("units", "单位")),
            Better::Higher,
            |player| player.nearest_miss,
        ),
    ]
}
