//! Writes every rendering of a realistic report: `cargo run --example sample -- DIR`.

mod fountain;
mod png;
mod show;

use std::path::PathBuf;
use std::{env, fs, io};

use loopwright_report::{annotations, html, junit, markdown};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    fs::create_dir_all(&folder)?;
    let report = fountain::report();
    let faults: Vec<String> = report.faults().iter().map(ToString::to_string).collect();
    if !faults.is_empty() {
        return Err(io::Error::other(faults.join("; ")));
    }
    let renderings = [
        ("sample.html", html::page(&report)),
        ("sample.md", markdown::comment(&report)),
        ("sample.xml", junit::suite(&report)),
        ("sample.txt", annotations::lines(&report, Some("fountain.txt"))),
    ];
    for (name, text) in renderings {
        let path = folder.join(name);
        println!("{} {} bytes", path.display(), text.len());
        fs::write(path, text)?;
    }
    Ok(())
}
