//! Embeds the files of every pack, so that the binary needs none beside it.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let packs = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../packs").canonicalize()?;
    println!("cargo::rerun-if-changed={}", packs.display());
    let mut source = String::from("&[\n");
    for pack in sorted(&packs)?.into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", pack.display());
        writeln!(source, "    ({:?}, &[", name(&pack))?;
        for file in sorted(&pack)?.into_iter().filter(|path| path.is_file()) {
            println!("cargo::rerun-if-changed={}", file.display());
            writeln!(source, "        ({:?}, include_str!({:?})),", name(&file), file.display().to_string())?;
        }
        source.push_str("    ]),\n");
    }
    source.push(']');
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("packs.rs"), source)?;
    Ok(())
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
