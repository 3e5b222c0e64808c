//! Pictures of a fight as typed artifacts, with labels in both languages.

use danmaku::render::{Capture, Heat, RenderError, captures, filmstrip, heat_map};
use danmaku::{FightConfig, RunOptions};
use loopwright_configs::Text;
use serde_json::json;

use crate::artifact::{Artifact, ArtifactKind};
use crate::runner::Variant;

/// Frames of a filmstrip.
const FRAMES: u32 = 12;
/// The heat map's hottest colour, in bullet-seconds per square unit: the same for every map, so that any two compare.
const HOTTEST: f64 = 40.0;
const PNG: &str = "image/png";

/// Captures at some moments, the heat map and the filmstrip of a fight.
pub(super) fn pictures(
    config: &FightConfig,
    options: &RunOptions,
    heat: &Heat,
    at: &[f64],
    variant: Variant,
) -> Result<Vec<Artifact>, RenderError> {
    let label = variant.name().to_uppercase();
    let taken = captures(config, options, at, &label)?.taken;
    let mut artifacts: Vec<_> = taken.into_iter().map(capture).collect();
    artifacts.push(picture(
        "heat-map.png",
        ArtifactKind::Map,
        Text::new("where the bullets were", "子弹分布热图"),
        heat_map(config, heat, HOTTEST, &label)?,
    ));
    artifacts.push(picture(
        "filmstrip.png",
        ArtifactKind::Filmstrip,
        Text::new("the fight in small pictures", "整场战斗的小图"),
        filmstrip(config, options, FRAMES, &label)?,
    ));
    Ok(artifacts)
}

fn capture(capture: Capture) -> Artifact {
    let asked = capture.asked;
    Artifact {
        name: format!("capture-{asked}s.png"),
        kind: ArtifactKind::Capture,
        media_type: PNG.to_owned(),
        label: Text::new(format!("{asked} s"), format!("{asked} 秒")),
        detail: json!({
            "asked_seconds": asked,
            "time_seconds": capture.time,
            "step": capture.step,
            "phase_id": capture.phase_id,
            "pattern_type": capture.pattern_type,
            "alive": capture.alive,
            "hits": capture.hits,
        }),
        bytes: capture.png,
    }
}

fn picture(name: &str, kind: ArtifactKind, label: Text, bytes: Vec<u8>) -> Artifact {
    Artifact { name: name.to_owned(), kind, media_type: PNG.to_owned(), label, detail: json!({}), bytes }
}
