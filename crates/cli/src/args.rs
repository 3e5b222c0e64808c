//! The arguments. One struct per command; what a command does with them stands in `commands`.

mod amend;
mod batch;
mod model;
mod terms;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use loopwright_configs::Lang;

use crate::failure::Failure;

pub(crate) use amend::Amend;
pub(crate) use batch::{Compare, VerifyAll};
pub(crate) use model::{ModelTerms, ModelsFile, Policy};
pub(crate) use terms::Terms;

/// Bounded agent loops whose results can be proved.
#[derive(Debug, Parser)]
#[command(name = "loopwright", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  loopwright verify \"make phase 2 a two-way spiral, denser, at most 350 bullets alive\" --authorize designer
  loopwright verify \"末阶段弹速提高百分之十五\"
  loopwright verify \"第二阶段更密集\" --policy model --model local --authorize designer
  loopwright verify --set phase_3.bullet_speed=4.6 --no-repair --authorize qa
  loopwright decide last accept --actor designer --note \"plays well\"

Exit codes:
  0  evidence ready, accepted, a word recorded, a question answered
  1  a check failed and nothing was to be repaired (--no-repair)
  2  bad usage, a command the run's state does not allow, input that cannot be read
  3  a person must authorise, approve or answer first
  4  the budget is exhausted
  5  blocked, escalated, vetoed, rejected, goal changed, or in need of clarification
  6  the world failed: an engine, a model, a disk
  70 a bug of loopwright
  130 interrupted; `loopwright resume` goes on";

/// Where runs are kept where nobody says otherwise.
pub(crate) const DATA_DIR: &str = ".loopwright";

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Shared {
    /// Where runs, journal and evidence are kept
    #[arg(long, global = true, value_name = "DIR", env = "LOOPWRIGHT_DATA_DIR", default_value = DATA_DIR)]
    pub(crate) data_dir: PathBuf,
    /// How to answer
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// The language of the answer [default: the requirement's, else the terminal's]
    #[arg(long, global = true, value_enum)]
    pub(crate) lang: Option<Language>,
}

/// How to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// One JSON document
    Json,
    /// A test report: the checks of a run as JUnit test cases
    Junit,
    /// A comment for a pull request
    Markdown,
    /// The whole report as one page
    Html,
    /// Workflow commands that GitHub shows beside a change
    Github,
}

/// The forms of an answer that is no report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plain {
    /// For people
    Human,
    /// One JSON document
    Json,
}

impl Format {
    /// The form of an answer that is no report; the other formats are for reports only.
    pub(crate) fn plain(self) -> Result<Plain, Failure> {
        match self {
            Self::Human => Ok(Plain::Human),
            Self::Json => Ok(Plain::Json),
            Self::Junit | Self::Markdown | Self::Html | Self::Github => {
                Err(Failure::usage("this answer is no report: --format can be human or json")
                    .hint("`loopwright report RUN` writes a run's report in the other forms"))
            }
        }
    }
}

/// A language of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// English
    En,
    /// 中文
    Zh,
}

impl From<Language> for Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Self::En,
            Language::Zh => Self::Zh,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verify a change: a sentence, or a candidate, against the baseline
    Verify(Verify),
    /// Verify many changes under the same terms, and sum up what they came to
    VerifyAll(VerifyAll),
    /// Allow the engine runs that a change waits for
    Authorize(Authorize),
    /// Go on with a run that was stopped, authorised or killed
    Resume(Resume),
    /// Raise the budget of a run that has used it up; `resume` goes on from there
    Amend(Amend),
    /// End a run
    Cancel(Cancel),
    /// Accept, revise or roll back a change; never overwrites the baseline
    Decide(Decide),
    /// List the runs
    Runs,
    /// Show a run
    Show(OneRun),
    /// Show everything that happened in a run
    Trace(OneRun),
    /// Set two runs side by side: configs, checks, figures
    Compare(Compare),
    /// Write a run's evidence folder again from the journal
    Export(Export),
    /// Write a run's report again: page, JUnit, Markdown or annotations
    Report(ReportRun),
    /// Engines
    #[command(subcommand)]
    Engine(Engine),
}

/// Verify a change.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  loopwright verify \"phase 1 denser, no more than 250 bullets on screen\"
  loopwright verify --requirement-file change.txt --authorize designer
  loopwright verify --candidate candidate.json --baseline baseline.json --authorize qa
  loopwright verify --set phase_2.wave_interval_ms=650 --set constraints.min_fps=57 --authorize qa")]
pub(crate) struct Verify {
    /// What is wanted, in Chinese or English
    #[arg(value_name = "SENTENCE", conflicts_with_all = ["requirement_file", "candidate", "set"])]
    pub(crate) requirement: Option<String>,
    /// Read the sentence from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["candidate", "set"])]
    pub(crate) requirement_file: Option<PathBuf>,
    /// Verify this config instead of reading a sentence
    #[arg(long, value_name = "FILE")]
    pub(crate) candidate: Option<PathBuf>,
    /// Verify the baseline, or the candidate, with this value changed; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) terms: Terms,
    /// Allow the engine runs in this person's name
    #[arg(long, value_name = "ACTOR", value_parser = name)]
    pub(crate) authorize: Option<String>,
}

/// A run.
#[derive(Debug, Args)]
pub(crate) struct OneRun {
    /// A run's id, an unambiguous beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
}

/// Allow the engine runs.
#[derive(Debug, Args)]
pub(crate) struct Authorize {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// Who allows them
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) actor: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

/// Go on with a run.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// The folder of the run's pack, where it has moved
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) models: ModelsFile,
}

/// End a run.
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// Who ends it [default: the user of this machine]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) actor: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

/// Decide about a change.
#[derive(Debug, Args)]
pub(crate) struct Decide {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// What to do with the candidate
    #[arg(value_enum, value_name = "DECISION")]
    pub(crate) verb: Verb,
    /// Who decides
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(crate) actor: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,
}

/// What to do with the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Verb {
    /// Take it; only where the evidence is ready
    Accept,
    /// Ask for another one
    Revise,
    /// Keep the baseline
    Rollback,
}

/// Write the evidence folder again.
#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// Where to [default: the run's evidence folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// Write a run's report again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  loopwright report last
  loopwright report last --format markdown > comment.md
  loopwright report k7f3m2qd --format junit --output checks.xml")]
pub(crate) struct ReportRun {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// Where to [default: standard output; the page goes into the run's evidence folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Engines.
#[derive(Debug, Subcommand)]
pub(crate) enum Engine {
    /// Run one config once, and print its telemetry
    Run(EngineRun),
}

/// Run one config once.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loopwright engine run packs/bullet-hell/baseline.json")]
pub(crate) struct EngineRun {
    /// The config, which has to pass the pack's schema
    #[arg(value_name = "CONFIG")]
    pub(crate) config: PathBuf,
    /// The folder of another pack [default: the embedded bullet-hell pack]
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: Option<PathBuf>,
    /// The random seed [default: the pack's]
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=9_007_199_254_740_991))]
    pub(crate) seed: Option<u64>,
    /// Write the telemetry to a file instead
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A person's name; the evidence says who allowed and who decided, so it cannot be blank.
fn name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty() { Err("a name is needed".to_owned()) } else { Ok(name.to_owned()) }
}
