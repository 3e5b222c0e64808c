//! The committed baseline and the published variants of it, shared by the tests.

use danmaku::{DeviceProfile, FightConfig};
use serde_json::{Value, json};

pub(crate) fn baseline() -> Value {
    serde_json::from_str(include_str!("../../../../packs/bullet-hell/baseline.json")).unwrap()
}

/// The baseline with phase 2 two-way, 16 bullets a wave, at some speed.
pub(crate) fn two_way_spiral(speed: f64) -> Value {
    let mut document = baseline();
    let pattern = &mut document["phases"][1]["pattern"];
    pattern["bidirectional"] = json!(true);
    pattern["bullets_per_wave"] = json!(16);
    pattern["bullet_speed"] = json!(speed);
    document
}

pub(crate) fn config(document: &Value) -> FightConfig {
    FightConfig::from_json(document).unwrap()
}

pub(crate) fn reference_desktop() -> DeviceProfile {
    DeviceProfile::new("reference-desktop", 60.0, 14.19, 0.01444).unwrap()
}
