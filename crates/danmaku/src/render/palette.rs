//! Colours and bullet shapes: every difference that matters is told by lightness or shape too, not by hue alone.
//!
//! The phase hues are from Okabe and Ito's palette, chosen so that people with the common kinds of colour blindness can
//! tell them apart. Layers of one phase differ in shape and in lightness.

use tiny_skia::Color;

/// An opaque colour, 0 to 255 each.
pub(super) type Rgb = [u8; 3];

pub(super) const BACKGROUND: Rgb = [11, 15, 25];
/// The stage around the region in which bullets live.
pub(super) const SURROUND: Rgb = [11, 15, 25];
/// Where bullets live outside the arena.
pub(super) const OUTSKIRTS: Rgb = [16, 22, 35];
pub(super) const ARENA: Rgb = [22, 30, 47];
pub(super) const GRID: Rgb = [30, 40, 60];
pub(super) const BORDER: Rgb = [104, 121, 152];
pub(super) const TEXT: Rgb = [236, 240, 247];
pub(super) const QUIET_TEXT: Rgb = [146, 160, 186];
pub(super) const TRACK: Rgb = [44, 55, 78];
pub(super) const PLAYER: Rgb = [255, 255, 255];
pub(super) const BOSS: Rgb = [213, 94, 0];
/// Where a still player is never hit.
pub(super) const SAFE: Rgb = [240, 228, 66];
pub(super) const HIT: Rgb = [255, 92, 92];

/// Hues of the phases in order: sky blue, orange, reddish purple, yellow, bluish green.
const PHASES: [Rgb; 5] = [[86, 180, 233], [230, 159, 0], [224, 130, 186], [240, 228, 66], [0, 178, 132]];

/// How a bullet of some layer is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Disc,
    Ring,
    Diamond,
    Frame,
}

/// The shape of a layer; after four layers they begin again.
pub(super) fn shape(layer: u32) -> Shape {
    match layer % 4 {
        0 => Shape::Disc,
        1 => Shape::Ring,
        2 => Shape::Diamond,
        _ => Shape::Frame,
    }
}

/// The colour of a phase; after five phases the hues begin again.
pub(super) fn phase(index: usize) -> Rgb {
    PHASES[index % PHASES.len()]
}

/// The colour of a phase's layer: each layer is lighter than the one before.
pub(super) fn bullet(phase_index: usize, layer: u32) -> Rgb {
    let white = match layer % 4 {
        0 => 0,
        1 => 70,
        2 => 40,
        _ => 110,
    };
    mix(phase(phase_index), [255; 3], white)
}

/// A colour between two; `share` of 255 is all of the second.
pub(super) fn mix(from: Rgb, to: Rgb, share: u8) -> Rgb {
    let part = |a: u8, b: u8| {
        let sum = u16::from(a) * u16::from(255 - share) + u16::from(b) * u16::from(share);
        u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
    };
    [part(from[0], to[0]), part(from[1], to[1]), part(from[2], to[2])]
}

/// The heat scale from nothing (0) to the most (1): dark to light without a turn, so that it reads in grey too.
pub(super) fn heat(share: f32) -> Rgb {
    const STOPS: [Rgb; 6] =
        [[24, 32, 62], [38, 70, 138], [28, 122, 160], [56, 172, 132], [190, 208, 74], [255, 246, 196]];
    let place = share.clamp(0.0, 1.0) * 5.0;
    let mut rest = place;
    let mut stop = 0;
    while rest > 1.0 && stop < 4 {
        rest -= 1.0;
        stop += 1;
    }
    mix(STOPS[stop], STOPS[stop + 1], crate::number::byte(rest * 255.0))
}

pub(super) fn opaque(rgb: Rgb) -> Color {
    Color::from_rgba8(rgb[0], rgb[1], rgb[2], 255)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG defines it.
    fn luminance(rgb: Rgb) -> f64 {
        let linear = |value: u8| {
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
    }

    #[test]
    fn text_and_bullets_stand_out_from_what_is_behind_them() {
        for front in [TEXT, QUIET_TEXT, phase(0), phase(1), phase(2), phase(3), phase(4), HIT] {
            for back in [BACKGROUND, OUTSKIRTS, ARENA] {
                let contrast = (luminance(front) + 0.05) / (luminance(back) + 0.05);
                assert!(contrast >= 4.5, "{front:?} on {back:?}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn the_heat_scale_only_grows_lighter() {
        let scale: Vec<f64> = (0..=100_u8).map(|step| luminance(heat(f32::from(step) / 100.0))).collect();
        assert!(scale.windows(2).all(|pair| pair[0] <= pair[1]), "{scale:?}");
        assert_eq!((heat(-1.0), heat(2.0)), ([24, 32, 62], [255, 246, 196]));
    }

    #[test]
    fn neighbouring_layers_differ_in_shape_and_colour() {
        for layer in 0..4 {
            assert_ne!(shape(layer), shape(layer + 1));
            assert_ne!(bullet(0, layer), bullet(0, layer + 1));
        }
        assert_eq!(mix([0; 3], [255; 3], 0), [0; 3]);
        assert_eq!(mix([0; 3], [255; 3], 255), [255; 3]);
    }
}
