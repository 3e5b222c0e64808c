//! The pictures: the same bytes every time, and what they say about themselves agrees with the fight.

use crate::fixtures::{baseline, config, two_way_spiral};
use danmaku::fairness::fairness;
use danmaku::render::{HEIGHT, Heat, WIDTH, captures, fairness_map, filmstrip, heat_map};
use danmaku::{RunOptions, Trace, run_observed};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Width, height and pixels (RGB) of a PNG file.
fn pixels(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

#[test]
fn the_bytes_of_the_pictures_are_fixed() {
    let (config, options) = (config(&two_way_spiral(2.6)), RunOptions::default());
    let draw = || {
        let capture = captures(&config, &options, &[20.0], "CANDIDATE").unwrap().taken.remove(0).png;
        let mut heat = Heat::new(&config);
        run_observed(&config, &options, &mut heat);
        let heat = heat_map(&config, &heat, heat.peak(), "CANDIDATE").unwrap();
        let fairness = fairness_map(&config, &fairness(&config, 5), "CANDIDATE").unwrap();
        [capture, heat, filmstrip(&config, &options, 12, "CANDIDATE").unwrap(), fairness]
    };
    let pictures = draw();
    assert!(pictures == draw(), "drawing again gives the same bytes");
    let expected = [
        "9b04efa81c36324fbf032a88db0c16887dbfddd20362a8360291be31b860f7a8",
        "212e05c5a31409ea0905abd95c95e95125f55b3febde87ae89ebe940f9e4fd5e",
        "1b533e186d84a247119f20b3d17c4378fc9077b8b62a7f8c0f4fef12bed038fe",
        "580c2f40c653747a7e7ebb142905c6f9861ea0f1028550dbf172abafdf32e9da",
    ];
    // A change here is a change of what people see: look at the pictures (`--example pictures`) before accepting it.
    assert_eq!(pictures.each_ref().map(|picture| sha256(picture)), expected);
}

#[test]
fn a_capture_says_what_the_fight_says() {
    let (config, options) = (config(&baseline()), RunOptions::default());
    let mut trace = Trace::default();
    run_observed(&config, &options, &mut trace);
    let times = [30.0, 0.0, 17.65, 36.0, 10.0, 10.0];
    let taken = captures(&config, &options, &times, "").unwrap().taken;
    let seen: Vec<_> = taken.iter().map(|c| (c.asked, c.step, c.phase_id.as_str(), c.hits)).collect();
    let expected = [
        (30.0, 1800, "phase_3", 2),
        (0.0, 1, "phase_1", 0),
        (17.65, 1059, "phase_2", 1),
        (36.0, 2160, "phase_3", 2),
        (10.0, 600, "phase_1", 0),
        (10.0, 600, "phase_1", 0),
    ];
    assert_eq!(seen, expected);
    for capture in &taken {
        assert_eq!(capture.alive, trace.alive_per_step[capture.step as usize - 1]);
        assert!((capture.time - capture.asked).abs() <= 0.0167, "{} for {}", capture.time, capture.asked);
        let (width, height, _) = pixels(&capture.png);
        assert_eq!((width, height), (WIDTH, HEIGHT));
    }
    assert!(taken[4].png == taken[5].png);
}

#[test]
fn times_that_the_fight_never_reaches_are_missing() {
    let config = config(&two_way_spiral(3.6));
    let captures = captures(&config, &RunOptions::default(), &[30.0, 29.0, -1.0, f64::NAN, 10.0], "").unwrap();
    assert_eq!(captures.taken.iter().map(|capture| capture.asked).collect::<Vec<_>>(), [29.0, 10.0]);
    assert_eq!(captures.missing.len(), 3);
    assert_eq!(captures.missing[..2], [30.0, -1.0]);
}

#[test]
fn baseline_and_candidate_lie_on_each_other() {
    let options = RunOptions::default();
    let [before, after] = [baseline(), two_way_spiral(2.6)]
        .map(|document| pixels(&captures(&config(&document), &options, &[12.0], "").unwrap().taken.remove(0).png).2);
    // Both fight the same first phase for 12.68 s; only the legend could differ, and the pattern's name did not change.
    assert!(before == after);
}

#[test]
fn any_arena_can_be_drawn() {
    let changes: [&[(&str, Value)]; 5] = [
        &[("/scenario/arena_width", json!(20)), ("/scenario/arena_height", json!(12))],
        &[("/scenario/arena_width", json!(0)), ("/scenario/arena_height", json!(0))],
        &[("/scenario/arena_width", json!(10_000)), ("/scenario/arena_height", json!(0.001))],
        &[("/boss/position_x", json!(10_000)), ("/player/start_z", json!(-10_000))],
        &[("/player/hit_radius", json!(0)), ("/player/max_health", json!(20))],
    ];
    let options = RunOptions::default();
    for change in changes {
        let mut document = baseline();
        document["scenario"]["duration_seconds"] = json!(2);
        for (pointer, value) in change {
            *document.pointer_mut(pointer).unwrap() = value.clone();
        }
        let config = config(&document);
        let captures = captures(&config, &options, &[1.0], "A LONG LABEL, 名 AND MORE OF IT").unwrap();
        assert_eq!(captures.taken.len(), 1, "{change:?}");
        let mut heat = Heat::new(&config);
        run_observed(&config, &options, &mut heat);
        for top in [heat.peak(), 0.0, f64::NAN, f64::INFINITY] {
            heat_map(&config, &heat, top, "").unwrap();
        }
        fairness_map(&config, &fairness(&config, 9), "").unwrap();
        for frames in [0, 1, 7] {
            filmstrip(&config, &options, frames, "").unwrap();
        }
    }
}

#[test]
fn a_bullet_is_drawn_where_it_is() {
    // Without a player to meet, a bullet that stands still is the only thing right of the boss.
    let mut document = baseline();
    document["phases"][0]["pattern"]["bullets_per_wave"] = json!(1);
    document["phases"][0]["pattern"]["bullet_speed"] = json!(3.0);
    let config = config(&document);
    let capture = captures(&config, &RunOptions::default(), &[1.0], "").unwrap().taken.remove(0);
    assert_eq!(capture.alive, 1);
    // 60 steps of 3/60 units to the right of the boss at (0, 7); 20 pixels a unit around the stage's middle (480, 270).
    let (width, _, rgb) = pixels(&capture.png);
    let at = ((270 - 140) * width as usize + 480 + 60) * 3;
    assert!(rgb[at] > 190 && rgb[at + 1] > 220 && rgb[at + 2] > 240, "{:?}", &rgb[at..at + 3]);
}
