//! The terms of a verification: what one change and a whole batch are verified under.

use std::path::PathBuf;

use clap::Args;

use super::ModelTerms;

/// What changes are verified under.
#[derive(Debug, Clone, Args)]
pub(crate) struct Terms {
    /// The folder of another pack [default: the embedded bullet-hell pack]
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: Option<PathBuf>,
    /// The config before the change [default: the pack's]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Only judge, never repair
    #[arg(long)]
    pub(crate) no_repair: bool,
    /// The random seed of both sides [default: the pack's]
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    pub(crate) seed: Option<u64>,
    /// How many candidates may run [default: the pack's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    pub(crate) max_runs: Option<u64>,
    /// Take a picture at this second of each run; repeatable [default: the pack's, none in a batch]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) capture_at: Vec<f64>,
    /// How many trials, each with a player of its own seed, both configs go through beside the fixed
    /// path; 0 for none [default: the pack's, 0 in a batch]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) profiles: Option<u32>,
    #[command(flatten)]
    pub(crate) models: ModelTerms,
}

/// A moment of a run, in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a moment is a number of seconds from 0 to 3600".to_owned()),
    }
}
