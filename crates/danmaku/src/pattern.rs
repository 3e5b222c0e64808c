//! The bullets of one wave: in which directions, how fast and in which order they leave the boss.
//!
//! Nothing here draws a random number, and nothing knows what happens to a bullet afterwards.

use std::f64::consts::TAU;

use crate::config::{Pattern, PatternKind};
use crate::number::single;

/// One bullet as it leaves the boss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// 0, or 1 for the second direction of a bidirectional pattern.
    pub direction: u32,
    /// The layer, from 0.
    pub layer: u32,
    /// The place within its layer, from 0.
    pub index: u32,
    /// Degrees, counter-clockwise from the right.
    pub angle_deg: f64,
    /// Units per second.
    pub speed: f64,
}

impl Shot {
    /// Units per second to the right and upwards: computed in `f64`, then rounded once to `f32`.
    pub fn velocity(&self) -> [f32; 2] {
        let (sin, cos) = libm::sincos(self.angle_deg.to_radians());
        [single(cos * self.speed), single(sin * self.speed)]
    }
}

/// The direction from one point to another, in degrees counter-clockwise from the right.
pub fn direction_deg(from: [f32; 2], to: [f32; 2]) -> f64 {
    let [dx, dz] = [f64::from(to[0]) - f64::from(from[0]), f64::from(to[1]) - f64::from(from[1])];
    libm::atan2(dz, dx).to_degrees()
}

/// Calls `fire` for each bullet of a wave in emission order: direction, then layer, then place.
///
/// `wave` counts from 0 in each phase; `aim_deg` is the direction from the boss to the player.
pub fn wave(pattern: &Pattern, wave: u32, aim_deg: f64, mut fire: impl FnMut(Shot)) {
    let directions = if pattern.bidirectional { 2 } else { 1 };
    let bullets = f64::from(pattern.bullets_per_wave);
    let offset_per_layer = 180.0 / (bullets * f64::from(pattern.layer_count));
    let turn = f64::from(wave) * pattern.rotation_per_wave_deg;
    let gaps = match pattern.kind {
        PatternKind::AimedFan => (bullets - 1.0).max(1.0),
        _ => bullets,
    };
    for direction in 0..directions {
        let first = match pattern.kind {
            // A fan holds its aim: neither the wave's turn nor the direction moves it.
            PatternKind::AimedFan => aim_deg - pattern.spread_angle_deg / 2.0,
            _ if direction == 0 => turn,
            _ => -turn,
        };
        for layer in 0..pattern.layer_count {
            let start = first + f64::from(layer) * offset_per_layer;
            let speed = match pattern.kind {
                PatternKind::Petal => pattern.bullet_speed * (1.0 + 0.16 * f64::from(layer)),
                _ => pattern.bullet_speed,
            };
            for index in 0..pattern.bullets_per_wave {
                let place = f64::from(index);
                let swell = match pattern.kind {
                    PatternKind::Petal => 12.0 * libm::sin(TAU * place / bullets),
                    _ => 0.0,
                };
                let angle_deg = start + place * pattern.spread_angle_deg / gaps + swell;
                fire(Shot { direction, layer, index, angle_deg, speed });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(kind: PatternKind, bullets: u32, layers: u32, spread: f64) -> Pattern {
        Pattern {
            kind,
            bullets_per_wave: bullets,
            wave_interval_ms: 500,
            bullet_speed: 2.0,
            bullet_lifetime_seconds: 5.0,
            rotation_per_wave_deg: 10.0,
            spread_angle_deg: spread,
            layer_count: layers,
            bidirectional: false,
        }
    }

    fn shots(pattern: &Pattern, index: u32, aim_deg: f64) -> Vec<Shot> {
        let mut shots = Vec::new();
        wave(pattern, index, aim_deg, |shot| shots.push(shot));
        shots
    }

    fn assert_angles(shots: &[Shot], expected: &[f64]) {
        assert_eq!(shots.len(), expected.len());
        for (shot, angle) in shots.iter().zip(expected) {
            assert!((shot.angle_deg - angle).abs() < 1e-9, "{shots:?} should have {expected:?}");
        }
    }

    #[test]
    fn the_angles_of_each_kind() {
        use PatternKind::{AimedFan, Petal, Ring, Spiral};
        let root = 12.0 * (TAU / 3.0).sin();
        for (kind, bullets, layers, spread, wave, expected) in [
            (Ring, 4, 1, 360.0, 0, vec![0.0, 90.0, 180.0, 270.0]),
            (Ring, 2, 2, 360.0, 1, vec![10.0, 190.0, 55.0, 235.0]),
            (Spiral, 3, 1, 90.0, 2, vec![20.0, 50.0, 80.0]),
            (Petal, 3, 2, 360.0, 1, vec![10.0, 130.0 + root, 250.0 - root, 40.0, 160.0 + root, 280.0 - root]),
            (AimedFan, 3, 1, 60.0, 5, vec![-120.0, -90.0, -60.0]),
            (AimedFan, 1, 1, 60.0, 0, vec![-120.0]),
            (AimedFan, 2, 2, 60.0, 0, vec![-120.0, -60.0, -75.0, -15.0]),
        ] {
            assert_angles(&shots(&pattern(kind, bullets, layers, spread), wave, -90.0), &expected);
        }
    }

    #[test]
    fn the_second_direction_turns_the_other_way() {
        let two_way = Pattern { bidirectional: true, ..pattern(PatternKind::Spiral, 2, 1, 360.0) };
        let shots = shots(&two_way, 3, 0.0);
        assert_angles(&shots, &[30.0, 210.0, -30.0, 150.0]);
        assert_eq!(shots.iter().map(|shot| shot.direction).collect::<Vec<_>>(), [0, 0, 1, 1]);
    }

    #[test]
    fn only_the_layers_of_a_petal_differ_in_speed() {
        for (kind, expected) in [(PatternKind::Petal, [2.0, 2.32, 2.64]), (PatternKind::Ring, [2.0; 3])] {
            let speeds: Vec<f64> = shots(&pattern(kind, 1, 3, 360.0), 0, 0.0).iter().map(|shot| shot.speed).collect();
            assert!(speeds.iter().zip(expected).all(|(speed, value)| (speed - value).abs() < 1e-9), "{speeds:?}");
        }
    }

    #[test]
    fn angles_count_from_the_right_upwards() {
        assert!((direction_deg([1.0, 7.0], [1.0, 9.0]) - 90.0).abs() < 1e-9);
        assert!((direction_deg([1.0, 7.0], [-1.0, 7.0]) - 180.0).abs() < 1e-9);
        let shot = Shot { direction: 0, layer: 0, index: 0, angle_deg: 90.0, speed: 3.0 };
        let [x, z] = shot.velocity();
        assert!(x.abs() < 1e-6 && (z - 3.0).abs() < 1e-6);
    }
}
