//! Fairness: the map agrees with fights of still players, and nobody escapes a wall.

use crate::any_fight::legal;
use crate::fixtures::{baseline, config, two_way_spiral};
use danmaku::fairness::{LOOK_AHEAD_STEPS, WARNING_STEPS, Wall, fairness, safe_spots, walls};
use danmaku::fight::{Fight, STEP_SECONDS};
use danmaku::observer::Cause;
use danmaku::players::{Pilot, SplitMix64, View};
use danmaku::{FightConfig, Trace};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The step in which a still player is touched first.
fn first_touch(config: &FightConfig, place: [f32; 2]) -> Option<u32> {
    let mut trace = Trace::default();
    let mut fight = Fight::with_pilot(config, place);
    while fight.step(&mut trace).is_none() {
        if trace.removals.last().is_some_and(|removal| removal.event.cause == Cause::Touched) {
            break;
        }
    }
    trace.removals.iter().find(|removal| removal.event.cause == Cause::Touched).map(|removal| removal.at.step)
}

/// Rings that no gap is left in, and that reach every corner.
fn closed_rings() -> Value {
    let mut document = baseline();
    for phase in 0..3 {
        let pattern = &mut document["phases"][phase]["pattern"];
        pattern["type"] = json!("ring");
        pattern["spread_angle_deg"] = json!(360);
        pattern["bullets_per_wave"] = json!(512);
        pattern["layer_count"] = json!(1);
        pattern["wave_interval_ms"] = json!(4000);
        pattern["bullet_speed"] = json!(3.0);
        pattern["bullet_lifetime_seconds"] = json!(12);
    }
    document
}

#[test]
fn the_map_of_the_published_fights() {
    for (document, share) in [(baseline(), 0.0127), (two_way_spiral(2.6), 0.1083)] {
        let spots = safe_spots(&config(&document));
        assert_eq!((spots.columns(), spots.rows(), spots.cell()), (56, 80, [0.25, 0.25]));
        assert!((spots.safe_share() - share).abs() < 5e-4, "{}", spots.safe_share());
        assert_eq!(spots.centre(0, 0), [-6.875, 9.875]);
        assert_eq!(spots.centre(55, 79), [6.875, -9.875]);
    }
}

#[test]
fn the_map_agrees_with_a_fight_of_every_still_player() {
    let mut fans = baseline();
    for phase in 0..2 {
        fans["phases"][phase]["pattern"]["type"] = json!("aimed_fan");
        fans["phases"][phase]["pattern"]["spread_angle_deg"] = json!(40);
        fans["phases"][phase]["pattern"]["layer_count"] = json!(2);
        fans["phases"][phase]["pattern"]["bullets_per_wave"] = json!(4 + phase);
        fans["phases"][phase]["pattern"]["bullet_lifetime_seconds"] = json!(2);
    }
    fans["scenario"]["arena_width"] = json!(8);
    fans["scenario"]["arena_height"] = json!(12);
    fans["player"]["hit_radius"] = json!(0.1);
    let config = config(&fans);
    let spots = safe_spots(&config);
    let mut seen = [0, 0];
    for row in (0..spots.rows()).step_by(2) {
        for column in (row % 4 / 2..spots.columns()).step_by(2) {
            let mapped = spots.first_hits()[(row * spots.columns() + column) as usize].map(|at| at.step);
            assert_eq!(mapped, first_touch(&config, spots.centre(column, row)), "column {column}, row {row}");
            seen[usize::from(mapped.is_none())] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "both kinds of places are compared: {seen:?}");
}

#[test]
fn a_ring_without_gaps_is_a_wall_and_the_published_fights_have_none() {
    for document in [baseline(), two_way_spiral(2.6)] {
        assert_eq!(walls(&config(&document)), []);
    }
    let config = config(&closed_rings());
    let found = walls(&config);
    assert!(found.len() >= 6, "one for each ring that arrives: {found:?}");
    for wall in &found {
        let steps = (wall.closed.step - wall.from.step) as usize;
        assert!((WARNING_STEPS..=LOOK_AHEAD_STEPS).contains(&steps), "{wall:?}");
        assert!(wall.place[0].abs() <= 7.0 && wall.place[1].abs() <= 10.0, "{wall:?}");
        assert!(wall.emitted_by <= wall.phase, "{wall:?}");
        // The ring comes from above, so that the last way out is one of the lower corners.
        assert!(wall.place[0].abs() > 6.0 && wall.place[1] < -9.0, "{wall:?}");
    }
    assert!(found.windows(2).all(|pair| pair[0].closed.step < pair[1].closed.step));

    // A gap lets the player through: half of the ring is enough.
    let mut half = closed_rings();
    for phase in 0..3 {
        half["phases"][phase]["pattern"]["spread_angle_deg"] = json!(120);
    }
    assert_eq!(walls(&crate::fixtures::config(&half)), []);
}

/// Is nowhere until a wall stands, and then flies as a seed has it.
struct Runner {
    wall: Wall,
    place: [f64; 2],
    half: [f64; 2],
    speed: f64,
    straight: bool,
    course: f64,
    random: SplitMix64,
}

impl Pilot for Runner {
    fn fly(&mut self, view: &View<'_>) -> [f32; 2] {
        if view.at.step <= self.wall.from.step {
            return [1e6, 1e6];
        }
        if !self.straight && view.at.step.is_multiple_of(7) {
            self.course = self.random.between(0.0, 360.0);
        }
        let [sin, cos] = [self.course.to_radians().sin(), self.course.to_radians().cos()];
        let step = self.speed * f64::from(STEP_SECONDS);
        self.place[0] = (self.place[0] + cos * step).clamp(-self.half[0], self.half[0]);
        self.place[1] = (self.place[1] + sin * step).clamp(-self.half[1], self.half[1]);
        #[expect(clippy::cast_possible_truncation, reason = "the fight is in single precision")]
        self.place.map(|place| place as f32)
    }
}

/// Whether anyone who runs from a wall gets away.
fn escapes(config: &FightConfig, wall: Wall, seed: u64) -> bool {
    let scenario = config.scenario();
    let mut random = SplitMix64::new(seed);
    let course = random.between(0.0, 360.0);
    let runner = Runner {
        wall,
        place: wall.player.map(f64::from),
        half: [scenario.arena_width / 2.0, scenario.arena_height / 2.0],
        speed: config.player().move_speed,
        straight: seed.is_multiple_of(2),
        course,
        random,
    };
    let mut trace = Trace::default();
    let mut fight = Fight::with_pilot(config, runner);
    while fight.steps() < wall.closed.step && fight.step(&mut trace).is_none() {}
    !trace.removals.iter().any(|removal| removal.event.cause == Cause::Touched)
}

#[test]
fn nobody_escapes_a_wall() {
    let mut slow = closed_rings();
    slow["player"]["move_speed"] = json!(1.5);
    let mut fast = closed_rings();
    fast["player"]["move_speed"] = json!(9);
    for document in [closed_rings(), slow, fast] {
        let config = config(&document);
        let found = walls(&config);
        assert!(!found.is_empty());
        for wall in &found {
            for seed in 0..40 {
                assert!(!escapes(&config, *wall, seed), "seed {seed} escapes {wall:?}");
            }
        }
    }
}

#[test]
fn near_misses_and_the_whole() {
    let config = config(&baseline());
    let fairness = fairness(&config, 3);
    let distances: Vec<f64> = fairness.near_misses.iter().map(|miss| (miss.distance * 1e3).round() / 1e3).collect();
    assert_eq!(distances, [0.018, 0.316, 0.501]);
    assert_eq!(fairness.near_misses[0].phase, 2);
    assert_eq!(fairness.safe_spots, safe_spots(&config));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_map_of_any_fight_agrees_with_still_players(
        document in legal(), places in prop::collection::vec(any::<prop::sample::Index>(), 6),
    ) {
        let config = FightConfig::from_json(&document).unwrap();
        let spots = safe_spots(&config);
        for place in places {
            let index = place.index(spots.first_hits().len());
            let cell = u32::try_from(index).unwrap();
            let centre = spots.centre(cell % spots.columns(), cell / spots.columns());
            prop_assert_eq!(spots.first_hits()[index].map(|at| at.step), first_touch(&config, centre), "{:?}", centre);
        }
    }

    #[test]
    fn nobody_escapes_any_wall(document in legal(), seed in any::<u64>()) {
        let mut document = document;
        for phase in document["phases"].as_array_mut().unwrap() {
            // What is aimed at the runner is not what was aimed at the fixed path.
            if phase["pattern"]["type"] == "aimed_fan" {
                phase["pattern"]["type"] = json!("ring");
            }
        }
        document["player"]["max_health"] = json!(1000);
        let config = FightConfig::from_json(&document).unwrap();
        for wall in walls(&config).iter().take(5) {
            prop_assert!(!(0..6).any(|run| escapes(&config, *wall, seed.wrapping_add(run))), "{wall:?}");
        }
    }
}
