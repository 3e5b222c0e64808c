//! The arguments of what is about several runs at once.

use std::path::PathBuf;

use clap::Args;
use loopwright_changes::batch::identity;
use loopwright_changes::batch::shard::Shard;

use super::Terms;

/// Set two runs side by side.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loopwright compare h4k2 last")]
pub(crate) struct Compare {
    /// A run's id, an unambiguous beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) one: String,
    /// The run beside it
    #[arg(value_name = "RUN")]
    pub(crate) other: String,
}

/// Verify many changes under the same terms.
#[derive(Debug, Args)]
#[command(after_help = "\
Input:
  DIR          every *.json in it is a candidate
  FILE.jsonl   one JSON document a line, each with an optional \"name\": {\"text\": \"...\"},
               {\"candidate\": {...}} or {\"set\": [\"NAME=VALUE\"]}
  FILE         one sentence a line; blank lines and those that begin with # are skipped

The same command goes on where an earlier call stopped: what has come to rest is not run again,
what failed with the world is. The exit code is the worst item's: 70, 6, 2, 5, 4, 3, 1, 0.

Examples:
  loopwright verify-all candidates/ --no-repair --authorize nightly
  loopwright verify-all ideas.txt --name monday --authorize designer --against friday
  loopwright verify-all night.jsonl --shard 1/4 --jobs 8 --authorize ci --junit report.xml")]
pub(crate) struct VerifyAll {
    /// A folder of candidates, a JSONL file, or a text file with a sentence a line
    #[arg(value_name = "FILE|DIR")]
    pub(crate) input: PathBuf,
    /// What the batch is called [default: the input's name and digest]
    #[arg(long, value_name = "BATCH", value_parser = identity::name)]
    pub(crate) name: Option<String>,
    /// Allow the engine runs of every item in this person's name
    #[arg(long, value_name = "ACTOR", value_parser = super::name)]
    pub(crate) authorize: Option<String>,
    /// Verify only part K of N, chosen by content
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,
    /// How many items are verified at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Say what is new, still failing or fixed since this earlier batch
    #[arg(long, value_name = "BATCH", value_parser = identity::name)]
    pub(crate) against: Option<String>,
    /// Write the JUnit file here too
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) terms: Terms,
}
