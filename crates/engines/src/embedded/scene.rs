//! A fight as a scene: everything that moved, so that a report can show it again step by step.

use danmaku::config::PatternKind;
use danmaku::{FightConfig, Trace};
use loopwright_configs::Text;
use loopwright_report::model::{Actor, Band, Counter, Field, Group, Particles, Role, Scene, Side, SideMark, Tone};

use crate::runner::Variant;

/// The length of a step, in seconds.
const STEP_SECONDS: f64 = 1.0 / 60.0;
/// How large a bullet is drawn; the contract gives bullets no size.
const BULLET_RADIUS: f32 = 0.12;
/// How large the boss is drawn.
const BOSS_RADIUS: f32 = 0.6;

/// The role of a side of the comparison.
pub(super) fn role(variant: Variant) -> Role {
    match variant {
        Variant::Baseline => Role::Baseline,
        Variant::Candidate => Role::Candidate,
    }
}

/// The name of a side of the comparison.
pub(super) fn side_label(variant: Variant) -> Text {
    match variant {
        Variant::Baseline => Text::new("baseline", "基线"),
        Variant::Candidate => Text::new("candidate", "候选"),
    }
}

/// A scene of one side. The report's step 0 is the end of the fight's first step.
pub(super) fn scene(config: &FightConfig, trace: &Trace, variant: Variant) -> Scene {
    let (width, height) = (single(config.scenario().arena_width), single(config.scenario().arena_height));
    let steps = u32::try_from(trace.alive_per_step.len()).unwrap_or(u32::MAX);
    let groups = Groups::of(config);
    let side = Side {
        role: role(variant),
        label: side_label(variant),
        steps: Some(steps),
        actors: actors(config, trace),
        particles: particles(trace, &groups, steps),
        groups: groups.list,
        counters: counters(trace),
        bands: bands(config, trace, steps, variant),
        marks: marks(trace),
    };
    // Bullets fly a little past the arena's edge before they are gone.
    let field = Field { left: width * -0.65, bottom: height * -0.65, width: width * 1.3, height: height * 1.3 };
    let caption = Text::new("the whole fight, step by step", "整场战斗逐步回放");
    Scene { caption, step_seconds: STEP_SECONDS, steps, still: steps / 2, field, sides: vec![side] }
}

/// The kinds of bullets: each layer of each phase is one.
struct Groups {
    list: Vec<Group>,
    /// Where each phase's layers begin in the list.
    first: Vec<usize>,
}

impl Groups {
    fn of(config: &FightConfig) -> Self {
        let (mut list, mut first) = (Vec::new(), Vec::new());
        for phase in config.phases() {
            first.push(list.len());
            let layers = phase.pattern.layer_count.max(1);
            for layer in 1..=layers {
                let label = if layers == 1 {
                    Text::same(phase.phase_id.clone())
                } else {
                    Text::new(format!("{}, layer {layer}", phase.phase_id), format!("{} 第 {layer} 层", phase.phase_id))
                };
                list.push(Group { label, radius: BULLET_RADIUS });
            }
        }
        Self { list, first }
    }

    fn index(&self, phase: usize, layer: u32) -> u16 {
        let first = self.first.get(phase).copied().unwrap_or_default();
        let place = first + usize::try_from(layer).unwrap_or_default();
        u16::try_from(place.min(self.list.len().saturating_sub(1))).unwrap_or_default()
    }
}

fn actors(config: &FightConfig, trace: &Trace) -> Vec<Actor> {
    let (boss, player) = (config.boss(), config.player());
    vec![
        Actor {
            label: Text::new("boss", "首领"),
            radius: BOSS_RADIUS,
            x: vec![single(boss.position_x)],
            y: vec![single(boss.position_z)],
        },
        Actor {
            label: Text::new("player", "玩家"),
            radius: single(player.hit_radius),
            x: trace.player_per_step.iter().map(|[x, _]| *x).collect(),
            y: trace.player_per_step.iter().map(|[_, z]| *z).collect(),
        },
    ]
}

fn particles(trace: &Trace, groups: &Groups, steps: u32) -> Particles {
    let mut particles = Particles::default();
    for spawn in &trace.spawns {
        let ([x, z], [dx, dz]) = (spawn.event.position, spawn.event.step);
        particles.spawn.push(spawn.at.step.saturating_sub(1));
        // A bullet moves for the first time in the step it is born in.
        particles.x.push(x + dx);
        particles.y.push(z + dz);
        particles.dx.push(dx);
        particles.dy.push(dz);
        particles.end.push(steps);
        particles.group.push(groups.index(spawn.event.phase, spawn.event.layer));
    }
    for removal in &trace.removals {
        let bullet = usize::try_from(removal.event.bullet).unwrap_or(usize::MAX);
        if let Some(end) = particles.end.get_mut(bullet) {
            *end = removal.at.step.saturating_sub(1);
        }
    }
    particles
}

fn counters(trace: &Trace) -> Vec<Counter> {
    let alive = trace.alive_per_step.iter().map(|alive| f64::from(*alive)).collect();
    let mut hits = vec![0.0; trace.alive_per_step.len()];
    for hit in &trace.hits {
        let from = usize::try_from(hit.at.step.saturating_sub(1)).unwrap_or(usize::MAX);
        hits.iter_mut().skip(from).for_each(|count| *count += 1.0);
    }
    vec![
        Counter { id: "alive".to_owned(), label: Text::new("bullets alive", "存活子弹"), values: alive },
        Counter { id: "hits".to_owned(), label: Text::new("hits", "中弹"), values: hits },
    ]
}

fn bands(config: &FightConfig, trace: &Trace, steps: u32, variant: Variant) -> Vec<Band> {
    let end = f64::from(steps) * STEP_SECONDS;
    let ends = trace.phase_starts.iter().skip(1).map(|start| f64::from(start.at.seconds)).chain([end]);
    let band = |(start, to): (&danmaku::trace::Timed<usize>, f64)| {
        let phase = config.phases().get(start.event)?;
        let kind = kind_label(phase.pattern.kind);
        let label = Text::new(format!("{} · {}", phase.phase_id, kind.en), format!("{} · {}", phase.phase_id, kind.zh));
        Some(Band { role: role(variant), label, from: f64::from(start.at.seconds), to })
    };
    trace.phase_starts.iter().zip(ends).filter_map(band).collect()
}

/// A pattern's name for people.
pub(super) fn kind_label(kind: PatternKind) -> Text {
    match kind {
        PatternKind::Ring => Text::new("ring", "环弹"),
        PatternKind::AimedFan => Text::new("aimed fan", "扇形自机狙"),
        PatternKind::Spiral => Text::new("spiral", "螺旋弹"),
        PatternKind::Petal => Text::new("petal", "花弹"),
    }
}

fn marks(trace: &Trace) -> Vec<SideMark> {
    let mark = |hit: &danmaku::trace::Timed<danmaku::observer::Hit>| SideMark {
        at: f64::from(hit.at.seconds),
        label: Text::new(
            format!("hit, {} health left", hit.event.health),
            format!("中弹，剩余生命 {}", hit.event.health),
        ),
        tone: Tone::Bad,
        place: Some(hit.event.player),
    };
    trace.hits.iter().map(mark).collect()
}

/// The contract's numbers are small; the scene needs no more than single precision.
#[expect(clippy::cast_possible_truncation, reason = "positions and sizes of an arena")]
fn single(number: f64) -> f32 {
    number as f32
}
