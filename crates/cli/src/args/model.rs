//! The arguments about models: who proposes, which model, and what its calls may take.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// Who proposes changes and reviews runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// The pack's rules; no model is called
    Rules,
    /// A model; what it proposes goes through the same layers and the same gate
    Model,
}

/// Who stands in for a model that brings nothing usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Fallback {
    /// The pack's rules
    Rules,
}

/// Who proposes, and within which bounds.
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelTerms {
    /// Who proposes changes and reviews runs
    #[arg(long, value_enum, default_value_t = Policy::Rules)]
    pub(crate) policy: Policy,
    /// Which model: a name from models.toml, or a model of the endpoint that the environment names
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) file: ModelsFile,
    /// Answer from an earlier run's record instead of calling a model
    #[arg(long, value_name = "RUN", conflicts_with_all = ["model", "models"])]
    pub(crate) recorded: Option<String>,
    /// How many calls of a model a change may take, repeated ones counted [default: the pack's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) max_model_calls: Option<u64>,
    /// How many tokens all calls of a change may take together [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tokens: Option<u64>,
    /// What all calls of a change may cost together, in the currency of models.toml [default: no limit]
    #[arg(long, value_name = "AMOUNT", value_parser = money)]
    pub(crate) max_cost: Option<u64>,
    /// How long a change may take, waiting for people not counted: `90s`, `10m` [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) max_time: Option<Duration>,
    /// Who stands in for a model that fails or whose answer cannot be used [default: nobody]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) fallback: Option<Fallback>,
}

/// Where models are described.
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelsFile {
    /// The file that describes models [default: models.toml of the data directory]
    #[arg(long, value_name = "FILE", env = "LOOPWRIGHT_MODELS")]
    pub(crate) models: Option<PathBuf>,
}

/// An amount of money, in millionths.
pub(super) fn money(text: &str) -> Result<u64, String> {
    let wrong = || "an amount is a number such as 0.50, with up to six decimals".to_owned();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.chars().all(|sign| sign.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(decimals) || decimals.len() > 6 {
        return Err(wrong());
    }
    let micros: u64 = format!("{decimals:0<6}").parse().map_err(|_| wrong())?;
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let amount = whole.checked_mul(1_000_000).and_then(|whole| whole.checked_add(micros)).ok_or_else(wrong)?;
    if amount == 0 { Err("an amount of 0 would forbid every call".to_owned()) } else { Ok(amount) }
}

/// A span of time, at least a millisecond.
fn time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time.as_millis() > 0 => Ok(time),
        Ok(_) => Err("a time of 0 would forbid every effect".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_to_the_millionth() {
        let good = [("1", 1_000_000), ("0.5", 500_000), ("0.50", 500_000), ("12.000001", 12_000_001)];
        for (text, micros) in good {
            assert_eq!(money(text), Ok(micros), "{text}");
        }
        for text in ["", ".", ".5", "-1", "1e3", "0", "0.0", "0.0000001", "1,5", "NaN", "99999999999999999999"] {
            assert!(money(text).is_err(), "{text}");
        }
    }
}
