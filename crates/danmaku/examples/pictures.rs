//! Draws every kind of picture of one fight: `cargo run -p danmaku --example pictures -- CONFIG.json FOLDER [LABEL]`.

use std::error::Error;
use std::{env, fs, path::Path};

use danmaku::fairness::fairness;
use danmaku::render::{Heat, captures, fairness_map, filmstrip, heat_map};
use danmaku::{FightConfig, RunOptions, run_observed};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (Some(config), Some(folder)) = (arguments.first(), arguments.get(1)) else {
        return Err("say which config to draw and into which folder: pictures CONFIG.json FOLDER [LABEL]".into());
    };
    let label = arguments.get(2).map_or("", String::as_str);
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    let config = FightConfig::from_json(&serde_json::from_str(&fs::read_to_string(config)?)?)?;
    let options = RunOptions::default();

    let pictures = captures(&config, &options, &[10.0, 20.0, 30.0], label)?;
    for picture in &pictures.taken {
        fs::write(folder.join(format!("capture-{:.0}s.png", picture.asked)), &picture.png)?;
    }
    println!("{} captures; the fight was over before {:?}", pictures.taken.len(), pictures.missing);
    fs::write(folder.join("filmstrip.png"), filmstrip(&config, &options, 12, label)?)?;
    let mut heat = Heat::new(&config);
    run_observed(&config, &options, &mut heat);
    fs::write(folder.join("heat.png"), heat_map(&config, &heat, heat.peak(), label)?)?;
    let fairness = fairness(&config, 5);
    fs::write(folder.join("fairness.png"), fairness_map(&config, &fairness, label)?)?;
    println!("{:.1} % of places are safe", fairness.safe_spots.safe_share() * 100.0);
    for wall in &fairness.walls {
        println!("wall from {:.2} s to {:.2} s at {:?}", wall.from.seconds, wall.closed.seconds, wall.place);
    }
    for miss in &fairness.near_misses {
        println!(
            "missed by {:.3} at {:.2} s at {:?}, from phase {}",
            miss.distance,
            miss.at.seconds,
            miss.position,
            miss.phase + 1
        );
    }
    Ok(())
}
