//! The fountain itself: drops that fly straight, a visitor who walks, and pictures of it.

use loopwright_report::Text;
use loopwright_report::model::{Actor, Band, Counter, Group, Particles, Role, Side, SideMark, Tone};

use super::png;

/// How many steps a show has.
pub(crate) const STEPS: u32 = 2_161;
/// The length of a step.
pub(crate) const SECONDS: f64 = 1.0 / 60.0;
/// When each jet starts, in steps.
const JETS: [u32; 4] = [0, 761, 1_594, STEPS];

fn t(en: &str, zh: &str) -> Text {
    Text::new(en, zh)
}

/// One side: three jets one after another, drops that fly straight, a visitor who walks to and fro.
#[expect(clippy::cast_precision_loss, reason = "steps and counts are small")]
pub(crate) fn show(role: Role) -> Side {
    let candidate = role == Role::Candidate;
    let label = if candidate { t("Candidate", "候选") } else { t("Baseline", "基线") };
    let mut particles = Particles::default();
    let visitor = |step: u32| {
        let seconds = step as f32 / 60.0;
        ((0.72 * seconds).sin() * 5.4, -3.0 + (0.39 * seconds).sin() * 0.8)
    };
    for jet in 0..3_usize {
        let both_ways = candidate && jet == 1;
        let (each, speed) = if both_ways { (16, 2.6) } else { (12, 3.6) };
        let mut pulse = 0_u32;
        let mut step = JETS[jet];
        while step < JETS[jet + 1] {
            for way in if both_ways { &[1.0_f32, -1.0][..] } else { &[1.0][..] } {
                for index in 0..each {
                    let angle = (index as f32 / each as f32 + way * pulse as f32 * 0.031) * std::f32::consts::TAU;
                    let life = if both_ways { 190 } else { 110 };
                    particles.spawn.push(step);
                    particles.x.push(0.0);
                    particles.y.push(2.0);
                    particles.dx.push(angle.cos() * speed / 60.0);
                    particles.dy.push(angle.sin() * speed / 60.0);
                    particles.end.push((step + life).min(STEPS + 40));
                    particles.group.push(u16::try_from(jet).unwrap_or(0));
                }
            }
            pulse += 1;
            step += if jet == 1 { 34 } else { 46 };
        }
    }
    let steps = || 0..STEPS;
    let alive = Counter {
        id: "alive".to_owned(),
        label: t("In the air", "空中"),
        values: steps().map(|step| particles.alive(step) as f64).collect(),
    };
    let splashes: &[f64] = if candidate { &[] } else { &[17.3, 30.85] };
    let splashed = Counter {
        id: "splashes".to_owned(),
        label: t("Splashes", "溅湿"),
        values: steps()
            .map(|step| splashes.iter().filter(|at| **at <= f64::from(step) * SECONDS).count() as f64)
            .collect(),
    };
    let names = [t("Left jet", "左喷口"), t("Middle jet", "中间喷口"), t("Right jet", "右喷口")];
    let bands = names.iter().zip(JETS.windows(2)).map(|(name, ends)| Band {
        role,
        label: name.clone(),
        from: f64::from(ends[0]) * SECONDS,
        to: f64::from(ends[1]) * SECONDS,
    });
    let marks = splashes.iter().map(|at| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "moments lie within the show")]
        let (x, y) = visitor((at / SECONDS) as u32);
        SideMark { at: *at, label: t("Splash", "溅湿"), tone: Tone::Bad, place: Some([x, y]) }
    });
    Side {
        role,
        label,
        steps: None,
        actors: vec![
            Actor {
                label: t("Visitor", "访客"),
                radius: 0.22,
                x: steps().map(|step| visitor(step).0).collect(),
                y: steps().map(|step| visitor(step).1).collect(),
            },
            Actor { label: t("Nozzle", "喷嘴"), radius: 0.5, x: vec![0.0], y: vec![2.0] },
        ],
        groups: names.iter().cloned().map(|label| Group { label, radius: 0.1 }).collect(),
        bands: bands.collect(),
        marks: marks.collect(),
        counters: vec![alive, splashed],
        particles,
    }
}

/// Rings of dots on a dark ground.
pub(crate) fn paint(turn: u32) -> Vec<u8> {
    let rows: Vec<Vec<u8>> = (0..180_u32)
        .map(|y| {
            (0..320_u32)
                .map(|x| {
                    let (across, down) = (f64::from(x) - 160.0, f64::from(y) - 60.0);
                    let (far, angle) = (across.hypot(down), down.atan2(across));
                    let lit = (far * 0.35 - f64::from(turn)).sin() > 0.6 && (angle * 8.0 + f64::from(turn)).sin() > 0.3;
                    if far < 6.0 {
                        3
                    } else if lit {
                        1 + u8::from(far > 70.0)
                    } else {
                        0
                    }
                })
                .collect()
        })
        .collect();
    png::encode([[16, 20, 27], [126, 166, 255], [255, 157, 92], [240, 242, 245]], &rows)
}
