//! A scene as data for the page's script: numbers only, so that nothing in it can end the element it stands in.

use std::fmt::Write as _;

use crate::model::{Scene, Side};

/// The scene as JSON, one array per column.
pub(super) fn scene(scene: &Scene) -> String {
    let field = &scene.field;
    let mut out = format!(
        "{{\"seconds\":{},\"steps\":{},\"still\":{},\"field\":[{},{},{},{}],\"sides\":[",
        finite(scene.step_seconds),
        scene.steps,
        scene.still.min(scene.steps.saturating_sub(1)),
        single(field.left),
        single(field.bottom),
        single(field.width),
        single(field.height),
    );
    for (index, side) in scene.sides.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        self::side(&mut out, scene, side);
    }
    out.push_str("]}");
    out
}

fn side(out: &mut String, scene: &Scene, side: &Side) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{{\"last\":{},\"groups\":", scene.last_step(side));
    list(out, side.groups.iter().map(|group| single(group.radius)));
    out.push_str(",\"actors\":[");
    for (index, actor) in side.actors.iter().enumerate() {
        let _ = write!(out, "{}{{\"r\":{},\"x\":", if index == 0 { "" } else { "," }, single(actor.radius));
        list(out, actor.x.iter().map(|x| single(*x)));
        out.push_str(",\"y\":");
        list(out, actor.y.iter().map(|y| single(*y)));
        out.push('}');
    }
    let particles = &side.particles;
    out.push_str("],\"spawn\":");
    list(out, particles.spawn.iter());
    for (name, column) in [("x", &particles.x), ("y", &particles.y), ("dx", &particles.dx), ("dy", &particles.dy)] {
        let _ = write!(out, ",\"{name}\":");
        list(out, column.iter().map(|value| single(*value)));
    }
    out.push_str(",\"end\":");
    list(out, particles.end.iter());
    out.push_str(",\"group\":");
    list(out, particles.group.iter());
    out.push_str(",\"counters\":[");
    for (index, counter) in side.counters.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        list(out, counter.values.iter().map(|value| finite(*value)));
    }
    out.push_str("],\"bands\":[");
    for (index, band) in side.bands.iter().enumerate() {
        let _ = write!(out, "{}[{},{}]", if index == 0 { "" } else { "," }, finite(band.from), finite(band.to));
    }
    out.push_str("],\"marks\":[");
    let placed = side.marks.iter().filter_map(|mark| Some((mark.at, mark.place?)));
    for (index, (at, [x, y])) in placed.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(out, "{comma}[{},{},{}]", finite(at), single(x), single(y));
    }
    out.push_str("]}");
}

fn list<T: std::fmt::Display>(out: &mut String, values: impl Iterator<Item = T>) {
    out.push('[');
    for (index, value) in values.enumerate() {
        let _ = write!(out, "{}{value}", if index == 0 { "" } else { "," });
    }
    out.push(']');
}

/// JSON has no number that is not finite; such a place is drawn at nought.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// As [`finite`]. `Display` of a single is its shortest decimal form, which is all a drawing needs.
fn single(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
