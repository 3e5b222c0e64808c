//! Players of all kinds: the rules they keep to, and results that depend on nothing but the player.

use std::sync::OnceLock;

use crate::any_fight::legal;
use crate::fixtures::{baseline, config, two_way_spiral};
use danmaku::fight::{Fight, STEP_SECONDS};
use danmaku::players::{DodgingPlayer, PlayerKind, PlayerResult, SplitMix64, Trajectory, nth, profile_fights};
use danmaku::{DEFAULT_SEED, FightConfig, Trace};
use proptest::prelude::*;
use serde_json::json;

fn dodge(config: &FightConfig, seed: u64) -> Trace {
    let mut trace = Trace::default();
    let mut fight = Fight::with_pilot(config, DodgingPlayer::new(config, seed));
    while fight.step(&mut trace).is_none() {}
    trace
}

fn players(kind: PlayerKind) -> Vec<PlayerResult> {
    static RESULTS: OnceLock<Vec<PlayerResult>> = OnceLock::new();
    let all = RESULTS.get_or_init(|| profile_fights(&config(&baseline()), DEFAULT_SEED, 64, 2, |_| {}));
    all.iter().filter(|result| result.kind == kind).copied().collect()
}

#[test]
fn the_fixed_path_is_the_contracts_to_the_last_bit() {
    let path = Trajectory::new(&config(&baseline()));
    let mut seconds = 0.0_f32;
    for _ in 0..2160 {
        seconds += STEP_SECONDS;
        let t = f64::from(seconds);
        #[expect(clippy::cast_possible_truncation, reason = "the contract rounds the path to single precision")]
        let expected =
            [(libm::sin(0.72 * t) * (14.0 * 0.34)) as f32, (-7.0 + libm::sin(0.39 * t) * (20.0 * 0.1)) as f32];
        assert_eq!(path.at(seconds).map(f32::to_bits), expected.map(f32::to_bits), "at {t}");
    }
}

#[test]
fn variations_are_spread_as_documented() {
    let config = config(&baseline());
    let mut random = SplitMix64::new(5);
    let (mut widest, mut narrowest) = (0.0_f32, f32::INFINITY);
    let mut starts = Vec::new();
    for _ in 0..200 {
        let path = Trajectory::varied(&config, &mut random);
        let places: Vec<[f32; 2]> = (0..1000_u16).map(|step| path.at(f32::from(step) * 0.02)).collect();
        let reach = places.iter().map(|place| place[0].abs()).fold(0.0, f32::max);
        (widest, narrowest) = (widest.max(reach), narrowest.min(reach));
        assert!(places.iter().all(|place| (place[1] + 7.0).abs() <= 2.0 * 1.15 + 1e-4));
        starts.push(places[0][0]);
    }
    assert!(widest <= 4.76 * 1.15 + 1e-4 && widest > 4.76 * 1.1, "{widest}");
    assert!((4.76 * 0.85 - 1e-2..4.76 * 0.9).contains(&narrowest), "{narrowest}");
    assert!(starts.iter().any(|&x| x < -3.0) && starts.iter().any(|&x| x > 3.0));
}

#[test]
fn dodging_is_worth_it() {
    let hits = |kind| players(kind).iter().map(|result| result.hits).sum::<u32>();
    let (flying, dodging) = (hits(PlayerKind::Trajectory), hits(PlayerKind::Dodging));
    assert!(flying > 20, "a blind player is hit: {flying}");
    assert!(dodging * 4 < flying, "one who dodges is hit much less: {dodging} of {flying}");
}

#[test]
fn each_player_has_a_seed_a_kind_and_a_fight_of_its_own() {
    let (flying, dodging) = (players(PlayerKind::Trajectory), players(PlayerKind::Dodging));
    for (place, (path, dodger)) in flying.iter().zip(&dodging).enumerate() {
        assert_eq!((path.index as usize, dodger.index as usize), (2 * place, 2 * place + 1));
        assert_eq!((path.seed, dodger.seed), (nth(DEFAULT_SEED, path.index), nth(DEFAULT_SEED, dodger.index)));
    }
    for of_kind in [flying, dodging] {
        let mut nearest: Vec<u64> = of_kind.iter().map(|result| result.nearest_miss.unwrap().to_bits()).collect();
        nearest.sort_unstable();
        nearest.dedup();
        assert!(nearest.len() > of_kind.len() / 2, "players differ");
        for result in of_kind {
            assert!(result.nearest_miss.unwrap() > 0.0);
            assert_eq!(result.completed, result.hits < 5);
            assert_eq!(result.completed, result.survival_seconds == 36.0);
        }
    }
}

#[test]
fn neither_threads_nor_the_number_of_players_change_a_result() {
    let config = config(&two_way_spiral(3.6));
    let one = profile_fights(&config, 11, 13, 1, |_| {});
    assert_eq!(one.len(), 13);
    for threads in [0, 2, 3, 5, 64] {
        let mut heard = Vec::new();
        assert_eq!(profile_fights(&config, 11, 13, threads, |done| heard.push(done)), one, "{threads} threads");
        assert_eq!(heard, (1..=13).collect::<Vec<u32>>());
    }
    assert_eq!(profile_fights(&config, 11, 5, 2, |_| {}), one[..5]);
    assert_eq!(profile_fights(&config, 11, 0, 2, |_| {}), []);
    assert_ne!(profile_fights(&config, 12, 13, 2, |_| {}), one);
}

#[test]
fn the_nearest_miss_is_no_bullet_that_touches() {
    let config = config(&baseline());
    let mut seen = (danmaku::misses::NearMisses::new(&config), Trace::default());
    let mut fight = Fight::new(&config);
    while fight.step(&mut seen).is_none() {}
    let (misses, trace) = seen;
    let nearest = misses.nearest(5);
    assert_eq!(nearest.len(), 5);
    assert_eq!(Some(nearest[0].distance), misses.smallest_distance());
    assert!(nearest.windows(2).all(|pair| pair[0].distance <= pair[1].distance));
    for miss in &nearest {
        assert!(miss.distance > 0.0);
        assert!(trace.hits.iter().all(|hit| hit.event.bullet != miss.bullet));
        let player = trace.player_per_step[miss.at.step as usize - 1];
        assert_eq!(player, miss.player);
        let [dx, dz] = [0, 1].map(|axis| f64::from(miss.position[axis] - player[axis]));
        assert!((dx.hypot(dz) - 0.28 - miss.distance).abs() < 1e-5);
        let spawn = &trace.spawns[miss.bullet as usize];
        assert_eq!((spawn.event.bullet, spawn.event.phase), (miss.bullet, miss.phase));
    }
}

#[test]
fn who_never_moves_stays() {
    let config = config(&baseline());
    let mut trace = Trace::default();
    let mut fight = Fight::with_pilot(&config, [1.0, -2.0]);
    while fight.step(&mut trace).is_none() {}
    assert!(trace.player_per_step.iter().all(|&place| place == [1.0, -2.0]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_dodging_player_keeps_to_the_arena_and_to_its_speeds(
        document in legal(), (x, speed, focus) in (-10.0..=10.0, 1.0..=12.0, 0.01..=1.0), seed in any::<u64>(),
    ) {
        let mut document = document;
        document["player"]["start_x"] = json!(x);
        document["player"]["move_speed"] = json!(speed);
        document["player"]["focus_speed_multiplier"] = json!(focus);
        let config = config(&document);
        let (scenario, player) = (config.scenario(), config.player());
        let trace = dodge(&config, seed);
        prop_assert_eq!(&trace, &dodge(&config, seed));
        let half = [scenario.arena_width / 2.0, scenario.arena_height / 2.0];
        let mut before = [player.start_x.clamp(-half[0], half[0]), player.start_z.clamp(-half[1], half[1])];
        for place in trace.player_per_step.iter().map(|place| place.map(f64::from)) {
            prop_assert!((0..2).all(|axis| place[axis].abs() <= half[axis] + 1e-6), "{place:?} in {half:?}");
            let step = (place[0] - before[0]).hypot(place[1] - before[1]);
            prop_assert!(step <= speed / 60.0 + 1e-5, "{step} at {speed}");
            before = place;
        }
    }
}
